/**
 * The exact reader: parse5 builds the tree that a browser with scripting off would have, and the tree is walked.
 * Contents of templates are not part of it, nor are elements of SVG and MathML with the names of HTML elements.
 *
 * By the standard, a page of n bytes can need n² elements (unclosed formatting elements are created again in every
 * block) and n² steps (end tags searched in a deep stack), so both are bounded. Browsers bound the depth at 512.
 */
import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, parse, type TreeAdapter } from "parse5";
import { ANCHOR_MARKUP_MAX, anchorText, INLINE, UNSEEN } from "./html-anchors.ts";
import { HtmlFacts, type HtmlOptions, type HtmlPage } from "./html-facts.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

const ELEMENTS_MAX = 1_000_000;
const DEPTH_MAX = 1000;

/** Returns null if the tree would be larger or deeper than the bounds. */
export function readHtmlTree(text: string, options: HtmlOptions): Omit<HtmlPage, "encoding"> | null {
  const tree = buildTree(text);
  if (tree === null) return null;
  const facts = new HtmlFacts(options);
  // An explicit stack instead of recursion.
  const ahead: Node[] = [tree];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if ("tagName" in node && node.namespaceURI === html.NS.HTML) readElement(facts, node);
    if (!("childNodes" in node)) continue;
    for (let child = node.childNodes.length - 1; child >= 0; child--) ahead.push(node.childNodes[child]);
  }
  return facts.page(true);
}

function buildTree(text: string): Node | null {
  try {
    return parse(text, { scriptingEnabled: false, treeAdapter: boundedAdapter() });
  } catch (error) {
    if (error instanceof TreeTooLarge) return null;
    throw error;
  }
}

class TreeTooLarge extends Error {
  override readonly name = "TreeTooLarge";
}

function boundedAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  let elements = 0;
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      if (++elements > ELEMENTS_MAX) throw new TreeTooLarge();
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush() {
      if (++depth > DEPTH_MAX) throw new TreeTooLarge();
    },
    onItemPop() {
      depth--;
    },
  };
}

function readElement(facts: HtmlFacts, element: Element): void {
  if (element.tagName === "title") {
    facts.title(element.childNodes.map((child) => ("value" in child ? child.value : "")).join(""));
    return;
  }
  const attribute = (name: string): string | null => element.attrs.find((each) => each.name === name)?.value ?? null;
  facts.element(element.tagName, attribute, () => isInHead(element));
  if (facts.wantsAnchors && isLink(element, attribute)) {
    facts.anchor(textIn(element) || anchorText(attribute("alt") ?? ""), attribute("aria-label") ?? attribute("title"));
  }
}

function isLink({ tagName }: Element, attribute: (name: string) => string | null): boolean {
  return (tagName === "a" || tagName === "area") && attribute("href") !== null;
}

/** Nodes of a link that are read for its text: links may lie within each other, each with half of the page. */
const NODES_MAX = 1000;

/** The text in a link, as the scan reads it from the same markup. */
function textIn(link: Element): string {
  let [text, alt, nodes] = ["", "", 0];
  const ahead: (Node | string)[] = link.childNodes.slice(0, NODES_MAX).toReversed();
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (++nodes > NODES_MAX || text.length > ANCHOR_MARKUP_MAX) break;
    if (typeof node === "string") text += node;
    else if (node.nodeName === "#text" && "value" in node) text += node.value;
    if (typeof node === "string" || !("tagName" in node) || UNSEEN.includes(node.tagName)) continue;
    if (node.tagName === "img") alt ||= node.attrs.find(({ name }) => name === "alt")?.value ?? "";
    const gap = INLINE.has(node.tagName) ? "" : " ";
    text += gap;
    ahead.push(gap, ...node.childNodes.slice(0, NODES_MAX).toReversed());
  }
  return anchorText(text) || anchorText(alt);
}

function isInHead(element: Element): boolean {
  // There may be a noscript in between.
  for (let node: Node | null = element; node !== null; node = "parentNode" in node ? node.parentNode : null) {
    if (node.nodeName === "head") return true;
  }
  return false;
}
