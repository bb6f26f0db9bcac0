/**
 * A simulated job: workers that die, sleep, come and go; a log that is far away and sometimes cannot be reached;
 * messages that are lost, doubled and out of order. Everything is drawn from a seed.
 */
import { mix32, Random, type Timers } from "../../../src/base/index.ts";
import {
  JOB_VERSION,
  type JobProgress,
  parseNote,
  TextsInMemory,
  Worker,
  type WorkerEnd,
} from "../../../src/cluster/index.ts";
import { levelOf, NO_LEVEL } from "../../../src/cluster/level.ts";
import { decodeBundle } from "../../../src/cluster/messages.ts";
import { type CrawlSettings, InlineReader, type StoredSettings } from "../../../src/crawl/index.ts";
import { type LogSink, replayBatch, SILENT_SINK, type UrlRecord, type Visit } from "../../../src/log/index.ts";
import {
  type Append,
  type Board,
  type FactLog,
  FactLogError,
  JobState,
  type Message,
  type ShardNote,
} from "../../../src/store/index.ts";
import { hostOfOrigin } from "../../../src/web/index.ts";
import { ChunksInMemory } from "../chunk-file.ts";
import { SimulatedArchive, SimulatedFiles } from "./archive.ts";
import { SimulatedNetwork, SimulatedServers } from "./network.ts";
import { drawSettings } from "./run.ts";
import { ShownPages } from "./shown-pages.ts";
import { SimulatedTimers } from "./timers.ts";
import { SimulatedWeb } from "./web.ts";

/** More than any of these jobs needs. */
const STEPS_MAX = 400_000;
const LEASE_MS = 8000;
const BEAT_MS = 900;
/** Half of a call of the log takes up to this. */
const LATENCY_MS = 40;
/** Where pages change, more is lost: often, late, and between several shards. */
const CHANGING = {
  web: { hostsMin: 3, pagesMin: 20 },
  shardsMin: 3,
  mischief: 30,
  mischiefEvery: 120,
  latencyMs: 400,
};
/** There, one in so many workers that have told others something dies soon after, with what it has not stored. */
const DOOMED_ONE_IN = 4;
const DOOMED_MS = 2000;

/** What somebody has read off the board, and how much of the log of each shard the notes there were about. */
interface Claim {
  readonly coverage: number;
  readonly positions: readonly number[];
}

export interface SimulatedJob {
  /** As it was at first, and what its pages have shown. */
  readonly web: SimulatedWeb;
  readonly shown: ShownPages;
  readonly settings: CrawlSettings;
  readonly state: JobState;
  /** What its workers have archived. */
  readonly files: SimulatedFiles;
  readonly shards: number;
  readonly reason: string;
  /** The greatest coverage that anybody has seen: who takes a shard over knows less for a while. */
  readonly coverage: number;
  /** All that were different from the one before, in the order in which they were made. */
  readonly claims: readonly Claim[];
  /** Deaths and sleeps of workers, and calls of the log that failed. */
  readonly deaths: number;
  readonly sleeps: number;
  readonly failures: number;
  /** Looks at a board on which a worker had better pages than slots. */
  readonly backlogs: number;
  readonly trace: number;
}

export interface ClusterOptions {
  /** Nobody dies or sleeps, and nothing is lost (default: false). */
  readonly isCalm?: boolean;
  /** All seem to have far better pages than slots, always, so all others hold back (default: some do, at times). */
  readonly isBoasting?: boolean;
  /** A page that is requested again may have changed (default: false). */
  readonly isChanging?: boolean;
  readonly onProgress?: (
    progress: JobProgress,
    job: Pick<SimulatedJob, "state" | "shown" | "web" | "settings">,
  ) => void;
}

