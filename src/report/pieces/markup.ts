/**
 * HTML and SVG with text that is always escaped: what is interpolated into the `markup` template is text, unless it is
 * Markup itself. There is no other way to put a string into a report.
 */

export class Markup {
  readonly source: string;

  /** For our own constants, such as the style sheet; never for data. */
  constructor(source: string) {
    this.source = source;
  }
}

type Piece = Markup | string | number | readonly Markup[];

export function markup(template: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  let source = template[0];
  for (const [index, piece] of pieces.entries()) source += render(piece) + template[index + 1];
  return new Markup(source);
}

export const nothing = new Markup("");

/** The attributes of an SVG element that fills its viewport. */
export const full = markup`width="100%" height="100%"`;

/** A share as a length: positions in percent follow the size of a drawing. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))}%`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A standalone SVG is XML, which allows no control characters and no lone surrogates. */
const UNPRINTABLE = /[^\P{Cc}\t\n]|\p{Cs}|[\uFFFE\uFFFF]/gu;

function render(piece: Piece): string {
  if (piece instanceof Markup) return piece.source;
  if (typeof piece === "object") return piece.map((part) => part.source).join("");
  return String(piece)
    .replace(UNPRINTABLE, "\uFFFD")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
