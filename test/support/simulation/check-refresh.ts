/**
 * A simulated crawl is refreshed every other day, while its web changes. Whatever was read, and whatever failed on the
 * way: the log says of each page what the last answer that counts said, claims no more than the truth of these answers,
 * has lost and doubled nothing, and can still tell what it said before.
 */
import { expect } from "vitest";
import { Random } from "../../../src/base/index.ts";
import { isDownloaded } from "../../../src/coverage/index.ts";
import { certifyLog } from "../../../src/crawl/index.ts";
import type { Reread } from "../../../src/log/index.ts";
import type { MemoryStore } from "../../../src/store/index.ts";
import { Scope } from "../../../src/web/index.ts";
import { nextDay } from "./changes.ts";
import { LATER_MS, type RefreshRun, simulateRefresh } from "./refresh.ts";
import type { SimulatedCrawl } from "./run.ts";
import { downloadedPages, ROUNDING, scopeIn, trueCoverage, truthFor } from "./soundness.ts";
import { type SimulatedPage, SimulatedWeb } from "./web.ts";

export interface RefreshChecks {
  readonly seed: number;
  readonly isRendered: boolean;
  readonly rounds: number;
}

/** How often things happened, so that a test can see that they do. */
export type RefreshCounts = Record<Reread["outcome"] | "replaced" | "doubted" | "disasters", number>;

export async function checkRefreshes(
  { web: first, store, settings }: SimulatedCrawl,
  { seed, isRendered, rounds }: RefreshChecks,
): Promise<RefreshCounts> {
  // Everything was committed; a disk that was to fail later does not fail any more.
  store.crash();
  const random = new Random(seed, 8);
  const counts = { unchanged: 0, changed: 0, gone: 0, moved: 0, failed: 0, replaced: 0, doubted: 0, disasters: 0 };
  let web = first;
  let read: readonly SimulatedPage[] = first.pages;
  for (let round = 1; round <= rounds; round++) {
    const [last, before, rereads] = [lastVisit(store), certifyLog(store), store.rereadCount];
    web = nextDay(web, random);
    const { run, disasters } = await simulateRefresh({ web, store }, { seed, round, isRendered });
    counts.disasters += disasters;
    checkRun(store, run);
    expect(certifyLog(store.asOf(last))).toEqual(before);
    const answers = new Answers(web, read, { store, isRendered });
    for (const reread of [...store.rereads()].slice(rereads)) {
      answers.take(reread);
      counts[reread.outcome]++;
      if (reread.visit !== null) counts.replaced++;
      else if (reread.outcome === "gone" || reread.outcome === "moved") counts.doubted++;
    }
    read = answers.pages;
    answers.checkFacts();
    const { coverage } = certifyLog(store).certificate;
    const asRead = new SimulatedWeb({ ...web, pages: read });
    const truth = truthFor(store, asRead, settings.web.universe);
    expect(coverage).toBeLessThanOrEqual(trueCoverage(downloadedPages(store, asRead), truth) + ROUNDING);
  }
  return counts;
}

function lastVisit(store: MemoryStore): number {
  return [...store.visits()].at(-1)?.number ?? 0;
}

/** Of the pages of a plan, each is read once or left for a reason; a visit is replaced by what a reread wrote. */
function checkRun(store: MemoryStore, { rereads, planned, result, isInterrupted }: RefreshRun): void {
  const all = [...store.rereads()];
  const read = all.slice(rereads).map(({ url }) => url);
  expect(new Set(read).size).toBe(read.length);
  expect(read.filter((url) => !planned.includes(url))).toEqual([]);
  expect(read.length + result.left).toBe(planned.length);
  expect(Object.values(result.leftWhy).reduce((sum, count) => sum + count, 0)).toBe(result.left);
  if (!isInterrupted) expect(result.leftWhy["interrupted"]).toBeUndefined();
  const finals = [...store.visits()].filter(({ outcome }) => outcome !== "try-again").map(({ url }) => url);
  expect(new Set(finals).size).toBe(finals.length);
  const written = all.flatMap(({ visit }) => (visit === null ? [] : [visit]));
  expect([...store.replacedVisits()].map(({ by }) => by)).toEqual(written);
}

