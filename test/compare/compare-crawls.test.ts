/** Compared with a plain comparison of maps from URLs to facts. */
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  compareCrawls,
  type Comparison,
  type CrawlColumns,
  FingerprintColumn,
  matchUrls,
  type PagePair,
} from "../../src/compare/index.ts";
import { PageState, refusalReasons } from "../../src/coverage/index.ts";
import { Fingerprinter } from "../../src/crawl/index.ts";
import { cases } from "../support/cases.ts";

interface Fact {
  readonly url: string;
  readonly state: number;
  /** Undefined: not known. */
  readonly content: number | undefined;
  readonly title: number | undefined;
  /** In units of 2^-10, so that differences are exact. */
  readonly low: number;
  readonly slack: number;
}

const fact = fc.record({
  url: fc.nat(15).map((n) => `http://site.test/${n}`),
  state: fc.integer({ min: 0, max: PageState.Refused + refusalReasons.length - 1 }).chain((state) => {
    // Half of them are pages: else both crawls hardly ever have the same one.
    return fc.boolean().map((isPage) => (isPage ? PageState.Downloaded : state));
  }),
  content: fc.option(fc.nat(2), { nil: undefined, freq: 5 }),
  title: fc.option(fc.nat(1), { nil: undefined, freq: 5 }),
  low: fc.nat(50),
  slack: fc.nat(20),
});
const crawl = fc.uniqueArray(fact, { selector: ({ url }) => url, maxLength: 16 });

const isPage = ({ state }: Fact): boolean => state === PageState.Downloaded || state === PageState.LinksUnknown;
const lowOf = ({ low }: Fact): number => low / 1024;
const highOf = ({ low, slack }: Fact): number => (low + slack) / 1024;

/** Sorted by importance, ties by id, as in a survey. */
function ranked(facts: readonly Fact[]): number[] {
  return facts.map((_, id) => id).sort((a, b) => facts[b].low - facts[a].low || a - b);
}

function columnsOf(facts: readonly Fact[]): CrawlColumns {
  const order = ranked(facts);
  const pages = order.filter((id) => isPage(facts[id]));
  const [contents, titles] = [new FingerprintColumn(pages.length), new FingerprintColumn(pages.length)];
  for (const [place, id] of pages.entries()) {
    const { content, title } = facts[id];
    if (content !== undefined) contents.set(place, content === 2 ? 1 : 0, content === 0 ? 0 : 7);
    if (title !== undefined) titles.set(place, 0, title);
  }
  return {
    state: Uint8Array.from(facts, ({ state }) => state),
    byImportance: Uint32Array.from(order),
    place: (id) => pages.indexOf(id) + 1,
    interval: (id) => ({ low: lowOf(facts[id]), high: highOf(facts[id]) }),
    contents,
    titles,
  };
}

const TOP = 4;
const fingerprinter = await Fingerprinter.create(7);

function compared(a: readonly Fact[], b: readonly Fact[], isComparable: boolean): Comparison {
  const matched = matchUrls({
    a: a.map(({ url }, id) => [id, url]),
    b: b.map(({ url }, id) => [id, url]),
    counts: { a: a.length, b: b.length },
    fingerprinter,
  });
  const both = { isContentComparable: isComparable, isImportanceComparable: isComparable };
  return compareCrawls({ a: columnsOf(a), b: columnsOf(b), matched, ...both, top: TOP });
}

/** Why a page of A is no page in B, by the words of the states, not by their numbers. */
function naiveLoss(fact: Fact | undefined): [change: string, reason?: string] {
  if (fact === undefined) return ["not-fetched", "not-discovered"];
  const refusal = refusalReasons[fact.state - PageState.Refused];
  if (fact.state === PageState.Open) return ["not-fetched", "waiting"];
  if (fact.state === PageState.Dead) return ["gone"];
  if (fact.state === PageState.Redirected) return ["redirected"];
  return ["failed", "forbidden", "blocked"].includes(refusal) ? ["failing"] : ["not-fetched", refusal];
}

