/**
 * Communities: the cost of scoring a frontier, and of a whole FINDGLOBALPR. The webs are generated: a local graph with
 * a frontier four times its size, a million links at full size; and a host of a generated web. If uci-ics is available,
 * its host closest to 10,000 pages is run as well.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Random } from "../src/base/index.ts";
import {
  findGlobalPagerank,
  knownPart,
  pagesOfHost,
  scoresOf,
  type SelectionMethod,
  SELECTIONS,
} from "../src/community/index.ts";
import { ArcsDecoder, type Graph, GraphBuilder, generateGraph, hostsOf, withoutSelfLinks } from "../src/graph/index.ts";
import { pagerank } from "../src/rank/index.ts";
import { bestCpuSeconds, cpuSeconds } from "./measure.ts";

export interface CommunityFigures {
  readonly scoring: {
    readonly localPages: number;
    readonly localLinks: number;
    readonly frontier: number;
    readonly seconds: number;
  };
  readonly rounds: {
    readonly web: string;
    readonly localPages: number;
    readonly rounds: number;
    readonly crawled: number;
    readonly seconds: Readonly<Record<SelectionMethod, number>>;
  };
}

export function benchCommunity({ tiny }: { readonly tiny: boolean }): CommunityFigures {
  return { scoring: scoring(tiny ? 500 : 50_000, tiny ? 1 : 5), rounds: wholeRuns(tiny) };
}

/**
 * Links are skewed in both directions, as on the web: some pages have hundreds, and a few have tens of thousands of
 * in-links.
 */
function scoring(pages: number, runs: number): CommunityFigures["scoring"] {
  const frontier = 4 * pages;
  const web = localWeb(pages, frontier);
  const local = Uint32Array.from({ length: pages }, (_, page) => page);
  const known = knownPart(web, local, pages);
  const { ranks } = pagerank(known.graph, { dangling: "uniform" });
  const seconds = bestCpuSeconds(runs, () => {
    const again = knownPart(web, local, pages);
    scoresOf(again, ranks, { score: "sc", damping: 0.85 });
  });
  return { localPages: pages, localLinks: known.graph.arcs, frontier: known.candidates.length, seconds };
}

/** 20 links per page inside, and one to five links to each page of the frontier. */
function localWeb(pages: number, frontier: number): Graph {
  const random = new Random(1);
  const builder = new GraphBuilder();
  const skewed = (count: number, power: number): number => Math.floor(count * random.float() ** power);
  for (let link = 0; link < 22 * pages; link++) builder.add(skewed(pages, 1.5), skewed(pages, 3));
  for (let page = 0; page < frontier; page++) {
    const links = 1 + skewed(5, 3);
    for (let link = 0; link < links; link++) builder.add(skewed(pages, 1.5), pages + page);
  }
  return builder.finish({ pages: pages + frontier });
}

function wholeRuns(tiny: boolean): CommunityFigures["rounds"] {
  const { name, web, local } = (tiny ? undefined : uciIcs()) ?? generatedHost(tiny ? 3000 : 100_000);
  const rounds = tiny ? 3 : 50;
  const pagesPerRound = Math.ceil((2 * local.length) / rounds);
  let crawled = 0;
  const run = (select: SelectionMethod): number =>
    cpuSeconds(() => {
      for (const estimate of findGlobalPagerank({ web, local, select, rounds, pagesPerRound })) {
        crawled = estimate.crawled.length;
      }
    });
  const methods = [...SELECTIONS, "auto"] as const;
  const seconds = Object.fromEntries(methods.map((select) => [select, run(select)])) as Record<SelectionMethod, number>;
  return { web: name, localPages: local.length, rounds, crawled, seconds };
}

interface Local {
  readonly name: string;
  readonly web: Graph;
  readonly local: Uint32Array;
}

function uciIcs(): Local | undefined {
  const data = resolve(process.env["TIDEMARK_SHARED"] ?? "../shared", "data");
  if (!existsSync(`${data}/uci-ics.arcs.gz`)) return undefined;
  const urls = gunzipSync(readFileSync(`${data}/uci-ics.urls.gz`))
    .toString()
    .trimEnd()
    .split("\n");
  const decoder = new ArcsDecoder({ pages: urls.length });
  decoder.push(gunzipSync(readFileSync(`${data}/uci-ics.arcs.gz`)));
  const host = "grape.ics.uci.edu";
  return {
    name: `uci-ics, ${host}`,
    web: withoutSelfLinks(decoder.finish()),
    local: pagesOfHost(hostsOf(urls), host),
  };
}

function generatedHost(pages: number): Local {
  const { graph, hosts } = generateGraph({ pages, seed: 1 });
  const host = hosts.names[0];
  return { name: `generated web of ${pages} pages, ${host}`, web: graph, local: pagesOfHost(hosts, host) };
}
