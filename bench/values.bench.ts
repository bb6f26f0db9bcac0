/**
 * What it saves to follow the values learnt so far (`rankmass:valued`), beside `rankmass` in the same run: downloads
 * until a share of the value is truly covered, until it is proven, and until as much importance is proven.
 *
 * The values mark one host, one topic (pages below some folders, which link to each other more than to others), and
 * pages at random, of which nothing can be learnt.
 */
import { Random, systemClock } from "../src/base/index.ts";
import type { Level, Reached, SimulationInput } from "../src/lab/index.ts";
import { simulate } from "../src/lab/index.ts";
import { dataFolder, generatedWithUrls, uciIcs, type WebWithUrls } from "./web.ts";

export interface ValueFigures {
  readonly values: string;
  /** How many pages have the value 1; others have `OTHERS`. */
  readonly marked: number;
  readonly order: string;
  readonly downloads: Readonly<Record<"actualValued" | "valued" | "certified", readonly (number | null)[]>>;
  readonly seconds: number;
}

const OTHERS = 0.02;
const LEVELS: readonly Level[] = ["0.5", "0.8", "0.9", "0.95", "0.98"];
const ORDERS = ["rankmass", "rankmass:valued"];

export function benchValues({ tiny }: { readonly tiny: boolean }): ValueFigures[] {
  const data = dataFolder();
  const web = tiny || data === undefined ? generatedWithUrls(tiny ? 3000 : 30_000) : uciIcs(data);
  return Object.entries(marks(web)).flatMap(([name, isMarked]) => figuresOf(web, name, isMarked));
}

function marks({ urls }: WebWithUrls): Record<string, (page: number) => boolean> {
  const random = new Random(1);
  const drawn = Uint8Array.from(urls, () => (random.float() < 0.1 ? 1 : 0));
  const host = /^http:\/\/(archive|ngs|cbcl|host1)\./;
  const topic = /\/(~(eppstein|theory|goodrich|irani|dillenco|dan)|section1)\//;
  return {
    host: (page) => host.test(urls[page]),
    topic: (page) => topic.test(urls[page]),
    random: (page) => drawn[page] === 1,
  };
}

function figuresOf(web: WebWithUrls, name: string, isMarked: (page: number) => boolean): ValueFigures[] {
  const { graph, trust, hosts } = web;
  const values = Float64Array.from({ length: graph.pages }, (_, page) => (isMarked(page) ? 1 : OTHERS));
  const input: SimulationInput = {
    graph,
    selfLinks: 0,
    trust,
    hosts,
    values,
    damping: 0.85,
    orders: ORDERS,
    clock: systemClock,
  };
  const marked = values.reduce((count, value) => count + (value === 1 ? 1 : 0), 0);
  return simulate(input).runs.map((run) => ({
    values: name,
    marked,
    order: run.order,
    downloads: {
      actualValued: downloadsOf(run.actualValued),
      valued: downloadsOf(run.valued),
      certified: downloadsOf(run.certified),
    },
    seconds: run.seconds,
  }));
}

function downloadsOf(reached: Reached = {}): (number | null)[] {
  return LEVELS.map((level) => reached[level] ?? null);
}
