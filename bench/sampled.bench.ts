/**
 * Pages fetched in all until a level is claimed with a confidence of 0.999, beside the downloads after which it is
 * proven and those after which it is true, in the same run: the median, the least and the most of several seeds.
 */
import { systemClock } from "../src/base/index.ts";
import { linksOf } from "../src/graph/index.ts";
import { type Level, simulate } from "../src/lab/index.ts";
import { firstClaimed } from "../src/lab/sampled-levels.ts";
import { createOrder } from "../src/order/index.ts";
import { type BenchWeb, dataFolder, uciIcs } from "./web.ts";

type SampledWeb = Pick<BenchWeb, "name" | "graph" | "trust">;

export interface SampledFigures {
  readonly web: string;
  readonly level: number;
  readonly actual: number;
  readonly proven: number;
  readonly sampled: { readonly median: number; readonly least: number; readonly most: number };
  /** Compared with the downloads after which the level is true. */
  readonly ratios: { readonly proven: number; readonly sampled: number; readonly worstToMedian: number };
}

const damping = 0.85;
const alpha = 0.001;
const LEVELS: readonly Level[] = ["0.9", "0.98"];

export function benchSampled(web: BenchWeb, { tiny }: { readonly tiny: boolean }): SampledFigures[] {
  const data = dataFolder();
  const webs: SampledWeb[] = tiny || data === undefined ? [web] : [web, uciIcs(data)];
  return webs.flatMap((each) => figuresOf(each, tiny ? 3 : 20));
}

function figuresOf(web: SampledWeb, seeds: number): SampledFigures[] {
  const { graph, trust } = web;
  const input = { graph, selfLinks: 0, trust, damping, orders: ["rankmass"], coverage: 0.98, clock: systemClock };
  const [run] = simulate(input).runs;
  const crawl = crawlOf(web, run.downloads);
  return LEVELS.map((name) => {
    const level = Number(name);
    const actual = run.actual[name] ?? 0;
    const proven = run.certified[name] ?? 0;
    const all = Array.from({ length: seeds }, (_, seed) => {
      process.stderr.write(`  ${web.name} ${name}, seed ${seed}\n`);
      return firstClaimed(input, { level, alpha, seed, crawl, provenAt: proven }) ?? Infinity;
    }).sort((a, b) => a - b);
    const median = (all[(seeds - 1) >> 1] + all[seeds >> 1]) / 2;
    const most = all[seeds - 1];
    return {
      web: web.name,
      level,
      actual,
      proven,
      sampled: { median, least: all[0], most },
      ratios: { proven: proven / actual, sampled: median / actual, worstToMedian: most / median },
    };
  });
}

function crawlOf({ graph, trust }: SampledWeb, downloads: number): Uint32Array {
  const order = createOrder("rankmass", { links: linksOf(graph), pages: graph.pages, damping });
  for (const [page, weight] of trust) order.trusted(page, weight);
  const crawl = new Uint32Array(downloads);
  for (let k = 0; k < downloads; k++) order.downloaded((crawl[k] = order.next()));
  return crawl;
}
