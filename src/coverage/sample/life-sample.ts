/** What lives are expected to show, by those that were followed lately and by a rehearsal. */
import { BET_SIZES } from "./betting.ts";
import type { EnteredWalk } from "./look.ts";
import type { Rehearsal } from "./rehearsal.ts";
import type { Found } from "./round.ts";

/** A rehearsal counts as much as this many walks. */
const REHEARSAL_WEIGHT = 5;
/** A walk counts less with every later one, and with the growth of the crawl since, to this power. */
const DECAY = 0.985;
const GROWTH_POWER = 4;
/** Walks that count less than this are forgotten. */
const WEIGHT_LEAST = 0.02;
/** Lives are assumed to bring this many standard errors more than they did. */
const OPTIMISM = 0.5;
/** Below this, growth is not worth a walk. */
const GROWTH_LEAST = 1e-4;

interface Weighted extends Found {
  readonly weight: number;
}

export class LifeSample {
  rehearsal: Rehearsal | undefined;
  #walks: readonly (Weighted & { readonly fetched: number })[] = [];
  #lives: readonly Weighted[] = [];
  #weight = 0;
  #optimism = 0;

  update(entered: readonly EnteredWalk[], downloads: number): void {
    const walks: (Weighted & { readonly fetched: number })[] = [];
    let recency = 1;
    for (let k = entered.length - 1; k >= 0 && recency > WEIGHT_LEAST; k--, recency *= DECAY) {
      const walk = entered[k];
      walks.push({ ...walk, weight: recency * (walk.downloads / downloads) ** GROWTH_POWER });
    }
    const { lives = [] } = this.rehearsal ?? {};
    this.#walks = walks;
    this.#lives = [...lives.map((life) => ({ ...life, weight: REHEARSAL_WEIGHT / lives.length })), ...walks];
    this.#weight = this.#lives.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** The average life, and with it the optimism about this level. */
  mean(level: number): Found {
    const value = ({ inside, outside }: Found): number => (1 - level) * inside - level * outside;
    const inside = this.#average((life) => life.inside);
    const outside = this.#average((life) => life.outside);
    const average = value({ inside, outside });
    const variance = this.#average((life) => (value(life) - average) ** 2);
    this.#optimism = OPTIMISM * Math.sqrt(variance / Math.max(1, this.#weight));
    return { inside, outside };
  }

  /** How many pages a walk is expected to fetch. */
  get fetches(): number {
    const { fetches = 0 } = this.rehearsal ?? {};
    const prior = this.rehearsal === undefined ? 0 : REHEARSAL_WEIGHT;
    const sum = this.#walks.reduce((total, { weight, fetched }) => total + weight * fetched, prior * fetches);
    return Math.max(1, sum / this.#weight);
  }

  /**
   * How much a walk is expected to add to the logarithm of the capital that is bet on this level, with the best size of
   * bet; 0 if nothing, infinite if the level is proven. `perFlow` is R, and what no walk can find, both divided by the
   * flow F of the moment considered.
   */
  growth(level: number, perFlow: { readonly rank: number; readonly missed: number }, damping: number): number {
    const given = (1 - level) * perFlow.rank - level * perFlow.missed;
    const worst = given - level / (1 - damping);
    if (worst >= 0) return Infinity;
    if (this.#weight === 0) return 0;
    const gain = ({ inside, outside }: Found): number =>
      given + (1 - level) * inside - level * outside + this.#optimism;
    const growths = BET_SIZES.map((size) => this.#average((life) => Math.log1p((size * gain(life)) / -worst)));
    const best = Math.max(...growths);
    return best > GROWTH_LEAST ? best : 0;
  }

  #average(of: (life: Found) => number): number {
    if (this.#weight === 0) return 0;
    return this.#lives.reduce((sum, life) => sum + life.weight * of(life), 0) / this.#weight;
  }
}
