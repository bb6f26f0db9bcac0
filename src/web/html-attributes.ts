/**
 * The attributes of one tag at a time (HTML standard, "before attribute name state" and the nine after it). Only
 * positions in the text are kept; a string is made on request.
 */
import { parseFragment } from "parse5";
import { isName } from "./html-names.ts";

/** Further attributes of a tag are not kept; `overflowed` is then true. */
const ATTRIBUTES_MAX = 128;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const CLOSE = 0x3e;

export function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB || code === FORM_FEED;
}

export class AttributeReader {
  selfClosing = false;
  overflowed = false;
  readonly #text: string;
  readonly #decode: (part: string) => string;
  /** Start and end of the name, start and end of the value, for each attribute. */
  readonly #spans = new Int32Array(4 * ATTRIBUTES_MAX);
  #count = 0;
  /** `value` as a function that can be passed on. */
  readonly attribute = (name: string): string | null => this.value(name);

  /** `decode` decodes a part of `text`, for a page that is scanned before it is decoded. */
  constructor(text: string, decode: (part: string) => string) {
    this.#text = text;
    this.#decode = decode;
  }

  /** For a tag that ends right after its name. */
  clear(): void {
    this.#count = 0;
    this.selfClosing = false;
    this.overflowed = false;
  }

  /** Reads from the end of the tag's name; returns the position after its `>`, or -1 when the text ends before. */
  read(from: number): number {
    const text = this.#text;
    const length = text.length;
    const spans = this.#spans;
    let count = 0;
    let at = from;
    while (at < length) {
      let code = text.charCodeAt(at);
      if (isSpace(code)) {
        at++;
        continue;
      }
      if (code === SLASH || code === CLOSE) {
        if (code === SLASH && text.charCodeAt(at + 1) !== CLOSE) {
          at++;
          continue;
        }
        this.selfClosing = code === SLASH;
        this.overflowed = count > ATTRIBUTES_MAX;
        this.#count = Math.min(count, ATTRIBUTES_MAX);
        return code === SLASH ? at + 2 : at + 1;
      }
      // A leading equals sign is the first letter of a name.
      const nameStart = at++;
      while (
        at < length &&
        (code = text.charCodeAt(at)) !== EQUALS &&
        code !== CLOSE &&
        code !== SLASH &&
        !isSpace(code)
      )
        at++;
      const nameEnd = at;
      while (at < length && isSpace(text.charCodeAt(at))) at++;
      let valueStart = nameEnd;
      let valueEnd = nameEnd;
      if (text.charCodeAt(at) === EQUALS) {
        at++;
        while (at < length && isSpace((code = text.charCodeAt(at)))) at++;
        code = text.charCodeAt(at);
        if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
          valueStart = at + 1;
          valueEnd = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", valueStart);
          if (valueEnd < 0) return -1;
          at = valueEnd + 1;
        } else {
          valueStart = at;
          while (at < length && (code = text.charCodeAt(at)) !== CLOSE && !isSpace(code)) at++;
          valueEnd = at;
        }
      }
      if (count < ATTRIBUTES_MAX) {
        const span = 4 * count;
        spans[span] = nameStart;
        spans[span + 1] = nameEnd;
        spans[span + 2] = valueStart;
        spans[span + 3] = valueEnd;
      }
      count++;
    }
    return -1;
  }

  /** The value of the first attribute of that name (lower case), entities decoded; null without one. */
  value(name: string): string | null {
    const spans = this.#spans;
    for (let span = 0; span < 4 * this.#count; span += 4) {
      if (isName(this.#text, spans[span], spans[span + 1], name))
        return attributeValue(this.#decode(this.#text.slice(spans[span + 2], spans[span + 3])));
    }
    return null;
  }
}

const COMMON = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"' }));

/** Names that need no semicolon have two to six letters: from `lt` to `middot`. */
const UNCLOSED_MIN = 2;
const UNCLOSED_MAX = 6;

/**
 * Decodes a raw value, the text between its quotes (HTML standard, "character reference state").
 *
 * Nearly all references are `&amp;`, `&lt;`, `&quot;`, ASCII numbers, or ampersands that are none (`?a=1&b=2`): these
 * are decoded here. A value with any other goes to the exact parser, which has the table of 2,231 names.
 */
export function attributeValue(raw: string): string {
  const value = raw.includes("&") ? decodeAttribute(raw) : raw;
  return value.includes("\0") || value.includes("\r") ? preprocessed(value) : value;
}

/** Decodes the raw text of a title element. */
export function titleText(raw: string): string {
  if (!raw.includes("&") && !raw.includes("\0")) return raw;
  // Cut for the parser: a title keeps 300 characters, and no reference is longer than 40.
  const [element] = parseFragment(`<title>${raw.slice(0, 1 << 14)}`).childNodes;
  const text = element !== undefined && "childNodes" in element ? element.childNodes[0] : undefined;
  return text !== undefined && "value" in text ? text.value : "";
}

function decodeAttribute(raw: string): string {
  let decoded = "";
  let copied = 0;
  for (let at = raw.indexOf("&"); at >= 0; at = raw.indexOf("&", at + 1)) {
    let end = at + 1;
    const isNumber = raw.charCodeAt(end) === 0x23;
    if (isNumber) end++;
    while (isAlphanumeric(raw.charCodeAt(end))) end++;
    const isClosed = raw.charCodeAt(end) === 0x3b;
    // An unclosed name before "=" is no reference in an attribute, and a bare ampersand never is.
    if (!isNumber && !isClosed && (end === at + 1 || raw.charCodeAt(end) === 0x3d)) continue;
    const name = raw.slice(at + 1, end);
    if (!isNumber && !isClosed && (name.length < UNCLOSED_MIN || name.length > UNCLOSED_MAX)) continue;
    const character = isClosed ? (COMMON.get(name) ?? asciiNumber(name)) : undefined;
    if (character === undefined) return decodeExactly(raw);
    decoded += raw.slice(copied, at) + character;
    copied = end + 1;
  }
  return decoded + raw.slice(copied);
}

/** `#39` and `#x27`, where they name printable ASCII. */
function asciiNumber(name: string): string | undefined {
  const digits = /^#(?:([0-9]{2,3})|[xX]([0-9a-fA-F]{2}))$/.exec(name);
  if (digits === null) return undefined;
  const code = digits[1] === undefined ? Number.parseInt(digits[2] ?? "", 16) : Number(digits[1]);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;
}

function decodeExactly(raw: string): string {
  // A value without quotes may contain both kinds of quotes; encoding one does not change the value.
  const [element] = parseFragment(`<a x="${raw.replaceAll('"', "&quot;")}">`).childNodes;
  return element !== undefined && "attrs" in element ? (element.attrs[0]?.value ?? "") : "";
}

/** What the standard does before parsing: line ends become line feeds, and a zero in a value is replaced. */
function preprocessed(value: string): string {
  return value.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
