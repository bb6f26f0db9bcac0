/** A community in a crawl. */
import { counted, formatCount, UsageError } from "../../base/index.ts";
import {
  type Distances,
  distancesBetween,
  type Frontier,
  pagesBeside,
  type CommunitySurvey,
  surveyCommunity,
} from "../../community/index.ts";
import { topPages } from "../../rank/index.ts";
import type { Answer } from "../options/command.ts";
import { writeTexts } from "../output/byte-sink.ts";
import { renderTable } from "../terminal/table.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";
import { impactTable, listed, writeLines } from "./pages.ts";
import type { CommunityOptions, World } from "./world.ts";

/** URLs to fetch next, without `--pages`. */
const NEXT_PAGES = 100;

export async function surveyCrawl(
  world: World,
  crawl: NonNullable<World["crawl"]>,
  named: Uint32Array,
  options: CommunityOptions,
  { progress, note }: Terminal,
): Promise<Answer> {
  const { web } = world;
  const { select } = options;
  if (select === "random")
    throw new UsageError("--select random is for a graph; for a crawl choose sc, pf or outlinks");
  const local = communityOf(crawl.downloaded, named, options.local);
  if (local.length < named.length) {
    note(
      `only ${formatCount(local.length)} of ${counted(named.length, "local page")} were downloaded; only these count`,
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
  if (options.out !== undefined) await writeLines(options.out, world, local, [survey.localRanks, survey.globalRanks]);
  if (options.next !== undefined) {
    await writeTexts([{ path: options.next, text: next.map(({ url }) => `${url}\n`) }]);
  }
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
      `\n${changeSentence(change)}\n` +
      impactTable(impact, style) +
      nextTable(next.slice(0, options.top), select, style),
  };
}

/** Those of the named pages whose links are known: the community as the crawl knows it. */
export function communityOf(downloaded: Uint32Array, named: Uint32Array, what: string): Uint32Array {
  const isNamed = new Set(named);
  const local = downloaded.filter((page) => isNamed.has(page));
  if (local.length === 0) throw new UsageError(`--local ${what}: the crawl has downloaded none of these pages`);
  if (local.length === downloaded.length) {
    throw new UsageError(
      `--local ${what} is all that the crawl has downloaded; expected a part of it, to be ranked in the whole`,
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

function changeSentence({ l1, linf, kendall }: Distances): string {
  const order = Number.isNaN(kendall) ? "" : `; Kendall's tau is ${kendall.toFixed(4)}`;
  return (
    `The whole web changes the local ranks by ${l1.toFixed(4)} (L1), ` +
    `by at most ${linf.toFixed(4)} per page${order}.`
  );
}

/** With the score by which they are ordered. */
function nextTable(next: readonly NextPage[], select: "sc" | "pf" | "outlinks", style: TextStyle): string {
  if (next.length === 0) return "\nNo URL outside the community is waiting to be fetched.\n";
  const table = renderTable(
    [
      ...(select === "outlinks" ? [] : [{ title: select, kind: "text" } as const]),
      { title: "links", kind: "count", importance: 1 },
      { title: "url", kind: "text", importance: 2 },
    ],
    next.map((page) => [...(select === "outlinks" ? [] : [page[select].toPrecision(4)]), page.outlinks, page.url]),
    style,
  );
  return `\nURLs outside the community that are worth fetching next:\n${table}`;
}
