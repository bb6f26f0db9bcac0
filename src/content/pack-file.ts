/**
 * The file of a pack, in pieces: a head, a line of the table of contents per page, a section per page. Each piece ends
 * with a line break and begins with a sign or a digit. No token goes across such a border, so the tokens of the file
 * are those of its pieces.
 */

export interface PackedPage {
  readonly url: string;
  readonly title: string | null;
  readonly markdown: string;
}

/** A line of the table of contents. */
export function contentsLine(number: number, { url, title }: Omit<PackedPage, "markdown">): string {
  // Parentheses could end the link.
  return `${number}. [${titleOf(title, url)}](${/[()]/.test(url) ? `<${url}>` : url})\n`;
}

/** No blank line before it: that would be another end of the line above. */
export const END_OF_CONTENTS = "---\n\n";

export function section(number: number, { url, title, markdown }: PackedPage): string {
  return `## ${number}. ${titleOf(title, url)}\n\nSource: ${url}\n\n${demoted(markdown)}\n\n`;
}

/** What Markdown would understand as something else than text. */
const SIGNS = /[\\`[\]<]/g;

function titleOf(title: string | null, url: string): string {
  const text = (title ?? "").replaceAll(/\s+/g, " ").trim();
  return text === "" ? url : text.replaceAll(SIGNS, "\\$&");
}

/** Below the heading of the section, which has two signs. */
const LEVELS = 2;
const LEVEL_MAX = 6;
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/;
/** A line below the text of a heading of the first or second level. */
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;
/** May stand deeper, in a list. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** Markdown with its headings two levels lower. What is code stays as it is; code that does not end is ended. */
export function demoted(markdown: string): string {
  const lines: string[] = [];
  let fence = "";
  for (const line of markdown.trim().split(/\r\n|\r|\n/)) {
    const [, marks = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence !== "") {
      if (marks.startsWith(fence) && info.trim() === "") fence = "";
      lines.push(line);
      continue;
    }
    fence = marks;
    if (UNDERLINE.test(line) && isLoneLine(lines)) lines.push(heading(line.includes("=") ? 1 : 2, lines.pop() ?? ""));
    else lines.push(line.replace(HEADING, (_, signs: string) => signsOf(signs.length)));
  }
  if (fence !== "") lines.push(fence);
  return lines.join("\n");
}

/** Whether the last line is a paragraph of its own, so that a line below makes it a heading. */
function isLoneLine(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? "";
  return /^ {0,3}[^\s#>*+-]/.test(last) && (lines.at(-2) ?? "").trim() === "";
}

function heading(level: number, text: string): string {
  return `${signsOf(level)} ${text.trim()}`;
}

function signsOf(level: number): string {
  return "#".repeat(Math.min(LEVEL_MAX, level + LEVELS));
}
