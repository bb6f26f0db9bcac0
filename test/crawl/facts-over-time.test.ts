/**
 * A small web that changes while it is crawled and refreshed. Whatever the sequence, what follows from the log is what
 * would follow from a log written anew with only the newest words; no coverage is above the truth of these facts; every
 * earlier moment can be had again; and a disk that fails at any write loses and doubles nothing.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  certifyLog,
  LogCompaction,
  readNewPages,
  refreshFacts,
  refreshPages,
  viewOfLog,
} from "../../src/crawl/index.ts";
import { isDownloaded, PageState } from "../../src/coverage/index.ts";
import type { CrawlLog, Visit } from "../../src/log/index.ts";
import { MemoryStore, StoreError } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";
import { PassingTimers } from "../support/passing-timers.ts";
import { truthAllowed, type WorldUrl } from "../support/truth.ts";
import { copiedRow } from "../../src/graph/index.ts";

const HOUR = 3_600_000;
const PAGES = 7;
const SEED = "http://a.example/0";
const ROUNDING = 1e-11;

/** What a URL answers. */
type Shown = { readonly links: readonly number[]; readonly version: number } | { readonly movedTo: number } | "gone";

type Step =
  | { readonly kind: "change"; readonly page: number; readonly shown: Shown }
  | { readonly kind: "crawl"; readonly pages: number }
  | { readonly kind: "refresh"; readonly pages: number };

const pageNumber = fc.nat(PAGES - 1);
const shown: fc.Arbitrary<Shown> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ links: fc.array(pageNumber, { maxLength: 4 }), version: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ movedTo: pageNumber }) },
  { weight: 1, arbitrary: fc.constant("gone" as const) },
);
const firstWeb = fc.array(shown, { minLength: PAGES, maxLength: PAGES });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("change" as const), page: pageNumber, shown }),
  fc.record({ kind: fc.constant("crawl" as const), pages: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("refresh" as const), pages: fc.integer({ min: 1, max: PAGES }) }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 12 });

class LivingCrawl {
  readonly settings = inlineSettings([SEED], {});
  readonly store = new MemoryStore(JSON.stringify(this.settings));
  readonly web: Shown[];
  readonly timers = new PassingTimers(1_700_000_000_000);

  constructor(web: readonly Shown[]) {
    this.web = [...web];
  }

  /** Where the disk fails, the step is made again. */
  async make(each: Step): Promise<void> {
    this.timers.now += 7 * HOUR;
    if (each.kind === "change") this.web[each.page] = each.shown;
    else {
      try {
        await this.#read(each);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.store.crash();
        await this.#read(each);
      }
    }
  }

  async #read({ kind, pages: count }: Exclude<Step, { kind: "change" }>): Promise<void> {
    const { store, settings, timers } = this;
    const fetcher = new InlineWeb(({ pathname }) => this.#serve(Number(pathname.slice(1))));
    if (kind === "refresh") {
      const pages = refreshFacts(store).pages.slice(0, count);
      await refreshPages({ store, settings, timers, fetcher, pages });
      return;
    }
    const { end } = await readNewPages({ store, settings, timers, fetcher, pages: count, readers: 0 });
    if (end.error !== undefined) throw end.error;
  }

  #serve(page: number): Served | undefined {
    const now = this.web[page];
    if (now === undefined || now === "gone") return undefined;
    if ("movedTo" in now) return { status: 301, headers: { location: `/${now.movedTo}` } };
    return `<title>${now.version}</title>${now.links.map((link) => `<a href="/${link}">x</a>`).join("")}`;
  }
}

/** A log with only the visits of another that count. */
function writtenAnew(store: MemoryStore): MemoryStore {
  const anew = new MemoryStore(store.settings());
  const visits = [...store.visits()];
  const placeOf = (visit: number): number =>
    visit === 0 ? 0 : 1 + visits.filter(({ number }) => number < visit).length;
  for (const [id, origin] of [...store.origins()].entries()) anew.addOrigin(id, origin);
  for (const url of store.urls()) anew.addUrl({ ...url, discoveredAt: placeOf(url.discoveredAt) });
  for (const [k, visit] of visits.entries()) anew.addVisit({ ...visit, number: k + 1 });
  anew.replaceTrust([...store.trust()]);
  return anew;
}

/** All that follows from a log. */
function derived(log: CrawlLog): object {
  const { certificate, missing, outside, ceiling } = certifyLog(log);
  const facts = new Map<number, Visit>();
  const { urls, state, links } = viewOfLog(log, { visited: (visit) => void facts.set(visit.url, visit) });
  const pages = Array.from({ length: urls.urls }, (_, url) => ({
    state: state[url],
    depth: urls.depthOf(url),
    end: urls.endOf(url),
    title: facts.get(url)?.title ?? null,
    links: isDownloaded(state[url]) ? [...copiedRow(links, url)] : null,
  }));
  return { certificate, missing, outside, ceiling, pages };
}

