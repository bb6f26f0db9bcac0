/**
 * The fast reader: one pass over the tags of a page, without a tree.
 *
 * It relies on this: in the standard's tree builder, an `a`, `area`, `base` or `meta` start tag always adds an element
 * with these attributes to the document, however its ancestors are misnested, except inside
 *   raw text     title, textarea, style, script, xmp, iframe, noembed, noframes: skipped here as in the tokenizer
 *   templates    whose contents are not part of the document: counted here; inside them a `col` can make raw text
 *                plain, and tables and objects can let a link escape
 *   select       which swallows tags: only option, optgroup and hr are accepted here
 *   foreign      SVG and MathML, which have their own elements, raw text and end: read here while their tags nest
 *                properly and are known to be harmless (html-foreign.ts)
 *   frameset     which drops the body; and plaintext, which never ends
 * Misnested formatting elements and tables copy and move elements but never lose one, so the set of links is the same.
 * In doubt the reader gives up, and the page is read by the exact parser.
 *
 * Cost: one look at every character of tags, `indexOf` between them; strings are made only of links.
 */
import { ANCHOR_MARKUP_MAX, anchorText, anchorTextOf } from "./html-anchors.ts";
import { AttributeReader, isSpace, titleText } from "./html-attributes.ts";
import type { HtmlFacts } from "./html-facts.ts";
import { ForeignContent } from "./html-foreign.ts";
import { findName, isName, nameId, nameOfId } from "./html-names.ts";

const A = nameId("a");
const AREA = nameId("area");
const IFRAME = nameId("iframe");
const BASE = nameId("base");
const LINK = nameId("link");
const META = nameId("meta");
const TITLE = nameId("title");
const SCRIPT = nameId("script");
const STYLE = nameId("style");
const NOFRAMES = nameId("noframes");
const TEXTAREA = nameId("textarea");
const XMP = nameId("xmp");
const NOEMBED = nameId("noembed");
const NOSCRIPT = nameId("noscript");
const TEMPLATE = nameId("template");
const SELECT = nameId("select");
const SVG = nameId("svg");
const MATH = nameId("math");
const COL = nameId("col");
const FRAMESET = nameId("frameset");
const PLAINTEXT = nameId("plaintext");
const HTML = nameId("html");
const HEAD = nameId("head");
const BASEFONT = nameId("basefont");
const BGSOUND = nameId("bgsound");
const BODY = nameId("body");
const BR = nameId("br");
const OPTION = nameId("option");
const OPTGROUP = nameId("optgroup");
const HR = nameId("hr");

/** Which part of the page is read: a link element counts as canonical until the body starts. */
const IN_HEAD = 0;
const AFTER_HEAD = 1;
const IN_BODY = 2;

/** Start tags that leave a noscript in the head open; others close it. */
const STAYING = new Set([BASEFONT, BGSOUND, LINK, META, NOFRAMES, STYLE, HEAD, NOSCRIPT, HTML]);

/**
 * Left open or misnested inside a template, these let formatting elements, links among them, escape into the document:
 * cells and objects by the markers they leave, tables by moving content out.
 */
const MARKING = new Set("applet marquee object caption td th table colgroup thead tbody tfoot tr".split(" "));

/** Returned instead of a position if the text has ended, or the reader has given up. */
const END = -1;

const SLASH = 0x2f;
const CLOSE = 0x3e;

/**
 * Scans a page; false if only the exact parser can read it. `decode` decodes the parts that are kept: since the scan
 * examines only ASCII, `text` may have one character per byte.
 */
export function scanHtml(text: string, facts: HtmlFacts, decode: (part: string) => string): boolean {
  return new HtmlScan(text, facts, decode).run();
}

class HtmlScan {
  readonly #text: string;
  readonly #facts: HtmlFacts;
  readonly #decode: (part: string) => string;
  readonly #attributes: AttributeReader;
  readonly #foreign: ForeignContent;
  #phase = IN_HEAD;
  #templates = 0;
  #inSelect = false;
  /** Inside a noscript in the head, which has rules of its own. */
  #inHeadNoscript = false;
  #titleInBody = false;
  #gaveUp = false;
  /** Where the text of the open link begins; -1 if none is open, or no text is wanted. */
  #anchorAt = -1;
  #anchorLabel: string | null = null;
  /** The next `<!--` at or after the last script. */
  #escapeAt = 0;

  constructor(text: string, facts: HtmlFacts, decode: (part: string) => string) {
    this.#text = text;
    this.#facts = facts;
    this.#decode = decode;
    this.#attributes = new AttributeReader(text, decode);
    this.#foreign = new ForeignContent();
  }