/** What the answers of a day say of the pages, judged without the code under test. */
class Answers {
  /** Each as it was when it was read last, as far as that counts. */
  readonly pages: SimulatedPage[];
  readonly #web: SimulatedWeb;
  readonly #store: MemoryStore;
  readonly #isRendered: boolean;
  /** The page of each URL; -1 for what is none. */
  readonly #numbers: readonly number[];

  constructor(
    web: SimulatedWeb,
    before: readonly SimulatedPage[],
    { store, isRendered }: { readonly store: MemoryStore; readonly isRendered: boolean },
  ) {
    this.#web = web;
    this.#store = store;
    this.#isRendered = isRendered;
    const origins = [...store.origins()];
    this.#numbers = Array.from(store.urls(), ({ origin, path }) => web.pageOf(`${origins[origin]}${path ?? ""}`));
    this.pages = web.pages.map((page, k) => before[k] ?? page);
  }

  take({ url, outcome, visit, target, atMs }: Reread): void {
    const number = this.#numbers[url];
    const page = this.#web.pages[number];
    const before = this.pages[number];
    const { hasBadDay } = this.#web.hosts[page.host];
    const isThere = READABLE.has(page.fate) && !hasBadDay;
    const isSame = this.#contentOf(page, number) === this.#contentOf(before, number);
    switch (outcome) {
      case "unchanged":
        expect([isThere, visit]).toEqual([true, null]);
        if (!this.#isRendered) expect(isSame).toBe(true);
        break;
      case "changed":
        expect([isThere, visit === null]).toEqual([true, false]);
        if (!this.#isRendered) expect(isSame).toBe(false);
        this.pages[number] = page;
        break;
      case "gone":
        expect(hasBadDay || page.fate === "dead" || page.fate === "gone").toBe(true);
        if (hasBadDay && visit !== null) expect(this.#isSaidBefore(url, { outcome, atMs })).toBe(true);
        if (visit !== null) this.pages[number] = { ...page, fate: "dead" };
        break;
      case "moved":
        expect([page.fate, hasBadDay]).toEqual(["redirect", false]);
        if (!page.redirectOutside) expect(target).toBe(this.#web.urlOf(page.links[0]));
        if (page.isTemporary && visit !== null) expect(this.#isSaidBefore(url, { outcome, atMs })).toBe(true);
        if (visit !== null) this.pages[number] = page;
        break;
      case "failed":
        expect(visit).toBeNull();
        expect(isThere && page.fate !== "flaky" && !this.#isRendered).toBe(false);
    }
  }

  /** The log has the title and the links that each page had when it was read. */
  checkFacts(): void {
    const urls = [...this.#store.urls()];
    const scope = new Scope(scopeIn(this.#store));
    const asRead = new SimulatedWeb({ ...this.#web, pages: this.pages });
    for (const { url, outcome, title, links } of this.#store.visits()) {
      if (!isDownloaded(outcome)) continue;
      const number = this.#numbers[url];
      const page = this.pages[number];
      expect(READABLE.has(page.fate), page.fate).toBe(true);
      if (page.fate === "file") continue;
      expect(title).toBe(asRead.titleOf(number));
      // What a page shows that could not be rendered is less.
      if (this.#isRendered) continue;
      const followed = [...(links ?? [])].flatMap((to) => (urls[to].path === null ? [] : [this.#numbers[to]]));
      const isFollowed = (to: number, k: number): boolean =>
        !page.nofollow[k] && to !== number && scope.contains(asRead.urlOf(to));
      const expected = page.links.filter(isFollowed);
      expect(new Set(followed)).toEqual(new Set(expected));
    }
  }

  /** At least six hours before. */
  #isSaidBefore(url: number, { outcome, atMs }: Pick<Reread, "outcome" | "atMs">): boolean {
    return [...this.#store.rereads()].some(
      (other) => other.url === url && other.outcome === outcome && other.atMs <= atMs - LATER_MS / 8,
    );
  }

  #contentOf(page: SimulatedPage, number: number): string {
    const pages = this.pages.with(number, page);
    return new SimulatedWeb({ ...this.#web, pages }).htmlOf(number);
  }
}

const READABLE: ReadonlySet<SimulatedPage["fate"]> = new Set(["page", "partly", "file", "flaky"]);
