/**
 * Raises the bound of a ledger to the best that its facts allow (C4): pushes final pages again and again ("virtual
 * crawl"). This is Gauss-Seidel on x = (1-d) t + d W_D x started from below, so x never exceeds the solution.
 *
 * Invariant: the bound is true before, during and after; the best one lies between `bound()` and
 * `boundAtMost(waiting)`. Cost: a sweep over the final pages leaves at most a share (1 + d) / 2 of what waited, usually
 * less. Pages that hold less than half of the average are left for a later sweep, which halves the number of arc
 * updates.
 */
import type { MassLedger } from "./ledger.ts";

export interface TightenGoal {
  /** Stop when the bound is this close to the best one, as a share of what is still missing. */
  readonly relativeGap?: number;
  /** Stop when the bound is this close to the best one. */
  readonly absoluteGap?: number;
  /** Stop as soon as the bound has reached this level, or certainly cannot. */
  readonly level?: number;
}

/** Pushes until the goal is reached. Returns what still waits inside. */
export function tighten(ledger: MassLedger, goal: TightenGoal): number {
  for (;;) {
    const waiting = ledger.waitingInside();
    if (waiting === 0 || isNearEnough(ledger, waiting, goal)) return waiting;
    sweep(ledger, waiting / (2 * ledger.finalCount));
  }
}

function isNearEnough(ledger: MassLedger, waiting: number, goal: TightenGoal): boolean {
  const best = ledger.boundAtMost(waiting);
  if (goal.level !== undefined && (ledger.bound() >= goal.level || best < goal.level)) return true;
  // Measured without what `bound` subtracts for rounding: that part of the gap would never close.
  const gap = best - ledger.boundAtMost(0);
  if (goal.relativeGap !== undefined && gap <= goal.relativeGap * (1 - best)) return true;
  return gap <= (goal.absoluteGap ?? 1e-13);
}

function sweep(ledger: MassLedger, threshold: number): void {
  const { finalPages, finalCount, waiting } = ledger;
  for (let k = 0; k < finalCount; k++) {
    const page = finalPages[k];
    if (waiting[page] >= threshold) ledger.push(page);
  }
}
