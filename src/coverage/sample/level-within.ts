/** The highest level of coverage that so many fetches are expected to show, by a rehearsal: it proves nothing. */
import { tighten } from "../certificate.ts";
import type { MassBook } from "../mass-book.ts";
import { levelsUpTo } from "./levels.ts";
import { LifeSample } from "./life-sample.ts";
import { rehearse, type Trust } from "./rehearsal.ts";
import { flowsOf } from "./round.ts";

const HIGHEST = 0.999;
const PRECISION = 1e-4;

export interface WalkBudget {
  /** The probability with which the look may be wrong. */
  readonly alpha: number;
  readonly fetches: number;
  readonly seed: number;
}

/** A level above what is proven; if none is expected to be shown, the lowest one. */
export function levelWithin(ledger: MassBook, trust: Trust, { alpha, fetches, seed }: WalkBudget): number {
  tighten(ledger, { relativeGap: PRECISION });
  const levels = levelsUpTo(HIGHEST).filter((level) => level > ledger.bound());
  const { open, missed } = flowsOf(ledger);
  const rehearsal = rehearse(ledger, trust, seed);
  if (open === 0 || rehearsal === undefined) return levels[0] ?? HIGHEST;
  const sample = new LifeSample();
  sample.rehearsal = rehearsal;
  sample.update([], ledger.downloadedCount);
  const perFlow = { rank: ledger.rankInside / open, missed: missed / open };
  const isExpected = (level: number): boolean => {
    sample.mean(level);
    return (sample.growth(level, perFlow, ledger.damping) * fetches) / sample.fetches >= -Math.log(alpha);
  };
  return levels.findLast(isExpected) ?? levels[0] ?? HIGHEST;
}
