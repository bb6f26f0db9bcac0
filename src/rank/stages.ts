/**
 * In what order the components of a condensed graph are solved (pull-solver.ts), and which threads solve them.
 *
 * A component of many arcs is a stage of its own, which all threads share: they divide its classes, so one of a single
 * class counts as small. Between two of these are runs of small ones.
 * Of a run, components that do not wait for each other form a wave (level scheduling: E. Anderson and Y. Saad, Solving
 * sparse triangular linear systems on parallel computers, Int. J. High Speed Computing 1(1), 1989): a component is in
 * the wave after the last one that leads to it. Threads divide a wave; each of its components is solved by one of them.
 * Waves of few arcs are repeated by every thread, which costs less than waiting for each other.
 *
 * Waves of a web are few: on a generated one of a million pages four in a run of 11,430 components.
 *
 * Linear in the classes and arcs of small components. Memory: 4 bytes per class and 8 per component while it runs.
 */
import type { Condensed } from "./condensed.ts";

/** What is worth the barriers that it costs. */
interface Worth {
  /** Components of fewer arcs are not shared. */
  readonly sharedArcsMin: number;
  /** Waves of fewer arcs are not divided. */
  readonly dividedArcsMin: number;
}

const WORTH: Worth = { sharedArcsMin: 128_000, dividedArcsMin: 8_000 };
/** A wave is divided into at least this many batches per thread, so that threads are done at about the same time. */
const BATCHES_PER_THREAD = 16;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Whether all threads solve each component together, divide the components, or solve all of them, each for itself. */
type StageKind = "shared" | "divided" | "repeated";

/** The components `order[from]` to `order[to - 1]`; if divided, those of the batches from `from` to `to - 1`. */
interface Stage extends Range {
  readonly kind: StageKind;
}

export interface Plan {
  /** All components. */
  readonly order: Uint32Array;
  readonly stages: readonly Stage[];
  /** Which components of `order` a thread takes at once. */
  readonly batches: readonly Range[];
}

interface Draft extends Plan {
  readonly stages: Stage[];
  readonly batches: Range[];
}

/** Every component once, after all that lead to it. */
export function planOf(condensed: Condensed, threads: number, worth = WORTH): Plan {
  const count = condensed.starts.length - 1;
  const draft: Draft = { order: new Uint32Array(count), stages: [], batches: [] };
  for (let k = 0; k < count; k++) draft.order[k] = k;
  if (threads === 1) return { ...draft, stages: [{ kind: "repeated", from: 0, to: count }] };
  for (let k = 0; k < count; ) {
    const first = k;
    while (k < count && !isShared(condensed, k, worth)) k++;
    if (k > first) addWaves(condensed, draft, { from: first, to: k }, worth.dividedArcsMin, threads);
    if (k < count) draft.stages.push({ kind: "shared", from: k, to: ++k });
  }
  return draft;
}

/** Sorts a run of small components by their waves, and adds a stage for each. */
function addWaves(
  condensed: Condensed,
  { order, stages, batches }: Draft,
  run: Range,
  dividedArcsMin: number,
  threads: number,
): void {
  const waveOf = wavesOf(condensed, run);
  const lengths: number[] = [];
  const arcs: number[] = [];
  for (let k = run.from; k < run.to; k++) {
    const wave = waveOf[k - run.from];
    lengths[wave] = (lengths[wave] ?? 0) + 1;
    arcs[wave] = (arcs[wave] ?? 0) + arcsOf(condensed, k);
  }
  const next: number[] = [];
  let from = run.from;
  for (let wave = 0; wave < lengths.length; wave++) {
    next.push(from);
    from += lengths[wave];
  }
  for (let k = run.from; k < run.to; k++) order[next[waveOf[k - run.from]]++] = k;
  for (let wave = 0; wave < lengths.length; wave++) {
    const range = { from: next[wave] - lengths[wave], to: next[wave] };
    if (arcs[wave] < dividedArcsMin) stages.push({ kind: "repeated", ...range });
    else {
      const before = batches.length;
      addBatches(condensed, order, batches, range, arcs[wave] / (threads * BATCHES_PER_THREAD));
      stages.push({ kind: "divided", from: before, to: batches.length });
    }
  }
}

/** The wave of each component of a run. */
function wavesOf({ starts, offsets, sources }: Condensed, { from: first, to: last }: Range): Uint32Array {
  const start = starts[first];
  const waveOf = new Uint32Array(last - first);
  const componentOf = new Uint32Array(starts[last] - start);
  for (let k = first; k < last; k++) {
    const own = starts[k];
    const end = starts[k + 1];
    let wave = 0;
    for (let i = own; i < end; i++) {
      componentOf[i - start] = k - first;
      for (let arc = offsets[i]; arc < offsets[i + 1] && sources[arc] < own; arc++) {
        if (sources[arc] >= start) wave = Math.max(wave, waveOf[componentOf[sources[arc] - start]] + 1);
      }
    }
    waveOf[k - first] = wave;
  }
  return waveOf;
}

function addBatches(
  condensed: Condensed,
  order: Uint32Array,
  batches: Range[],
  { from, to }: Range,
  arcs: number,
): void {
  let taken = 0;
  let start = from;
  for (let i = from; i < to; i++) {
    taken += arcsOf(condensed, order[i]);
    if (taken < arcs && i + 1 < to) continue;
    batches.push({ from: start, to: i + 1 });
    start = i + 1;
    taken = 0;
  }
}

function isShared(condensed: Condensed, k: number, { sharedArcsMin }: Worth): boolean {
  return condensed.starts[k + 1] - condensed.starts[k] > 1 && arcsOf(condensed, k) >= sharedArcsMin;
}

function arcsOf({ starts, offsets }: Condensed, k: number): number {
  return offsets[starts[k + 1]] - offsets[starts[k]];
}
