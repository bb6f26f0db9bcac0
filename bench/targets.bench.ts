/**
 * How many pages workers need until a coverage is proven, with and without the level of the job (decision 8), in
 * simulated time: what the machine does meanwhile plays no part. One worker chooses as a plain crawler does. It is
 * measured with the slots of one worker and with those of all: who may request more at a time goes deeper while the
 * delays of the best hosts bind, with or without workers.
 *
 * TIDEMARK_BENCH_PAGES sets the number of pages (default: 8000).
 */
import type { ServedWeb } from "../src/fetch/index.ts";
import { generatedWeb, type Proven, runCalmJob } from "../test/support/simulation/calm-job.ts";
import { ComputedWeb } from "./crawl/computed-web.ts";

interface TargetFigures {
  readonly web: string;
  readonly delayMs: number;
  /** Requests at a time, of each worker. */
  readonly slots: number;
  readonly oneWorker: readonly Proven[];
  readonly oneWorkerWithAllSlots: readonly Proven[];
  readonly fourWithoutLevel: readonly Proven[];
  readonly four: readonly Proven[];
  /** Of all four workers together, in the two runs with four. */
  readonly cpuSeconds: { readonly withoutLevel: number; readonly withLevel: number };
}

const WORKERS = 4;
const COVERAGES = [0.8, 0.9, 0.95, 0.97];

export async function benchTargets(options: { readonly tiny: boolean }): Promise<readonly TargetFigures[]> {
  const { tiny } = options;
  const pages = tiny ? 300 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 8000);
  const generated = generatedWeb(pages, 1);
  const computed = computedWeb(pages);
  const all: TargetFigures[] = [];
  for (const [delayMs, slots] of tiny
    ? [[0, 2]]
    : [
        [0, 16],
        [200, 4],
        [200, 16],
        [1000, 16],
      ]) {
    all.push(await figuresOf("generated", generated, { delayMs, slots }));
  }
  all.push(await figuresOf("computed", computed, { delayMs: 0, slots: tiny ? 2 : 16 }));
  return all;
}

async function figuresOf(
  name: string,
  web: ServedWeb,
  { delayMs, slots }: { readonly delayMs: number; readonly slots: number },
): Promise<TargetFigures> {
  process.stderr.write(`  ${name}, delay ${delayMs} ms, ${slots} slots ...\n`);
  const asked = { delayMs, coverages: COVERAGES };
  const oneWorker = await runCalmJob(web, { ...asked, workers: 1, concurrency: slots });
  const oneWorkerWithAllSlots = await runCalmJob(web, { ...asked, workers: 1, concurrency: WORKERS * slots });
  const before = process.cpuUsage();
  const fourWithoutLevel = await runCalmJob(web, { ...asked, workers: WORKERS, concurrency: slots, hasLevel: false });
  const middle = process.cpuUsage(before);
  const four = await runCalmJob(web, { ...asked, workers: WORKERS, concurrency: slots });
  const after = process.cpuUsage(before);
  const cpuSeconds = { withoutLevel: middle.user / 1e6, withLevel: (after.user - middle.user) / 1e6 };
  return { web: name, delayMs, slots, oneWorker, oneWorkerWithAllSlots, fourWithoutLevel, four, cpuSeconds };
}

/** Mass is spread over many hosts. */
function computedWeb(pages: number): ServedWeb {
  const web = new ComputedWeb({ pages, hosts: Math.ceil(pages / 25), linksPerPage: 20, seed: 1 });
  return { urlOf: (page) => web.urlOf(page), rowOf: (page) => web.rowOf(page), pageOf: (url) => web.pageOf(url) };
}
