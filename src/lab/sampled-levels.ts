/**
 * When the sampled certificate would have claimed a level, had this level alone been the target of the crawl.
 *
 * The crawl goes on in its own order; what walks have fetched joins it after their round and is not fetched again.
 * Walks come when the schedule says so, the same that a live crawl follows.
 */
import { Random } from "../base/index.ts";
import { alphaOfLook, Look, LookSchedule, MassLedger, type Walk, WALKS_PER_ROUND } from "../coverage/index.ts";
import { linksOf, successors } from "../graph/index.ts";
import type { SimulationInput } from "./simulation.ts";

export interface SampledTarget {
  readonly level: number;
  /** The probability with which the claim may be wrong. */
  readonly alpha: number;
  readonly seed: number;
  /** The pages in the crawl's own order. */
  readonly crawl: Uint32Array;
  /** The downloads in that order after which the level is proven. */
  readonly provenAt: number | undefined;
}

/** Pages fetched in all, by crawl and walks, when the level was first claimed; undefined if it was not. */
export function firstClaimed(
  { graph, damping, trust }: Pick<SimulationInput, "graph" | "damping" | "trust">,
  { level, alpha, seed, crawl, provenAt = Infinity }: SampledTarget,
): number | undefined {
  const ledger = new MassLedger({ links: linksOf(graph), pages: graph.pages, damping, keepsRanks: false });
  for (const [page, weight] of trust) ledger.trusted(page, weight);
  const random = new Random(seed);
  const look = new Look({ alpha: alphaOfLook(alpha, 1), levels: [level], seed: random.uint32() });
  const schedule = new LookSchedule({ look, trust, seed: random.uint32() });
  const isFetched = new Uint8Array(graph.pages);
  const join = (page: number): void => {
    isFetched[page] = 1;
    ledger.downloaded(page);
  };
  for (const [before, page] of crawl.entries()) {
    if (isFetched[page] === 0) join(page);
    if (before + 1 >= provenAt) return ledger.downloadedCount;
    while (ledger.downloadedCount >= schedule.nextDecision && schedule.isTimeToWalk(ledger)) {
      look.beginRound(ledger);
      const fetched: number[] = [];
      for (let k = 0; k < WALKS_PER_ROUND && look.shown < level; k++) {
        follow(look.draw());
        look.enter();
      }
      if (look.shown >= level) return ledger.downloadedCount + fetched.length;
      for (const each of fetched) join(each);

      function follow(walk: Walk): void {
        while (!walk.hasEnded) {
          const isNew = isFetched[walk.at] === 0;
          if (isNew) {
            isFetched[walk.at] = 1;
            fetched.push(walk.at);
          }
          walk.arrive({ kind: "page", links: successors(graph, walk.at) }, { isFetched: isNew });
        }
      }
    }
  }
  return undefined;
}
