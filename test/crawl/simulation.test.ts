/**
 * The engine in a simulated world: clock, network and disk are fake, and fail in every way. The network throws when a
 * request is impolite or forbidden; everything else that must hold is checked here.
 *
 * A failing seed prints how to run it alone, with TIDEMARK_SIMULATION.
 */
import { describe, expect, it } from "vitest";
import { certifyLog, type CrawlSettings, type CrawlStatus, endOfLastRun } from "../../src/crawl/index.ts";
import { cases } from "../support/cases.ts";
import { sampledTide } from "../support/sampled-tide.ts";
import type { MemoryStore } from "../../src/store/index.ts";
import { LogFeed, UrlView, type Visit } from "../../src/log/index.ts";
import { reachable } from "../support/simulation/reachable.ts";
import { checkRefreshes, type RefreshCounts } from "../support/simulation/check-refresh.ts";
import { type SimulatedCrawl, simulateCrawl } from "../support/simulation/run.ts";
import type { SimulatedWeb } from "../support/simulation/web.ts";
import {
  downloadedPages,
  ROUNDING,
  scopeIn,
  sentAway,
  trueCoverage,
  truthFor,
  type Universe,
} from "../support/simulation/soundness.ts";
import type { Truth } from "../support/truth.ts";

const ONE = process.env["TIDEMARK_SIMULATION"];
const SEEDS = cases(2000);
/** So that a test ends now and then, and can be seen to. */
const BATCH = 500;
/** How often crawls are refreshed, which takes as long as to crawl. */
const REFRESHES = [2, 1, 0, 0];

describe("a simulated crawl", () => {
  if (ONE !== undefined) {
    it.each([{}, { isRendered: true }, { isNarrow: true }])(
      `keeps its promises with seed ${ONE}: %o`,
      async (variant) => {
        await checkSeed(Number(ONE), variant);
      },
      600_000,
    );
    return;
  }
  for (let first = 0; first < SEEDS; first += BATCH) {
    const last = Math.min(SEEDS, first + BATCH) - 1;
    const name = `keeps its promises with seeds ${first} to ${last}, in disasters, within limits and at every end`;
    it(name, () => checkSeeds(first, last));
  }

  it("keeps its promises when pages are rendered", async () => {
    const reasons = new Set<string | null>();
    for (let seed = 0; seed < cases(250); seed++) {
      const { store } = await checkSeed(seed, { isRendered: true });
      for (const { outcome, detail } of store.visits()) if (outcome === "links-unknown") reasons.add(detail);
    }
    expect([...reasons].sort()).toEqual(["cut-off", "not-rendered"]);
  });

  it("keeps its promises when seeds lead out of the scope, whenever they do", async () => {
    let widened = 0;
    let late = 0;
    for (let seed = 0; seed < cases(500); seed++) {
      const { store, settings, web } = await checkSeed(seed, { isNarrow: true });
      widened += scopeIn(store).seeds.length - settings.web.scope.seeds.length;
      late += sentAway(store, web).size;
    }
    expect(widened).toBeGreaterThan(cases(500) / 50);
    expect(late).toBeGreaterThan(0);
  });

  it("is the same crawl every time, to the millisecond", async () => {
    for (let seed = 0; seed < cases(60); seed++) {
      const [one, other] = [await simulateCrawl(seed), await simulateCrawl(seed)];
      expect(one.trace).toBe(other.trace);
      expect(one.end).toEqual(other.end);
    }
  });
});

interface CheckedCrawl extends SimulatedCrawl {
  readonly refreshed: RefreshCounts;
}

async function checkSeeds(first: number, last: number): Promise<void> {
  const met = { disasters: 0, pauses: 0, limitChanges: 0 };
  const found: Record<string, number> = {};
  const reasons = new Set<string>();
  for (let seed = first; seed <= last; seed++) {
    const { end, disasters, pauses, limitChanges, refreshed } = await checkSeed(seed);
    reasons.add(end.reason);
    for (const [name, count] of Object.entries(refreshed)) found[name] = (found[name] ?? 0) + count;
    met.disasters += disasters;
    met.pauses += pauses;
    met.limitChanges += limitChanges;
  }
  const seeds = last - first + 1;
  expect(met.disasters).toBeGreaterThan(seeds / 3);
  expect(met.pauses).toBeGreaterThan(seeds);
  expect(met.limitChanges).toBeGreaterThan(seeds);
  for (const [name, count] of Object.entries(found)) expect(count, name).toBeGreaterThan(seeds / 20);
  expect([...reasons].sort()).toEqual([
    "byte-limit",
    "coverage-reached",
    "depth-limit",
    "frontier-empty",
    "page-limit",
    "time-limit",
  ]);
}

