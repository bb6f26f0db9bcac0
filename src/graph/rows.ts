/** Makes rows of targets ascending and distinct, in place, as they are in every graph. */

/** Below this length insertion sort beats the call into the engine's sort. */
const INSERTION_SORT_LENGTH = 32;

/** Sorts `targets[from, to)`, keeps one of each value at the front, and returns the new end. */
export function sortDistinct(targets: Uint32Array, from: number, to: number): number {
  if (to - from > INSERTION_SORT_LENGTH) targets.subarray(from, to).sort();
  else insertionSort(targets, from, to);
  let end = from;
  for (let i = from; i < to; i++) {
    const target = targets[i];
    if (end === from || targets[end - 1] !== target) targets[end++] = target;
  }
  return end;
}

/**
 * Makes every row ascending and distinct, closes the gaps between rows, and adapts `offsets`. Returns the number of
 * arcs left. Rows that are in order already, as nearly all are in real files, cost one comparison per arc.
 */
export function tidyRows(offsets: Uint32Array, targets: Uint32Array): number {
  const pages = offsets.length - 1;
  let from = 0;
  let arcs = 0;
  for (let page = 0; page < pages; page++) {
    const to = offsets[page + 1];
    const end = isAscending(targets, from, to) ? to : sortDistinct(targets, from, to);
    if (arcs !== from) targets.copyWithin(arcs, from, end);
    arcs += end - from;
    offsets[page + 1] = arcs;
    from = to;
  }
  return arcs;
}

function isAscending(targets: Uint32Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (targets[i - 1] >= targets[i]) return false;
  return true;
}

function insertionSort(targets: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const target = targets[i];
    let j = i;
    for (; j > from && targets[j - 1] > target; j--) targets[j] = targets[j - 1];
    targets[j] = target;
  }
}
