/**
 * One simulated crawl of one simulated web, from a seed: settings, failures of the disk, deaths of the process and
 * whims of the user included.
 */
import { mix32, Random } from "../../../src/base/index.ts";
import {
  type Crawl,
  type CrawlEnd,
  CrawlModel,
  crawlOf,
  type CrawlSettings,
  type CrawlStatus,
  defaultWebSettings,
  Engine,
  Fingerprinter,
  InlineReader,
  type Limits,
  plantSeeds,
} from "../../../src/crawl/index.ts";
import { MemoryStore } from "../../../src/store/index.ts";
import type { Fetcher } from "../../../src/fetch/index.ts";
import { ChunksInMemory } from "../chunk-file.ts";
import { SimulatedNetwork, SimulatedServers } from "./network.ts";
import { SimulatedRenderer } from "./renderer.ts";
import { SimulatedTimers } from "./timers.ts";
import { SimulatedUser } from "./user.ts";
import { OUTSIDE, SimulatedWeb } from "./web.ts";

/** More than any of these crawls needs. */
const STEPS_MAX = 200_000;
const RUNS_MAX = 12;
const ORDERS = ["rankmass", "rankmass", "rankmass:literal", "windowed:20", "lneighbor", "fpr", "fpr@5", "opic"];
const MORE_ORDERS = [...ORDERS, "backlink", "pagerank", "random:3"];

export interface SimulatedCrawl {
  readonly web: SimulatedWeb;
  readonly settings: CrawlSettings;
  readonly store: MemoryStore;
  readonly model: CrawlModel;
  readonly end: CrawlEnd;
  /** Those that held at the end. */
  readonly limits: Limits;
  /** Deaths, failures of the disk and interruptions on the way. */
  readonly disasters: number;
  /** Times that it was paused, and that its limits were changed. */
  readonly pauses: number;
  readonly limitChanges: number;
  readonly trace: number;
}

export interface SimulationOptions {
  /** Pages show nothing until they are rendered, and are (default: false). */
  readonly isRendered?: boolean;
  /** Only hosts with seeds belong to the scope, and those where seeds lead (default: false). */
  readonly isNarrow?: boolean;
  /** Called with every status that is reported, and what the store has by then. */
  readonly onStatus?: (status: CrawlStatus, store: MemoryStore, web: SimulatedWeb, settings: CrawlSettings) => void;
}

/** Every other crawl holds few of its links in memory, and some find the disk full. */
function scratchOf(seed: number): ChunksInMemory {
  const file = new ChunksInMemory(seed % 2 === 0 ? 64 : 2 ** 24);
  if (seed % 8 === 0) file.bytesMax = 1000;
  return file;
}

