/** `tidemark refresh` */
import { counted, formatSeconds, percent, systemClock, systemTimers, UsageError } from "../../base/index.ts";
import { refreshFacts, type RefreshPage } from "../../crawl/index.ts";
import { withoutSelfLinks } from "../../graph/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import { bestSchedule, freshness, freshnessOf, type PlannedRead, planReads } from "../../refresh/index.ts";
import type { Answer, GraphOptions } from "../options/command.ts";
import { reading } from "../input/crawl-graph.ts";
import { isCrawlDirectory, loadGraph } from "../input/graph-file.ts";
import { urlsOfPages } from "../input/urls.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { checkOutputs, writeOutputs } from "../output/output-file.ts";
import { type OnceResult, readOnce } from "../refresh/once.ts";
import { readRates } from "../input/page-values.ts";
import { renderTable } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface RefreshOptions extends GraphOptions {
  readonly budget: number;
  readonly plan?: boolean;
  readonly once?: boolean;
  readonly out?: string;
  readonly rates?: string;
  readonly damping: number;
  readonly top: number;
  /** Options that were given and mean nothing of a crawl. */
  readonly graphOnly: readonly string[];
}

const DAY_MS = 86_400_000;
const HOSTS_NAMED_MAX = 3;

export async function refresh(path: string, options: RefreshOptions, terminal: Terminal): Promise<Answer> {
  if (options.out !== undefined) checkOutputs([options.out]);
  if (await isCrawlDirectory(path)) {
    if (options.rates !== undefined || options.urls !== undefined) {
      throw new UsageError(
        `${path} is a crawl, which knows its URLs and sees changes: leave out --rates and --urls`,
      );
    }
    const [ignored] = options.graphOnly;
    if (ignored !== undefined) {
      throw new UsageError(`${path} is a crawl, whose importance is certified: leave out --${ignored}`);
    }
    return refreshCrawl(path, options, terminal);
  }
  if (options.rates === undefined) {
    throw new UsageError(`${path} is no crawl: give the change rates of its pages with --rates FILE`);
  }
  if (options.once === true) throw new UsageError(`--once reads pages of a crawl; ${path} is a graph`);
  if (options.plan === true) throw new UsageError(`--plan lists pages of a crawl; ${path} is a graph`);
  return scheduleGraph(path, options, options.rates, terminal);
}

/** A planned read as people and programs see it. */
interface ListedRead {
  readonly id: number;
  readonly url: string;
  readonly why: "new" | "again";
  /** Share of the importance of all known pages. */
  readonly importance: number;
  readonly changesPerDay: number;
  /** ISO 8601, null for a page never read. */
  readonly lastRead: string | null;
  readonly staleChance: number;
  /** Importance times days. */
  readonly gain: number;
}

interface CrawlPlanned {
  readonly reads: readonly ListedRead[];
  readonly again: readonly RefreshPage[];
  readonly known: number;
  readonly gone: number;
}

async function refreshCrawl(dir: string, options: RefreshOptions, terminal: Terminal): Promise<Answer> {
  const { budget, out, top } = options;
  const planned = await planOfCrawl(dir, budget, terminal);
  const { reads, again, known, gone } = planned;
  if (out !== undefined) await writePlan(out, reads);
  const fresh = reads.length - again.length;
  const about = { budget, known, gone, again: again.length, new: fresh };
  if (options.once !== true) {
    return {
      document: { ...about, reads },
      text: (style) =>
        renderTable(
          [
            { title: "why", kind: "text" },
            { title: "importance", kind: "text", importance: 4 },
            { title: "changes/day", kind: "text", importance: 2 },
            { title: "stale", kind: "text", importance: 3 },
            { title: "last read", kind: "text", importance: 1 },
            { title: "url", kind: "text", importance: 5 },
          ],
          reads
            .slice(0, top)
            .map((read) => [
              read.why,
              percent(read.importance),
              read.changesPerDay.toPrecision(2),
              percent(read.staleChance),
              read.lastRead ?? "never",
              read.url,
            ]),
          style,
        ) +
        `\n${counted(reads.length, "page")} to read now: ${counted(again.length, "page")} again, ` +
        `${counted(fresh, "new page")}; ${counted(known, "page")} known, ${gone} gone or moved.\n`,
    };
  }
  const startMs = systemClock.nowMs();
  const result = await readOnce(dir, { again, fresh }, terminal);
  const seconds = (systemClock.nowMs() - startMs) / 1000;
  const { outcomes, left, leftWhy, patience, downloaded, isInterrupted } = result;
  const { failed, ...read } = outcomes;
  const readAtAll = Object.values(read).reduce((sum, count) => sum + count, downloaded);
  const isFailure = reads.length > 0 && readAtAll === 0 && !isInterrupted;
  return {
    document: {
      ...about,
      ...outcomes,
      left,
      leftWhy,
      patience,
      downloaded,
      interrupted: isInterrupted,
      seconds,
    },
    text: () => onceInWords(result, fresh, seconds),
    ...(isFailure
      ? { failure: `not a single page could be read: ${failed} failed, ${left} left for another time` }
      : {}),
  };
}

