/**
 * A job in simulated time in which nothing goes wrong: how many pages its workers need until coverages are proven, and
 * how long that takes. The log answers at once, and each request takes as long as every other.
 */
import { JOB_VERSION, parseNote, TextsInMemory, Worker } from "../../../src/cluster/index.ts";
import { crawlSettings, InlineReader, type StoredSettings } from "../../../src/crawl/index.ts";
import { GraphFetcher, type ServedWeb } from "../../../src/fetch/index.ts";
import { GeneratedWeb, generateGraph, successors } from "../../../src/graph/index.ts";
import { JobState, MemoryFactLog, type ShardNote } from "../../../src/store/index.ts";
import { SimulatedTimers } from "./timers.ts";

export interface CalmJobOptions {
  readonly workers: number;
  /** Requests at a time, of each worker. */
  readonly concurrency: number;
  readonly delayMs: number;
  /** How long a request takes (default: 100). */
  readonly requestMs?: number;
  /** Whether workers hold back for each other (default: true). */
  readonly hasLevel?: boolean;
  /** In ascending order; the job ends with the last. */
  readonly coverages: readonly number[];
}

/** When a coverage was first seen to be proven. */
export interface Proven {
  readonly coverage: number;
  readonly pages: number;
  readonly seconds: number;
}

const SHARDS = 64;
const SEEDS = 10;

export async function runCalmJob(web: ServedWeb, options: CalmJobOptions): Promise<readonly Proven[]> {
  const { workers, requestMs = 100, hasLevel = true, coverages } = options;
  const timers = new SimulatedTimers();
  const settings = settingsOf(web, options);
  const job = { crawl: settings, shardBy: "host", secretHosts: [] };
  const made = { name: "job", version: JOB_VERSION, shards: SHARDS, settings: JSON.stringify(job) };
  const state = new JobState(made, timers);
  const log = hasLevel ? new MemoryFactLog(state) : new LogWithoutLevel(state);
  const reader = await InlineReader.create(settings);
  const proven: Proven[] = [];
  const running = { left: workers, bug: undefined as unknown };
  for (let k = 0; k < workers; k++) {
    const worker = await Worker.join({
      log,
      name: `worker ${k}`,
      place: "here",
      fetcher: new GraphFetcher({ ...web, schedule: (callback) => void timers.after(requestMs, callback) }),
      reader,
      timers,
      textsOf: () => new TextsInMemory(),
      onProgress: ({ coverage, counts: { pages } }) => {
        for (let next = proven.length; coverage >= coverages[next]; next++) {
          proven.push({ coverage: coverages[next], pages, seconds: timers.nowMs() / 1000 });
        }
      },
    });
    worker.run().then(
      () => running.left--,
      (bug: unknown) => (running.bug = bug),
    );
  }
  while (running.left > 0) {
    if (running.bug !== undefined) throw running.bug;
    if (!timers.step()) throw new Error("nothing happens any more, and the job has no end");
    await new Promise((resolve) => setImmediate(resolve));
  }
  return proven;
}

function settingsOf(web: ServedWeb, { concurrency, delayMs, coverages }: CalmJobOptions): StoredSettings {
  const settings = crawlSettings({
    urls: Array.from({ length: SEEDS }, (_, page) => web.urlOf(page)),
    scope: "any",
    delay: delayMs,
    concurrency,
    perHost: 1,
    perAddress: 1000,
    coverage: coverages.at(-1) ?? 1,
  });
  // All workers must know URLs by the same fingerprints.
  return { ...settings, web: { ...settings.web, hashSeed: 1, sitemaps: false } };
}

/** Nobody learns that others have better pages. */
class LogWithoutLevel extends MemoryFactLog {
  override publish(notes: readonly ShardNote[]): Promise<void> {
    const silent = notes.map(({ lease, note }) => ({
      lease,
      note: JSON.stringify({ ...parseNote(note), backlog: null, lookedAhead: 0 }),
    }));
    return super.publish(silent);
  }
}

/** A generated web, as a fetcher wants it: few hosts have most of the importance. */
export function generatedWeb(pages: number, seed: number): ServedWeb {
  const { graph } = generateGraph({ pages, seed });
  const web = new GeneratedWeb({ pages, seed });
  const urls = Array.from({ length: pages }, (_, page) => web.urlOf(page));
  const numbers = new Map(urls.map((url, page) => [url, page]));
  return {
    urlOf: (page) => urls[page],
    rowOf: (page) => successors(graph, page),
    pageOf: (url) => numbers.get(url) ?? -1,
  };
}
