/**
 * The coverage certificate (C1), (C7): how much of all importance the downloaded pages hold, at the least, by the facts
 * alone, whoever downloaded them and in whatever order (C3).
 */
import { type Graph, linksOf } from "../graph/index.ts";
import { isSettling, PageState } from "./facts.ts";
import { MassLedger } from "./ledger.ts";
import { tighten } from "./tighten.ts";

export interface Certificate {
  /** The share of importance that is downloaded, at the least. Never above the truth. */
  readonly coverage: number;
  readonly downloaded: number;
  /** R: unnormalised rank of the downloaded pages by paths that stay among them. */
  readonly rankInside: number;
  /** What flows to pages that may lead on, unseeded trust and unknown links included. */
  readonly flowOpen: number;
  /** What flows to pages that lead nowhere. */
  readonly flowDead: number;
  /** Trust that exists but was not seeded. */
  readonly delta: number;
}

/** How near to the best bound a certificate is brought. */
const GAP = 1e-12;

/** Certifies what a ledger knows, after pushing until nothing that matters waits inside. */
export function certify(ledger: MassLedger): Certificate {
  const waiting = tighten(ledger, { absoluteGap: GAP });
  const { flowOpen, flowDead } = flowsOutside(ledger);
  return {
    coverage: isEverything(ledger) ? 1 : ledger.bound(),
    downloaded: ledger.downloadedCount,
    rankInside: ledger.rankInside,
    // What is left waiting inside counts as open, on the safe side.
    flowOpen: flowOpen + waiting,
    flowDead,
    delta: ledger.delta,
  };
}

export interface PlainCrawl {
  readonly graph: Graph;
  readonly trust: Iterable<readonly [page: number, weight: number]>;
  readonly downloaded: Iterable<number>;
  readonly dead?: Iterable<number>;
  readonly damping: number;
}

/** The ledger of a crawl of which only the link graph and the downloaded pages are known. */
export function ledgerOf(crawl: PlainCrawl): MassLedger {
  const { graph, damping } = crawl;
  const ledger = new MassLedger({ links: linksOf(graph), pages: graph.pages, damping });
  for (const [page, weight] of crawl.trust) ledger.trusted(page, weight);
  for (const page of crawl.downloaded) ledger.downloaded(page);
  for (const page of crawl.dead ?? []) ledger.dead(page);
  return ledger;
}

function flowsOutside(ledger: MassLedger): { flowOpen: number; flowDead: number } {
  const { state, waiting, settled, pages, damping } = ledger;
  let flowOpen = ledger.flowUnknown + (1 - damping) * ledger.delta;
  let flowDead = 0;
  for (let page = 0; page < pages; page++) {
    if (state[page] === PageState.Open || state[page] >= PageState.Refused) flowOpen += waiting[page];
    else if (state[page] === PageState.Dead) flowDead += waiting[page] + settled[page];
  }
  return { flowOpen, flowDead };
}

/**
 * Whether surfers never leave the downloaded pages, so that nothing at all is missing. That nothing flows out does not show it: what
 * waits on some of them may be too little to have been pushed. A ledger without ranks does not know which pages were ever
 * reached and takes all of them for it, on the safe side.
 */
export function isEverything(ledger: MassLedger): boolean {
  const { state, waiting, settled, links, pages, keepsRanks } = ledger;
  if (ledger.flowUnknown > 0 || ledger.delta > 0) return false;
  const isReached = new Uint8Array(pages);
  const toVisit: number[] = [];
  const reach = (page: number) => {
    if (isReached[page] !== 1) toVisit.push(page);
    isReached[page] = 1;
  };
  for (let page = 0; page < pages; page++) {
    if (waiting[page] > 0 || (keepsRanks ? settled[page] > 0 : isSettling(state[page]))) reach(page);
  }
  for (let page = toVisit.pop(); page !== undefined; page = toVisit.pop()) {
    if (state[page] !== PageState.Downloaded) return false;
    for (let k = links.starts[page]; k < links.ends[page]; k++) reach(ledger.resolve(links.targets[k]));
  }
  return true;
}
