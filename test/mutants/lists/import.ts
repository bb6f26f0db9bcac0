/** Bugs in what is made of other people's crawls: most would prove more than was seen. */
import type { Mutant } from "../mutant.ts";

const formats = "test/import/formats.test.ts";
const damage = "test/import/damage.test.ts";
const soundness = "test/import/soundness.test.ts";
const tally = "test/import/outlink-tally.test.ts";
const demo = "test/import/demo-warc.test.ts";

export const imports: readonly Mutant[] = [
  {
    file: "src/import/scrapy.ts",
    find: "const isComplete = (linksComplete && links?.includes(undefined) === false) || isLinkless(contentType);",
    replace: "const isComplete = true;",
    plants: "The links of an item count as all links of the page.",
    killedBy: [formats, soundness],
  },
  {
    file: "src/import/cc-graph.ts",
    find: "    if (from === to) return;",
    replace: "",
    plants: "A host without links counts as crawled.",
    killedBy: [formats, soundness],
  },
  {
    file: "src/import/wat.ts",
    find: "const isWhole = html.isThere && linksComplete && !truncated",
    replace: "const isWhole = html.isThere && linksComplete",
    plants: "The extract of a page that was cut off has all its links.",
    killedBy: [formats],
  },
  {
    file: "src/import/nutch.ts",
    find: "if (DEAD.test(metadata)) return answerWith({ status: 404 });",
    replace: "return answerWith({ status: 404 });",
    plants: "What robots.txt denies to Nutch is dead.",
    killedBy: [formats],
  },
  {
    file: "src/import/screaming-frog.ts",
    find: "...(isLacking ? LACKING : {})",
    replace: "",
    plants: "A page has no links if the table of links lacks them.",
    killedBy: [formats, tally, soundness],
  },
  {
    file: "src/import/link-rows.ts",
    find: "    if (canonical === null) this.#others.add(id);\n",
    replace: "",
    plants: "A mail address stands in for a link that is not there.",
    killedBy: [tally],
  },
  {
    file: "src/import/outlink-tally.ts",
    find: "if (unique.own !== undefined) return isShort(this.#targetsOf(page), unique);",
    replace: "",
    plants: "A link that is repeated stands in for one that is not there.",
    killedBy: [tally],
  },
  {
    file: "src/import/outlink-tally.ts",
    find: "external === undefined ? rows.own < own : rows.all < own + external",
    replace: "rows.all < own + (external ?? 0)",
    plants: "Links to other hosts stand in for those that a table counts.",
    killedBy: [tally],
  },
  {
    file: "src/import/outlink-tally.ts",
    find: "this.#most.set(page, { own: Math.max(own, most.own), all: Math.max(all, most.all) });",
    replace: "this.#most.set(page, { own: own + most.own, all: all + most.all });",
    plants: "The same rows in two files count twice.",
    killedBy: [tally],
  },
  {
    file: "src/import/outlink-tally.ts",
    find: "Number.isInteger(count) && count >= 0 ? count : Number.POSITIVE_INFINITY",
    replace: "Number.isInteger(count) && count >= 0 ? count : 0",
    plants: "A number of links that cannot be read is none.",
    killedBy: [tally],
  },
  {
    file: "src/import/screaming-frog.ts",
    find: "if (isHyperlink && !isSurvey) tally.add(page, to);",
    replace: "tally.add(page, to);",
    plants: "A frame stands in for a hyperlink that is not there.",
    killedBy: [tally],
  },
  {
    file: "src/import/warc-pages.ts",
    find: 'const truncated = isCut || fields.has("warc-truncated");',
    replace: "const truncated = isCut;",
    plants: "A response that was cut off when it was archived is a whole page.",
    killedBy: [formats],
  },
  {
    file: "src/import/http-message.ts",
    find: "const NOTHING: Unpacked = { body: new Uint8Array(), truncated: true };",
    replace: "const NOTHING: Unpacked = { body: new Uint8Array(), truncated: false };",
    plants: "A body that cannot be decompressed is a page without links.",
    killedBy: [formats],
  },
  {
    file: "src/import/warc-pages.ts",
    find: '  throw damaged(place.path, place.offset, "a record does not have the digest that it names");',
    replace: "",
    plants: "A record that has changed since it was written is believed.",
    killedBy: [damage],
  },
  {
    file: "src/import/files.ts",
    find: 'if (!member.isIntact) throw damaged(path, offset, "the checksum of the gzipped data is wrong");',
    replace: "",
    plants: "Gzipped data with a wrong checksum is believed.",
    killedBy: [damage],
  },
  {
    file: "src/import/files.ts",
    find: "    if (isGzipped) guard.add(chunk);",
    replace: "",
    plants: "A gzip bomb is inflated to its end.",
    killedBy: [damage],
  },
  {
    file: "src/crawl/imported-pages.ts",
    find: 'if (known >= 0 && this.#index.stateOf(known) === UrlState.Final) return "again";',
    replace: "",
    plants: "A URL gets a second final outcome.",
    killedBy: [formats],
  },
  {
    file: "src/crawl/imported-pages.ts",
    find: "if (!isInScope) this.#widenScope(text);",
    replace: "",
    plants: "Where a seed leads is out of scope.",
    killedBy: [formats],
  },
  {
    file: "src/import/import-crawl.ts",
    find: 'this.#counts[isNone ? "for-robots" : pages.take(page)]++;',
    replace: "this.#counts[pages.take(page)]++;",
    plants: "Sitemaps are pages.",
    killedBy: [demo, formats],
  },
];
