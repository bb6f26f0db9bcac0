/**
 * Links and facts of an HTML page, as a browser's tree has them with scripting off.
 *
 * Ordinary pages are read by a scan of their tags; a page that has one of the few constructs where the tree decides which links
 * exist is read again by parse5. Both give the same set of links: html-scan.ts says why, tests compare them. A page whose tree
 * is out of all bounds keeps the links that the scan had found, marked as not all there are.
 */
import { HtmlFacts, type HtmlOptions, type HtmlPage } from "./html-facts.ts";
import { scanHtml } from "./html-scan.ts";
import { readHtmlTree } from "./html-tree.ts";

export type { HtmlLink, HtmlOptions, HtmlPage } from "./html-facts.ts";

const LINKS_MAX = 10_000;
const PRODUCT_TOKEN = "tidemark";

/** Never throws. Strings of the result may share memory with `text`: copy what outlives it. */
export function readHtml(text: string, options: Partial<HtmlOptions> = {}): HtmlPage {
  const { linksMax = LINKS_MAX, productToken = PRODUCT_TOKEN } = options;
  const facts = new HtmlFacts({ linksMax, productToken });
  if (scanHtml(text, facts)) return facts.page(false);
  return readHtmlTree(text, { linksMax, productToken }) ?? { ...facts.page(false), truncatedLinks: true };
}
