/**
 * What is expected of a surfer's life that is at a downloaded page, until it leaves the downloaded pages D: its visits
 * to D (h), its visits to pages whose links are not all known (p), and its arrivals at URLs outside D (e).
 *
 * Solved by Gauss-Seidel from below on h = 1 + d W h (and likewise p and e), where W follows the links of D within D.
 */
import { PageState, isDownloaded } from "../facts.ts";
import type { MassLedger } from "../ledger.ts";

const TOLERANCE = 1e-13;

export interface Lives {
  readonly visits: Float64Array;
  readonly unknown: Float64Array;
  readonly exits: Float64Array;
}

export function livesOf(ledger: MassLedger): Lives {
  const { pages, state, links, damping, finalPages, finalCount } = ledger;
  const visits = new Float64Array(pages);
  const unknown = new Float64Array(pages);
  const exits = new Float64Array(pages);
  const { targets, starts, ends } = links;
  for (let change = 1; change > TOLERANCE; ) {
    change = 0;
    for (let k = finalCount - 1; k >= 0; k--) {
      const page = finalPages[k];
      if (!isDownloaded(state[page])) continue;
      let sumVisits = 0;
      let sumUnknown = 0;
      let sumExits = 0;
      const isKnown = state[page] === PageState.Downloaded;
      const start = starts[page];
      const count = isKnown ? ends[page] - start : 0;
      for (let at = start; at < start + count; at++) {
        const target = ledger.resolve(targets[at]);
        if (isDownloaded(state[target])) {
          sumVisits += visits[target];
          sumUnknown += unknown[target];
          sumExits += exits[target];
        } else sumExits++;
      }
      const share = count === 0 ? 0 : damping / count;
      const newVisits = 1 + share * sumVisits;
      change = Math.max(change, newVisits - visits[page], share * sumExits - exits[page]);
      visits[page] = newVisits;
      unknown[page] = (isKnown ? 0 : 1) + share * sumUnknown;
      exits[page] = share * sumExits;
    }
  }
  return { visits, unknown, exits };
}
