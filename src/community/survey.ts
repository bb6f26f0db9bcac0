/**
 * What is known of a community now, without crawling further: F is all that was crawled, L the part of it that is the community. The
 * local PageRank of L, its global PageRank as F lets it be estimated, the pages of greatest impact, and the score of every page of the
 * frontier. With L for F it gives the scores of the first round of FINDGLOBALPR.
 */
import { UsageError } from "../base/index.ts";
import { type Graph, sharedFloat64 } from "../graph/index.ts";
import { pagerank } from "../rank/index.ts";
import { checkLocal, restrictedTo } from "./global-pagerank.ts";
import { impacts } from "./impact.ts";
import { KnownWebReader } from "./known-web.ts";
import { outlinkScores, pfScores } from "./select.ts";
import { scScores } from "./stochastic-complement.ts";

export interface CommunitySurveyInput {
  /** Only rows of pages that are local or crawled are read. */
  readonly web: Graph;
  /** Ascending, each once; not empty. */
  readonly local: Uint32Array;
  /** What else was crawled: ascending, each once, none of them local. */
  readonly crawled: Uint32Array;
  readonly damping?: number;
  /** The paper's discretised SC scores with so many values; left out: exact. */
  readonly levels?: number | undefined;
}

export interface Frontier {
  /** Pages that what is known links to, in the order in which they were heard of. */
  readonly pages: Uint32Array;
  readonly sc: Float64Array;
  readonly pf: Float64Array;
  readonly outlinks: Float64Array;
}

export interface CommunitySurvey {
  /** PageRank of L by itself, 1 in sum. */
  readonly localRanks: Float64Array;
  /** The global PageRank of L as estimated, 1 in sum. */
  readonly globalRanks: Float64Array;
  /** Of every page of the web; 0 where its links are not known, or lead elsewhere. */
  readonly impacts: Float64Array;
  readonly frontier: Frontier;
}

/** Scores are as exact as the ranks, so these are solved as far as rounding allows. */
const TOLERANCE = 1e-15;

/** The frontier of what is known, and what each of its pages would change in the ranks of L. */
export function surveyCommunity(input: CommunitySurveyInput): CommunitySurvey {
  const { web, local, crawled } = input;
  if (crawled.length === 0) {
    throw new UsageError(
      "nothing but the local domain was crawled: there is no wider world to rank it in; expected pages outside it",
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

/** The frontier of a local domain by itself. */
export function frontierOf(input: Omit<CommunitySurveyInput, "crawled">): Frontier {
  return seen({ ...input, crawled: new Uint32Array(0) }).frontier;
}

function seen({ web, local, crawled, damping = 0.85, levels }: CommunitySurveyInput): {
  members: Uint32Array;
  ranks: Float64Array;
  frontier: Frontier;
} {
  checkLocal(local, web.pages);
  const members = new Uint32Array(local.length + crawled.length);
  members.set(local);
  members.set(crawled, local.length);
  const known = new KnownWebReader(web).read(members, local.length);
  const { ranks } = pagerank(known.graph, {
    damping,
    dangling: "uniform",
    stopping: { tolerance: TOLERANCE },
  });
  return {
    members,
    ranks,
    frontier: {
      pages: known.candidates,
      sc: scScores(known, ranks, { damping, levels }),
      pf: pfScores(known, ranks),
      outlinks: outlinkScores(known),
    },
  };
}
