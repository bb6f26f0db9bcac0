/**
 * Reads the links and facts of a page that is served as XML (application/xhtml+xml), by the rules of XML: names are as
 * written, every element may close itself (`<script/>`), and what an element means depends on its namespace. A page
 * that is not well-formed is read as far as possible, where a browser would show an error.
 *
 * Each open element, and each namespace declared on one, costs time in all that is inside it. Both are bounded: a page
 * beyond keeps the links that were found before, marked as incomplete.
 */
import { Parser } from "htmlparser2";
import { ANCHOR_MARKUP_MAX, anchorText } from "./html-anchors.ts";
import { HtmlFacts, type HtmlOptions, type HtmlPage } from "./html-facts.ts";

const XHTML = "http://www.w3.org/1999/xhtml";
/** As of a page of HTML. The parser looks through all open elements for what an end tag closes. */
const DEPTH_MAX = 1000;
/** Namespaces declared on open elements. */
const DECLARED_MAX = 500;

/** Reads a page. Never throws. */
export function readXhtml(text: string, options: HtmlOptions): Omit<HtmlPage, "encoding"> {
  const facts = new HtmlFacts(options);
  const parser = new Parser(new XhtmlReader(facts), { xmlMode: true });
  try {
    parser.end(text);
  } catch (error) {
    if (!(error instanceof PageTooComplex)) throw error;
    return { ...facts.page(true), truncation: "too-complex" };
  }
  return facts.page(true);
}

class PageTooComplex extends Error {
  override readonly name = "PageTooComplex";
}

type Attributes = Readonly<Record<string, string>>;

class XhtmlReader {
  readonly #facts: HtmlFacts;
  readonly #namespaces = new Namespaces();
  #headDepth = 0;
  /** The text of the open title; null if none is open. */
  #title: string | null = null;
  /** The text of the open link, and its label; null if none is open. */
  #anchor: { text: string; alt: string; readonly label: string | null; readonly depth: number } | null = null;

  constructor(facts: HtmlFacts) {
    this.#facts = facts;
  }

  onopentag(name: string, attributes: Attributes): void {
    this.#namespaces.open(attributes);
    const local = this.#localName(name);
    if (local === "head") this.#headDepth++;
    else if (local === "title" && !this.#facts.hasTitle()) this.#title = "";
    else if (local !== null) this.#facts.element(local, attributeOf(attributes), () => this.#headDepth > 0);
    if (this.#facts.wantsAnchors) this.#openAnchor(local, attributes);
  }

  #openAnchor(local: string | null, attributes: Attributes): void {
    const { href, alt = "", title = null, "aria-label": label = title } = attributes;
    if (local === "area" && href !== undefined) this.#facts.anchor(anchorText(alt), label);
    if (local === "img" && this.#anchor !== null) this.#anchor.alt ||= alt;
    if (local !== "a" || href === undefined) return;
    this.#anchor = { text: "", alt: "", label, depth: this.#namespaces.depth };
  }

  ontext(text: string): void {
    if (this.#title !== null) this.#title += text;
    if (this.#anchor !== null && this.#anchor.text.length < ANCHOR_MARKUP_MAX) this.#anchor.text += text;
  }

  onclosetag(name: string): void {
    const local = this.#localName(name);
    if (this.#anchor !== null && this.#anchor.depth === this.#namespaces.depth) {
      const { text, alt, label } = this.#anchor;
      this.#facts.anchor(anchorText(text) || anchorText(alt), label);
      this.#anchor = null;
    }
    this.#namespaces.close();
    if (local === "head") this.#headDepth--;
    if (local !== "title" || this.#title === null) return;
    this.#facts.title(this.#title);
    this.#title = null;
  }

  /** The name without its prefix; null for what is not HTML, such as a link of a drawing. */
  #localName(name: string): string | null {
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    return this.#namespaces.of(prefix) === XHTML ? name.slice(colon + 1) : null;
  }
}

/** The language may be named in the way of XML only. */
function attributeOf(attributes: Attributes): (name: string) => string | null {
  return (name) => attributes[name] ?? (name === "lang" ? attributes["xml:lang"] : undefined) ?? null;
}

/** What an element hides of the elements around it: a prefix, and what it meant there. */
type Hidden = readonly [prefix: string, namespace: string | undefined];

const NOTHING: readonly Hidden[] = [];

/** The namespaces that the innermost open element sees. */
class Namespaces {
  /** By prefix; "" is the default. */
  readonly #seen = new Map([["", XHTML]]);
  /** Of each open element, in the order of its declarations. */
  readonly #hidden: (readonly Hidden[])[] = [];
  #declared = 0;

  /** The number of open elements. */
  get depth(): number {
    return this.#hidden.length;
  }

  of(prefix: string): string | undefined {
    return this.#seen.get(prefix);
  }

  open(attributes: Attributes): void {
    let hidden: Hidden[] | undefined;
    for (const [name, value] of Object.entries(attributes)) {
      if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
      const prefix = name.slice("xmlns:".length);
      hidden ??= [];
      hidden.push([prefix, this.#seen.get(prefix)]);
      this.#seen.set(prefix, value);
    }
    this.#hidden.push(hidden ?? NOTHING);
    this.#declared += hidden?.length ?? 0;
    if (this.depth > DEPTH_MAX || this.#declared > DECLARED_MAX) throw new PageTooComplex();
  }

  close(): void {
    const hidden = this.#hidden.pop() ?? NOTHING;
    this.#declared -= hidden.length;
    // The last one first: `xmlns` and `xmlns:` are the same prefix.
    for (const [prefix, namespace] of hidden.toReversed()) {
      if (namespace === undefined) this.#seen.delete(prefix);
      else this.#seen.set(prefix, namespace);
    }
  }
}
