/**
 * Workers in a simulated world: clock, network, log and messages are fake, and fail in every way. The network throws
 * when a request is impolite, whichever worker sends it; everything else that must hold is checked here.
 *
 * A failing seed prints how to run it alone: TIDEMARK_SIMULATION runs one.
 */
import { describe, expect, it } from "vitest";
import { systemTimers } from "../../src/base/index.ts";
import { isDownloaded } from "../../src/coverage/index.ts";
import {
  certifyLog,
  type CrawlSettings,
  Fingerprinter,
  pausesIn,
  plantSeeds,
  type StoredSettings,
} from "../../src/crawl/index.ts";
import {
  Gathering,
  JOB_VERSION,
  type JobProgress,
  parseNote,
  setGathered,
  shardOf,
  splitLog,
  TextsInMemory,
} from "../../src/cluster/index.ts";
import { BlockedHosts } from "../../src/log/blocked-hosts.ts";
import { isFinal, type LogSink, replayBatch, SILENT_SINK } from "../../src/log/index.ts";
import { JobState, MemoryFactLog, MemoryStore, urlTexts } from "../../src/store/index.ts";
import { hostOfOrigin, Scope } from "../../src/web/index.ts";
import {
  type ClusterOptions,
  factsOf,
  type SimulatedJob,
  simulateJob,
  type StoredFacts,
} from "../support/simulation/cluster.ts";
import { cases, LEAST_OF_LONG } from "../support/cases.ts";
import { reachable } from "../support/simulation/reachable.ts";
import { etagOf, type ToldPage } from "../support/simulation/shown-pages.ts";
import { SimulatedTimers } from "../support/simulation/timers.ts";
import type { SimulatedWeb } from "../support/simulation/web.ts";
import { truthAllowed, truthOf } from "../support/truth.ts";

const ONE = process.env["TIDEMARK_SIMULATION"];
const SEEDS = cases(300);
const CHANGING_SEEDS = cases(200);
const BATCH = 50;
const ROUNDING = 1e-11;