/** The coverage of the facts, if what was not fetched has no links. */
function truthOfFacts(store: MemoryStore): number {
  const { urls: view, state, links } = viewOfLog(store);
  const trust = new Map(Array.from(store.trust(), ({ url, weight }) => [url, weight]));
  const urls = Array.from({ length: view.urls }, (_, url): WorldUrl => {
    const kinds = { [PageState.Dead]: "dead", [PageState.Redirected]: "redirect" } as const;
    const kind = (kinds as Record<number, WorldUrl["kind"]>)[state[url]] ?? "page";
    const of = isDownloaded(state[url]) ? [...copiedRow(links, url)] : [];
    const targets = kind === "redirect" ? [view.targetOf(url)!] : of;
    return { kind, links: targets, seenLinks: targets, trust: trust.get(url) ?? 0 };
  });
  const { ranks, sum } = truthAllowed({ damping: 0.85, known: urls.length, urls });
  const had = ranks.reduce((total, rank, url) => total + (isDownloaded(state[url]) ? rank : 0), 0);
  return sum === 0 ? 0 : had / sum;
}

describe("a crawl whose pages are read again", () => {
  it("is what a log written anew with the newest words says, claims no more than the truth, and keeps its past", async () => {
    let replaced = 0;
    await fc.assert(
      fc.asyncProperty(firstWeb, steps, async (web, all) => {
        const crawl = new LivingCrawl(web);
        const { store } = crawl;
        const past: { readonly visit: number; readonly seen: object }[] = [];
        await crawl.make({ kind: "crawl", pages: 3 });
        for (const each of all) {
          await crawl.make(each);
          const seen = derived(store);
          expect(seen).toEqual(derived(writtenAnew(store)));
          expect(certifyLog(store).certificate.coverage).toBeLessThanOrEqual(truthOfFacts(store) + ROUNDING);
          past.push({ visit: Math.max(0, ...Array.from(store.visits(), ({ number }) => number)), seen });
        }
        for (const { visit, seen } of past) expect(derived(store.asOf(visit))).toEqual(seen);
        replaced += [...store.replacedVisits()].length;
      }),
      { numRuns: cases(150) },
    );
    expect(replaced).toBeGreaterThan(cases(150) / 10);
  });

  it("loses and doubles nothing if the disk fails at any write of any step", async () => {
    await fc.assert(
      fc.asyncProperty(firstWeb, steps, fc.integer({ min: 1, max: 60 }), async (web, all, failAt) => {
        const crawl = new LivingCrawl(web);
        const { store } = crawl;
        await crawl.make({ kind: "crawl", pages: 3 });
        store.failAt(store.writes + failAt, "failed");
        for (const each of all) await crawl.make(each);
        const finals = [...store.visits()].filter(({ outcome }) => outcome !== "try-again").map(({ url }) => url);
        expect(new Set(finals).size).toBe(finals.length);
        const written = [...store.rereads()].flatMap(({ visit }) => (visit === null ? [] : [visit]));
        expect([...store.replacedVisits()].map(({ by }) => by)).toEqual(written);
        expect(derived(store)).toEqual(derived(writtenAnew(store)));
      }),
      { numRuns: cases(150) },
    );
  });

  it("goes on as before if earlier visits are deleted after each step: same facts, same change rates, same reads", async () => {
    const kept = fc.oneof(
      fc.integer({ min: 1, max: 3 }).map((newest) => ({ newest })),
      fc.integer({ min: 0, max: 30 }).map((hours) => ({ hours })),
    );
    let deleted = 0;
    await fc.assert(
      fc.asyncProperty(firstWeb, steps, kept, async (web, all, bound) => {
        const [whole, compact] = [new LivingCrawl(web), new LivingCrawl(web)];
        for (const each of [{ kind: "crawl", pages: 3 } as const, ...all]) {
          await whole.make(each);
          await compact.make(each);
          const { store, timers } = compact;
          const kept = "hours" in bound ? { sinceMs: timers.now - bound.hours * HOUR } : bound;
          const compaction = new LogCompaction(store, kept, timers.now + 48 * HOUR);
          while (compaction.step());
          deleted += compaction.deleted;
          expect(derived(store)).toEqual(derived(whole.store));
          expect(refreshFacts(store)).toEqual(refreshFacts(whole.store));
          expect([store.generation, [...store.visits()]]).toEqual([whole.store.generation, [...whole.store.visits()]]);
        }
      }),
      { numRuns: cases(100) },
    );
    expect(deleted).toBeGreaterThan(cases(100) / 10);
  });

  it("knows, once all was read twice and nothing new waits, every page as it is now", async () => {
    await fc.assert(
      fc.asyncProperty(firstWeb, steps, async (web, all) => {
        const crawl = new LivingCrawl(web);
        await crawl.make({ kind: "crawl", pages: PAGES });
        for (const each of all) await crawl.make(each);
        for (let k = 0; k < 3; k++) {
          await crawl.make({ kind: "refresh", pages: PAGES });
          await crawl.make({ kind: "crawl", pages: PAGES });
        }
        const paths = Array.from(crawl.store.urls(), ({ path }) => Number(path?.slice(1)));
        for (const { url, outcome, title } of crawl.store.visits()) {
          const now = crawl.web[paths[url]];
          // What has become a page again, after it was gone or moved, is known by its last word only.
          if (outcome !== "downloaded") continue;
          if (now === "gone") throw new Error(`${paths[url]} is gone, and known as a page`);
          if ("version" in now) expect(title).toBe(String(now.version));
        }
      }),
      { numRuns: cases(100) },
    );
  });
});
