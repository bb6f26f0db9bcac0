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
  plantSeeds,
  type StoredSettings,
} from "../../src/crawl/index.ts";
import {
  Gathering,
  JOB_VERSION,
  type JobProgress,
  setGathered,
  shardOf,
  splitLog,
  TextsInMemory,
} from "../../src/cluster/index.ts";
import { BlockedHosts } from "../../src/log/blocked-hosts.ts";
import { isFinal } from "../../src/log/index.ts";
import { JobState, MemoryFactLog, MemoryStore, urlTexts } from "../../src/store/index.ts";
import { hostOfOrigin, Scope } from "../../src/web/index.ts";
import {
  type ClusterOptions,
  factsOf,
  type SimulatedJob,
  simulateJob,
  type StoredFacts,
} from "../support/simulation/cluster.ts";
import { cases } from "../support/cases.ts";
import { reachable } from "../support/simulation/reachable.ts";
import type { SimulatedWeb } from "../support/simulation/web.ts";
import { truthAllowed, truthOf } from "../support/truth.ts";

const ONE = process.env["TIDEMARK_SIMULATION"];
const SEEDS = cases(300);
const BATCH = 50;
const ROUNDING = 1e-11;

describe("a simulated job", () => {
  if (ONE !== undefined) {
    it(`keeps its promises with seed ${ONE}`, () => checkSeed(Number(ONE)), 600_000);
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
    for (let seed = 0; seed < cases(60); seed++) await checkSeed(seed, { isBoasting: true });
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
      onProgress: (progress, state, web, settings) => sound.check(progress, state, web, settings),
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

/** Pages of the web whose download is in a log. */
function downloadedPages(state: JobState, web: SimulatedWeb): number[] {
  return state.board().shards.flatMap(({ shard }) => {
    const { origins, urls, visits } = factsOf(state, shard);
    return visits
      .filter(({ outcome }) => isDownloaded(outcome))
      .map(({ url }) => web.pageOf(`${origins[urls[url].origin]}${urls[url].path}`));
  });
}

function truthFor({ web: { universe, scope } }: CrawlSettings, web: SimulatedWeb): ReturnType<typeof truthOf> {
  const inScope = new Scope(scope);
  const world = web.world({ damping: 0.85, universe, contains: (url) => inScope.contains(url) });
  return universe === "allowed" ? truthAllowed(world) : truthOf(world);
}

/** Nobody may claim more than the truth about what is in the logs by then. */
class Soundness {
  #truth: ReturnType<typeof truthOf> | undefined;

  check(
    { coverage, strict, ceiling, counts }: JobProgress,
    state: JobState,
    web: SimulatedWeb,
    s: CrawlSettings,
  ): void {
    const { ranks, sum } = (this.#truth ??= truthFor(s, web));
    const pages = downloadedPages(state, web);
    const had = pages.reduce((total, page) => total + ranks[page], 0);
    expect(coverage).toBeLessThanOrEqual(sum === 0 ? 0 : had / sum + ROUNDING);
    expect(strict).toBeLessThanOrEqual(coverage);
    expect(coverage).toBeLessThanOrEqual(ceiling.coverage + ROUNDING);
    expect(counts.pages).toBeLessThanOrEqual(pages.length);
  }
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
    // The archive has each page of the log, once, and no other.
    const downloads = visits.filter(({ outcome }) => isDownloaded(outcome)).map(({ url }) => urls[url]);
    const texts = downloads.map(({ origin, path }) => `${origins[origin]}${path}`);
    expect(files.pagesOf(state, shard).sort()).toEqual(texts.sort());
  }
  const pages = downloadedPages(state, web);
  expect(new Set(pages).size).toBe(pages.length);
  const { pages: max } = settings.limits;
  if (max !== undefined) expect(pages.length).toBeLessThanOrEqual(max);
}

function checkEnd({ state, reason, coverage, settings, web }: SimulatedJob): void {
  const pages = downloadedPages(state, web);
  switch (reason) {
    case "coverage-reached":
      return expect(coverage).toBeGreaterThanOrEqual(settings.limits.coverage ?? 2);
    case "page-limit":
      return expect(pages.length).toBe(settings.limits.pages);
    case "frontier-empty":
      return expect(new Set(pages)).toEqual(reachable(web, settings.web.sitemaps));
    default:
      expect(reason).toBe("depth-limit");
  }
}

/**
 * All logs in one tell the same, in whatever steps they were gathered. They prove no less than anybody has claimed,
 * unless a host was found to block the crawler since: what it forbade counts as missing from then on.
 */
async function checkGathered(job: SimulatedJob): Promise<void> {
  const { state, settings, web, coverage } = job;
  const store = await gathered(state, settings, { firstBytes: 200 });
  const texts = new Map(urlTexts(store));
  const pages = [...store.visits()]
    .filter(({ outcome }) => isDownloaded(outcome))
    .map(({ url }) => texts.get(url) ?? "");
  expect(new Set(pages.map((url) => web.pageOf(url)))).toEqual(new Set(downloadedPages(state, web)));
  const { certificate, missing } = certifyLog(store);
  const isBlocked = missing.some(({ reason }) => reason === "blocked");
  if (!isBlocked) expect(certificate.coverage).toBeGreaterThanOrEqual(coverage - ROUNDING);
  const { ranks, sum } = truthFor(settings, web);
  const had = downloadedPages(state, web).reduce((total, page) => total + ranks[page], 0);
  expect(certificate.coverage).toBeLessThanOrEqual(sum === 0 ? 0 : had / sum + ROUNDING);
  checkVerdicts(job, store);
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
  const again = new JobState({ name: "again", version: JOB_VERSION, shards: 7, settings: "{}" }, systemTimers);
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
  const open = () => Gathering.open({ log, store, settings: settings as StoredSettings, fingerprinter });
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

/** What became of each URL, without numbers. Sinks have no text. */
function factsIn(store: MemoryStore): string[] {
  const texts = new Map(urlTexts(store));
  const text = (url: number | null): string => (url === null ? "" : (texts.get(url) ?? "sink"));
  const visits = [...store.visits()].map(({ url, outcome, reason, target, links }) =>
    JSON.stringify([text(url), outcome, reason, text(target), Array.from(links ?? [], text)]),
  );
  return [...[...texts.values()].map((url) => `known ${url}`), ...visits].sort();
}
