/**
 * The engine in a simulated world: clock, network and disk are fake, and fail in every way. The network throws when a
 * request is impolite or forbidden; everything else that must hold is checked here.
 *
 * A failing seed prints how to run it alone. TIDEMARK_SIMULATIONS sets how many seeds are run, TIDEMARK_SIMULATION runs
 * one.
 */
import { describe, expect, it } from "vitest";
import { isDownloaded } from "../../src/coverage/index.ts";
import { certifyLog, type CrawlSettings, type CrawlStatus, endOfLastRun } from "../../src/crawl/index.ts";
import { sampledTide } from "../support/sampled-tide.ts";
import type { MemoryStore } from "../../src/store/index.ts";
import { LogFeed, UrlView, type Visit } from "../../src/log/index.ts";
import { simulateRefresh } from "../support/simulation/refresh.ts";
import { type SimulatedCrawl, simulateCrawl } from "../support/simulation/run.ts";
import type { SimulatedWeb } from "../support/simulation/web.ts";
import { Scope, type ScopeOptions } from "../../src/web/index.ts";
import { truthAllowed, truthOf } from "../support/truth.ts";

const ONE = process.env["TIDEMARK_SIMULATION"];
const SEEDS = Number(process.env["TIDEMARK_SIMULATIONS"] ?? 2000);
/** So that a test ends now and then, and can be seen to. */
const BATCH = 250;
const ROUNDING = 1e-11;

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
    it(`keeps its promises with seeds ${first} to ${last}`, () => checkSeeds(first, last), 120_000);
  }

  it("keeps its promises when pages are rendered", async () => {
    const reasons = new Set<string | null>();
    for (let seed = 0; seed < Math.min(SEEDS, BATCH); seed++) {
      const { store } = await checkSeed(seed, { isRendered: true });
      for (const { outcome, detail } of store.visits()) if (outcome === "links-unknown") reasons.add(detail);
    }
    expect([...reasons].sort()).toEqual(["cut-off", "not-rendered"]);
  });

  it("keeps its promises when seeds lead out of the scope, whenever they do", async () => {
    let widened = 0;
    let late = 0;
    for (let seed = 0; seed < Math.min(SEEDS, 2 * BATCH); seed++) {
      const { store, settings, web } = await checkSeed(seed, { isNarrow: true });
      widened += scopeIn(store).seeds.length - settings.web.scope.seeds.length;
      late += sentAway(store, web).size;
    }
    expect(widened).toBeGreaterThan(10);
    expect(late).toBeGreaterThan(0);
  });

  it("is the same crawl every time, to the millisecond", async () => {
    for (let seed = 0; seed < 60; seed++) {
      const [one, other] = [await simulateCrawl(seed), await simulateCrawl(seed)];
      expect(one.trace).toBe(other.trace);
      expect(one.end).toEqual(other.end);
    }
  });

  it("meets disasters, limits and every end", async () => {
    const reasons = new Set<string>();
    let disasters = 0;
    let pauses = 0;
    let limitChanges = 0;
    for (let seed = 0; seed < 300; seed++) {
      const crawl = await simulateCrawl(seed);
      reasons.add(crawl.end.reason);
      disasters += crawl.disasters;
      pauses += crawl.pauses;
      limitChanges += crawl.limitChanges;
    }
    expect(disasters).toBeGreaterThan(100);
    expect(pauses).toBeGreaterThan(300);
    expect(limitChanges).toBeGreaterThan(300);
    expect([...reasons].sort()).toEqual([
      "byte-limit",
      "coverage-reached",
      "depth-limit",
      "frontier-empty",
      "page-limit",
      "time-limit",
    ]);
  });
});

async function checkSeeds(first: number, last: number): Promise<void> {
  for (let seed = first; seed <= last; seed++) await checkSeed(seed);
}

async function checkSeed(seed: number, { isRendered = false, isNarrow = false } = {}): Promise<SimulatedCrawl> {
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
    // Of pages that cannot be rendered, links are missing; and rendered pages cannot be refreshed. What a narrow scope
    // leaves of the web depends on when seeds answer.
    if (isRendered || isNarrow) return crawl;
    if (crawl.end.reason === "frontier-empty") checkComplete(crawl);
    await checkRefresh(crawl, seed);
    return crawl;
  } catch (error) {
    throw new Error(
      `seed ${seed} failed; run it alone with: TIDEMARK_SIMULATION=${seed} npx vitest run test/crawl/simulation.test.ts`,
      { cause: error },
    );
  }
}

/** No status may claim more than the truth about what is on disk by then. */
class Soundness {
  #truth: ReturnType<typeof truthOf> | undefined;
  #scope = "";

