/**
 * What the walks of one round start from: the downloaded pages D as they are before the round is drawn. `ledger` must
 * not change as long as a walk of the round is under way.
 *
 * With R, F and U of D, B and V of a life (ALGORITHMS, C8): coverage(D) >= c if the mean gain is not negative, where
 *
 *     gain = (1-c) B - c V - (c (F_dead + U/(1-d)) - (1-c) R) / F
 */
import type { Random } from "../../base/index.ts";
import { isOutside } from "../certificate.ts";
import { PageState } from "../facts.ts";
import type { MassLedger } from "../ledger.ts";
import type { MassBook } from "../mass-book.ts";
import { type Lives, livesOf } from "./lives-within.ts";

/** What a life has shown: discounted visits to D and outside of it. */
export interface Found {
  readonly inside: number;
  readonly outside: number;
}

export class Round {
  readonly ledger: MassLedger;
  readonly lives: Lives;
  /** F: all that flows to open URLs; 0 if there is nothing to walk to. */
  readonly flow: number;
  readonly #missed: number;
  readonly #rankInside: number;
  readonly #open: Uint32Array;
  /** The flow to each open URL and to all before it. */
  readonly #flows: Float64Array;

  constructor(ledger: MassLedger, before?: Round) {
    this.ledger = ledger;
    this.lives = livesOf(ledger, before?.lives);
    ({ pages: this.#open, flows: this.#flows } = openFlows(ledger));
    this.flow = this.#flows.at(-1) ?? 0;
    this.#missed = flowsOf(ledger).missed;
    this.#rankInside = ledger.rankInside;
  }

  /** An open URL, drawn in proportion to the flow to it. */
  drawStart(random: Random): number {
    return this.#open[firstAbove(this.#flows, random.float() * this.flow)];
  }

  /** By how much what a life has shown is above what coverage of this level needs on average. */
  gain(level: number, { inside, outside }: Found): number {
    const needed = level * this.#missed - (1 - level) * this.#rankInside;
    return (1 - level) * inside - level * outside - needed / this.flow;
  }

  /** The least gain that a life can bring. */
  worstGain(level: number): number {
    return this.gain(level, { inside: 0, outside: 1 / (1 - this.ledger.damping) });
  }
}

export interface Flows {
  /** F: all that flows to open URLs. */
  readonly open: number;
  /**
   * Visits that no walk can find: to dead pages of the universe, and all that may follow flows that cannot be tried.
   */
  readonly missed: number;
}

export function flowsOf(ledger: MassBook): Flows {
  const { pages, state, damping, universe } = ledger;
  let open = 0;
  let dead = universe === "everything" ? ledger.rankDead : 0;
  let lost = ledger.flowUnknown + (1 - damping) * ledger.delta;
  for (let page = 0; page < pages; page++) if (state[page] === PageState.Open) open += ledger.arrived(page);
  ledger.forEachWaiting((page, mass) => {
    const of = state[page];
    if (of === PageState.Open || isOutside(of, universe)) return;
    if (of === PageState.Dead) dead += mass;
    // What waits on downloaded pages was not pushed to the end.
    else lost += mass;
  });
  return { open, missed: dead + lost / (1 - damping) };
}

function openFlows({ pages, state, waiting }: MassLedger): { pages: Uint32Array; flows: Float64Array } {
  const open: number[] = [];
  const flows: number[] = [];
  let sum = 0;
  for (let page = 0; page < pages; page++) {
    if (state[page] !== PageState.Open || waiting[page] === 0) continue;
    open.push(page);
    flows.push((sum += waiting[page]));
  }
  return { pages: Uint32Array.from(open), flows: Float64Array.from(flows) };
}

/** The first place at which a rising sequence is above a value; the last one if it is nowhere. */
function firstAbove(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