export async function simulateJob(seed: number, options: ClusterOptions = {}): Promise<SimulatedJob> {
  const { isCalm = false, isBoasting = false, isChanging = false } = options;
  const random = new Random(seed, 31);
  const web = drawWeb(seed, isChanging ? CHANGING.web : {});
  const { confidence: _, ...drawn } = drawSettings(new Random(seed, 3), web, seed);
  // Few jobs end early where much is to be lost.
  const limits = isChanging && seed % 3 > 0 ? {} : drawn.limits;
  const settings: CrawlSettings = { ...drawn, limits, order: "rankmass" };
  const timers = new SimulatedTimers();
  const shown = new ShownPages(web, isChanging ? seed : undefined);
  const servers = new SimulatedServers(web, timers, settings.politeness, seed);
  servers.shown = shown;
  const shards = isChanging ? CHANGING.shardsMin + random.below(4) : 1 + random.below(6);
  const by = random.below(4) === 0 ? "domain" : "host";
  const job = { crawl: settings as StoredSettings, shardBy: by, secretHosts: [] };
  const state = new JobState({ name: "job", version: JOB_VERSION, shards, settings: JSON.stringify(job) }, timers);
  const workers = new Set<SimulatedWorker>();
  const counts = { deaths: 0, sleeps: 0, failures: 0, backlogs: 0 };
  let coverage = 0;
  const claims: Claim[] = [];
  let named = 0;
  const reader = await InlineReader.create(settings);
  const told = new ToldUrls();
  const files = new SimulatedFiles();
  const published = new PublishedNotes(state);
  const stored = new StoredManners(servers);
  const hire = async (): Promise<void> => {
    const worker = await SimulatedWorker.start({
      name: `worker ${named++}`,
      timers,
      servers,
      state,
      random,
      isCalm,
      latencyMs: isChanging ? CHANGING.latencyMs : LATENCY_MS,
      rumours: isBoasting ? "always" : seed % 3 === 2 ? new Random(seed, 37) : "never",
      reader,
      told,
      files,
      published,
      stored,
      onProgress: (progress, board) => {
        coverage = Math.max(coverage, progress.coverage);
        if (levelOf(board, () => false) > NO_LEVEL) counts.backlogs++;
        if (progress.coverage !== claims.at(-1)?.coverage) {
          claims.push({ coverage: progress.coverage, positions: published.positionsOf(board) });
        }
        options.onProgress?.(progress, { state, shown, web, settings });
      },
    });
    workers.add(worker);
  };
  for (let k = 1 + random.below(3); k > 0; k--) await hire();
  /** Chaos ends some time, so that the job can. */
  let mischief = isCalm ? 0 : random.below(isChanging ? CHANGING.mischief : 30);
  const mischiefEvery = isChanging ? CHANGING.mischiefEvery : 300;
  for (;;) {
    if (timers.steps > STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
    if (mischief > 0 && random.below(mischiefEvery) === 0) {
      mischief--;
      await act();
    }
    for (const worker of workers) {
      if (worker.bug !== undefined) throw worker.bug;
      if (isChanging && mischief > 0 && worker.takeSent() && random.below(DOOMED_ONE_IN) === 0) {
        mischief--;
        timers.after(random.below(DOOMED_MS), () => worker.die());
      }
      if (worker.isDead) workers.delete(worker);
      if (worker.end === undefined) continue;
      workers.delete(worker);
      if (worker.end.error !== undefined) throw worker.end.error;
    }
    if (workers.size === 0) {
      if (state.job().stopped !== null) break;
      await hire();
    }
    // Promises go on before time does.
    if (!timers.step() && workers.size > 0) throw new Error("nothing happens any more, and the job has no end");
    await new Promise((resolve) => setImmediate(resolve));
  }
  const reason = state.job().stopped as string;
  return {
    web,
    shown,
    settings,
    state,
    files,
    shards,
    reason,
    coverage,
    claims,
    ...counts,
    trace: mix32(servers.trace),
  };

  async function act(): Promise<void> {
    const all = [...workers];
    const worker = all[random.below(all.length)];
    switch (random.below(5)) {
      case 0:
        counts.deaths++;
        worker.die();
        break;
      case 1:
        counts.sleeps++;
        worker.sleep(random.below(4 * LEASE_MS));
        break;
      case 2:
        if (workers.size < 4) await hire();
        break;
      case 3:
        counts.failures++;
        worker.cutOff(random.below(2 * LEASE_MS));
        break;
      case 4:
        worker.leave();
    }
  }
}

/** With odd seeds, some of the crawl's seeds redirect; with every fourth, to pages that their hosts forbid. */
function drawWeb(seed: number, least: { readonly hostsMin?: number; readonly pagesMin?: number }): SimulatedWeb {
  const web = SimulatedWeb.drawn(seed, { redirectsSeeds: seed % 2 === 1, ...least });
  if (seed % 4 !== 1) return web;
  const { hosts, seeds } = web;
  const ends = new Set(seeds.flatMap((page) => (web.pages[page].fate === "redirect" ? web.pages[page].links[0] : [])));
  const pages = web.pages.map((page, k) =>
    ends.has(k) && !seeds.includes(k) ? { ...page, fate: "forbidden" as const } : page,
  );
  return new SimulatedWeb({ hosts, seeds, pages });
}

interface SimulatedWorkerOptions {
  readonly name: string;
  readonly timers: SimulatedTimers;
  readonly servers: SimulatedServers;
  readonly state: JobState;
  readonly random: Random;
  readonly isCalm: boolean;
  readonly latencyMs: number;
  readonly rumours: Rumours;
  readonly reader: InlineReader;
  readonly told: ToldUrls;
  readonly files: SimulatedFiles;
  readonly published: PublishedNotes;
  readonly stored: StoredManners;
  readonly onProgress: (progress: JobProgress, board: Board) => void;
}

class SimulatedWorker {
  end: WorkerEnd | undefined;
  bug: unknown;
  isDead = false;
  readonly #calls: { hasSent: boolean };
  readonly #timers: SleepyTimers;
  readonly #network: SimulatedNetwork;
  readonly #worker: Worker;
  readonly #outage: { untilMs: number };

  /** Takes no time. */
  static async start(options: SimulatedWorkerOptions): Promise<SimulatedWorker> {
    const { name, timers, servers, state, rumours, reader, files, onProgress } = options;
    const own = new SleepyTimers(timers);
    const network = new SimulatedNetwork(servers, { timers: own, connects: true });
    const outage = { untilMs: 0 };
    const calls = { hasSent: false };
    const log = farLog(state, { ...options, timers: own, outage, onSend: () => (calls.hasSent = true) });
    let seen = state.board();
    const worker = await Worker.join({
      log: { ...log, board: async () => (seen = withRumours(await log.board(), rumours)) },
      name,
      place: "here",
      fetcher: network,
      reader,
      timers: own,
      archive: new SimulatedArchive({ worker: name, files, timers: own }),
      textsOf: () => new TextsInMemory(),
      scratchOf: () => new ChunksInMemory(64),
      leaseMs: LEASE_MS,
      beatMs: BEAT_MS,
      onProgress: (progress) => onProgress(progress, seen),
    });
    return new SimulatedWorker(worker, { timers: own, network, outage, calls });
  }

  private constructor(
    worker: Worker,
    {
      timers,
      network,
      outage,
      calls,
    }: {
      readonly timers: SleepyTimers;
      readonly network: SimulatedNetwork;
      readonly outage: { untilMs: number };
      readonly calls: { hasSent: boolean };
    },
  ) {
    this.#timers = timers;
    this.#calls = calls;
    this.#network = network;
    this.#worker = worker;
    this.#outage = outage;
    worker.run().then(
      (end) => (this.end = end),
      (bug: unknown) => (this.bug = bug),
    );
  }

  /** Whether it has told others something since this was last asked. */
  takeSent(): boolean {
    const { hasSent } = this.#calls;
    this.#calls.hasSent = false;
    return hasSent;
  }

  die(): void {
    if (this.isDead || this.end !== undefined) return;
    this.isDead = true;
    this.#timers.stop();
    this.#network.die();
  }

  sleep(forMs: number): void {
    this.#network.lapse();
    this.#forgetBy(forMs);
    this.#timers.sleep(forMs);
  }

  /** What it learns until then may never be written. */
  #forgetBy(forMs: number): void {
    this.#timers.after(forMs + LEASE_MS, () => this.#network.lapse());
  }

  cutOff(forMs: number): void {
    this.#network.lapse();
    this.#forgetBy(forMs);
    this.#outage.untilMs = this.#timers.nowMs() + forMs;
  }

  leave(): void {
    this.#worker.leave();
  }
}