  run(): boolean {
    const text = this.#text;
    let at = 0;
    while (at >= 0) {
      const open = text.indexOf("<", at);
      if (open < 0) break;
      if (this.#phase !== IN_BODY) this.#headText(at, open);
      const code = text.charCodeAt(open + 1);
      if (isLetter(code)) at = this.#startTag(open + 1);
      else if (code === SLASH) at = this.#endTag(open + 2);
      else if (code === 0x21) at = this.#declaration(open + 2);
      else if (code === 0x3f) at = after(text.indexOf(">", open + 2), 1);
      else {
        this.#leaveHead();
        at = open + 1;
      }
    }
    this.#closeAnchor(text.length);
    return !this.#gaveUp;
  }

  #startTag(start: number): number {
    const text = this.#text;
    const length = text.length;
    let end = start + 1;
    let code = 0;
    while (end < length && (code = text.charCodeAt(end)) !== CLOSE && code !== SLASH && !isSpace(code)) end++;
    let next = end + 1;
    if (code === CLOSE && end < length) this.#attributes.clear();
    else {
      next = this.#attributes.read(end);
      if (next < 0) return END;
    }
    if (this.#foreign.isOpen)
      return this.#foreign.start(text.slice(start, end), this.#attributes.selfClosing) ? next : this.#giveUp();
    const id = findName(text, start, end);
    if (this.#inSelect) return id === OPTION || id === OPTGROUP || id === HR ? next : this.#giveUp();
    if (id !== 0) return this.#element(id, next);
    if (this.#templates > 0 && MARKING.has(text.slice(start, end).toLowerCase())) return this.#giveUp();
    this.#leaveHead();
    return next;
  }

  #element(id: number, next: number): number {
    if (this.#inHeadNoscript) this.#inHeadNoscript = STAYING.has(id);
    switch (id) {
      case A:
      case AREA:
        this.#leaveHead();
        return this.#link(id === A ? "a" : "area", "href", next);
      case IFRAME:
        this.#leaveHead();
        return this.#skipRawText(id, this.#link("iframe", "src", next));
      case BASE:
      case LINK:
      case META:
      case HTML:
        return this.#metadata(id) ? next : this.#giveUp();
      case TITLE:
        return this.#title(next);
      case SCRIPT:
        return this.#script(next);
      case STYLE:
      case NOFRAMES:
        return this.#skipRawText(id, next);
      case TEXTAREA:
      case XMP:
      case NOEMBED:
        this.#leaveHead();
        return this.#skipRawText(id, next);
      case TEMPLATE:
        this.#templates++;
        return next;
      case SELECT:
        this.#leaveHead();
        this.#inSelect = true;
        return next;
      case SVG:
      case MATH:
        this.#leaveHead();
        if (!this.#attributes.selfClosing) this.#foreign.open(nameOfId(id));
        return next;
      case NOSCRIPT:
        if (this.#phase === AFTER_HEAD) this.#leaveHead();
        else if (this.#templates === 0) this.#inHeadNoscript = this.#phase === IN_HEAD;
        return next;
      case HEAD:
      case BASEFONT:
      case BGSOUND:
        return next;
      case COL:
        // If a template starts with a column, other tags are dropped, raw text or not.
        if (this.#templates > 0) return this.#giveUp();
        this.#leaveHead();
        return next;
      case FRAMESET:
      case PLAINTEXT:
        return this.#giveUp();
      default:
        this.#leaveHead();
        return next;
    }
  }

  #endTag(start: number): number {
    const text = this.#text;
    const length = text.length;
    if (!isLetter(text.charCodeAt(start))) return after(text.indexOf(">", start), 1);
    let end = start + 1;
    let code = 0;
    while (end < length && (code = text.charCodeAt(end)) !== CLOSE && code !== SLASH && !isSpace(code)) end++;
    const next = code === CLOSE && end < length ? end + 1 : this.#attributes.read(end);
    if (next < 0) return END;
    if (this.#anchorAt >= 0 && end === start + 1 && (text.charCodeAt(start) | 0x20) === 0x61)
      this.#closeAnchor(start - 2);
    if (this.#foreign.isOpen) return this.#foreign.end(text.slice(start, end)) ? next : this.#giveUp();
    if (this.#phase === IN_BODY && this.#templates === 0 && !this.#inSelect) return next;
    const id = findName(text, start, end);
    if (this.#inSelect) {
      if (id === SELECT) this.#inSelect = false;
      else if (id !== OPTION && id !== OPTGROUP) return this.#giveUp();
    } else if (this.#templates > 0) {
      if (id === TEMPLATE) this.#templates--;
    } else if (this.#inHeadNoscript && id !== BR) {
      if (id === NOSCRIPT) this.#inHeadNoscript = false;
    } else if (id === HEAD) this.#phase = AFTER_HEAD;
    else if (id === BODY || id === HTML || id === BR) this.#phase = IN_BODY;
    return next;
  }

  /** Skips what begins with `<!`. */
  #declaration(start: number): number {
    const text = this.#text;
    if (!text.startsWith("--", start)) {
      // In foreign content this may be a CDATA section, which ends elsewhere.
      return this.#foreign.isOpen ? this.#giveUp() : after(text.indexOf(">", start), 1);
    }
    const body = start + 2;
    if (text.startsWith(">", body)) return body + 1;
    if (text.startsWith("->", body)) return body + 2;
    // "-->" or "--!>", whichever comes first.
    for (let dashes = text.indexOf("--", body); dashes >= 0; dashes = text.indexOf("--", dashes + 1)) {
      const code = text.charCodeAt(dashes + 2);
      if (code === CLOSE) return dashes + 3;
      if (code === 0x21 && text.charCodeAt(dashes + 3) === CLOSE) return dashes + 4;
    }
    return END;
  }

  #link(tag: "a" | "area" | "iframe", name: "href" | "src", next: number): number {
    if (this.#templates > 0) return next;
    if (this.#attributes.overflowed) return this.#giveUp();
    // A link inside a link closes it. The text up to here ends with this tag, which is no text.
    this.#closeAnchor(next);
    const href = this.#attributes.value(name);
    if (href !== null) this.#facts.link(tag, href, name === "href" ? this.#attributes.value("rel") : null);
    if (href !== null && this.#facts.wantsAnchors) this.#openAnchor(tag, next);
    return next;
  }

  #openAnchor(tag: "a" | "area" | "iframe", at: number): void {
    const { attribute } = this.#attributes;
    const label = attribute("aria-label") ?? attribute("title");
    if (tag === "iframe") return;
    if (tag === "area") return this.#facts.anchor(anchorText(attribute("alt") ?? ""), label);
    this.#anchorAt = at;
    this.#anchorLabel = label;
  }

  #closeAnchor(end: number): void {
    if (this.#anchorAt < 0) return;
    const markup = this.#text.slice(this.#anchorAt, Math.min(end, this.#anchorAt + ANCHOR_MARKUP_MAX));
    this.#facts.anchor(anchorTextOf(markup, this.#decode), this.#anchorLabel);
    this.#anchorAt = -1;
  }

  /** Returns false if the place in the tree decides, which is unknown here. */
  #metadata(id: number): boolean {
    if (this.#templates > 0) return true;
    if (this.#attributes.overflowed) return false;
    if (id === META) this.#facts.meta(this.#attributes.attribute);
    if (id === HTML) this.#facts.html(this.#attributes.attribute);
    if (id === LINK && this.#phase !== IN_BODY) this.#facts.headLink(this.#attributes.attribute);
    if (id !== BASE) return true;
    const href = this.#attributes.value("href");
    return href === null || this.#facts.base(href);
  }

  #title(start: number): number {
    const close = this.#closingTag(TITLE, start);
    const end = close < 0 ? this.#text.length : close;
    if (this.#templates === 0) {
      // Of two titles in the body, a table may have moved the later one first.
      if (this.#titleInBody) return this.#giveUp();
      if (!this.#facts.hasTitle()) {
        this.#titleInBody = this.#phase === IN_BODY;
        this.#facts.title(titleText(this.#decode(this.#text.slice(start, end))));
      }
    }
    return close < 0 ? END : this.#attributes.read(close + 2 + nameOfId(TITLE).length);
  }

  /** Between `<!--` and `-->` a script may contain another, with its own end tag. */
  #script(start: number): number {
    const text = this.#text;
    const close = this.#closingTag(SCRIPT, start);
    if (this.#escapeAt >= 0 && this.#escapeAt < start) this.#escapeAt = text.indexOf("<!--", start);
    if (this.#escapeAt >= 0 && (close < 0 || this.#escapeAt < close)) {
      const escaped = text.slice(this.#escapeAt, close < 0 ? text.length : close);
      if (/<script[\t\n\f\r />]/i.test(escaped)) return this.#giveUp();
    }
    return close < 0 ? END : this.#attributes.read(close + 2 + nameOfId(SCRIPT).length);
  }

  #skipRawText(id: number, start: number): number {
    if (start < 0) return END;
    const close = this.#closingTag(id, start);
    return close < 0 ? END : this.#attributes.read(close + 2 + nameOfId(id).length);
  }

  /** Position of the `</name` that ends raw text, or -1. */
  #closingTag(id: number, start: number): number {
    const text = this.#text;
    const name = nameOfId(id);
    for (let at = text.indexOf("</", start); at >= 0; at = text.indexOf("</", at + 2)) {
      const end = at + 2 + name.length;
      if (!isName(text, at + 2, end, name)) continue;
      const code = text.charCodeAt(end);
      if (code === CLOSE || code === SLASH || isSpace(code)) return at;
    }
    return -1;
  }

  /** Any word outside an element of the head starts the body. */
  #headText(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      if (!isSpace(this.#text.charCodeAt(at))) {
        this.#leaveHead();
        return;
      }
    }
  }

  #leaveHead(): void {
    if (this.#templates === 0) this.#phase = IN_BODY;
  }

  #giveUp(): number {
    this.#gaveUp = true;
    return END;
  }
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The position `length` after one that was found; END when it was not. */
function after(found: number, length: number): number {
  return found < 0 ? END : found + length;
}
