/** What a crawl says before, while and after, and which commands it proposes. */
import { describe, expect, it } from "vitest";
import { idleWorkersAhead, keptFromNowOn, openingSentence, trustSentence } from "../../src/cli/crawl/messages.ts";
import { level } from "../../src/cli/options/command.ts";
import type { MissingReason } from "../../src/coverage/index.ts";
import { crawlSettings, type Limits, type Seed } from "../../src/crawl/index.ts";
import { nextSteps, type WhereItStands } from "../../src/text/index.ts";

const STANDS: WhereItStands = {
  reason: "page-limit",
  limits: {},
  dir: "c",
  status: { pages: 100, bytes: 5000, frontier: 7 },
  coverage: 0.5,
  ceiling: 1,
  searchable: false,
};
const share = (reason: MissingReason, mass: number) => ({ reason, mass, hosts: [] });
const stepsOf = (changes: Partial<WhereItStands>): string[] =>
  nextSteps({ ...STANDS, ...changes }).map(({ command, purpose }) => `${command}   # ${purpose}`);
const first = (changes: Partial<WhereItStands>): string | undefined => stepsOf(changes)[0];

describe("the next command", () => {
  it.each<[what: string, changes: Partial<WhereItStands>, command: string]>([
    ["raises the limit of pages", { limits: { pages: 100 } }, "--max-pages 200   # fetch more"],
    ["is above the pages there are", { limits: { pages: 30 } }, "--max-pages 200   # fetch more"],
    [
      "raises the limit of a host",
      { limits: { pages: 1000, pagesPerHost: 20 } },
      "--max-pages-per-host 40   # fetch more per host",
    ],
    ["raises the limit of bytes", { reason: "byte-limit", limits: { bytes: 100 } }, "--max-bytes 10000   # fetch more"],
    ["goes deeper", { reason: "depth-limit", limits: { depth: 3 } }, "--max-depth 4   # go deeper"],
    [
      "covers half of the rest",
      { reason: "coverage-reached", limits: { coverage: 0.9 }, coverage: 0.9 },
      "--coverage 0.95   # cover more",
    ],
    [
      "stays below what can be reached",
      // Of the tenth that is missing 0.06 is a trap: at most 0.94 can be covered, 0.92 is half the way.
      {
        reason: "coverage-reached",
        limits: { coverage: 0.9 },
        coverage: 0.9,
        ceiling: 0.94,
        missing: [share("trap", 0.06), share("not-fetched", 0.04)],
      },
      "--coverage 0.92   # cover more",
    ],
  ])("%s", (_what, changes, command) => {
    expect(first(changes)).toBe(`crawl --dir c ${command}`);
  });

  it("is to go on where nothing stood in the way", () => {
    expect(first({ reason: "interrupted" })).toBe("crawl --dir c   # resume");
  });

  it.each<[what: string, changes: Partial<WhereItStands>]>([
    ["nothing is left", { reason: "frontier-empty" }],
    ["nothing waits", { status: { ...STANDS.status, frontier: 0 }, limits: { pages: 1 } }],
    [
      "all that is missing is out of reach",
      {
        reason: "coverage-reached",
        limits: { coverage: 0.9 },
        coverage: 0.9,
        ceiling: 0.9,
        missing: [share("dead", 0.1)],
      },
    ],
  ])("is none to crawl where %s", (_what, changes) => {
    expect(first(changes)).toBe("coverage c   # what is missing");
  });

  it("is none about missing pages where nothing is missing, and none at all where there is nothing", () => {
    expect(stepsOf({ reason: "frontier-empty", missing: [] })).toEqual([
      "export c --format csv --out pages.csv   # the pages as a table",
    ]);
    const none = { pages: 0, bytes: 0, frontier: 0 };
    for (const searchable of [false, true]) {
      expect(stepsOf({ reason: "frontier-empty", status: none, searchable })).toEqual([]);
    }
  });

  it("is to try again what failed, where nothing else is left", () => {
    const hosts = [3, 1].map((pages, k) => ({ host: `${k}.example`, mass: 0.1, pages }));
    const missing = [{ ...share("failed", 0.2), hosts }];
    const again = "refresh c --once --budget 4   # in an hour: try the 4 pages again that failed";
    expect(first({ reason: "frontier-empty", missing })).toBe(again);
    expect(first({ reason: "frontier-empty", missing: [{ reason: "failed", mass: 0.2, pages: 1 }] })).toBe(
      "refresh c --once --budget 1   # in an hour: try the page again that failed",
    );
    expect(stepsOf({ reason: "page-limit", missing })).not.toContain(again);
    expect(stepsOf({ reason: "frontier-empty", missing: [share("dead", 0.2)] })).toHaveLength(2);
  });

  it("leads to the text of the pages where there is any, most important first", () => {
    const done = { reason: "frontier-empty", missing: [], searchable: true } as const;
    const others = [
      "pack c --tokens 50000 --out pack.md   # what is worth most within 50,000 tokens",
      "search c WORDS   # find pages by their text",
    ];
    expect(stepsOf(done)).toEqual([
      "export c --format markdown --top 20 --out best.md   # the 20 most important pages as Markdown",
      ...others,
    ]);
    expect(stepsOf({ ...done, status: { ...STANDS.status, pages: 20 } })).toEqual([
      "export c --format markdown --out best.md   # 20 pages as Markdown",
      ...others,
    ]);
  });
});