function naive(a: readonly Fact[], b: readonly Fact[], isComparable: boolean) {
  const [inA, inB] = [a, b].map((facts) => new Map(facts.map((fact) => [fact.url, fact])));
  const pages = new Map<string, string[]>();
  const reasons = new Map<string, number>();
  const titles: string[] = [];
  const moved: { url: string; by: number; direction: number }[] = [];
  const add = (change: string, url: string) => pages.set(change, [...(pages.get(change) ?? []), url]);
  for (const id of ranked(b)) {
    const now = b[id];
    const before = inA.get(now.url);
    if (!isPage(now)) continue;
    if (before === undefined) add("new", now.url);
    else if (isPage(before)) {
      if (before.content === undefined || now.content === undefined || !isComparable) add("content-unknown", now.url);
      else add(before.content === now.content ? "unchanged" : "changed", now.url);
      const hasTitles = before.title !== undefined && now.title !== undefined;
      if (hasTitles && before.title !== now.title) titles.push(now.url);
      const by = Math.abs(lowOf(now) - lowOf(before));
      const certain = lowOf(now) > highOf(before) ? 1 : highOf(now) < lowOf(before) ? -1 : 0;
      if (by >= 1e-6) moved.push({ url: now.url, by, direction: isComparable ? certain : 0 });
    } else {
      const [loss] = naiveLoss(before);
      add(loss === "not-fetched" ? "first-fetched" : "recovered", now.url);
    }
  }
  for (const id of ranked(a)) {
    if (!isPage(a[id])) continue;
    const now = inB.get(a[id].url);
    if (now !== undefined && isPage(now)) continue;
    const [change, reason] = naiveLoss(now);
    add(change, a[id].url);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const count = (direction: number): number => moved.filter((page) => page.direction === direction).length;
  moved.sort((x, y) => Math.abs(y.direction) - Math.abs(x.direction) || y.by - x.by);
  const common = b.filter(({ url }) => inA.has(url)).length;
  return { pages, reasons, titles, moved, up: count(1), down: count(-1), possible: count(0), common };
}

it("agrees with maps, whatever the crawls know", () => {
  fc.assert(
    fc.property(crawl, crawl, fc.boolean(), (a, b, isComparable) => {
      const found = compared(a, b, isComparable);
      const expected = naive(a, b, isComparable);
      const urlOf = (pair: PagePair): string => {
        if (pair.a >= 0 && pair.b >= 0) expect(a[pair.a].url).toBe(b[pair.b].url);
        return (a[pair.a] ?? b[pair.b]).url;
      };
      for (const [change, count] of Object.entries(found.counts)) {
        const urls = expected.pages.get(change) ?? [];
        expect([change, count]).toEqual([change, urls.length]);
        const listed = found.pages[change as keyof typeof found.pages].map(urlOf);
        expect(listed).toEqual(change === "unchanged" ? [] : urls.slice(0, TOP));
      }
      for (const [reason, count] of Object.entries(found.notFetched)) {
        expect([reason, count]).toEqual([reason, expected.reasons.get(reason) ?? 0]);
      }
      expect(found.common).toBe(expected.common);
      expect(found.titles.count).toBe(expected.titles.length);
      expect(found.titles.pages.map(urlOf)).toEqual(expected.titles.slice(0, TOP));
      const { up, down, possible } = expected;
      expect({ ...found.moved, pages: [] }).toEqual({ up, down, possible, pages: [] });
      // Ties may come in any order: what is listed has the right differences.
      const differences = found.moved.pages.map(({ a: x, b: y }) => Math.abs(lowOf(b[y]) - lowOf(a[x])));
      expect(differences).toEqual(expected.moved.slice(0, TOP).map(({ by }) => by));
    }),
    { numRuns: cases(1000) },
  );
});

it("matches URLs by their text, also where ids leave out sinks", () => {
  const matched = matchUrls({
    a: [
      [1, "http://site.test/x"],
      [3, "http://site.test/y"],
    ],
    b: [
      [0, "http://site.test/z"],
      [2, "http://site.test/y"],
    ],
    counts: { a: 4, b: 3 },
    fingerprinter,
  });
  expect(matched).toEqual({ common: 1, ofA: Uint32Array.of(0, 0, 0, 3), ofB: Uint32Array.of(0, 0, 4) });
});

it("does not count a difference of a share that is shown as 0", () => {
  const page = (low: number): Fact => {
    return { url: "http://site.test/", state: PageState.Downloaded, content: 1, title: 1, low, slack: 0 };
  };
  const moved = (units: number) => compared([page(1)], [page(1 + units)], true).moved;
  expect(moved(1024 * 0.9e-6)).toEqual({ up: 0, down: 0, possible: 0, pages: [] });
  expect(moved(1024 * 1.1e-6)).toEqual({ up: 1, down: 0, possible: 0, pages: [{ a: 0, b: 0 }] });
});

it("counts every page of either crawl once", () => {
  fc.assert(
    fc.property(crawl, crawl, (a, b) => {
      const { counts } = compared(a, b, true);
      const both = counts.unchanged + counts.changed + counts["content-unknown"];
      expect(both + counts.gone + counts.redirected + counts.failing + counts["not-fetched"]).toBe(
        a.filter(isPage).length,
      );
      expect(both + counts.new + counts["first-fetched"] + counts.recovered).toBe(b.filter(isPage).length);
    }),
  );
});

it("finds nothing to tell about a crawl and itself", () => {
  fc.assert(
    fc.property(crawl, (facts) => {
      const known = facts.map((each) => ({ ...each, content: 1 }));
      const { counts, moved, titles } = compared(known, known, true);
      const { unchanged, ...others } = counts;
      expect(unchanged).toBe(known.filter(isPage).length);
      expect(new Set(Object.values(others))).toEqual(new Set([0]));
      expect([titles.count, moved.up + moved.down + moved.possible]).toEqual([0, 0]);
    }),
  );
});
