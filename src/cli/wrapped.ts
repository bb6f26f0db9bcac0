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