/** Crawls until the end that is not a disaster. */
export async function simulateCrawl(seed: number, options: SimulationOptions = {}): Promise<SimulatedCrawl> {
  const random = new Random(seed, 3);
  const { isRendered = false, isNarrow = false } = options;
  const web = SimulatedWeb.drawn(seed, { redirectsSeeds: isNarrow });
  const drawn = drawSettings(random, web, seed);
  const narrow = { universe: "allowed", scope: { ...drawn.web.scope, kind: "host" } } as const;
  const settings: CrawlSettings = {
    ...drawn,
    web: { ...drawn.web, ...(isRendered ? { render: "always" } : {}), ...(isNarrow ? narrow : {}) },
  };
  const timers = new SimulatedTimers();
  const network = new SimulatedNetwork(new SimulatedServers(web, timers, settings.politeness, seed), {
    isScripted: isRendered,
  });
  const store = Object.assign(new MemoryStore(JSON.stringify({})), { scratch: () => scratchOf(seed) });
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const user = new SimulatedUser(new Random(seed, 4));
  let disasters = 0;
  for (let run = 1; run <= RUNS_MAX; run++) {
    const mayFail = run < RUNS_MAX / 2;
    if (mayFail && random.below(3) === 0) {
      store.failAt(store.writes + 1 + random.below(60), random.below(2) === 0 ? "disk-full" : "failed");
    }
    const diesAt = mayFail && random.below(2) === 0 ? timers.steps + random.below(60) : Number.POSITIVE_INFINITY;
    const outcome = await runOnce();
    if (outcome !== undefined) {
      const { pauses, limitChanges } = user;
      const counts = { disasters, pauses, limitChanges };
      return { web, settings, store, ...counts, ...outcome, trace: mix32(network.trace) };
    }
    disasters++;
    timers.forget();
    network.forget();
    store.crash();

    async function runOnce(): Promise<Pick<SimulatedCrawl, "end" | "model" | "limits"> | undefined> {
      try {
        plantSeeds({ store, settings, fingerprinter });
      } catch {
        return undefined;
      }
      // As a directory has them: with limits that were changed and committed.
      const parts = { store, settings: JSON.parse(store.settings()) as CrawlSettings, fingerprinter };
      // It knows the scope as it was widened by earlier runs.
      const reader = await InlineReader.create(parts.settings);
      const model = new CrawlModel(parts);
      const engine = new Engine({ ...parts, model });
      for (const _ of engine.prepare(store));
      const crawl: Crawl = crawlOf(engine, {
        ...parts,
        model,
        fetcher: unlessPaused(network, () => crawl.state === "paused"),
        reader,
        ...(isRendered ? { renderer: new SimulatedRenderer(timers) } : {}),
        readers: 0,
        timers,
        onStatus: (status) => options.onStatus?.(status, store, web, settings),
      });
      const outcome: { end?: CrawlEnd; bug?: unknown } = {};
      crawl.run().then(
        (end) => (outcome.end = end),
        (bug: unknown) => (outcome.bug = bug),
      );
      while (outcome.end === undefined && outcome.bug === undefined) {
        if (timers.steps > STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
        if (timers.steps >= diesAt) return undefined;
        user.act(crawl, mayFail);
        if (!timers.step()) await Promise.resolve();
      }
      const { end, bug } = outcome;
      if (end === undefined) throw bug;
      if (end.error !== undefined || end.reason === "interrupted") return undefined;
      return { end, model, limits: crawl.limits };
    }
  }
  throw new Error("a crawl that is not disturbed any more comes to its end");
}

export function drawSettings(random: Random, web: SimulatedWeb, seed: number): CrawlSettings {
  const seeds = web.seeds.map((page) => ({ url: web.urlOf(page), weight: 1 / web.seeds.length }));
  // A seed is followed wherever it leads, unless a pattern forbids it.
  const scope = { kind: "domain" as const, seeds: seeds.map(({ url }) => url), exclude: [`^${OUTSIDE}`] };
  const limits = [
    {},
    {},
    {},
    { coverage: 0.3 + 0.65 * random.float() },
    { pages: 1 + random.below(20) },
    { depth: random.below(4) },
  ];
  return {
    web: {
      ...defaultWebSettings(scope, seed),
      universe: (["allowed", "scope", "web"] as const)[random.below(3)],
      sitemaps: random.below(2) === 0,
    },
    seeds,
    order: MORE_ORDERS[random.below(MORE_ORDERS.length)],
    damping: 0.85,
    politeness: {
      delayMs: random.below(3) * 500,
      concurrency: 1 + random.below(8),
      perHost: 1 + random.below(2),
      perAddress: 1 + random.below(4),
      crawlDelayMsMax: 60_000,
    },
    limits: limits[random.below(limits.length)],
    ...(seed % 2 === 0 ? { confidence: 0.9, seed } : {}),
    productToken: "tidemark",
  };
}

/** A network that throws on any request while the crawl is paused. */
function unlessPaused(network: Fetcher, isPaused: () => boolean): Fetcher {
  return {
    fetch(request, done) {
      if (isPaused()) throw new Error(`${request.url} was requested during a pause`);
      network.fetch(request, done);
    },
    lookUp: (url, done) => network.lookUp?.(url, done),
    close: () => network.close(),
  };
}
