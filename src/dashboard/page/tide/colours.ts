/** The theme's colours for a canvas, which knows no custom properties. */

export interface Colours {
  readonly surface: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly sea: string;
  readonly differs: string;
  readonly font: string;
}

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: read("surface"),
    ink: read("ink"),
    muted: read("muted"),
    line: read("line"),
    sea: read("sea"),
    differs: read("differs"),
    font: read("font"),
  };
}

/** A colour as #rrggbb, the way the palette writes them, made transparent. */
export function withAlpha(colour: string, alpha: number): string {
  return `${colour}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, "0")}`;
}
