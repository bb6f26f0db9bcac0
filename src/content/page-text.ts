/**
 * The text of a page, plain and as Markdown. Conversion is done by mdream, in its form as WebAssembly: it is the same
 * on every Node and in every thread, and needs no binary of the platform.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { htmlToMarkdown, initSync } from "mdream/wasm";
import { mainPart } from "./main-part.ts";

/** Tags of definition lists, which Markdown does not have: they would be left as HTML. */
const DEFINITION_TAG = /<(\/?)d[ltd](?=[\s>/])[^>]*>/gi;
/** Links and images that nobody could use or see. */
const CLEAN = { fragments: true, emptyLinks: true, selfLinkHeadings: true, emptyImages: true, emptyLinkText: true };

let isReady = false;

/** The main part of a page as plain text, or all that is visible if no part stands out. */
export function pageText(html: string): string {
  return converted(html, { format: "text" });
}

/** The same as Markdown. Links are absolute: `base` is the URL that the page's own links are relative to. */
export function pageMarkdown(html: string, base: string): string {
  return converted(html, { origin: base, clean: CLEAN });
}

function converted(html: string, options: object): string {
  if (!isReady) initSync({ module: readFileSync(createRequire(import.meta.url).resolve(WASM)) });
  isReady = true;
  return htmlToMarkdown(mainPart(html).html.replace(DEFINITION_TAG, "<$1div>"), options).trim();
}

const WASM = "mdream/wasm/mdream_edge_bg.wasm";
