/**
 * The web that benchmarks run on: cnr-2000 if the shared data is available, otherwise a generated one of the same size.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  ArcsDecoder,
  type BvFiles,
  decodeBv,
  encodeArcs,
  encodeBv,
  GeneratedWeb,
  generateGraph,
  type Graph,
  type Hosts,
  hostsOf,
  withoutSelfLinks,
} from "../src/graph/index.ts";
import { pagerank, topPages } from "../src/rank/index.ts";

export interface BenchWeb {
  readonly name: string;
  /** Without self links. */
  readonly graph: Graph;
  /** The 160 pages of highest uniform PageRank, by id. */
  readonly trust: readonly (readonly [page: number, weight: number])[];
  /** The whole graph, including self links, in both formats. */
  readonly bv: BvFiles;
  readonly arcsText: Uint8Array;
}

/** A web whose pages have URLs. */
export interface WebWithUrls extends Pick<BenchWeb, "name" | "graph" | "trust"> {
  readonly urls: readonly string[];
  readonly hosts: Hosts;
}

/** Where the shared data is; undefined if it is not available. */
export function dataFolder(): string | undefined {
  const data = resolve(process.env["TIDEMARK_SHARED"] ?? "../shared", "data");
  return existsSync(`${data}/cnr-2000.graph`) ? data : undefined;
}

export function benchWeb(options: { readonly tiny: boolean }): BenchWeb {
  const data = dataFolder();
  if (!options.tiny && data !== undefined) {
    const bv = {
      graph: new Uint8Array(readFileSync(`${data}/cnr-2000.graph`)),
      properties: readFileSync(`${data}/cnr-2000.properties`, "latin1"),
    };
    return web("cnr-2000", decodeBv(bv), bv, new Uint8Array(gunzipSync(readFileSync(`${data}/cnr-2000.arcs.gz`))));
  }
  const pages = options.tiny ? 3000 : 325_000;
  const { graph } = generateGraph({ pages, seed: 1 });
  return web(`generated web of ${pages} pages, seed 1`, graph, encodeBv(graph), Buffer.concat([...encodeArcs(graph)]));
}

function web(name: string, whole: Graph, bv: BvFiles, arcsText: Uint8Array): BenchWeb {
  const graph = withoutSelfLinks(whole);
  const seeds = topPages(pagerank(graph).ranks, 160).sort();
  return { name, graph, trust: Array.from(seeds, (page) => [page, 1 / seeds.length] as const), bv, arcsText };
}

export function uciIcs(data: string): WebWithUrls {
  const decoder = new ArcsDecoder();
  decoder.push(new Uint8Array(gunzipSync(readFileSync(`${data}/uci-ics.arcs.gz`))));
  const ids = readFileSync(`${data}/uci-ics.trust`, "latin1").trim().split("\n").map(Number);
  const trust = ids.sort((a, b) => a - b).map((page) => [page, 1 / ids.length] as const);
  const urls = gunzipSync(readFileSync(`${data}/uci-ics.urls.gz`))
    .toString()
    .trimEnd()
    .split("\n");
  return { name: "uci-ics", graph: withoutSelfLinks(decoder.finish()), trust, urls, hosts: hostsOf(urls) };
}

export function generatedWithUrls(pages: number): WebWithUrls {
  const web = new GeneratedWeb({ pages, seed: 1 });
  const { graph, hosts } = generateGraph({ pages, seed: 1 });
  const urls = Array.from({ length: pages }, (_, page) => web.urlOf(page));
  return { name: `generated web of ${pages} pages`, graph, trust: [[0, 1]], urls, hosts };
}
