/**
 * The main part of a page: what it is about, without menus, sidebars, footers and what scripts would do.
 *
 * One pass over the tags. A page that marks its main part (`main`, `role=main`, a lone `article`) is believed. In any
 * other, paragraphs vote for the elements around them, as in Arc90's Readability: the element with the most votes wins,
 * where votes count less the more of its text is links. Then come the elements around it, if they hold much more text:
 * a page may be divided into several parts. A page without a part that stands out is taken as a whole.
 *
 * It is written by hand because the libraries that do it need a tree: 15 to 140 milliseconds for a page of 40 KB where
 * this and the conversion take one to three (docs/benchmarks.md).
 */
import { Parser } from "htmlparser2";

export interface MainPart {
  /** The HTML of the part, without what is left out. */
  readonly html: string;
  /** Whether it is all that is visible of the page. */
  readonly isWhole: boolean;
}

/** Never part of a text. */
const UNSEEN = words("script style noscript template iframe svg object embed canvas select button textarea input");
const AROUND = words("nav footer aside dialog menu");
const AROUND_ROLES = words("navigation banner contentinfo search complementary dialog menu menubar");
/** What is read in one go. */
const PARAGRAPHS = words("p pre td li dd blockquote");
/** What may be the main part. */
const PARTS = words("article body center div form main section table tbody td tr");

/** A name in `class` or `id` that says that the element stands around the main part. */
const AROUND_NAME =
  /^(?:(?:site|page|main|top|left|right|global|skip)[-_]?)?(?:nav|navbar|navigation|menu|sidebar|footer|breadcrumbs?|toc|related|share|social|cookies?|banner|adverts?|ads?|promo|subscribe|newsletter|pagination|pager|headerlink|sphinxsidebar)(?:[-_]?(?:left|right|top|bottom|bar|box|list|links?|wrapper|container|\d+))?$/i;
/** A name that says the opposite. */
const MAIN_NAME = /main|content|article|body|post|entry|column/i;
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Characters outside links. A paragraph with fewer has no vote. */
const PARAGRAPH_MIN = 25;
/** A part with fewer is not the main part of anything. */
const PART_MIN = 140;
/** A form around the whole page has more, a form for a search has less. */
const FORM_MAX = 300;
/** How much more text an element around the best one must hold to replace it, and how much of it may be links. */
const WIDER_FACTOR = 1.25;
const WIDER_LINKS_MAX = 0.5;
/** Deeper pages are taken as a whole: the parser takes quadratic time for elements in elements. */
const DEPTH_MAX = 1000;
/** Shares of a vote that go to the elements around a paragraph, from the nearest. */
const VOTES = [1, 0.5, 0.25];

interface Element {
  readonly name: string;
  readonly parent: Element | null;
  readonly depth: number;
  /** Where its start tag begins and its end tag ends. */
  readonly start: number;
  end: number;
  /** Whether nothing inside it is part of the text, and whether it is because nobody sees it. */
  readonly isOut: boolean;
  readonly isUnseen: boolean;
  /** Whether it is in an `article` or `main`, or is one. */
  readonly isInPart: boolean;
  readonly isLink: boolean;
  readonly isMarked: boolean;
  /** Characters of text, and those of them that are links. */
  text: number;
  linkText: number;
  votes: number;
}

export function mainPart(html: string): MainPart {
  const reader = new PartReader(html);
  return reader.part();
}

class PartReader {
  readonly #html: string;
  readonly #parser: Parser;
  /** Ranges that are left out, in the order in which they end. */
  readonly #left: { readonly start: number; readonly end: number; readonly isUnseen: boolean }[] = [];
  readonly #articles: Element[] = [];
  #open: Element | null = null;
  #marked: Element | null = null;
  #best: Element | null = null;
  #bestVotes = 0;
  #isTooDeep = false;

