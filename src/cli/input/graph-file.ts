/** Graphs from files: edge lists, BV graphs and crawl directories, told apart by name and by what exists. */
import { existsSync, statSync } from "node:fs";
import { counted, type Progress, UsageError } from "../../base/index.ts";
import {
  ArcsDecoder,
  type ArcsOptions,
  decodeBv,
  type Graph,
  type Hosts,
  withoutSelfLinks,
} from "../../graph/index.ts";
import type { GraphOptions } from "../options/command.ts";
import { withFile } from "../terminal/endings.ts";
import { readBytes, readWhole } from "./bytes.ts";
import type { Trust } from "./page-list.ts";
import { readHosts, type UrlSource } from "./urls.ts";

export interface LoadedGraph {
  readonly graph: Graph;
  /** Undefined without `--urls`, but for a crawl, which knows. */
  readonly hosts: Hosts | undefined;
  readonly urls: UrlSource | undefined;
  /** What the seeds of a crawl are trusted with; undefined for any other graph. */
  readonly trust?: Trust;
  /** Of a crawl: links to all that it never fetches of an origin, which are no part of the graph. */
  readonly linksToSinks?: number;
}

/** The graph as it stands in its file, and the hosts of its pages where URLs are given. */
export async function loadGraph(
  path: string,
  { urls, by, allowSparse }: GraphOptions,
  progress: Progress,
): Promise<LoadedGraph> {
  if (await isCrawlDirectory(path)) {
    if (urls !== undefined)
      throw new UsageError(`${path} is a crawl, which knows its URLs; leave out --urls`);
    progress({ task: `reading ${path}`, done: 0, unit: "pages" });
    const { loadCrawlGraph } = await import("./crawl-graph.ts");
    return notEmpty(path, await loadCrawlGraph(path, by));
  }
  const basename = bvBasename(path);
  const hosts = urls === undefined ? undefined : await readHosts(urls, by, progress);
  const size = hosts === undefined ? {} : { pages: hosts.hostOf.length };
  const graph =
    basename === undefined
      ? await readArcs(path, { ...size, allowSparse: allowSparse ?? hosts !== undefined }, progress, urls)
      : readBv(basename, progress);
  const loaded = notEmpty(path, { graph, hosts, urls });
  if (hosts !== undefined && hosts.hostOf.length !== graph.pages) {
    throw new UsageError(
      `${urls} has ${hosts.hostOf.length} URLs, but ${path} has ${graph.pages} pages; expected one URL a page`,
    );
  }
  return loaded;
}

/** Says that a graph is not all that its crawl knows, where that changes ranks. */
export function noteSinks({ linksToSinks = 0 }: LoadedGraph, note: (text: string) => void): void {
  if (linksToSinks === 0) return;
  note(
    `${counted(linksToSinks, "link")} to what the crawl never fetches (marked nofollow, or out of the scope) ` +
      `${linksToSinks === 1 ? "is" : "are"} no part of this graph; tidemark coverage counts all`,
  );
}

/** Whether a path is a crawl directory; costs nothing for what is no directory. */
export async function isCrawlDirectory(path: string): Promise<boolean> {
  if (path === "-" || !existsSync(path) || !statSync(path).isDirectory()) return false;
  const { isCrawl } = await import("../../store/index.ts");
  return isCrawl(path);
}

function notEmpty<Loaded extends LoadedGraph>(path: string, loaded: Loaded): Loaded {
  if (loaded.graph.pages > 0) return loaded;
  throw new UsageError(`${path}: the graph is empty; expected at least one line "source target"`);
}

/** The graph that the random surfer walks on: without self links, unless the user keeps them. */
export function surfed(graph: Graph, keepSelfLinks = false): { graph: Graph; selfLinks: number } {
  const walked = keepSelfLinks ? graph : withoutSelfLinks(graph);
  return { graph: walked, selfLinks: graph.arcs - walked.arcs };
}

/** Where a BV graph is meant, the name that its files share. */
function bvBasename(path: string): string | undefined {
  if (path === "-") return undefined;
  const named = /^(.+)\.(graph|properties|offsets)$/s.exec(path)?.[1];
  if (named !== undefined) return named;
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return undefined;
    throw new UsageError(
      `${path} is a folder, but no crawl; expected an edge list, a BV graph or a crawl directory`,
    );
  }
  if (existsSync(`${path}.graph`)) return path;
  throw new UsageError(`${path}: no such file, and no BV graph ${path}.graph either`);
}

async function readArcs(
  path: string,
  options: ArcsOptions,
  progress: Progress,
  urls: string | undefined,
): Promise<Graph> {
  const decoder = new ArcsDecoder(options);
  const file = path === "-" ? "standard input" : path;
  // With URLs their number is the number of pages, so a page without one is a fault of either file.
  const name = urls === undefined ? file : `${file}, with the ${options.pages} URLs of ${urls}`;
  for await (const chunk of readBytes(path, progress)) withFile(name, () => decoder.push(chunk));
  return withFile(name, () => decoder.finish());
}

function readBv(basename: string, progress: Progress): Graph {
  const graph = readWhole(`${basename}.graph`, progress);
  const properties = new TextDecoder().decode(readWhole(`${basename}.properties`));
  return withFile(basename, () => decodeBv({ graph, properties }, progress));
}
