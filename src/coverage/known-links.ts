/**
 * The links among pages whose links are all known, compact: such pages are rows, numbered from 0, the last downloaded
 * first, since pages link to what came later. A row has only its links to other rows, redirects resolved, and the
 * number of all its links. Kernels that go over all links many times are several times as fast on it.
 */
import { PageState } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";

export interface KnownLinks {
  /** The page of each row. */
  readonly pages: Uint32Array;
  /** The row of each page; `NO_ROW` for pages without known links. */
  readonly rowOf: Uint32Array;
  /** Links of row k to rows are `targets[starts[k]]` to `targets[starts[k + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** Number of all links of a row. */
  readonly counts: Uint32Array;
}

export const NO_ROW = 0xffffffff;

/** `forOther` is told of each link of a row that leads to a page which is no row. */
export function knownLinks(ledger: MassLedger, forOther: (row: number, page: number) => void): KnownLinks {
  const { links, state } = ledger;
  const pages = rowPages(ledger);
  const rowOf = new Uint32Array(ledger.pages).fill(NO_ROW);
  for (let row = 0; row < pages.length; row++) rowOf[pages[row]] = row;
  const counts = new Uint32Array(pages.length);
  let arcs = 0;
  for (let row = 0; row < pages.length; row++) {
    counts[row] = links.count(pages[row]);
    arcs += counts[row];
  }
  const starts = new Uint32Array(pages.length + 1);
  const targets = new Uint32Array(arcs);
  let count = 0;
  for (let row = 0; row < pages.length; row++) {
    const { targets: written, start, end } = links.row(pages[row]);
    for (let at = start; at < end; at++) {
      const page = state[written[at]] === PageState.Redirected ? ledger.resolve(written[at]) : written[at];
      if (rowOf[page] === NO_ROW) forOther(row, page);
      else targets[count++] = rowOf[page];
    }
    starts[row + 1] = count;
  }
  return { pages, rowOf, starts, targets: targets.subarray(0, count), counts };
}

function rowPages({ finalPages, finalCount, state, links }: MassLedger): Uint32Array {
  const rows = new Uint32Array(finalCount);
  let count = 0;
  for (let k = finalCount - 1; k >= 0; k--) {
    const page = finalPages[k];
    if (state[page] === PageState.Downloaded && links.count(page) > 0) rows[count++] = page;
  }
  return rows.subarray(0, count);
}
