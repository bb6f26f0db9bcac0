/**
 * The web that a community is part of: a graph from a file, which is the whole truth, or a crawl, of which only
 * downloaded pages have known links. A crawl stays open while it is used: its URLs are read as often as needed.
 */
import { type Progress, UsageError } from "../../base/index.ts";
import { pagesOfHost, type SelectionMethod } from "../../community/index.ts";
import { type Graph, type Hosts, hostsOf, withoutSelfLinks } from "../../graph/index.ts";
import { type CrawlGraph, crawlGraph, openCrawlReadOnly, type SqliteStore } from "../../store/index.ts";
import type { GraphOptions } from "../options/command.ts";
import { isCrawlDirectory, loadGraph } from "../input/graph-file.ts";
import { readPages } from "../input/page-list.ts";
import { inChunks, type UrlSource, urlsOfPages } from "../input/urls.ts";

export interface CommunityOptions extends GraphOptions {
  readonly local: string;
  readonly select: SelectionMethod;
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

export interface World {
  /** Self links dropped. */
  readonly web: Graph;
  /** What a crawl knows; undefined for a graph from a file. */
  readonly crawl: KnownOfCrawl | undefined;
  /** The pages that `--local` names, ascending. */
  local(what: string): Promise<Uint32Array>;
  /** Undefined where no URLs are known. */
  urlsOf(pages: Iterable<number>): Promise<ReadonlyMap<number, string> | undefined>;
}

interface KnownOfCrawl {
  /** Ascending. */
  readonly downloaded: Uint32Array;
  /** 1 for pages that may still be fetched. */
  readonly isWaiting: Uint8Array;
}

/** Opens the world for `work` and closes it. */
export async function withWorld<T>(
  path: string,
  options: GraphOptions,
  progress: Progress,
  work: (world: World) => Promise<T>,
): Promise<T> {
  if (!(await isCrawlDirectory(path))) {
    const { graph, hosts, urls } = await loadGraph(path, options, progress);
    return work(worldOf({ graph, hosts: () => hosts, urls, progress }));
  }
  if (options.urls !== undefined) {
    throw new UsageError(`${path} is a crawl and knows its URLs: leave out --urls`);
  }
  const store = openCrawlReadOnly(path);
  try {
    return await work(worldOfCrawl(path, store, options, progress));
  } finally {
    store.close();
  }
}

const HOST_PREFIX = "host:";

interface Parts {
  readonly graph: Graph;
  readonly hosts: () => Hosts | undefined;
  readonly urls: UrlSource | undefined;
  readonly crawl?: KnownOfCrawl;
  readonly progress: Progress;
}

function worldOf({ graph, hosts, urls, crawl, progress }: Parts): World {
  return {
    web: withoutSelfLinks(graph),
    crawl,
    local: async (what) => {
      if (!what.startsWith(HOST_PREFIX)) return readPages(what, { pages: graph.pages, urls, progress });
      const known = hosts();
      if (known === undefined) {
        throw new UsageError(`--local ${what} needs the URLs of the pages: give them with --urls FILE`);
      }
      return pagesOfHost(known, what.slice(HOST_PREFIX.length));
    },
    urlsOf: async (pages) => (urls === undefined ? undefined : urlsOfPages(urls, new Set(pages))),
  };
}

function worldOfCrawl(dir: string, store: SqliteStore, { by }: GraphOptions, progress: Progress): World {
  progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
  const known = crawlGraph(store, { redirects: "resolved" });
  const { graph, downloaded } = known;
  return worldOf({
    graph,
    hosts: () => hostsOf(known.urls(), { by, pages: graph.pages }),
    urls: { name: dir, lines: () => inChunks(known.urls()) },
    crawl: { downloaded, isWaiting: waitingPages(store, known) },
    progress,
  });
}

function waitingPages(store: SqliteStore, { ids }: CrawlGraph): Uint8Array {
  const hasEnded = new Uint8Array((ids.at(-1) ?? 0) + 1);
  for (const { url, outcome } of store.visits()) if (outcome !== "try-again") hasEnded[url] = 1;
  return Uint8Array.from(ids, (url) => 1 - hasEnded[url]);
}