describe("a simulated job", () => {
  if (ONE !== undefined) {
    it(`keeps its promises with seed ${ONE}`, () => checkSeed(Number(ONE)), 600_000);
    it(`keeps its promises with seed ${ONE} on a web that changes meanwhile`, async () => {
      await checkSeed(Number(ONE), { isChanging: true });
    }, 600_000);
    return;
  }
  const met = { deaths: 0, sleeps: 0, failures: 0, backlogs: 0 };
  for (let first = 0; first < SEEDS; first += BATCH) {
    const last = Math.min(SEEDS, first + BATCH) - 1;
    it(`keeps its promises with seeds ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed++) {
        const { deaths, sleeps, failures, backlogs } = await checkSeed(seed);
        met.deaths += deaths;
        met.sleeps += sleeps;
        met.failures += failures;
        met.backlogs += backlogs;
      }
    });
  }

  // Cut off from the log, a worker was told to wait, lost the shard and had it again (604, 647). A request had begun to
  // connect when robots.txt came and asked for one connection (1610). A crawl-delay that a worker could not store is
  // known to nobody else (5242).
  it.each([604, 647, 1610, 5242])("keeps its promises with seed %i, which has shown a mistake", async (seed) => {
    await checkSeed(seed);
  });

  it("has met all disasters often enough to mean something", () => {
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(SEEDS / 3);
  });

  it("ends as it should though everybody always claims to have better pages than slots", async () => {
    for (let seed = 0; seed < cases(60, LEAST_OF_LONG); seed++) await checkSeed(seed, { isBoasting: true });
  });

  const changed = { changes: 0, retold: 0 };
  for (let first = 0; first < CHANGING_SEEDS; first += BATCH) {
    const last = Math.min(CHANGING_SEEDS, first + BATCH) - 1;
    it(`keeps its promises with seeds ${first} to ${last} on a web that changes meanwhile`, async () => {
      for (let seed = first; seed <= last; seed++) {
        const { shown, state, web } = await checkSeed(seed, { isChanging: true });
        changed.changes += shown.changes;
        changed.retold += toldIn(state, web).filter(({ etag }) => etag !== null && etag !== etagOf(1)).length;
      }
    });
  }

  // Redirects of two shards form a loop, which is dead: all seemed to be covered.
  it("keeps its promises with seed 901559 on a web that changes, which has shown a mistake", async () => {
    await checkSeed(901_559, { isChanging: true });
  });

  it("has met changed pages often enough to mean something, and stored what they have become", () => {
    expect(changed.changes).toBeGreaterThan(CHANGING_SEEDS);
    expect(changed.retold).toBeGreaterThan(CHANGING_SEEDS);
  });

  it("happens again just as it did, with the same seed", async () => {
    const [one, again] = [await simulateJob(7), await simulateJob(7)];
    expect([again.trace, again.coverage, again.deaths]).toEqual([one.trace, one.coverage, one.deaths]);
  });

  it("ends as it should where nothing goes wrong", async () => {
    const job = await simulateJob(12, { isCalm: true });
    expect({ deaths: job.deaths, failures: job.failures }).toEqual({ deaths: 0, failures: 0 });
    checkEnd(job);
  });
});

async function checkSeed(seed: number, options: ClusterOptions = {}): Promise<SimulatedJob> {
  try {
    const sound = new Soundness();
    const job = await simulateJob(seed, {
      ...options,
      onProgress: (progress, now) => sound.check(progress, now),
    });
    checkLogs(job);
    checkEnd(job);
    await checkGathered(job);
    await checkClaims(job);
    return job;
  } catch (error) {
    throw new Error(
      `seed ${seed} failed; run it alone with: TIDEMARK_SIMULATION=${seed} npx vitest run test/cluster/simulation.test.ts`,
      { cause: error },
    );
  }
}

/** A page of the web whose end is in the log of a shard. */
interface StoredPage extends ToldPage {
  readonly shard: number;
  readonly isDownloaded: boolean;
}

function toldIn(state: JobState, web: SimulatedWeb): StoredPage[] {
  return state.board().shards.flatMap(({ shard }) => {
    const { origins, urls, visits } = factsOf(state, shard);
    return visits
      .filter(({ outcome }) => isFinal(outcome))
      .map(({ url, outcome, etag }) => ({
        shard,
        page: web.pageOf(`${origins[urls[url].origin]}${urls[url].path}`),
        etag,
        isDownloaded: isDownloaded(outcome),
      }));
  });
}

/** Pages of the web whose download is in a log. */
function downloadedPages(state: JobState, web: SimulatedWeb): number[] {
  return toldIn(state, web).flatMap(({ page, isDownloaded: isThere }) => (isThere ? page : []));
}

/** The web that the logs are about. */
function webOf({ state, shown, web }: Pick<SimulatedJob, "state" | "shown" | "web">): SimulatedWeb {
  return shown.webOf(toldIn(state, web));
}

function truthFor({ web: { universe, scope } }: CrawlSettings, web: SimulatedWeb): ReturnType<typeof truthOf> {
  const inScope = new Scope(scope);
  const world = web.world({ damping: 0.85, universe, contains: (url) => inScope.contains(url) });
  return universe === "allowed" ? truthAllowed(world) : truthOf(world);
}

/** Nobody may claim more than the truth about what is in the logs by then. */
class Soundness {
  /** Of the logs as they were, by the answers that they have stored. */
  #truth: ReturnType<typeof truthOf> | undefined;
  #answers = "";

  check(
    { coverage, strict, ceiling, counts }: JobProgress,
    { state, shown, web, settings }: Pick<SimulatedJob, "state" | "shown" | "web" | "settings">,
  ): void {
    const told = toldIn(state, web);
    const answers = JSON.stringify(told.map(({ page, etag }) => [page, etag]));
    if (this.#truth === undefined || (shown.areChanging && answers !== this.#answers)) {
      this.#truth = truthFor(settings, shown.webOf(told));
      this.#answers = answers;
    }
    const { ranks, sum } = this.#truth;
    const stored = told.filter(({ isDownloaded: isThere }) => isThere);
    const pages = stored.map(({ page }) => page);
    const had = pages.reduce((total, page) => total + ranks[page], 0);
    // What has flowed to the pages of a shard, from wherever, is no more than what they are worth.
    for (const { shard, note } of state.board().shards) {
      const own = stored.reduce((total, each) => total + (each.shard === shard ? ranks[each.page] : 0), 0);
      expectAtMost(parseNote(note)?.sums.rankInside ?? 0, own + ROUNDING);
    }
    expectAtMost(coverage, sum === 0 ? 0 : had / sum + ROUNDING);
    expectAtMost(strict, coverage);
    expectAtMost(coverage, ceiling.coverage + ROUNDING);
    expectAtMost(counts.pages, pages.length);
  }
}

/** As `expect` does, which is called only where it fails: it takes longer than all else that a step checks. */
function expectAtMost(value: number, most: number): void {
  if (!(value <= most)) expect(value).toBeLessThanOrEqual(most);
}

/** Every URL is in the log of its shard, once, with at most one final outcome, and no page is stored twice. */
function checkLogs({ state, files, shards, settings, web }: SimulatedJob): void {
  const by = (JSON.parse(state.job().settings) as { shardBy: "host" | "domain" }).shardBy;
  const known = new Set<string>();
  for (let shard = 0; shard < shards; shard++) {
    const { origins, urls, visits } = factsOf(state, shard);
    const owners = origins.map((origin) => shardOf(hostOfOrigin(origin), { shards, by }));
    for (const { origin, path, reason } of urls) {
      if (path === null) continue;
      expect(owners[origin] === shard).toBe(reason !== "elsewhere");
      if (reason === null) expect(known.size).toBe(known.add(`${origins[origin]}${path}`).size - 1);
    }
    const final = visits.filter(({ outcome }) => isFinal(outcome)).map(({ url }) => url);
    expect(new Set(final).size).toBe(final.length);
    for (const url of final) expect(urls[url].reason).toBe(null);
    // The archive has each page of the log, once, and no other, as it was when it was stored.
    const downloads = visits
      .filter(({ outcome }) => isDownloaded(outcome))
      .map(({ url, etag }) => `${origins[urls[url].origin]}${urls[url].path} ${etag}`);
    expect(files.pagesOf(state, shard).sort()).toEqual(downloads.sort());
  }
  const pages = downloadedPages(state, web);
  expect(new Set(pages).size).toBe(pages.length);
  const { pages: max } = settings.limits;
  if (max !== undefined) expect(pages.length).toBeLessThanOrEqual(max);
}

function checkEnd(job: SimulatedJob): void {
  const { state, reason, coverage, settings } = job;
  const web = webOf(job);
  const pages = downloadedPages(state, web);
  switch (reason) {
    case "coverage-reached":
      return expect(coverage).toBeGreaterThanOrEqual(settings.limits.coverage ?? 2);
    case "page-limit":
      return expect(pages.length).toBe(settings.limits.pages);
    case "frontier-empty":
      return checkAll(job, new Set(pages), reachable(web, settings.web.sitemaps));
    default:
      expect(reason).toBe("depth-limit");
  }
}

/**
 * All that can be reached is there. Where pages change, so may be what a page led to whose answer was lost: another shard
 * has stored that it has heard of it. So may be what sitemaps list of hosts that are known only by that.
 */
function checkAll({ shown, web, settings }: SimulatedJob, pages: ReadonlySet<number>, all: ReadonlySet<number>): void {
  if (!shown.areChanging) return expect(pages).toEqual(all);
  expect([...all].filter((page) => !pages.has(page))).toEqual([]);
  const more = [...pages].filter((page) => !all.has(page));
  const isListed = (page: number): boolean =>
    settings.web.sitemaps && web.sitemapOf(web.pages[page].host).includes(`<loc>${web.urlOf(page)}</loc>`);
  expect(more.filter((page) => !shown.everLinked.has(page) && !isListed(page))).toEqual([]);
}

/**
 * All logs in one tell the same, in whatever steps they were gathered. They prove no less than anybody has claimed,
 * unless a host was found to block the crawler since: what it forbade counts as missing from then on.
 */
async function checkGathered(job: SimulatedJob): Promise<void> {
  const { state, settings, coverage } = job;
  const web = webOf(job);
  const store = await gathered(state, settings, { firstBytes: 200 });
  expect(visitsIn({ origins: [...store.origins()], urls: [...store.urls()], visits: [...store.visits()] })).toEqual(
    state
      .board()
      .shards.flatMap(({ shard }) => visitsIn(factsOf(state, shard)))
      .sort(),
  );
  const { certificate, missing } = certifyLog(store);
  const isBlocked = missing.some(({ reason }) => reason === "blocked");
  if (!isBlocked) expect(certificate.coverage).toBeGreaterThanOrEqual(coverage - ROUNDING);
  const { ranks, sum } = truthFor(settings, web);
  const had = downloadedPages(state, web).reduce((total, page) => total + ranks[page], 0);
  expect(certificate.coverage).toBeLessThanOrEqual(sum === 0 ? 0 : had / sum + ROUNDING);
  checkVerdicts(job, store);
  expect(pausesIn(store)).toEqual(pausesOf(job));
  await checkSplit(store, settings);
}

/**
 * Which URLs a host keeps the crawler from is a matter of that host alone, and a host belongs to one shard: all logs in
 * one say the same as those of the shards.
 */
function checkVerdicts({ state, shards }: SimulatedJob, store: MemoryStore): void {
  const inShards = Array.from({ length: shards }, (_, shard) => blockedIn(factsOf(state, shard))).flat();
  const inOne = blockedIn({ origins: [...store.origins()], urls: [...store.urls()], visits: [...store.visits()] });
  expect(inOne.sort()).toEqual(inShards.sort());
}

/** Until when hosts are to be left alone, by the logs of their shards. */
function pausesOf({ state, shards }: SimulatedJob): Map<string, number> {
  const pauses = new Map<string, number>();
  const sink: LogSink = {
    ...SILENT_SINK,
    putMeta: (key, value) => void (key.startsWith("pause ") && pauses.set(key.slice(6), Number(value))),
  };
  for (let shard = 0; shard < shards; shard++) {
    for (const { batch } of state.read(shard, 0, Number.POSITIVE_INFINITY)) replayBatch(batch, sink);
  }
  return pauses;
}

function blockedIn({ origins, urls, visits }: StoredFacts): string[] {
  const hosts = [...new Set(origins.map(hostOfOrigin))];
  const blocked = new BlockedHosts((url) => hosts.indexOf(hostOfOrigin(origins[urls[url].origin])));
  for (const url of urls) blocked.url(url);
  return visits
    .flatMap((visit) => blocked.visit(visit).urls)
    .map((url) => `${origins[urls[url].origin]}${urls[url].path}`);
}

/** Whatever was claimed follows from as much of the logs as the claim was about. */
async function checkClaims({ state, settings, claims }: SimulatedJob): Promise<void> {
  for (const { coverage, positions } of claims) {
    const { certificate } = certifyLog(await gathered(state, settings, { positions }));
    expect(certificate.coverage).toBeGreaterThanOrEqual(coverage - ROUNDING);
  }
}

/** A log that is split into shards and gathered again has the same facts. */
async function checkSplit(store: MemoryStore, settings: CrawlSettings): Promise<void> {
  const job = JSON.stringify({ crawl: settings, shardBy: "host", secretHosts: [] });
  const again = new JobState({ name: "again", version: JOB_VERSION, shards: 7, settings: job }, systemTimers);
  const sharding = { shards: 7, by: "host" } as const;
  const { positions, pages } = await splitLog({
    from: store,
    to: new MemoryFactLog(again),
    sharding,
    paths: new TextsInMemory(),
  });
  const { shards } = again.board();
  expect(positions).toEqual(shards.map(({ position }) => position));
  // Pages that are there count towards a limit.
  const downloaded = [...store.visits()].filter(({ outcome }) => isDownloaded(outcome)).length;
  expect([pages, shards.reduce((sum, shard) => sum + shard.pages, 0)]).toEqual([downloaded, downloaded]);
  const second = await gathered(again, settings);
  expect(factsIn(second)).toEqual(factsIn(store));
  expect(pausesIn(second)).toEqual(pausesIn(store));
  expect(certifyLog(second).certificate.coverage).toBeCloseTo(certifyLog(store).certificate.coverage, 11);
}

/** The logs of all shards in one; as much of each as `positions` says (default: all). */
async function gathered(
  state: JobState,
  settings: CrawlSettings,
  { firstBytes, positions }: { readonly firstBytes?: number; readonly positions?: readonly number[] } = {},
): Promise<MemoryStore> {
  const store = new MemoryStore(JSON.stringify(settings));
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  plantSeeds({ settings, store, fingerprinter });
  const { name, shards } = state.job();
  setGathered(store, { job: name, visits: 0, positions: Array.from({ length: shards }, () => 0) });
  const log = positions === undefined ? new MemoryFactLog(state) : new CutLog(state, positions);
  // By this clock no pause is over.
  const timers = new SimulatedTimers();
  const open = () => Gathering.open({ log, store, settings: settings as StoredSettings, fingerprinter, timers });
  await (await open()).step(firstBytes);
  for (const rest = await open(); await rest.step(); );
  return store;
}

class CutLog extends MemoryFactLog {
  readonly #positions: readonly number[];

  constructor(state: JobState, positions: readonly number[]) {
    super(state);
    this.#positions = positions;
  }

  override async read(...given: Parameters<MemoryFactLog["read"]>): ReturnType<MemoryFactLog["read"]> {
    const batches = await super.read(...given);
    return batches.filter(({ position }) => position <= this.#positions[given[0]]);
  }
}

/** What became of each URL, without numbers, and which URLs are known. */
function factsIn(store: MemoryStore): string[] {
  const visits = visitsIn({ origins: [...store.origins()], urls: [...store.urls()], visits: [...store.visits()] });
  return [...Array.from(urlTexts(store), ([, url]) => `known ${url}`), ...visits].sort();
}

/** All that visits say, with texts instead of numbers. */
function visitsIn({ origins, urls, visits }: StoredFacts): string[] {
  const text = (url: number | null): string => {
    if (url === null) return "";
    const { origin, path, reason } = urls[url];
    return `${origins[origin]}${path ?? ` ${reason}`}`;
  };
  return visits
    .map(({ url, target, links, ...visit }) => {
      const told = Object.entries({ ...visit, number: 0 }).sort();
      return JSON.stringify([text(url), told, text(target), Array.from(links ?? [], text)]);
    })
    .sort();
}