async function checkSeed(seed: number, { isRendered = false, isNarrow = false } = {}): Promise<CheckedCrawl> {
  try {
    const sound = new Soundness();
    const crawl = await simulateCrawl(seed, {
      isRendered,
      isNarrow,
      onStatus: (status, store, web, settings) => sound.check(status, store, web, settings.web.universe),
    });
    checkStates(crawl);
    checkLimits(crawl);
    checkSampled(crawl);
    // Of pages that cannot be rendered, links are missing. What a narrow scope leaves of the web depends on when seeds
    // answer.
    if (!isRendered && !isNarrow && crawl.end.reason === "frontier-empty") checkComplete(crawl);
    const refreshed = await checkRefreshes(crawl, { seed, isRendered, rounds: REFRESHES[seed % REFRESHES.length] });
    return { ...crawl, refreshed };
  } catch (error) {
    throw new Error(
      `seed ${seed} failed; run it alone with: TIDEMARK_SIMULATION=${seed} npx vitest run test/crawl/simulation.test.ts`,
      { cause: error },
    );
  }
}

/** No status may claim more than the truth about what is on disk by then. */
class Soundness {
  #truth: Truth | undefined;
  #scope = "";

  check(status: CrawlStatus, store: MemoryStore, web: SimulatedWeb, universe: Universe): void {
    const scope = JSON.stringify([scopeIn(store), [...sentAway(store, web)]]);
    if (this.#truth === undefined || scope !== this.#scope) this.#truth = truthFor(store, web, universe);
    this.#scope = scope;
    const downloaded = downloadedPages(store, web);
    expect(status.coverage).toBeLessThanOrEqual(trueCoverage(downloaded, this.#truth) + ROUNDING);
    expect(status.strict).toBeLessThanOrEqual(status.coverage);
    expect(status.coverage).toBeLessThanOrEqual(status.ceiling + ROUNDING);
    expect(status.pages).toBe(downloaded.length);
  }
}

/** Every URL waits or has one final outcome, and the engine counts them and their depths right. */
function checkStates({ store, model, end }: SimulatedCrawl): void {
  const urls = [...store.urls()];
  const spoken = [...store.visits()].filter((visit) => !isOpen(visit)).map(({ url }) => url);
  expect(new Set(spoken).size).toBe(spoken.length);
  const waiting = urls.filter(({ id, path }) => path !== null && !spoken.includes(id)).length;
  expect(model.index.open).toBe(waiting);
  expect(end.status.frontier).toBe(waiting);
  expect(end.status.known).toBe(urls.length);
  expect(endOfLastRun(store)?.reason).toBe(end.reason);
  if (end.reason === "frontier-empty") expect(waiting).toBe(0);
  // The log alone gives the depths that the engine went by.
  const feed: LogFeed = new LogFeed((url) => view.hostOf(url));
  const view = new UrlView(feed.links);
  feed.add(view);
  feed.readAll(store);
  expect(urls.map(({ id }) => view.depthOf(id))).toEqual(urls.map(({ id }) => model.index.depthOf(id)));
}

/**
 * What walks have shown follows from the log alone, whatever happened to the crawl on the way. It may be more: a page
 * that was beyond a limit counts as lost, until the user widens the limit.
 */
function checkSampled({ store, end }: SimulatedCrawl): void {
  const ofLog = certifyLog(store).sampled;
  expect(ofLog?.coverage ?? 0).toBeGreaterThanOrEqual(end.status.sampled?.coverage ?? 0);
  // Followed at the pace of the log, the walks come to the same claim.
  const { claim, steps } = sampledTide(store);
  expect(claim).toEqual(ofLog);
  expect(steps.at(-1)?.coverage ?? 0).toBe(claim?.coverage ?? 0);
}

/**
 * A crawl ends at a limit that holds, whatever its limits were before; one that ran out of pages left none within its
 * limits.
 */
function checkLimits({ store, model, end, limits }: SimulatedCrawl): void {
  const { pages, depth, pagesPerHost, coverage } = limits;
  const stored = JSON.parse(store.settings()) as CrawlSettings;
  expect(stored.limits).toEqual(limits);
  if (end.reason === "coverage-reached") {
    const { coverage: proven, sampled } = end.status;
    expect(Math.max(proven, sampled?.coverage ?? 0)).toBeGreaterThanOrEqual(coverage ?? 2);
  }
  const isParked = (url: number): boolean =>
    model.index.depthOf(url) > (depth ?? Number.POSITIVE_INFINITY) ||
    model.index.hostOf(url).pages >= (pagesPerHost ?? Number.POSITIVE_INFINITY);
  const isParking =
    end.reason === "depth-limit" ||
    (end.reason === "page-limit" && model.tally.downloaded < (pages ?? Number.POSITIVE_INFINITY));
  if (!isParking) return;
  const spoken = new Set([...store.visits()].flatMap((visit) => (isOpen(visit) ? [] : [visit.url])));
  for (const { id, path } of store.urls()) {
    if (path !== null && !spoken.has(id)) expect(isParked(id)).toBe(true);
  }
}

function isOpen({ outcome }: Visit): boolean {
  return outcome === "try-again";
}

/** A crawl that ran out of URLs has every page that could be had, whatever happened on the way. */
function checkComplete({ store, web, settings }: SimulatedCrawl): void {
  expect(new Set(downloadedPages(store, web))).toEqual(reachable(web, settings.web.sitemaps));
}
