/** Graphs from files: edge lists, BV graphs and crawl directories, recognised by their names and by what exists. */
import { existsSync, statSync } from "node:fs";
import { counted, type Progress, UsageError } from "../../base/index.ts";
import type { ArcsOptions, Graph, Hosts, HostsOptions } from "../../graph/index.ts";
import type { GraphOptions, SurferOptions } from "../options/command.ts";
import { withFile } from "../terminal/endings.ts";
import { fileName, readBytes, readLines, readWhole } from "./files.ts";
import type { Trust } from "./page-list.ts";
import type { UrlReader } from "./urls.ts";

export interface LoadedGraph {
  readonly graph: Graph;
  /** Undefined for a file without `--urls`. */
  readonly hosts: Hosts | undefined;
  readonly urls: UrlReader | undefined;
  /** Of a crawl: the trust of its seeds. */
  readonly trust?: Trust;
  /** Of a crawl: links that it never follows (nofollow, out of scope); they are not part of the graph. */
  readonly linksToSinks?: number;
}

/** The graph as it is in its file, with the hosts of its pages where URLs are given. */
export async function loadGraph(
  path: string,
  { urls, by, allowSparse, at }: GraphOptions,
  progress: Progress,
): Promise<LoadedGraph> {
  const siteOf = by === "domain" ? (await import("../../web/index.ts")).registrableDomain : undefined;
  if (await isCrawlDirectory(path)) {
    if (urls !== undefined) throw new UsageError(`${path} is a crawl with its own URLs; leave out --urls`);
    progress({ task: `reading ${path}`, done: 0, unit: "pages" });
    const { loadCrawlGraph } = await import("./crawl-graph.ts");
    const loaded = await loadCrawlGraph(path, siteOf, { atMs: at });
    if (loaded.graph.pages > 0) return loaded;
    throw new UsageError(`${path}: the crawl has discovered no page yet; expected at least one`);
  }
  const basename = bvBasename(path);
  const hosts = urls === undefined ? undefined : await readHosts(urls, siteOf, progress);
  const size = hosts === undefined ? {} : { pages: hosts.hostOf.length };
  const graph =
    basename === undefined
      ? await readArcs(path, { ...size, allowSparse: allowSparse ?? hosts !== undefined }, progress, urls)
      : await readBv(basename, progress);
  if (graph.pages === 0) {
    throw new UsageError(`${path}: the graph is empty; expected at least one line "source target"`);
  }
  if (hosts !== undefined && hosts.hostOf.length !== graph.pages) {
    throw new UsageError(
      `${urls} has ${hosts.hostOf.length} URLs, but ${path} has ${graph.pages} pages; expected one URL per page`,
    );
  }
  return { graph, hosts, urls: urls === undefined ? undefined : { name: urls, lines: () => readLines(urls) } };
}

/** The graph that the random surfer walks on: without self links, unless the user keeps them. */
export async function loadSurferGraph(path: string, options: SurferOptions, progress: Progress) {
  const loaded = await loadGraph(path, options, progress);
  const { withoutSelfLinks } = await import("../../graph/index.ts");
  const arcsInFile = loaded.graph.arcs;
  const graph = options.selfLinks === true ? loaded.graph : withoutSelfLinks(loaded.graph);
  return { ...loaded, graph, arcsInFile, selfLinks: arcsInFile - graph.arcs };
}

/** Notes that a graph is not all that its crawl knows, where that changes ranks. */
export function noteSinks({ linksToSinks = 0 }: LoadedGraph, note: (text: string) => void): void {
  if (linksToSinks === 0) return;
  note(
    `this graph leaves out ${counted(linksToSinks, "link")} that the crawl never follows (nofollow, out of scope); ` +
      "tidemark coverage counts them",
  );
}

/** Loads the store only if the path is a directory. */
export async function isCrawlDirectory(path: string): Promise<boolean> {
  if (path === "-" || !existsSync(path) || !statSync(path).isDirectory()) return false;
  const { isCrawl } = await import("../../store/index.ts");
  return isCrawl(path);
}

/** The name that the files of a BV graph share; undefined for an edge list. */
function bvBasename(path: string): string | undefined {
  if (path === "-") return undefined;
  const named = /^(.+)\.(graph|properties|offsets)$/s.exec(path)?.[1];
  if (named !== undefined) return named;
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return undefined;
    throw new UsageError(
      `${path} is a folder, but not a crawl; expected an edge list, a BV graph or a crawl directory`,
    );
  }
  if (existsSync(`${path}.graph`)) return path;
  throw new UsageError(`${path}: no such file, and there is no BV graph ${path}.graph`);
}

async function readArcs(path: string, options: ArcsOptions, progress: Progress, urls?: string): Promise<Graph> {
  const { ArcsDecoder } = await import("../../graph/index.ts");
  const decoder = new ArcsDecoder(options);
  const file = fileName(path);
  // With URLs, their number is the number of pages: a page without a URL is a mistake in one of the two files.
  const name = urls === undefined ? file : `${file}, with the ${options.pages} URLs of ${urls}`;
  for await (const chunk of readBytes(path, progress)) withFile(name, () => decoder.push(chunk));
  return withFile(name, () => decoder.finish());
}

async function readBv(basename: string, progress: Progress): Promise<Graph> {
  const { decodeBv } = await import("../../graph/index.ts");
  const graph = readWhole(`${basename}.graph`, progress);
  const properties = new TextDecoder().decode(readWhole(`${basename}.properties`));
  return withFile(basename, () => decodeBv({ graph, properties }, progress));
}

async function readHosts(path: string, siteOf: HostsOptions["siteOf"], progress: Progress): Promise<Hosts> {
  if (!withFile(path, () => statSync(path)).isFile()) {
    throw new UsageError(`${path} is not a regular file; URLs are read more than once: store them in a file`);
  }
  const { HostsDecoder } = await import("../../graph/index.ts");
  const decoder = new HostsDecoder({ siteOf });
  for await (const chunk of readBytes(path, progress)) withFile(path, () => decoder.push(chunk));
  return withFile(path, () => decoder.finish());
}
