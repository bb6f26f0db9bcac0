/** Text from the web, made safe to show: nothing in it moves other text, hides, or fills the page. */

const LINE_LENGTH_MAX = 300;
/** Control characters, characters that change the direction of text, and halves of characters. */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

export function shown(text: string): string {
  return harmless(text.replaceAll(/[\t\n\r\f]+/g, " ")).trim();
}

/** The same for a piece of a text, whose spaces at both ends belong to it. */
export function harmless(piece: string): string {
  return piece.replaceAll(UNFIT, "\ufffd");
}

/** Long enough to fill any line; more would only cost time to lay out. */
export function shownInLine(text: string): string {
  const whole = shown(text.slice(0, 2 * LINE_LENGTH_MAX));
  return whole.length <= LINE_LENGTH_MAX ? whole : `${whole.slice(0, LINE_LENGTH_MAX)}…`;
}

/** Both ends of a long text: what is left out is in the middle. */
export function shortened(text: string, lengthMax: number): string {
  const characters = Array.from(text.slice(0, 4 * lengthMax));
  if (text.length <= 4 * lengthMax && characters.length <= lengthMax) return text;
  const tail = Math.floor(lengthMax / 4);
  const end = Array.from(text.slice(-4 * tail)).slice(-tail);
  return `${characters.slice(0, lengthMax - tail - 1).join("")}…${end.join("")}`;
}
