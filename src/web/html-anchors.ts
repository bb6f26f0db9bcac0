/**
 * The text of links: what a visitor reads, or hears, of a link. White space is collapsed. A link without text has the
 * `alt` of an image in it, or else its own `aria-label` or `title`.
 */
import { titleText } from "./html-attributes.ts";

const CHARACTERS_MAX = 100;
/** Of a link that is not closed, or holds half of a page, only the beginning is read. */
export const ANCHOR_MARKUP_MAX = 4000;

/** Tags that do not divide words. */
export const INLINE = new Set(
  "a abbr b bdi bdo cite code em font i img ins kbd mark q s small span strong sub sup u wbr".split(" "),
);
/** Elements whose content nobody sees. */
export const UNSEEN: readonly string[] = ["script", "style", "template"];
const ALT = /[\s"']alt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

/** Collapses white space and drops control characters: the text fits into a line, whatever the page holds. */
export function anchorText(text: string): string {
  if (isPlain(text)) return text;
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line.length <= CHARACTERS_MAX) return line;
  // Half a character is none.
  const end = /[\ud800-\udbff]/.test(line[CHARACTERS_MAX - 1]) ? CHARACTERS_MAX - 1 : CHARACTERS_MAX;
  return line.slice(0, end).trimEnd();
}

/** Whether a text is fit as it is, which most are: letters of ASCII with single spaces between them. */
function isPlain(text: string): boolean {
  if (text.length > CHARACTERS_MAX) return false;
  let before = 0x20;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || (code === 0x20 && before === 0x20)) return false;
    before = code;
  }
  return before !== 0x20 || text === "";
}

/** The text in the markup between the tags of a link. Each character is looked at once or twice, whatever it holds. */
export function anchorTextOf(markup: string, decode: (part: string) => string): string {
  if (!markup.includes("<")) return shownText(markup, "", decode);
  let text = "";
  let alt = "";
  let at = 0;
  let lower: string | undefined;
  for (let open = markup.indexOf("<"); open >= 0; open = markup.indexOf("<", at)) {
    text += markup.slice(at, open);
    const isComment = markup.startsWith("<!--", open);
    const close = markup.indexOf(isComment ? "-->" : ">", open + 1);
    // Cut off inside a tag.
    if (close < 0) return shownText(text, alt, decode);
    at = close + (isComment ? 3 : 1);
    if (isComment) continue;
    const tag = markup.slice(open, at);
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1].toLowerCase() ?? "";
    if (!INLINE.has(name) && !UNSEEN.includes(name)) text += " ";
    if (name === "img" && alt === "") alt = altOf(tag);
    if (!UNSEEN.includes(name) || tag.startsWith("</")) continue;
    lower ??= markup.toLowerCase();
    const end = lower.indexOf(`</${name}`, at);
    if (end < 0) return shownText(text, alt, decode);
    at = end;
  }
  return shownText(text + markup.slice(at), alt, decode);
}

function altOf(tag: string): string {
  const [, double, single, plain] = ALT.exec(tag) ?? [];
  return double ?? single ?? plain ?? "";
}

function shownText(text: string, alt: string, decode: (part: string) => string): string {
  const seen = anchorText(titleText(decode(text)));
  return seen !== "" || alt === "" ? seen : anchorText(titleText(decode(alt)));
}
