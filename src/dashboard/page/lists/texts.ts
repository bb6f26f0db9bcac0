/** Words that come from the web, made fit to be shown in a line: whatever would move other text, or cannot be seen, becomes a mark. */

const CUT_CHARACTERS = 300;
/** Controls, marks that turn the direction of text, and halves of characters. */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

export function shown(text: string): string {
  return text
    .replaceAll(/[\t\n\r\f]+/g, " ")
    .replaceAll(UNFIT, "\ufffd")
    .trim();
}

/** Long enough to fill any line; the rest would only cost time to lay out. */
export function shownInLine(text: string): string {
  const whole = shown(text.slice(0, 2 * CUT_CHARACTERS));
  return whole.length <= CUT_CHARACTERS ? whole : `${whole.slice(0, CUT_CHARACTERS)}…`;
}
