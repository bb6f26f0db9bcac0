import type { LinkTable } from "../../src/graph/index.ts";

/** The links of page i are `targets[starts[i]]` to `targets[ends[i] - 1]`. */
export function linkTable(rows: {
  readonly targets: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}): LinkTable {
  const { targets, starts, ends } = rows;
  return {
    count: (page) => ends[page] - starts[page],
    row: (page) => ({ targets, start: starts[page], end: ends[page] }),
  };
}