  check(status: CrawlStatus, store: MemoryStore, web: SimulatedWeb, universe: "allowed" | "scope" | "web"): void {
    const away = sentAway(store, web);
    const scope = JSON.stringify([scopeIn(store), [...away]]);
    if (scope !== this.#scope) this.#truth = undefined;
    this.#scope = scope;
    const inScope = new Scope(scopeIn(store));
    const contains = (url: string): boolean => inScope.contains(url);
    const world = web.world({ damping: 0.85, universe, contains, sentAway: away });
    this.#truth ??= universe === "allowed" ? truthAllowed(world) : truthOf(world);
    const { ranks, sum } = this.#truth;
    const had = downloadedPages(store, web).reduce((total, page) => total + ranks[page], 0);
    expect(status.coverage).toBeLessThanOrEqual(sum === 0 ? 0 : had / sum + ROUNDING);
    expect(status.strict).toBeLessThanOrEqual(status.coverage);
    expect(status.coverage).toBeLessThanOrEqual(status.ceiling + ROUNDING);
    expect(status.pages).toBe(downloadedPages(store, web).length);
  }
}

function scopeIn(store: MemoryStore): ScopeOptions {
  return (JSON.parse(store.settings()) as CrawlSettings).web.scope;
}

/** Pages of the web that seeds led out of the scope. */
function sentAway(store: MemoryStore, web: SimulatedWeb): Set<number> {
  const origins = [...store.origins()];
  const urls = [...store.urls()];
  const refused = [...store.visits()].filter(({ reason }) => reason === "out-of-scope");
  const pages = refused
    .filter(({ url }) => urls[url].depth === 0)
    .map(({ url }) => web.pageOf(origins[urls[url].origin] + urls[url].path));
  // What leads out of all scopes does so in the world, too.
  return new Set(pages.filter((page) => web.pages[page].fate !== "redirect" || !web.pages[page].redirectOutside));
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
  const { sampled } = end.status;
  if (sampled !== undefined) {
    expect(certifyLog(store).sampled?.coverage ?? 0).toBeGreaterThanOrEqual(sampled.coverage);
  }
  // Followed at the pace of the log, the walks come to the same claim.
  const { claim, steps } = sampledTide(store);
  expect(claim).toEqual(certifyLog(store).sampled);
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

/**
 * Two days later every page that was downloaded is fetched again, or left for a reason; the network has thrown where
 * that was impolite. The web is as it was, so a page that came is unchanged, and the log of the crawl stays as it is.
 */
async function checkRefresh(crawl: SimulatedCrawl, seed: number): Promise<void> {
  const { store } = crawl;
  // Everything was committed; a disk that was to fail later does not fail any more.
  store.crash();
  const visits = [...store.visits()].length;
  const isInterrupted = seed % 4 === 0;
  const { planned, result } = await simulateRefresh(crawl, seed, isInterrupted ? seed % 40 : undefined);
  const rereads = [...store.rereads()];
  const read = rereads.map(({ url }) => url);
  expect(new Set(read).size).toBe(read.length);
  expect(read.every((url) => planned.includes(url))).toBe(true);
  expect(read.length + result.left).toBe(planned.length);
  expect(Object.values(result.leftWhy).reduce((sum, count) => sum + count, 0)).toBe(result.left);
  if (!isInterrupted) expect(result.leftWhy["interrupted"]).toBeUndefined();
  expect(rereads.filter(({ outcome }) => !AS_IT_WAS.has(outcome))).toEqual([]);
  expect([...store.visits()].length).toBe(visits);
}

const AS_IT_WAS: ReadonlySet<string> = new Set(["unchanged", "failed"]);

function isOpen({ outcome }: Visit): boolean {
  return outcome === "try-again";
}

/** A crawl that ran out of URLs has every page that could be had, whatever happened on the way. */
function checkComplete({ store, web, settings }: SimulatedCrawl): void {
  expect(new Set(downloadedPages(store, web))).toEqual(reachable(web, settings.web.sitemaps));
}

function downloadedPages(store: MemoryStore, web: SimulatedWeb): number[] {
  const urls = [...store.urls()];
  const origins = [...store.origins()];
  return [...store.visits()]
    .filter(({ outcome }) => isDownloaded(outcome))
    .map(({ url }) => web.pageOf(origins[urls[url].origin] + urls[url].path));
}

/** By plain search over the web as it is: the pages that a patient and obedient crawler gets. */
function reachable(web: SimulatedWeb, sitemaps: boolean): Set<number> {
  const pages = new Set<number>();
  const seen = new Set(web.seeds);
  const hostsAsked = new Set<number>();
  const queue = [...web.seeds];
  const hear = (page: number): void => {
    if (!seen.has(page)) queue.push(page);
    seen.add(page);
  };
  for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
    const { host, fate, links, nofollow, redirectOutside } = web.pages[page];
    const { temper, robots } = web.hosts[host];
    if (temper === "absent" || temper === "unreachable" || robots === "broken") continue;
    if (sitemaps && !hostsAsked.has(host)) {
      web.pages.forEach((other, k) => {
        if (other.host === host && k % 3 === 0) hear(k);
      });
    }
    hostsAsked.add(host);
    if (!web.isAllowed(page)) continue;
    if (fate === "redirect" && !redirectOutside) hear(links[0]);
    if (fate === "page" || fate === "partly" || fate === "file" || fate === "flaky") pages.add(page);
    if (fate === "page" || fate === "partly" || fate === "flaky") {
      links.forEach((to, k) => {
        if (!nofollow[k]) hear(to);
      });
    }
  }
  return pages;
}
