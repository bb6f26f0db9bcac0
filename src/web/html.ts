/** Links and facts of an HTML page, as a browser's tree has them with scripting off. */
import type { HtmlOptions, HtmlPage } from "./html-facts.ts";
import { readHtmlTree } from "./html-tree.ts";

export type { HtmlLink, HtmlOptions, HtmlPage } from "./html-facts.ts";

const LINKS_MAX = 10_000;

export function readHtml(text: string, options: Partial<HtmlOptions> = {}): HtmlPage {
  return readHtmlTree(text, {
    linksMax: options.linksMax ?? LINKS_MAX,
    productToken: options.productToken ?? "tidemark",
  });
}