  constructor(html: string) {
    this.#html = html;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#start(name, attributes),
        ontext: (text) => this.#text(text),
        onclosetag: (_, isImplied) => this.#end(isImplied),
      },
      { decodeEntities: false },
    );
    this.#parser.end(html);
  }

  part(): MainPart {
    if (this.#isTooDeep) return { html: this.#html, isWhole: true };
    const [article = null, ...others] = this.#articles;
    const chosen = this.#marked ?? (others.length === 0 ? article : null) ?? this.#widened();
    if (chosen === null || plainText(chosen) < PART_MIN) {
      return { html: this.#without(0, this.#html.length, true), isWhole: true };
    }
    return { html: this.#without(chosen.start, chosen.end, false), isWhole: false };
  }

  #start(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#open;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > DEPTH_MAX) {
      this.#isTooDeep = true;
      return this.#parser.pause();
    }
    const role = attributes["role"] ?? "";
    const isUnseen = UNSEEN.has(name) || isHidden(attributes);
    const isOut = parent?.isOut === true || isUnseen || isAround(name, role, attributes, parent);
    this.#open = {
      name,
      parent,
      depth,
      start: this.#parser.startIndex,
      end: 0,
      isOut,
      isUnseen,
      isInPart: parent?.isInPart === true || name === "main" || name === "article",
      isLink: name === "a" || parent?.isLink === true,
      isMarked: name === "main" || role === "main",
      text: 0,
      linkText: 0,
      votes: 0,
    };
  }

  #text(text: string): void {
    const element = this.#open;
    if (element === null || element.isOut) return;
    const { length } = text.trim();
    element.text += length;
    if (element.isLink) element.linkText += length;
  }

  #end(isImplied: boolean): void {
    const element = this.#open;
    if (element === null) return;
    const { parent, name, start } = element;
    this.#open = parent;
    // An end that another tag implies is before that tag.
    element.end = isImplied ? this.#parser.startIndex : this.#parser.endIndex + 1;
    if (parent?.isOut === true) return;
    const isShortForm = name === "form" && plainText(element) < FORM_MAX;
    if (element.isOut || isShortForm) {
      this.#left.push({ start, end: element.end, isUnseen: element.isUnseen });
      return;
    }
    if (parent !== null) {
      parent.text += element.text;
      parent.linkText += element.linkText;
    }
    if (PARAGRAPHS.has(name)) vote(element);
    this.#consider(element);
  }

  #consider(element: Element): void {
    const { name, isMarked } = element;
    if (name === "article" && element.parent?.isInPart !== true) this.#articles.push(element);
    if (isMarked && (this.#marked === null || plainText(this.#marked) < plainText(element))) {
      if (plainText(element) >= PART_MIN) this.#marked = element;
    }
    if (!PARTS.has(name) || element.text === 0) return;
    const votes = element.votes * (1 - element.linkText / element.text);
    if (votes <= this.#bestVotes) return;
    this.#best = element;
    this.#bestVotes = votes;
  }

  /** The best element, or one around it. */
  #widened(): Element | null {
    let best = this.#best;
    for (let around = best?.parent ?? null; best !== null && around !== null; around = around.parent) {
      const isText = around.linkText <= WIDER_LINKS_MAX * around.text;
      if (isText && plainText(around) >= WIDER_FACTOR * plainText(best)) best = around;
    }
    return best;
  }

  /** A range of the page; of a whole page only what is never seen is left out. */
  #without(start: number, end: number, isWhole: boolean): string {
    const parts: string[] = [];
    let at = start;
    const left = this.#left.filter((range) => range.start >= start && range.end <= end);
    for (const range of left.sort((a, b) => a.start - b.start)) {
      if (isWhole && !range.isUnseen) continue;
      parts.push(this.#html.slice(at, range.start));
      at = Math.max(at, range.end);
    }
    return parts.join("") + this.#html.slice(at, end);
  }
}

function vote(paragraph: Element): void {
  const plain = plainText(paragraph);
  if (plain < PARAGRAPH_MIN) return;
  const isProse = paragraph.name === "p" || paragraph.name === "pre";
  const vote = (isProse ? 2 : 1) + Math.min(3, plain / 100);
  let around = paragraph.parent;
  for (const share of VOTES) {
    if (around === null) return;
    around.votes += share * vote;
    around = around.parent;
  }
}

function isAround(
  name: string,
  role: string,
  { class: classes = "", id = "" }: Readonly<Record<string, string>>,
  parent: Element | null,
): boolean {
  if (AROUND.has(name) || AROUND_ROLES.has(role)) return true;
  // The header of an article has its title.
  if (name === "header") return parent?.isInPart !== true;
  if (name === "html" || name === "body" || name === "main" || name === "article") return false;
  if (classes === "" && id === "") return false;
  const names = `${classes} ${id}`.split(/\s+/);
  const others = names.filter((each) => !AROUND_NAME.test(each));
  return others.length < names.length && !others.some((each) => MAIN_NAME.test(each));
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  const { hidden, "aria-hidden": aria, style = "" } = attributes;
  return hidden !== undefined || aria === "true" || (style !== "" && HIDDEN_STYLE.test(style));
}

/** Characters outside links. */
function plainText({ text, linkText }: Element): number {
  return text - linkText;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
