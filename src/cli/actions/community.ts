/** `tidemark community` */
import { type Clock, counted, formatSeconds, systemClock, UsageError } from "../../base/index.ts";
import {
  checkLocal,
  checkSelection,
  type Distances,
  distancesBetween,
  findGlobalPagerank,
  frontierOf,
  impacts,
  restrictedTo,
  type SelectionMethod,
} from "../../community/index.ts";
import { renderTable } from "../../report/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import type { Answer, GraphOptions } from "../options/command.ts";
import { impactTable, listed, writeLines } from "../community/pages.ts";
import { communityOf, surveyCrawl } from "../community/survey.ts";
import { withWorld, type World } from "../community/world.ts";
import { checkOutputs } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface CommunityOptions extends GraphOptions {
  readonly local: string;
  readonly select: string;
  readonly rounds?: number;
  readonly pages?: number;
  readonly scores?: boolean;
  readonly levels?: number;
  readonly seed: number;
  readonly damping: number;
  readonly top: number;
  readonly out?: string;
  readonly next?: string;
}

export async function community(
  path: string,
  options: CommunityOptions,
  terminal: Terminal,
): Promise<Answer> {
  const select = checkSelection(options.select);
  checkOutputs([options.out, options.next].filter((each) => each !== undefined));
  return withWorld(path, options, terminal.progress, async (world) => {
    const local = await world.local(options.local);
    if (options.scores === true) return scores(world, local, options);
    if (world.crawl !== undefined) {
      if (options.rounds !== undefined) {
        throw new UsageError(`${path} is a crawl, of which no page can be crawled here: leave out --rounds`);
      }
      return surveyCrawl(world, world.crawl, local, { ...options, select }, terminal);
    }
    if (options.next !== undefined) {
      throw new UsageError(
        `--next is for the directory of a crawl; ${path} is a graph, of which all is known`,
      );
    }
    return simulation(world, local, { ...options, select }, terminal);
  });
}

/** The first round's scores: of every page that the community links to, best first. */
async function scores(world: World, local: Uint32Array, options: CommunityOptions): Promise<Answer> {
  const { damping, levels } = options;
  const had = world.crawl === undefined ? local : communityOf(world.crawl.downloaded, local, options.local);
  const { pages, sc, pf, outlinks } = frontierOf({ web: world.web, local: had, damping, levels });
  const order = pages.length === 0 ? new Uint32Array(0) : topPages(sc, pages.length);
  const lines = Array.from(order, (c) => ({ id: pages[c], sc: sc[c], pf: pf[c], outlinks: outlinks[c] }));
  const shown = lines.slice(0, options.top);
  const urls = await world.urlsOf(shown.map(({ id }) => id));
  return {
    document: { scores: lines },
    text: (style) =>
      renderTable(
        [
          { title: "page", kind: "text" },
          { title: "sc", kind: "text", importance: 4 },
          { title: "pf", kind: "text", importance: 3 },
          { title: "links", kind: "count", importance: 2 },
          ...(urls === undefined ? [] : [{ title: "url", kind: "text", importance: 1 } as const]),
        ],
        shown.map((line) => [
          String(line.id),
          line.sc.toPrecision(6),
          line.pf.toPrecision(6),
          line.outlinks,
          urls?.get(line.id) ?? null,
        ]),
        style,
      ) + `\n${counted(lines.length, "page")} at the frontier of ${counted(had.length, "local page")}.\n`,
  };
}

/** FINDGLOBALPR on a graph that is the whole web, with the truth beside it. */
async function simulation(
  world: World,
  local: Uint32Array,
  options: CommunityOptions & { readonly select: SelectionMethod },
  { progress, note }: Terminal,
): Promise<Answer> {
  const { web } = world;
  const { select, damping, levels, seed, rounds = 50 } = options;
  checkLocal(local, web.pages);
  const pagesPerRound = options.pages ?? Math.ceil((2 * local.length) / rounds);
  const global = pagerank(web, {
    damping,
    dangling: "uniform",
    stopping: { tolerance: 1e-12 },
    progress,
  }).ranks;
  const truth = restrictedTo(local, global);
  const watch = new Stopwatch(systemClock);
  const distances: (Distances & { crawled: number })[] = [];
  const estimates: Float64Array[] = [];
  const run = findGlobalPagerank({ web, local, select, rounds, pagesPerRound, damping, levels, seed });
  for (let step = watch.run(() => run.next()); step.done !== true; step = watch.run(() => run.next())) {
    const { round, crawled, ranks } = step.value;
    progress({ task: "crawling", done: round, total: rounds, unit: "rounds" });
    distances.push({ crawled: crawled.length, ...distancesBetween(ranks, truth) });
    estimates.splice(1, 1, ranks);
  }
  const [{ crawled: _, ...initial }, ...after] = distances as [(typeof distances)[0], ...typeof distances];
  if (after.length < rounds) {
    note(
      `nothing was left to crawl after ${counted(after.length, "round")}: all that the community leads to is known`,
    );
  }
  if (options.out !== undefined) {
    await writeLines(options.out, world, local, [estimates[0], estimates.at(-1)!, truth]);
  }
  const impact = await listed(world, impacts(web, local, global), options.top);
  return {
    document: {
      local: local.length,
      select,
      pages: pagesPerRound,
      damping,
      dangling: "uniform",
      levels: levels ?? null,
      initial,
      rounds: after,
      seconds: watch.seconds,
      impact: impact.map(({ value, ...page }) => ({ ...page, impact: value })),
    },
    text: (style) =>
      roundsTable(distances, style) + ending(local.length, watch.seconds) + impactTable(impact, style),
  };
}

/** Only what the algorithm itself takes: neither the truth nor the distances to it. */
class Stopwatch {
  seconds = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  run<T>(work: () => T): T {
    const startMs = this.#clock.nowMs();
    const result = work();
    this.seconds += (this.#clock.nowMs() - startMs) / 1000;
    return result;
  }
}

function roundsTable(
  rounds: readonly (Distances & { crawled: number })[],
  style: Parameters<typeof renderTable>[2],
): string {
  return renderTable(
    [
      { title: "crawled", kind: "count" },
      { title: "L1", kind: "text", importance: 3 },
      { title: "L-infinity", kind: "text", importance: 1 },
      { title: "Kendall", kind: "text", importance: 2 },
    ],
    rounds.map(({ crawled, l1, linf, kendall }) => [
      crawled,
      l1.toFixed(6),
      linf.toFixed(6),
      Number.isNaN(kendall) ? null : kendall.toFixed(4),
    ]),
    style,
  );
}

function ending(pages: number, seconds: number): string {
  return `\n${counted(pages, "local page")}, ${formatSeconds(seconds)}; distances are to the PageRank in the whole graph.\n`;
}
