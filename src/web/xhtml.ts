/**
 * Reads the links and facts of a page that is served as XML (application/xhtml+xml), by the rules of XML: names are as
 * written, every element may close itself (`<script/>`), and what an element means depends on its namespace. A page
 * that is not well-formed is read as far as possible, where a browser would show an error.
 */
import { Parser } from "htmlparser2";
import { ANCHOR_MARKUP_MAX, anchorText } from "./html-anchors.ts";
import { HtmlFacts, type HtmlOptions, type HtmlPage } from "./html-facts.ts";

const XHTML = "http://www.w3.org/1999/xhtml";

/** Reads a page. Never throws. */
export function readXhtml(text: string, options: HtmlOptions): Omit<HtmlPage, "encoding"> {
  const facts = new HtmlFacts(options);
  const parser = new Parser(new XhtmlReader(facts), { xmlMode: true });
  parser.end(text);
  return facts.page(true);
}

type Attributes = Readonly<Record<string, string>>;

/** By prefix; "" is the default. */
type Namespaces = ReadonlyMap<string, string>;

class XhtmlReader {
  readonly #facts: HtmlFacts;
  /** Of each open element: the namespaces that it sees. Most are those of the element around it. */
  readonly #namespaces: Namespaces[] = [new Map([["", XHTML]])];
  #headDepth = 0;
  /** The text of the open title; null if none is open. */
  #title: string | null = null;
  /** The text of the open link, and its label; null if none is open. */
  #anchor: { text: string; alt: string; readonly label: string | null; readonly depth: number } | null = null;

  constructor(facts: HtmlFacts) {
    this.#facts = facts;
  }

  onopentag(name: string, attributes: Attributes): void {
    this.#namespaces.push(withDeclared(this.#namespaces[this.#namespaces.length - 1], attributes));
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
    this.#anchor = { text: "", alt: "", label, depth: this.#namespaces.length };
  }

  ontext(text: string): void {
    if (this.#title !== null) this.#title += text;
    if (this.#anchor !== null && this.#anchor.text.length < ANCHOR_MARKUP_MAX) this.#anchor.text += text;
  }

  onclosetag(name: string): void {
    const local = this.#localName(name);
    if (this.#anchor !== null && this.#anchor.depth === this.#namespaces.length) {
      const { text, alt, label } = this.#anchor;
      this.#facts.anchor(anchorText(text) || anchorText(alt), label);
      this.#anchor = null;
    }
    this.#namespaces.pop();
    if (local === "head") this.#headDepth--;
    if (local !== "title" || this.#title === null) return;
    this.#facts.title(this.#title);
    this.#title = null;
  }

  /** The name without its prefix; null for what is not HTML, such as a link of a drawing. */
  #localName(name: string): string | null {
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    const namespace = this.#namespaces[this.#namespaces.length - 1].get(prefix);
    return namespace === XHTML ? name.slice(colon + 1) : null;
  }
}

/** The language may be named in the way of XML only. */
function attributeOf(attributes: Attributes): (name: string) => string | null {
  return (name) => attributes[name] ?? (name === "lang" ? attributes["xml:lang"] : undefined) ?? null;
}

function withDeclared(around: Namespaces, attributes: Attributes): Namespaces {
  let inside: Map<string, string> | undefined;
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    inside ??= new Map(around);
    inside.set(name.slice("xmlns:".length), value);
  }
  return inside ?? around;
}
