/**
 * The main part of a page: what it is about, without menus, sidebars, footers and what scripts would do.
 *
 * One pass over the tags. A page that marks its main part (`main`, `role=main`, a lone `article`) is believed, however
 * short the part is. In any other, paragraphs vote for the elements around them, as in Arc90's Readability: the element
 * with the most votes wins, where votes count less the more of its text is links. Then come the elements around it, if
 * they hold much more text: a page may be divided into several parts. A page without a part that stands out is taken as
 * a whole: all that is visible, without what is marked as standing around it (`nav`, `footer`), unless that is all.
 *
 * It is written by hand because the libraries that do it need a tree: 15 to 140 milliseconds for a page of 40 KB where
 * this and the conversion take one to three (docs/benchmarks.md).
 */
import { Parser } from "htmlparser2";

export interface MainPart {
  /** The HTML of the part, without what is left out. */
  readonly html: string;
  /** Whether no part of the page stands out. */
  readonly isWhole: boolean;
}

/** Never part of a text. `head` is not among them: pages need not end it, and begin their text without `body`. */
const UNSEEN = words(
  "title script style noscript template iframe svg object embed canvas select button textarea input",
);
const AROUND = words("nav footer aside dialog menu");
const AROUND_ROLES = words("navigation contentinfo search complementary dialog menu menubar");
/** What is read in one go. */
const PARAGRAPHS = words("p pre td li dd blockquote");
/** What may be the main part. */
const PARTS = words("article body center div form main section table tbody td tr");

/** A name in `class` or `id` that says that the element stands around the main part. */
const AROUND_NAME = new RegExp(
  "^(?:(?:site|page|main|top|left|right|global|skip)[-_]?)?" +
    "(?:nav|navbar|navigation|menu|sidebar|footer|breadcrumbs?|toc|related|share|social|cookies?|banner|adverts?|" +
    "ads?|promo|subscribe|newsletter|pagination|pager|headerlink|sphinxsidebar)" +
    "(?:[-_]?(?:left|right|top|bottom|bar|box|list|links?|wrapper|container|\\d+))?$",
  "i",
);
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

/** Why an element is no part of the text. In an element around it, the graver reason holds. */
const Out = {
  no: 0,
  /** It seems to stand around the main part, by its name or its place. A page that is taken as a whole keeps it. */
  guessed: 1,
  /** The page says that it stands around. */
  marked: 2,
  /** Nobody sees it. */
  unseen: 3,
} as const;

interface Element {
  readonly name: string;
  readonly parent: Element | null;
  readonly depth: number;
  /** Where its start tag begins and its end tag ends. */
  readonly start: number;
  end: number;
  readonly out: number;
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
  /** Ranges that are left out, in the order in which they end. One may stand in another. */
  readonly #left: { readonly start: number; readonly end: number; readonly out: number }[] = [];
  readonly #articles: Element[] = [];
  #open: Element | null = null;
  #marked: Element | null = null;
  #best: Element | null = null;
  #bestVotes = 0;
  /** Characters of the page without what is marked as standing around. */
  #wholeText = 0;
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
    const chosen = this.#marked ?? this.#chosen();
    if (chosen !== null) return { html: this.#without(chosen.start, chosen.end, Out.guessed), isWhole: false };
    const least = this.#wholeText > 0 ? Out.marked : Out.unseen;
    return { html: this.#without(0, this.#html.length, least), isWhole: true };
  }

  /** The part of a page that does not mark it. A short article is believed if it is all that could be the part. */
  #chosen(): Element | null {
    const article = this.#articles.length === 1 ? this.#articles[0] : null;
    if (article !== null && plainText(article) >= PART_MIN) return article;
    const best = this.#widened();
    return best !== null && plainText(best) >= PART_MIN ? best : article;
  }

  #start(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#open;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > DEPTH_MAX) {
      this.#isTooDeep = true;
      return this.#parser.pause();
    }
    const role = attributes["role"] ?? "";
    const out = UNSEEN.has(name) || isHidden(attributes) ? Out.unseen : around(name, role, attributes, parent);
    this.#open = {
      name,
      parent,
      depth,
      start: this.#parser.startIndex,
      end: 0,
      out: Math.max(out, parent?.out ?? Out.no),
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
    if (element === null || element.out >= Out.marked) return;
    const { length } = text.trim();
    this.#wholeText += length;
    if (element.out !== Out.no) return;
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
    const isShortForm = name === "form" && plainText(element) < FORM_MAX;
    const out = element.out === Out.no && isShortForm ? Out.guessed : element.out;
    if (out > (parent?.out ?? Out.no)) this.#left.push({ start, end: element.end, out });
    if (out !== Out.no) return;
    if (parent !== null) {
      parent.text += element.text;
      parent.linkText += element.linkText;
    }
    if (PARAGRAPHS.has(name)) vote(element);
    this.#consider(element);
  }

  #consider(element: Element): void {
    const { name, isMarked } = element;
    if (element.text === 0) return;
    if (name === "article" && element.parent?.isInPart !== true) this.#articles.push(element);
    if (isMarked && (this.#marked === null || plainText(this.#marked) < plainText(element))) this.#marked = element;
    if (!PARTS.has(name)) return;
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

  /** A range of the page, without what is out for this reason or a graver one. */
  #without(start: number, end: number, least: number): string {
    const parts: string[] = [];
    let at = start;
    const left = this.#left.filter((range) => range.out >= least && range.start >= start && range.end <= end);
    for (const range of left.sort((a, b) => a.start - b.start)) {
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

function around(
  name: string,
  role: string,
  { class: classes = "", id = "" }: Readonly<Record<string, string>>,
  parent: Element | null,
): number {
  if (AROUND.has(name) || AROUND_ROLES.has(role)) return Out.marked;
  if (role === "banner") return Out.guessed;
  // The header of an article has its title.
  if (name === "header") return parent?.isInPart === true ? Out.no : Out.guessed;
  if (name === "html" || name === "body" || name === "main" || name === "article") return Out.no;
  if (classes === "" && id === "") return Out.no;
  const names = `${classes} ${id}`.split(/\s+/);
  const others = names.filter((each) => !AROUND_NAME.test(each));
  return others.length < names.length && !others.some((each) => MAIN_NAME.test(each)) ? Out.guessed : Out.no;
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
