/**
 * Host graphs in the format of Common Crawl (https://commoncrawl.org/web-graphs): vertices, `number TAB reversed.host`,
 * and edges, `number TAB number`, each in one file or in several. Each host is one page, `https://host/`.
 *
 * A graph has no order, so its hosts are entered breadth first from the seeds. A host without links was not crawled, or
 * has none: nobody knows, so it waits. Those of the other hosts are all links only if the user says so.
 *
 * Memory: 4 bytes per arc and about 100 per host, besides what a log of so many URLs needs.
 */
import { formatCount, type Progress, sortDescending, UsageError } from "../base/index.ts";
import type { ImportedPages } from "../crawl/index.ts";
import { ArcsDecoder, type Graph } from "../graph/index.ts";
import { canonicalUrl } from "../web/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { chunksOf, damaged } from "./files.ts";
import { linesOf } from "./lines.ts";

export interface HostGraph {
  readonly graph: Graph;
  /** A canonical URL for each vertex, each once. */
  readonly urls: readonly string[];
  /** Vertices whose name is not that of a host, or that of another vertex: they have a URL that nobody serves. */
  readonly unnamed: number;
}

const VERTEX = /^(\d+)\t([^\t]*)/;

/** "com.example.www" is "www.example.com". */
export function reversedHost(host: string): string {
  return host.split(".").toReversed().join(".");
}

/** Throws where a file is damaged in the middle: of a graph that lacks arcs nothing is certain. */
export async function readHostGraph(files: readonly ImportFile[], options: ReadOptions): Promise<HostGraph> {
  const vertices = files.filter(({ kind }) => kind === "cc-vertices");
  const edges = files.filter(({ kind }) => kind === "cc-edges");
  for (const [found, what] of [
    [vertices, "vertices"],
    [edges, "edges"],
  ] as const) {
    if (found.length === 0) throw new UsageError(`a host graph is two kinds of files: ${what} are missing; give both`);
  }
  const names = await readVertices(vertices, options);
  const decoder = new ArcsDecoder({ pages: names.length, allowSparse: true });
  for (const { path } of edges) await readEdges(path, decoder, options);
  return { graph: decoder.finish(), ...named(names) };
}

async function readVertices(files: readonly ImportFile[], options: ReadOptions): Promise<string[]> {
  const names: string[] = [];
  let count = 0;
  for (const { path } of files) {
    let line = 0;
    for await (const lines of linesOf(path, options.progress)) {
      for (const text of lines) {
        line++;
        if (text === "") continue;
        const [, number, name] = VERTEX.exec(text) ?? [];
        const vertex = Number(number);
        if (name === undefined || vertex >= VERTICES_MAX || names[vertex] !== undefined) {
          const problem = name === undefined ? "is not a number, a tab and a name" : `has the vertex ${vertex} again`;
          throw damaged(path, 0, `line ${line} ${problem}`);
        }
        names[vertex] = name;
        count++;
      }
    }
  }
  if (count === names.length) return names;
  throw new UsageError(
    `the vertices have ${formatCount(count)} lines, but numbers up to ${formatCount(names.length - 1)}; ` +
      "expected each number from 0 once: give all files of vertices",
  );
}

/** As many as a map of names holds. */
const VERTICES_MAX = 2 ** 24;

/** The decoder of arcs takes what is between two line ends; a file that is cut off may lack digits of its last arc. */
async function readEdges(path: string, decoder: ArcsDecoder, { progress }: ReadOptions): Promise<void> {
  const push = (bytes: Uint8Array): void => {
    try {
      decoder.push(bytes);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
    }
  };
  let last: number | undefined;
  decoder.startFile();
  for await (const { bytes } of chunksOf(path, progress)) {
    push(bytes);
    last = bytes.at(-1) ?? last;
  }
  if (last !== undefined && last !== LF) push(Uint8Array.of(LF));
}

const LF = 10;

function named(names: readonly string[]): Pick<HostGraph, "urls" | "unnamed"> {
  const taken = new Set<string>();
  let unnamed = 0;
  const urls = names.map((name, vertex) => {
    const url = canonicalUrl(`https://${reversedHost(name)}/`);
    if (url !== null && !taken.has(url)) {
      taken.add(url);
      return url;
    }
    unnamed++;
    return `https://vertex-${vertex}.invalid/`;
  });
  return { urls, unnamed };
}

/** Those that most hosts link to. */
export function mostLinked({ graph, urls }: HostGraph, count: number): string[] {
  const links = new Float64Array(graph.pages);
  for (const target of graph.targets) links[target]++;
  const most = Uint32Array.from(links.keys());
  sortDescending(most, links);
  return Array.from(most.subarray(0, count), (vertex) => urls[vertex]);
}

export interface EnterOptions {
  /** URLs; those that are no vertices are known and wait. */
  readonly seeds: readonly string[];
  readonly linksComplete: boolean;
  readonly nowMs: number;
  readonly progress: Progress;
  /** Called now and then, to let others run. */
  readonly onStep: () => Promise<void>;
}

const ROWS_PER_STEP = 4096;

/** Enters a graph breadth first. Returns how many hosts have links. */
export async function enterHostGraph(
  { graph, urls }: HostGraph,
  pages: ImportedPages,
  { seeds, linksComplete, nowMs, progress, onStep }: EnterOptions,
): Promise<number> {
  const { offsets, targets } = graph;
  const linksUnknown = linksComplete ? null : "not-recorded";
  const idOf = new Int32Array(graph.pages).fill(-1);
  const queue = new Uint32Array(graph.pages);
  let [entered, done, rows] = [0, 0, 0];
  const admit = (vertex: number, id: number): number => {
    idOf[vertex] = id;
    queue[entered++] = vertex;
    return id;
  };
  const enterRow = (vertex: number): void => {
    const [from, to] = [offsets[vertex], offsets[vertex + 1]];
    if (from === to) return;
    const row = new Uint32Array(to - from);
    let length = 0;
    for (let k = from; k < to; k++) {
      const target = targets[k];
      if (target === vertex) continue;
      const known = idOf[target];
      row[length++] = known >= 0 ? known : admit(target, pages.enterLink(urls[target], idOf[vertex]));
    }
    pages.row(idOf[vertex], row.subarray(0, length), linksUnknown, nowMs);
    rows++;
  };
  const trusted = new Set(seeds);
  for (const [vertex, url] of urls.entries()) if (trusted.has(url)) admit(vertex, pages.enter(url));
  for (let next = 0; ; next++) {
    for (; done < entered; done++) {
      enterRow(queue[done]);
      if (done % ROWS_PER_STEP !== 0) continue;
      progress({ task: "writing hosts", done, total: graph.pages, unit: "hosts" });
      await onStep();
    }
    while (next < graph.pages && (idOf[next] >= 0 || offsets[next] === offsets[next + 1])) next++;
    if (next >= graph.pages) break;
    admit(next, pages.enter(urls[next]));
  }
  for (let vertex = 0; vertex < graph.pages; vertex++) if (idOf[vertex] < 0) pages.enter(urls[vertex]);
  return rows;
}
