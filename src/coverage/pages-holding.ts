/**
 * How unevenly importance waits on the frontier: the fewest open pages that hold a share of it. Weights are sorted into
 * classes of a sixteenth of a factor of two, which takes one pass and no sort; within a class they count as equal, so
 * the answer may be off by a few percent.
 */
import { PageState } from "./facts.ts";
import type { PageMasses } from "./missing.ts";

const CLASSES_PER_OCTAVE = 16;
/** Down to 2^-64; what is lighter counts with the lightest. */
const CLASSES = 64 * CLASSES_PER_OCTAVE;

/** The fewest open pages on which this share of all that waits on open pages waits; all of them for a share of 1. */
export function pagesHolding(masses: Pick<PageMasses, "pages" | "state" | "arrived">, share: number): number {
  const { pages, state } = masses;
  const mass = new Float64Array(CLASSES);
  const count = new Float64Array(CLASSES);
  let total = 0;
  for (let page = 0; page < pages; page++) {
    if (state[page] !== PageState.Open) continue;
    const weight = masses.arrived(page);
    if (weight === 0) continue;
    const index = Math.min(CLASSES - 1, Math.max(0, Math.floor(-CLASSES_PER_OCTAVE * Math.log2(weight))));
    mass[index] += weight;
    count[index]++;
    total += weight;
  }
  let held = 0;
  let holders = 0;
  for (let index = 0; index < CLASSES && held < share * total; index++) {
    const part = mass[index] === 0 ? 0 : Math.min(1, (share * total - held) / mass[index]);
    held += part * mass[index];
    holders += part * count[index];
  }
  return holders;
}
