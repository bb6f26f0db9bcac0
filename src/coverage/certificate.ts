/**
 * The coverage certificate (C1), (C7): how much of all importance the downloaded pages hold at least. It follows from
 * the facts alone, no matter who downloaded the pages and in what order (C3).
 */
import { type Graph, linksOf } from "../graph/index.ts";
import { isSettling, PageState } from "./facts.ts";
import { MassLedger } from "./ledger.ts";
import { tighten } from "./tighten.ts";

/** What is proved about the pages that a crawl has downloaded. */
export interface Certificate {
  /** The proved share of all importance that was downloaded. Never above the true share. */
  readonly coverage: number;
  readonly downloaded: number;
  /** R: the unnormalised rank of the downloaded pages from paths that stay among them. */
  readonly rankInside: number;
  /** The flow to pages that may link on, including unseeded trust and unknown links. */
  readonly flowOpen: number;
  /** The flow to pages that link nowhere. */
  readonly flowDead: number;
  /** Trust that exists but was not seeded. */
  readonly delta: number;
}

/** How close a certificate comes to the best bound. */
const GAP = 1e-12;

/** Makes the certificate of a ledger, after pushing until nothing that matters is waiting inside. */
export function certify(ledger: MassLedger): Certificate {
  const waiting = tighten(ledger, { absoluteGap: GAP });
  const { flowOpen, flowDead } = flowsOutside(ledger);
  return {
    coverage: isEverything(ledger) ? 1 : ledger.bound(),
    downloaded: ledger.downloadedCount,
    rankInside: ledger.rankInside,
    // What is still waiting inside counts as open, to be safe.
    flowOpen: flowOpen + waiting,
    flowDead,
    delta: ledger.delta,
  };
}

/** A crawl of which only the link graph and the downloaded pages are known. */
export interface PlainCrawl {
  readonly graph: Graph;
  readonly trust: Iterable<readonly [page: number, weight: number]>;
  readonly downloaded: Iterable<number>;
  readonly dead?: Iterable<number>;
  readonly damping: number;
}

/** The ledger of a crawl of which only the link graph and the downloaded pages are known, for `certify`. */
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
 * Whether surfers never leave the downloaded pages, so that nothing at all is missing. A flow of zero to the outside
 * does not prove it: what waits on some pages may have been too small to be pushed. A ledger without ranks does not
 * know which pages were reached; to be safe it assumes that all were.
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
