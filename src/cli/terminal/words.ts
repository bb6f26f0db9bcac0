/** Pieces of text for people: paragraphs, lists of facts, commands to type. */

/** What the user types to run this program: with npx there may be no `tidemark` on the path. */
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

/** A paragraph in lines that fit the terminal, broken between words. */
export function wrapped(
  text: string,
  { width, indent = 0, hanging = indent }: { width: number; indent?: number; hanging?: number },
): string {
  const lines: string[] = [];
  let line = "";
  const before = (): number => (lines.length === 0 ? indent : hanging);
  for (const word of text.split(" ")) {
    if (line !== "" && before() + line.length + 1 + word.length > width) {
      lines.push(`${" ".repeat(before())}${line}\n`);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return `${lines.join("")}${" ".repeat(before())}${line}\n`;
}

/** Quoted where a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Wraps the sentences of an answer that are too long for the terminal; tables fit it, and coloured lines are theirs.
 */
export function fitted(text: string, { width }: { readonly width: number }): string {
  const isFit = (line: string): boolean => line.length <= width || line.includes("\u001B");
  return text.replace(/.+\n/g, (line) => (isFit(line.slice(0, -1)) ? line : wrapped(line.slice(0, -1), { width })));
}
