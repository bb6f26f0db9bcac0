/**
 * Text as a terminal counts it. A character takes one column, a wide one (East Asian, emoji) two, a mark on another none. What a stranger
 * wrote (the names of hosts, URLs) may hold anything: what is not to be seen, or would command the terminal, is shown as "?".
 */

/** Controls, bidirectional overrides, separators of lines, surrogates, private and unassigned characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const NOT_ASCII = /[^\x20-\x7E]/gu;
const MARK = /^\p{M}$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** Blocks that Unicode's EastAsianWidth calls wide or full width, first and last. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

export function printable(text: string, { unicode }: { readonly unicode: boolean }): string {
  return text.replace(unicode ? UNPRINTABLE : NOT_ASCII, "?");
}

export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** As much of a text as fits. */
export function cutToColumns(text: string, columns: number): string {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function widthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (MARK.test(character)) return 0;
  return EMOJI.test(character) || WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
