/** Pieces of answers for people. */

/** Names on the left, values on the right. */
export function facts(lines: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...lines.map(([name]) => name.length));
  const valueWidth = Math.max(...lines.map(([, value]) => value.length));
  return lines.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value.padStart(valueWidth)}\n`).join("");
}
