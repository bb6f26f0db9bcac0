/**
 * The web that a community is part of: a graph from a file, which is the whole truth, or a crawl, of which only
 * downloaded pages have known links.
 */
import { type Progress, UsageError } from "../../base/index.ts";
import { pagesOfHost, type SelectionMethod } from "../../community/index.ts";
import { type Graph, type Hosts, withoutSelfLinks } from "../../graph/index.ts";
import { type VisitedPages, visitedPages } from "../input/crawl-graph.ts";
import { isCrawlDirectory, loadGraph } from "../input/graph-file.ts";
import { type PageListContext, readPages } from "../input/page-list.ts";
import { type TopPage, topPagesOf, type UrlReader } from "../input/urls.ts";
import type { GraphOptions } from "../options/command.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";

export interface CommunityOptions extends GraphOptions {
  /** Left out with `--live` only: all that the crawl has downloaded. */
  readonly local?: string;
  readonly select: SelectionMethod | undefined;
  readonly rounds?: number;
  readonly pages?: number;
  readonly scores?: boolean;
  readonly levels?: number;
  readonly fullDegrees?: boolean;
  readonly seed: number;
  readonly damping: number;
  readonly top: number;
  readonly out?: string;
  readonly next?: string;
  readonly live?: boolean;
  readonly dir?: string;
  readonly again?: boolean;
}

/** Where a community is named. */
export interface NamedOptions extends CommunityOptions {
  readonly local: string;
}

export interface World {
  /** Without self links. */
  readonly web: Graph;
  readonly urls: UrlReader | undefined;
  /** Undefined for a graph from a file. */
  readonly crawl: VisitedPages | undefined;
  /** The pages of `--local`, ascending. */
  readonly local: Uint32Array;
}

export async function loadWorld(path: string, options: CommunityOptions, progress: Progress): Promise<World> {
  const { graph, hosts, urls } = await loadGraph(path, options, progress);
  const { pages } = graph;
  const crawl = (await isCrawlDirectory(path)) ? await visitedPages(path, pages, { atMs: options.at }) : undefined;
  const local = await localPages(options.local, hosts, { pages, urls, progress });
  return { web: withoutSelfLinks(graph), urls, crawl, local };
}

const HOST_PREFIX = "host:";

/** The name of the host, if a community is given as one. */
export function hostNamed(what: string | undefined): string | undefined {
  return what?.startsWith(HOST_PREFIX) === true ? what.slice(HOST_PREFIX.length) : undefined;
}

async function localPages(
  what: string | undefined,
  hosts: Hosts | undefined,
  context: PageListContext,
): Promise<Uint32Array> {
  if (what === undefined) return Uint32Array.from({ length: context.pages }, (_, page) => page);
  const host = hostNamed(what);
  if (host === undefined) return readPages(what, context);
  if (hosts !== undefined) return pagesOfHost(hosts, host);
  throw new UsageError(`--local ${what} needs the URLs of the pages: give them with --urls FILE`);
}

/** Pages with an impact above 0, greatest first. */
export async function greatestImpacts({ urls }: World, impacts: Float64Array, count: number): Promise<TopPage[]> {
  const best = await topPagesOf(impacts, { count, urls });
  return best.filter(({ value }) => value > 0);
}

export function impactTable(pages: readonly TopPage[], style: TextStyle): string {
  if (pages.length === 0) return "\nNo known page outside the community links to it.\n";
  const table = renderTable(
    [column("page"), column("impact", 2), column("url", 1)],
    pages.map(({ id, url, value }) => [String(id), value.toPrecision(4), url ?? null]),
    style,
  );
  return `\nPages outside the community with the greatest impact on it:\n${table}`;
}
