/** Bugs in the text of pages: the wrong part of a page, text that is lost, and pages handed to programs. */
import type { Mutant } from "../mutant.ts";

const part = "test/content/main-part.test.ts";
const reader = "test/content/text-reader.test.ts";
const stored = "test/crawl/texts.test.ts";
const pages = "test/crawl/pages.test.ts";
const ownParts = "test/crawl/own-parts.test.ts";

export const texts: readonly Mutant[] = [
  {
    file: "src/content/main-part.ts",
    find: "element.end = isImplied ? this.#parser.startIndex : this.#parser.endIndex + 1;",
    replace: "element.end = this.#parser.endIndex + 1;",
    plants: "What is left out swallows the tag that ends it.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "if (isText && plainText(around) >= WIDER_FACTOR * plainText(best)) best = around;",
    replace: "",
    plants: "Of a page in several parts only one is kept.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: 'const isShortForm = name === "form" && plainText(element) < FORM_MAX;',
    replace: 'const isShortForm = name === "form";',
    plants: "A page inside a form has no text.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "others.length < names.length && !others.some((each) => MAIN_NAME.test(each))",
    replace: "others.length < names.length",
    plants: "An element that is named content and sidebar is left out.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "const least = this.#wholeText > 0 ? Out.marked : Out.unseen;",
    replace: "const least = Out.unseen;",
    plants: "A page without a main part is taken with its menu and footer.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "const least = this.#wholeText > 0 ? Out.marked : Out.unseen;",
    replace: "const least = Out.marked;",
    plants: "A page that is only a menu has no text.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "if (out > (parent?.out ?? Out.no))",
    replace: "if ((parent?.out ?? Out.no) === Out.no && out !== Out.no)",
    plants: "What is hidden inside a menu is shown where the menu is.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "if (isMarked && (this.#marked",
    replace: "if (isMarked && plainText(element) >= PART_MIN && (this.#marked",
    plants: "A short main part is not believed.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "return best !== null && plainText(best) >= PART_MIN ? best : article;",
    replace: "return article ?? best;",
    plants: "A short article hides the long text beside it.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: '"title script style',
    replace: '"script style',
    plants: "The title of a short page is the first line of its text.",
    killedBy: [part],
  },
  {
    file: "src/content/main-part.ts",
    find: "if (depth > DEPTH_MAX) {",
    replace: "if (depth < 0) {",
    plants: "A page of nested elements takes quadratic time.",
    killedBy: [part],
  },
  {
    file: "src/content/text-reader.ts",
    find: "return status === 200 || (mime === REVISIT && Number.isNaN(status));",
    replace: "return mime !== REVISIT;",
    plants: "The text of a page is that of its error, and copies have none.",
    killedBy: [reader],
  },
  {
    file: "src/crawl/reader/inline-reader.ts",
    find: "makeTexts(decodeAs(body, page.encoding).text",
    replace: 'makeTexts(decodeAs(body, "utf-8").text',
    plants: "Text is decoded as UTF-8, whatever the page is.",
    killedBy: [stored],
  },
  {
    file: "src/crawl/own-fetcher.ts",
    find: "    this.#abort();\n    this.#closing ??=",
    replace: "    this.#closing ??=",
    plants: "A fetcher that never answers keeps the crawl from its end.",
    killedBy: [ownParts],
  },
  {
    file: "src/crawl/crawl-work.ts",
    find: "order instanceof OwnOrder && index.open > 0",
    replace: "false",
    plants: "A crawl whose own order gives up looks complete.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/crawl.ts",
    find: "const page = this.#turn.then(() => this.#nextPage());",
    replace: "const page = this.#nextPage();",
    plants: "Of several that wait for a page, only the last is woken.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/crawl.ts",
    find: "        await this.#leave();\n        throw error;",
    replace: "        throw error;",
    plants: "A crawl whose listener throws goes on for ever.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/crawl.ts",
    find: "if (this.#waiting.length < WAITING_MAX || this.#isHeldBack) return;",
    replace: "return;",
    plants: "A crawl runs ahead of a slow consumer.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/crawl.ts",
    find: '(event.name === "paused" || event.name === "resumed")',
    replace: "false",
    plants: "A consumer hears of pauses that it caused itself.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/crawl.ts",
    find: "    signal?.throwIfAborted();\n    return { done: true",
    replace: "    return { done: true",
    plants: "A crawl that the signal has ended looks complete.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/crawl-work.ts",
    find: "Math.max(watch.waiting[task.url], order.arrived?.(task.url) ?? 0)",
    replace: "watch.arrived(task.url)",
    plants: "The importance of a page that comes is not a number.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/own-order.ts",
    find: "  guaranteed(): null {\n    return null;",
    replace: "  guaranteed(): number | null {\n    return this.#order.guaranteed();",
    plants: "A program's order says how much is covered.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/own-order.ts",
    find: "if (!Number.isInteger(page) || !this.#isOpen(page)) {",
    replace: "if (!Number.isInteger(page)) {",
    plants: "A program's order has a page fetched that is done.",
    killedBy: [pages],
  },
  {
    file: "src/crawl/own-order.ts",
    find: "if (this.#handedOut.has(page)) {",
    replace: "if (this.#handedOut.has(-1)) {",
    plants: "A program's order has a page fetched twice.",
    killedBy: [pages],
  },
];
