/**
 * The attributes of one tag at a time (HTML standard, "before attribute name state" and the nine after it). Only
 * positions in the text are kept; a string is made when a value is requested.
 */
import { attributeValue } from "./html-entities.ts";
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
  readonly #text: string;
  readonly #decode: (part: string) => string;
  /** Start and end of the name, start and end of the value, for each attribute. */
  readonly #spans = new Int32Array(4 * ATTRIBUTES_MAX);
  #count = 0;
  #selfClosing = false;
  #overflowed = false;
  /** `value` as a function that can be passed on. */
  readonly attribute = (name: string): string | null => this.value(name);

  /** `decode` decodes a part of `text`, for a page that is scanned before it is decoded. */
  constructor(text: string, decode: (part: string) => string) {
    this.#text = text;
    this.#decode = decode;
  }

  get selfClosing(): boolean {
    return this.#selfClosing;
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** For a tag that ends right after its name. */
  clear(): void {
    this.#count = 0;
    this.#selfClosing = false;
    this.#overflowed = false;
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
        this.#selfClosing = code === SLASH;
        this.#overflowed = count > ATTRIBUTES_MAX;
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
