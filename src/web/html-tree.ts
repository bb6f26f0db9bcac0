/**
 * The exact reader: parse5 builds the tree that a browser with scripting off would have, and the tree is walked. Contents of
 * templates are not part of it, nor are elements of SVG and MathML that share a name with those of HTML.
 */
import { type DefaultTreeAdapterMap, html, parse } from "parse5";
import { HtmlFacts, type HtmlOptions, type HtmlPage } from "./html-facts.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

export function readHtmlTree(text: string, options: HtmlOptions): HtmlPage {
  const facts = new HtmlFacts(options);
  // A stack of our own: pages nest deeper than calls may.
  const ahead: Node[] = [parse(text, { scriptingEnabled: false })];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if ("tagName" in node && node.namespaceURI === html.NS.HTML) readElement(facts, node);
    if (!("childNodes" in node)) continue;
    for (let child = node.childNodes.length - 1; child >= 0; child--) ahead.push(node.childNodes[child]!);
  }
  return facts.page(true);
}

function readElement(facts: HtmlFacts, element: Element): void {
  const attribute = (name: string): string | null =>
    element.attrs.find((each) => each.name === name)?.value ?? null;
  switch (element.tagName) {
    case "a":
    case "area": {
      const href = attribute("href");
      if (href !== null) facts.link(element.tagName, href, attribute("rel"));
      return;
    }
    case "iframe":
    case "frame": {
      const source = attribute("src");
      if (source !== null) facts.link(element.tagName, source, null);
      return;
    }
    case "base": {
      const href = attribute("href");
      if (href !== null) facts.base(href);
      return;
    }
    case "title":
      facts.title(element.childNodes.map((child) => ("value" in child ? child.value : "")).join(""));
      return;
    case "link":
      if (isInHead(element)) facts.headLink(attribute);
      return;
    case "meta":
      facts.meta(attribute);
  }
}

function isInHead(element: Element): boolean {
  // A noscript of the head may stand between.
  for (let node: Node | null = element; node !== null; node = "parentNode" in node ? node.parentNode : null) {
    if (node.nodeName === "head") return true;
  }
  return false;
}
