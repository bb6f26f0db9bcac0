/** What has changed between two crawls. */
import type { Mutant } from "../mutant.ts";

const maps = "test/compare/compare-crawls.test.ts";
const fairness = "test/compare/settings-differences.test.ts";
const digests = "test/crawl/digests.test.ts";
const words = "test/text/compare.test.ts";

export const compare: readonly Mutant[] = [
  {
    file: "src/compare/changes.ts",
    find: 'return FAILING.has(stateInB) ? "failing" : "not-fetched";',
    replace: 'return FAILING.has(stateInB) ? "failing" : "gone";',
    plants: "A page that B did not fetch is called gone.",
    killedBy: [maps],
  },
  {
    file: "src/compare/changes.ts",
    find: 'if (stateInA === NOT_KNOWN) return "new";',
    replace: 'if (stateInA === NOT_KNOWN || stateInA === PageState.Open) return "new";',
    plants: "A page that A knew but did not fetch is called new.",
    killedBy: [maps],
  },
  {
    file: "src/compare/changes.ts",
    find: 'if (isSameContent === undefined) return "content-unknown";',
    replace: "",
    plants: "Pages whose contents cannot be compared count as changed.",
    killedBy: [maps],
  },
  {
    file: "src/compare/fingerprint-column.ts",
    find: "return this.#high[index] === other.#high[otherIndex] && ",
    replace: "return ",
    plants: "Two contents look the same if half of their fingerprints is.",
    killedBy: [maps],
  },
  {
    file: "src/compare/fingerprint-column.ts",
    find: " || other.#isKnown[otherIndex] === 0",
    replace: "",
    plants: "What A does not know of a page counts as its content.",
    killedBy: [maps],
  },
  {
    file: "src/compare/compare-crawls.ts",
    find: "if (after.low > before.high) return 1;",
    replace: "if (after.low > before.low) return 1;",
    plants: "A share that a crawl proves better counts as one that has risen.",
    killedBy: [maps],
  },
  {
    file: "src/compare/compare-crawls.ts",
    find: "isImportanceComparable ? certainDirection(before, after) : 0",
    replace: "certainDirection(before, after)",
    plants: "Changes are certain though importance was measured in another way.",
    killedBy: [maps],
  },
  {
    file: "src/compare/compare-crawls.ts",
    find: "keys[rank] = difference + (direction === 0 ? 0 : 1);",
    replace: "keys[rank] = difference;",
    plants: "Possible changes of importance are listed before certain ones.",
    killedBy: [maps],
  },
  {
    file: "src/compare/match-urls.ts",
    find: "ofA[idOf[number]] = id + 1;",
    replace: "ofA[number] = id + 1;",
    plants: "Pages of A after a sink are matched with the wrong pages of B.",
    killedBy: [maps],
  },
  {
    file: "src/compare/settings-differences.ts",
    find: ".map(({ url, weight }) => [url, weight])",
    replace: ".map(({ url }) => url)",
    plants: "Other weights of the same seeds are not noticed.",
    killedBy: [fairness],
  },
  {
    file: "src/crawl/settings/crawl-settings.ts",
    find: "...(before === undefined ? { digestSeed: 0 } : {}),",
    replace: "digestSeed: 0,",
    plants: "A crawl that was started before changes the seed of its digests.",
    killedBy: [digests],
  },
  {
    file: "src/crawl/fingerprint.ts",
    find: "h64Raw(body, this.#digestSeed)",
    replace: "h64Raw(body, this.#seed)",
    plants: "Digests of two crawls cannot be compared.",
    killedBy: [digests],
  },
  {
    file: "src/text/compare.ts",
    find: 'if (state === "dead" && reason !== null) return reasonInWords(reason);',
    replace: "",
    plants: "Nobody is told why a page is gone.",
    killedBy: [words],
  },
];
