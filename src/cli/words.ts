/** Pieces of answers for people. */

/** What the user types to run this program: whoever came by npx has perhaps nothing of this name on the path. */
export function programName({ npm_lifecycle_event, npm_lifecycle_script } = process.env): string {
  const isByNpx = npm_lifecycle_event === "npx" && /^["']?tidemark\b/.test(npm_lifecycle_script ?? "");
  return isByNpx ? "npx tidemark" : "tidemark";
}

/** Names on the left, values on the right. */
export function facts(lines: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...lines.map(([name]) => name.length));
  const valueWidth = Math.max(...lines.map(([, value]) => value.length));
  return lines.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value.padStart(valueWidth)}\n`).join("");
}
