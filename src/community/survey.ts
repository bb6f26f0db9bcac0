/**
 * What is known of a community now, without crawling further. F is all that was crawled, L the part of it that is the
 * community. A survey has the local PageRank of L, its global PageRank as estimated from F, the pages of greatest
 * impact, and the score of every page of the frontier. With F = L these are the scores of the first round of
 * FINDGLOBALPR.
 */
import { UsageError } from "../base/index.ts";
import { type Graph, sharedFloat64 } from "../graph/index.ts";
import { pagerank } from "../rank/index.ts";
import { restrictedTo } from "./distances.ts";
import { checkLocal } from "./global-pagerank.ts";
import { knownPart } from "./known-web.ts";
import { type FrontierScore, SCORES, scoresOf } from "./select.ts";

/** Input of `surveyCommunity`. */
export interface CommunitySurveyInput {
  /** Only the rows of pages that are local or crawled are read. */
  readonly web: Graph;
  /** The pages of the community, ascending, each once; at least one. */
  readonly local: Uint32Array;
  /** The other pages that were crawled, ascending, each once. */
  readonly crawled: Uint32Array;
  readonly damping?: number;
  /** Use the paper's discretised SC scores, with this many values (default: exact scores). */
  readonly levels?: number | undefined;
}

/** The frontier of a community, with the score of each page by each method of selection. */
export interface Frontier extends Readonly<Record<FrontierScore, Float64Array>> {
  /** Pages that are linked to but not crawled, in order of discovery. */
  readonly pages: Uint32Array;
}

/** What is known of a community. */
export interface CommunitySurvey {
  /** The PageRank of L alone, 1 in sum. */
  readonly localRanks: Float64Array;
  /** The estimated global PageRank of L, 1 in sum. */
  readonly globalRanks: Float64Array;
  /** The impact of every page of the web on L; 0 if its links are unknown or lead elsewhere. */
  readonly impacts: Float64Array;
  readonly frontier: Frontier;
}

/** Scores are only as exact as the ranks, so ranks are solved as far as rounding allows. */
const TOLERANCE = 1e-15;

/** Surveys a community: its ranks, the impact of other pages on it, and the pages of its frontier. */
export function surveyCommunity(input: CommunitySurveyInput): CommunitySurvey {
  const { web, local, crawled } = input;
  if (crawled.length === 0) {
    throw new UsageError(
      "only the local domain was crawled, so there is no wider web to rank it in; expected pages outside it",
    );
  }
  const { ranks, frontier, members } = seen(input);
  const globalRanks = sharedFloat64(web.pages);
  for (let i = 0; i < members.length; i++) globalRanks[members[i]] = ranks[i];
  const alone = seen({ ...input, crawled: new Uint32Array(0) });
  return {
    localRanks: alone.ranks,
    globalRanks: restrictedTo(local, globalRanks),
    impacts: impacts(web, local, globalRanks),
    frontier,
  };
}

/** The frontier of a local domain alone. */
export function frontierOf(input: Omit<CommunitySurveyInput, "crawled">): Frontier {
  return seen({ ...input, crawled: new Uint32Array(0) }).frontier;
}

/**
 * The impact of every page on the local domain (Communities, section 6.2): `impact(j) = o_L[j] / o[j] g[j]`, the
 * probability that the random surfer is at page j and follows a link into the domain, given that she follows a link.
 * o[j] counts all links of j except self links. It is 0 for pages of the domain itself. `ranks` are global, or the best
 * known estimate. Linear in pages and links.
 */
export function impacts(web: Graph, local: Uint32Array, ranks: Float64Array): Float64Array {
  const { pages, offsets, targets } = web;
  const isLocal = new Uint8Array(pages);
  for (let i = 0; i < local.length; i++) isLocal[local[i]] = 1;
  const impact = new Float64Array(pages);
  for (let j = 0; j < pages; j++) {
    if (isLocal[j] === 1) continue;
    let into = 0;
    let links = 0;
    for (let arc = offsets[j]; arc < offsets[j + 1]; arc++) {
      const target = targets[arc];
      if (target === j) continue;
      links++;
      into += isLocal[target];
    }
    if (into > 0) impact[j] = (into / links) * ranks[j];
  }
  return impact;
}

function seen({ web, local, crawled, damping = 0.85, levels }: CommunitySurveyInput) {
  checkLocal(local, web.pages);
  const members = new Uint32Array(local.length + crawled.length);
  members.set(local);
  members.set(crawled, local.length);
  const known = knownPart(web, members, local.length);
  const { ranks } = pagerank(known.graph, { damping, dangling: "uniform", stopping: { tolerance: TOLERANCE } });
  const scores = SCORES.map((score) => [score, scoresOf(known, ranks, { score, damping, levels })]);
  const byScore = Object.fromEntries(scores) as Record<FrontierScore, Float64Array>;
  return { members, ranks, frontier: { pages: known.candidates, ...byScore } };
}