/** Timers of a process that may be stopped for a while, or for ever. What is due meanwhile comes late, or never. */
class SleepyTimers implements Timers {
  readonly #timers: SimulatedTimers;
  #isStopped = false;
  #isAsleep = false;
  #late: (() => void)[] = [];

  constructor(timers: SimulatedTimers) {
    this.#timers = timers;
  }

  nowMs(): number {
    return this.#timers.nowMs();
  }

  wallMs(): number {
    return this.#timers.wallMs();
  }

  after(delayMs: number, callback: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#timers.after(delayMs, () => {
      if (this.#isStopped || isCancelled) return;
      if (this.#isAsleep) this.#late.push(() => (isCancelled ? undefined : callback()));
      else callback();
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  stop(): void {
    this.#isStopped = true;
  }

  sleep(forMs: number): void {
    if (this.#isAsleep) return;
    this.#isAsleep = true;
    this.#timers.after(forMs, () => {
      this.#isAsleep = false;
      const late = this.#late;
      this.#late = [];
      for (const callback of late) if (!this.#isStopped) callback();
    });
  }
}

/** A log over a network: every call takes time, and may fail before or after it was carried out. */
function farLog(
  state: JobState,
  options: Pick<
    SimulatedWorkerOptions,
    "random" | "isCalm" | "latencyMs" | "told" | "files" | "published" | "stored"
  > & {
    readonly timers: Timers;
    readonly outage: { readonly untilMs: number };
    readonly onSend: () => void;
  },
): FactLog {
  const { timers, random, isCalm, latencyMs, outage, told, files, published, stored, onSend } = options;
  const wait = (): Promise<void> => new Promise((resolve) => void timers.after(random.below(latencyMs), resolve));
  const unreachable = (): FactLogError => new FactLogError("unreachable", "the log cannot be reached");
  const isLost = (): boolean => !isCalm && (timers.nowMs() < outage.untilMs || random.below(60) === 0);
  const call = async <Result>(act: () => Result): Promise<Result> => {
    await wait();
    if (isLost()) throw unreachable();
    const result = act();
    if (isLost()) throw unreachable();
    await wait();
    return result;
  };
  return {
    job: async () => state.job(),
    stop: (reason) => call(() => state.stop(reason)),
    restart: (settings) => call(() => state.restart(settings)),
    register: (...given) => call(() => state.register(...given)),
    unregister: (worker) => call(() => state.unregister(worker)),
    lease: (...given) => call(() => state.lease(...given)),
    renew: (...given) => call(() => state.renew(...given)),
    release: (leases) => call(() => state.release(leases)),
    append: (appends) =>
      call(() => {
        files.check(appends);
        const results = state.append(appends);
        appends.forEach((append, k) => results[k] === "appended" && stored.add(append));
        return results;
      }),
    read: (...given) => call(() => state.read(...given)),
    reserve: (...given) => call(() => state.reserve(...given)),
    send: (messages) =>
      call(() => {
        told.check(messages, state);
        if (messages.length > 0) onSend();
        state.send(isCalm ? messages : garbled(messages, random));
      }),
    take: (leases) => call(() => state.take(leases)),
    publish: (notes) =>
      call(() => {
        published.add(notes);
        state.publish(notes);
      }),
    board: () => call(() => state.board()),
    close: async () => {},
  };
}

/** Rules and pauses that are in a log: whoever has the host next knows them. */
class StoredManners {
  readonly #servers: SimulatedServers;
  readonly #origins = new Map<number, string[]>();

  constructor(servers: SimulatedServers) {
    this.#servers = servers;
  }

  add({ lease: { shard }, batch }: Append): void {
    const origins = this.#origins.get(shard) ?? [];
    this.#origins.set(shard, origins);
    const { rulesStored, pausesStored } = this.#servers;
    replayBatch(batch, {
      ...SILENT_SINK,
      addOrigin: (_, origin) => void origins.push(origin),
      putRobots: ({ origin }) => void rulesStored.add(hostOfOrigin(origins[origin])),
      putMeta: (key, untilMs) => {
        const host = /^pause (.*)$/.exec(key)?.[1];
        if (host !== undefined) pausesStored.set(host, Number(untilMs));
      },
    });
  }
}

/** Whether shards seem to have better pages than slots: always, as they say themselves, or as it is drawn. */
type Rumours = "always" | "never" | Random;

function withRumours(board: Board, rumours: Rumours): Board {
  if (rumours === "never") return board;
  const backlog = (): number | null => {
    if (rumours === "always") return 1e9;
    return rumours.below(2) === 0 ? null : rumours.float() ** 4;
  };
  const shards = board.shards.map((shard) =>
    shard.note === null ? shard : { ...shard, note: JSON.stringify({ ...parseNote(shard.note), backlog: backlog() }) },
  );
  return { ...board, shards };
}

/** No shard tells another of a URL before the board counts it: else a job could look quiet while it is on its way. */
class ToldUrls {
  /** By sender and receiver, the most that was told. */
  readonly #told = new Map<number, Map<number, number>>();

  check(messages: readonly Message[], state: JobState): void {
    const { shards } = state.board();
    for (const { payload } of messages) {
      for (const { sender, receiver, senderEpoch, urls } of decodeBundle(payload)) {
        const told = this.#told.get(sender) ?? new Map<number, number>();
        this.#told.set(sender, told);
        if (urls !== undefined) told.set(receiver, Math.max(told.get(receiver) ?? 0, urls.first + urls.list.length));
        const { note, noteEpoch } = shards[sender];
        // The epoch of the lease, and which of the engines that had the shard by that lease.
        if (noteEpoch !== Math.floor(senderEpoch / 2 ** 20)) continue;
        const all = [...told.values()].reduce((sum, count) => sum + count, 0);
        const counted = parseNote(note)?.sent ?? 0;
        if (counted < all) throw new Error(`shard ${sender} has told ${all} URLs, and the board counts ${counted}`);
      }
    }
  }
}

/** How long the log of a shard was when a note about it was first published: the note is about that much of it. */
class PublishedNotes {
  readonly #state: JobState;
  readonly #positions = new Map<string, number>();

  constructor(state: JobState) {
    this.#state = state;
  }

  add(notes: readonly ShardNote[]): void {
    const { shards } = this.#state.board();
    for (const { lease, note } of notes) {
      const key = keyOf(lease.shard, lease.epoch, note);
      if (!this.#positions.has(key)) this.#positions.set(key, shards[lease.shard].position);
    }
  }

  positionsOf({ shards }: Board): number[] {
    return shards.map(({ shard, noteEpoch, note }) =>
      note === null ? 0 : (this.#positions.get(keyOf(shard, noteEpoch, note)) ?? 0),
    );
  }
}

function keyOf(shard: number, epoch: number, note: string): string {
  return `${shard} ${epoch} ${parseNote(note)?.number}`;
}

/** Some are lost, some come twice, and the order is another. */
function garbled(messages: readonly Message[], random: Random): Message[] {
  const kept = messages.filter(() => random.below(15) > 0);
  const doubled = kept.filter(() => random.below(10) === 0);
  const all = [...kept, ...doubled];
  for (let k = all.length - 1; k > 0; k--) {
    const other = random.below(k + 1);
    [all[k], all[other]] = [all[other], all[k]];
  }
  return all;
}

export interface StoredFacts {
  readonly origins: readonly string[];
  readonly urls: readonly UrlRecord[];
  readonly visits: readonly Visit[];
}

/** What the log of a shard has. */
export function factsOf(state: JobState, shard: number): StoredFacts {
  const facts = { origins: [] as string[], urls: [] as UrlRecord[], visits: [] as Visit[] };
  const sink: LogSink = {
    ...SILENT_SINK,
    addOrigin: (_, origin) => void facts.origins.push(origin),
    addUrl: (url) => void facts.urls.push(url),
    addVisit: (visit) => void facts.visits.push(visit),
  };
  for (const { batch } of state.read(shard, 0, Number.POSITIVE_INFINITY)) replayBatch(batch, sink);
  return facts;
}