function onceInWords(result: OnceResult, fresh: number, seconds: number): string {
  const { outcomes, left, leftWhy, patience, downloaded } = result;
  const counts = (all: Readonly<Record<string, number>>): string =>
    Object.entries(all)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  const hosts = patience.slice(0, HOSTS_NAMED_MAX).join(", ");
  const more = patience.length > HOSTS_NAMED_MAX ? ` and ${patience.length - HOSTS_NAMED_MAX} more` : "";
  return [
    `Read again: ${counts(outcomes)}.`,
    ...(left === 0 ? [] : [`${counted(left, "page")} left for another time: ${counts(leftWhy)}.`]),
    ...(fresh > 0 && patience.length > 0
      ? [
          `New pages are left for the next run: ${hosts}${more} ${patience.length === 1 ? "asks" : "ask"} for patience.`,
        ]
      : []),
    `New: ${counted(downloaded, "page")} of ${fresh}. ${formatSeconds(seconds)}.`,
    ...(outcomes.changed === 0
      ? []
      : ["Links of changed pages stay as they were crawled; a new crawl takes them in."]),
    "",
  ].join("\n");
}

function planOfCrawl(dir: string, budget: number, { progress }: Terminal): Promise<CrawlPlanned> {
  return reading(dir, (store) => {
    progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
    const { pages, gone } = refreshFacts(store);
    const total = pages.reduce((sum, { importance }) => sum + importance, 0);
    const planned = planReads(pages, { nowMs: systemTimers.wallMs(), budget });
    const wanted = new Set(planned.map(({ page }) => pages[page].url));
    const origins = [...store.origins()];
    const texts = new Map<number, string>();
    store.forEachUrl((id, origin, path) => {
      if (wanted.has(id)) texts.set(id, origins[origin] + (path ?? ""));
    });
    const reads = planned.map((read) => listedRead(read, pages[read.page], total, texts));
    const again = planned.map(({ page }) => pages[page]).filter(({ lastReadMs }) => lastReadMs !== null);
    return { reads, again, known: pages.length, gone };
  });
}

function listedRead(
  { gain, changeRate, staleChance }: PlannedRead,
  { url, importance, lastReadMs }: RefreshPage,
  total: number,
  texts: ReadonlyMap<number, string>,
): ListedRead {
  return {
    id: url,
    url: texts.get(url)!,
    why: lastReadMs === null ? "new" : "again",
    importance: importance / total,
    changesPerDay: changeRate * DAY_MS,
    lastRead: lastReadMs === null ? null : new Date(lastReadMs).toISOString(),
    staleChance,
    gain: gain / total / DAY_MS,
  };
}

/** A line for each read, best first: URL, new or again, importance, changes a day, when it was last read. */
async function writePlan(path: string, reads: readonly ListedRead[]): Promise<void> {
  await writeOutputs([path], async ([file]) => {
    const sink = new ByteSink(file, { gzip: path.endsWith(".gz") });
    for (const { url, why, importance, changesPerDay, lastRead } of reads) {
      const fields = [url, why, importance.toPrecision(6), changesPerDay.toPrecision(6), lastRead ?? "never"];
      sink.writeText(`${fields.join("\t")}\n`);
    }
    sink.finish();
  });
}

/** On a graph with known change rates: how often to read each page. */
async function scheduleGraph(
  path: string,
  options: RefreshOptions,
  ratesPath: string,
  { progress }: Terminal,
): Promise<Answer> {
  const { budget, damping, out, top } = options;
  const loaded = await loadGraph(path, options, progress);
  const graph = withoutSelfLinks(loaded.graph);
  const rates = await readRates(ratesPath, { pages: graph.pages, urls: loaded.urls });
  const importance = pagerank(graph, { damping, progress }).ranks;
  const { reads, freshness: fresh, marginalGain } = bestSchedule(importance, rates, budget);
  const uniform = freshnessOf(importance, rates, new Float64Array(graph.pages).fill(budget / graph.pages));
  if (out !== undefined) await writeSchedule(out, reads, importance, rates);
  const best = topPages(reads, top).filter((page) => reads[page] > 0);
  const urls = loaded.urls === undefined ? undefined : await urlsOfPages(loaded.urls, new Set(best));
  const listed = Array.from(best, (id) => {
    const url = urls?.get(id);
    return {
      id,
      ...(url === undefined ? {} : { url }),
      importance: importance[id],
      rate: rates[id],
      reads: reads[id],
      fresh: freshness(rates[id], 1 / reads[id]),
    };
  });
  const read = reads.reduce((count, each) => count + (each > 0 ? 1 : 0), 0);
  return {
    document: { pages: graph.pages, budget, read, freshness: fresh, uniform, marginalGain, top: listed },
    text: (style) =>
      renderTable(
        [
          { title: "page", kind: "text" },
          { title: "importance", kind: "text", importance: 4 },
          { title: "changes", kind: "text", importance: 3 },
          { title: "reads", kind: "text", importance: 5 },
          { title: "fresh", kind: "text", importance: 2 },
          ...(urls === undefined ? [] : [{ title: "url", kind: "text", importance: 1 } as const]),
        ],
        listed.map((page) => [
          String(page.id),
          percent(page.importance),
          page.rate.toPrecision(3),
          page.reads.toPrecision(3),
          percent(page.fresh),
          page.url ?? null,
        ]),
        style,
      ) +
      `\n${percent(fresh)} of importance fresh on average, ${percent(uniform)} by reading all pages alike; ` +
      `${counted(read, "page")} of ${graph.pages} worth reading again.\n`,
  };
}

/** A line for each page: id, reads a unit of time, importance, change rate; separated by tabs. */
async function writeSchedule(
  path: string,
  reads: Float64Array,
  importance: Float64Array,
  rates: Float64Array,
): Promise<void> {
  await writeOutputs([path], async ([file]) => {
    const sink = new ByteSink(file, { gzip: path.endsWith(".gz") });
    for (let page = 0; page < reads.length; page++) {
      const values = [reads[page], importance[page], rates[page]].map((value) => value.toPrecision(17));
      sink.writeText(`${page}\t${values.join("\t")}\n`);
    }
    sink.finish();
  });
}
