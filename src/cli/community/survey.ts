/** What a finished crawl says of a community in it: `tidemark community DIR`. */
import { counted, formatCount, UsageError } from "../../base/index.ts";
import {
  type Distances,
  distancesBetween,
  type Frontier,
  pagesBeside,
  type SelectionMethod,
  type CommunitySurvey,
  surveyCommunity,
} from "../../community/index.ts";
import { renderTable } from "../../report/index.ts";
import { topPages } from "../../rank/index.ts";
import type { Answer } from "../options/command.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { writeOutputs } from "../output/output-file.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";
import { impactTable, listed, writeLines } from "./pages.ts";
import type { World } from "./world.ts";

export interface SurveyOptions {
  readonly local: string;
  readonly select: SelectionMethod;
  readonly pages?: number;
  readonly levels?: number;
  readonly damping: number;
  readonly top: number;
  readonly out?: string;
  readonly next?: string;
}

/** Without `--pages` a crawl is told this many URLs to fetch. */
const NEXT_PAGES = 100;

export async function surveyCrawl(
  world: World,
  crawl: NonNullable<World["crawl"]>,
  named: Uint32Array,
  options: SurveyOptions,
  { progress, note }: Terminal,
): Promise<Answer> {
  const { web } = world;
  const { select } = options;
  if (select === "random")
    throw new UsageError("--select random says nothing of a crawl: choose sc, pf or outlinks");
  const local = communityOf(crawl.downloaded, named, options.local);
  if (local.length < named.length) {
    note(
      `of ${counted(named.length, "local page")} ${formatCount(local.length)} were downloaded; only these count`,
    );
  }
  const crawled = pagesBeside(crawl.downloaded, local);
  progress({ task: "ranking", done: 0, total: crawl.downloaded.length, unit: "pages" });
  const survey = surveyCommunity({ web, local, crawled, damping: options.damping, levels: options.levels });
  const change = distancesBetween(survey.localRanks, survey.globalRanks);
  const count = options.pages ?? NEXT_PAGES;
  const next = await worthFetching(world, crawl.isWaiting, named, survey.frontier, {
    select,
    count,
  });
  const impact = await listed(world, survey.impacts, options.top);
  const ranks = await bestRanks(world, local, survey, options.top);
  if (options.out !== undefined)
    await writeLines(options.out, world, local, [survey.localRanks, survey.globalRanks]);
  if (options.next !== undefined) await writeNext(options.next, next);
  return {
    document: {
      local: local.length,
      crawled: crawled.length,
      select,
      damping: options.damping,
      dangling: "uniform",
      levels: options.levels ?? null,
      change,
      ranks,
      impact: impact.map(({ value, ...page }) => ({ ...page, impact: value })),
      next,
    },
    text: (style) =>
      `${counted(local.length, "local page")} in a crawl of ${counted(crawl.downloaded.length, "page")}.\n\n` +
      ranksTable(ranks, style) +
      changeLine(change) +
      impactTable(impact, style) +
      nextTable(next.slice(0, options.top), select, style),
  };
}

/** Of the pages named those whose links are known: the crawl's word on what the community is. */
export function communityOf(downloaded: Uint32Array, named: Uint32Array, what: string): Uint32Array {
  const isNamed = new Set(named);
  const local = downloaded.filter((page) => isNamed.has(page));
  if (local.length === 0) throw new UsageError(`--local ${what}: the crawl has downloaded none of its pages`);
  if (local.length === downloaded.length) {
    throw new UsageError(
      `--local ${what} is all that the crawl has downloaded: there is no wider world to rank it in; expected a part of it`,
    );
  }
  return local;
}

interface RankedPage {
  readonly id: number;
  readonly url: string;
  readonly local: number;
  readonly global: number;
}

/** The best pages of the community by their estimated global rank. */
async function bestRanks(
  world: World,
  local: Uint32Array,
  survey: CommunitySurvey,
  count: number,
): Promise<RankedPage[]> {
  const best = topPages(survey.globalRanks, count);
  const urls = await world.urlsOf(Array.from(best, (i) => local[i]));
  return Array.from(best, (i) => ({
    id: local[i],
    url: urls?.get(local[i]) ?? "",
    local: survey.localRanks[i],
    global: survey.globalRanks[i],
  }));
}

interface NextPage {
  readonly id: number;
  readonly url: string;
  readonly sc: number;
  readonly pf: number;
  readonly outlinks: number;
}

/** Pages outside the community that may still be fetched, by the score selected. */
async function worthFetching(
  world: World,
  isWaiting: Uint8Array,
  named: Uint32Array,
  frontier: Frontier,
  { select, count }: { readonly select: "sc" | "pf" | "outlinks"; readonly count: number },
): Promise<NextPage[]> {
  const isNamed = new Set(named);
  const { pages, sc, pf, outlinks } = frontier;
  const open = Array.from(pages.keys()).filter((c) => isWaiting[pages[c]] === 1 && !isNamed.has(pages[c]));
  if (open.length === 0) return [];
  const best = topPages(
    Float64Array.from(open, (c) => frontier[select][c]),
    count,
  );
  const chosen = Array.from(best, (i) => open[i]);
  const urls = await world.urlsOf(chosen.map((c) => pages[c]));
  return chosen.map((c) => ({
    id: pages[c],
    url: urls?.get(pages[c]) ?? "",
    sc: sc[c],
    pf: pf[c],
    outlinks: outlinks[c],
  }));
}

async function writeNext(path: string, next: readonly NextPage[]): Promise<void> {
  await writeOutputs([path], async ([file]) => {
    const sink = new ByteSink(file);
    for (const { url } of next) sink.writeText(`${url}\n`);
    sink.finish();
  });
}

function ranksTable(ranks: readonly RankedPage[], style: TextStyle): string {
  return renderTable(
    [
      { title: "page", kind: "text" },
      { title: "local rank", kind: "text", importance: 2 },
      { title: "estimated global", kind: "text", importance: 3 },
      { title: "url", kind: "text", importance: 1 },
    ],
    ranks.map(({ id, url, local, global }) => [String(id), local.toPrecision(4), global.toPrecision(4), url]),
    style,
  );
}

function changeLine({ l1, linf, kendall }: Distances): string {
  const order = Number.isNaN(kendall) ? "" : `; Kendall's tau is ${kendall.toFixed(4)}`;
  return `\nThe world changes the local ranks by ${l1.toFixed(4)} (L1), ${linf.toFixed(4)} at most for one page${order}.\n`;
}

/** With the score by which they are ordered. */
function nextTable(next: readonly NextPage[], select: "sc" | "pf" | "outlinks", style: TextStyle): string {
  if (next.length === 0) return "\nNo URL outside the community waits to be fetched.\n";
  const table = renderTable(
    [
      ...(select === "outlinks" ? [] : [{ title: select, kind: "text" } as const]),
      { title: "links", kind: "count", importance: 1 },
      { title: "url", kind: "text", importance: 2 },
    ],
    next.map((page) => [
      ...(select === "outlinks" ? [] : [page[select].toPrecision(4)]),
      page.outlinks,
      page.url,
    ]),
    style,
  );
  return `\nOutside URLs worth fetching next:\n${table}`;
}
