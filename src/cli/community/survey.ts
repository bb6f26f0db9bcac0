/** A community in a crawl. */
import { counted, formatCount, UsageError } from "../../base/index.ts";
import {
  type Distances,
  distancesBetween,
  type Frontier,
  type FrontierScore,
  pagesBeside,
  surveyCommunity,
} from "../../community/index.ts";
import { topPages } from "../../rank/index.ts";
import type { VisitedPages } from "../input/crawl-graph.ts";
import { urlsOfPages } from "../input/urls.ts";
import type { Output } from "../options/command.ts";
import { writePageValues, writeTexts } from "../output/output-file.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { greatestImpacts, impactTable, type NamedOptions, type World } from "./world.ts";

/** URLs to fetch next, without `--pages`. */
const NEXT_PAGES = 100;

export async function surveyCrawl(
  world: World,
  { downloaded, isWaiting }: VisitedPages,
  options: NamedOptions,
  { progress, note }: Terminal,
): Promise<Output> {
  const { web, urls, local: named } = world;
  const { select = "leak", damping, levels, top, out } = options;
  if (select === "random" || select === "auto") {
    throw new UsageError(
      `--select ${select} is for a graph or --live: choose sc, pf, outlinks or leak, or give --live`,
    );
  }
  const local = communityOf(downloaded, named, options.local);
  if (local.length < named.length) {
    note(
      `only ${formatCount(local.length)} of ${counted(named.length, "local page")} were downloaded; only these count`,
    );
  }
  const crawled = pagesBeside(downloaded, local);
  progress({ task: "ranking", done: 0, total: downloaded.length, unit: "pages" });
  const survey = surveyCommunity({ web, local, crawled, damping, levels });
  const { localRanks, globalRanks, frontier } = survey;
  const change = distancesBetween(localRanks, globalRanks);
  const isNamed = new Set(named);
  const isOpen = (page: number): boolean => isWaiting[page] === 1 && !isNamed.has(page);
  const chosen = worthFetching(frontier, isOpen, { select, count: options.pages ?? NEXT_PAGES });
  const best = topPages(globalRanks, top);
  const listed = out === undefined ? best.map((i) => local[i]) : local;
  const urlOf = await urlsOfPages(urls, [...listed, ...chosen.map(({ id }) => id)]);
  const ranks = Array.from(best, (i) => {
    return { id: local[i], url: urlOf.get(local[i]) ?? "", local: localRanks[i], global: globalRanks[i] };
  });
  const next = chosen.map(({ id, ...score }) => ({ id, url: urlOf.get(id) ?? "", ...score }));
  const impact = await greatestImpacts(world, survey.impacts, top);
  if (out !== undefined) {
    await writePageValues(out, { pages: local, columns: [localRanks, globalRanks], urls: urlOf });
  }
  if (options.next !== undefined) {
    await writeTexts([{ path: options.next, text: next.map(({ url }) => `${url}\n`) }]);
  }
  return {
    document: {
      local: local.length,
      crawled: crawled.length,
      select,
      damping,
      dangling: "uniform",
      levels: levels ?? null,
      change,
      ranks,
      impact: impact.map(({ value, ...page }) => ({ ...page, impact: value })),
      next,
    },
    text: (style) =>
      `${counted(local.length, "local page")} in a crawl of ${counted(downloaded.length, "page")}.\n\n` +
      renderTable(
        [column("page"), column("local rank", 2), column("estimated global", 3), column("url", 4)],
        ranks.map(({ id, url, local, global }) => [String(id), local.toPrecision(4), global.toPrecision(4), url]),
        style,
      ) +
      `\n${changeSentence(change)}\n` +
      impactTable(impact, style) +
      nextTable(next.slice(0, top), select, style),
  };
}

/** The named pages whose links are known: the community as the crawl knows it. */
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

type NextPage = { readonly id: number } & Readonly<Record<FrontierScore, number>>;

/** Pages outside the community that may still be fetched, by the score selected. */
function worthFetching(
  frontier: Frontier,
  isOpen: (page: number) => boolean,
  { select, count }: { readonly select: FrontierScore; readonly count: number },
): NextPage[] {
  const { pages, sc, pf, outlinks, leak } = frontier;
  const open = Array.from(pages.keys()).filter((c) => isOpen(pages[c]));
  if (open.length === 0) return [];
  const values = Float64Array.from(open, (c) => frontier[select][c]);
  return Array.from(topPages(values, count), (i) => {
    const c = open[i];
    return { id: pages[c], sc: sc[c], pf: pf[c], outlinks: outlinks[c], leak: leak[c] };
  });
}

export function changeSentence({ l1, linf, kendall }: Distances): string {
  const order = Number.isNaN(kendall) ? "" : `; Kendall's tau is ${kendall.toFixed(4)}`;
  return (
    `The whole web changes the local ranks by ${l1.toFixed(4)} (L1), ` +
    `by at most ${linf.toFixed(4)} per page${order}.`
  );
}

/** With the score by which they are ordered. */
function nextTable(
  next: readonly (NextPage & { readonly url: string })[],
  select: FrontierScore,
  style: TextStyle,
): string {
  if (next.length === 0) return "\nNo URL outside the community is waiting to be fetched.\n";
  const hasScore = select !== "outlinks";
  const table = renderTable(
    [...(hasScore ? [column(select)] : []), column("links", 1, "count"), column("url", 2)],
    next.map((page) => [...(hasScore ? [page[select].toPrecision(4)] : []), page.outlinks, page.url]),
    style,
  );
  return `\nURLs outside the community that are worth fetching next:\n${table}`;
}