describe("the first words", () => {
  it("name every limit", () => {
    const limits: Limits = { coverage: 0.9, pages: 1, depth: 3, pagesPerHost: 20 };
    expect(openingSentence(planned([], { limits }))).toBe(
      "new crawl in c: the whole web, at most 3 links from a seed, at most 20 pages per host, " +
        "until 90.00% of what may be fetched is certainly covered, or 1 page is fetched",
    );
  });

  it("say what coverage is measured over where that is not the default, as in a crawl that was made before", () => {
    const { settings } = planned([], {});
    const old = { ...settings, web: { ...settings.web, universe: "scope" as const } };
    expect(openingSentence({ dir: "c", isResumed: true, isRestarted: false, settings: old })).toBe(
      "resuming the crawl in c: the whole web, until nothing is left to fetch; coverage is measured over the whole " +
        "scope, forbidden and dead pages included (--universe scope)",
    );
    expect(openingSentence({ dir: "c", isResumed: true, isRestarted: false, settings })).not.toContain("measured");
  });

  it("say what the pages that are there already lack", () => {
    const { settings } = planned([], {});
    expect(keptFromNowOn({ before: settings, settings })).toBeUndefined();
    const more = { ...settings, nearDuplicates: true, texts: ["text", "html"] as const };
    expect(keptFromNowOn({ before: { ...settings, texts: ["text"] }, settings: more })).toBe(
      "--near-duplicates --store text,html hold for pages fetched from now on; for all of them start a new crawl in " +
        "another --dir",
    );
    expect(keptFromNowOn({ before: more, settings })).toBeUndefined();
    const archived = { ...settings, anchors: true, network: { ...settings.network, warc: true } };
    expect(keptFromNowOn({ before: { ...archived, anchors: false }, settings: archived })).toMatch(/^--anchors holds /);
    expect(keptFromNowOn({ before: settings, settings: archived })).toMatch(/^--anchors --warc hold /);
  });

  it("say where trust has moved", () => {
    const a = [{ url: "http://a/", weight: 1 }];
    const b = [0.5, 0.2, 0.2, 0.05, 0.05].map((weight, k) => ({ url: `http://b${k}/`, weight }));
    expect(trustSentence({ ...planned(a, {}), before: planned(a, {}).settings })).toBeUndefined();
    expect(trustSentence(planned(a, {}))).toBeUndefined();
    expect(trustSentence({ ...planned(b, {}), before: planned(a, {}).settings })).toBe(
      "the seeds are now http://b0/ (50%), http://b1/ (20%), http://b2/ (20%), 2 more seeds; they were http://a/: " +
        "coverage is measured from the new seeds",
    );
  });
});

describe("small things", () => {
  it.each([
    ["95", "0.95"],
    ["99.5%", "0.995"],
    ["1%", "0.01"],
    ["100", "1"],
  ])("a coverage of %s is understood as a share", (text, meant) => {
    expect(() => level(text)).toThrow(`Expected a share above 0 and at most 1. Did you mean ${meant}?`);
  });

  it.each(["0", "101", "x", "-5"])("a coverage of %s is not", (text) => {
    expect(() => level(text)).toThrow(/at most 1\.$/);
  });
});

describe("workers that will have nothing to do", () => {
  const seeds = ["http://www.demo.test/", "http://www.demo.test/topics/", "http://news.demo.test/"];
  const ahead = (scope: "host" | "domain", workers: number): string | undefined => {
    const about = { seeds: seeds.map((url) => ({ url, weight: 1 / 3 })) };
    return idleWorkersAhead(crawlSettings({ scope }, about), workers);
  };

  it("are told of where the scope has fewer hosts", () => {
    const sentence = "2 workers would do: each host is crawled by one worker, and the scope has 2 hosts";
    expect(ahead("host", 3)).toBe(sentence);
    expect(ahead("host", 2)).toBeUndefined();
    expect(ahead("domain", 3)).toBeUndefined();
  });
});

function planned(seeds: readonly Seed[], { limits = {} }: { limits?: Limits }) {
  const settings = { ...crawlSettings({ scope: "any" }, { seeds }), limits };
  return { dir: "c", isResumed: false, isRestarted: false, settings };
}
