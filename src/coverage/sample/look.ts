/**
 * One look of the sampled certificate (C8): the downloaded pages D are fixed, lives are followed from what is open, and
 * what they show is tested level by level.
 *
 * Valid whenever it is stopped, as long as every walk that was drawn is entered, in the order of drawing, whatever came
 * of it. `Look` sees to that: results wait for those drawn before them.
 */
import { Random } from "../../base/index.ts";
import { isOutside } from "../certificate.ts";
import { isDownloaded, PageState } from "../facts.ts";
import type { MassLedger } from "../ledger.ts";
import { BettingTest } from "./betting.ts";
import { type Lives, livesOf } from "./lives.ts";
import { Walk } from "./walk.ts";

export interface LookOptions {
  /** Must not change any more, and nothing may wait on its downloaded pages but what rounding left. */
  readonly ledger: MassLedger;
  /** The probability with which this look may be wrong. */
  readonly alpha: number;
  /** Levels of coverage to test, rising. */
  readonly levels: readonly number[];
  readonly seed: number;
}

export class Look {
  readonly #ledger: MassLedger;
  readonly #lives: Lives;
  readonly #alpha: number;
  readonly #levels: readonly number[];
  readonly #tests: readonly BettingTest[];
  readonly #seed: number;
  /** Open URLs, and the flow to them and to all before them. */
  readonly #open: Uint32Array;
  readonly #flows: Float64Array;
  readonly #drawn: Walk[] = [];
  #entered = 0;

  constructor({ ledger, alpha, levels, seed }: LookOptions) {
    this.#ledger = ledger;
    this.#lives = livesOf(ledger);
    this.#alpha = alpha;
    this.#levels = levels;
    this.#seed = seed;
    ({ pages: this.#open, flows: this.#flows } = openFlows(ledger));
    this.#tests = levels.map((level) => this.#testOf(level));
  }

  /** All that flows to open URLs; 0 if there is nothing to look at. */
  get flow(): number {
    return this.#flows.at(-1) ?? 0;
  }

  /** Draws the next walk. Each has dice of its own, so its course does not depend on the others. */
  draw(): Walk {
    const random = new Random(this.#seed, this.#drawn.length);
    const at = random.float() * this.flow;
    const walk = new Walk(this.#open[firstAbove(this.#flows, at)], {
      ledger: this.#ledger,
      lives: this.#lives,
      random,
    });
    this.#drawn.push(walk);
    return walk;
  }

  /** Enters the walks that have ended, up to the first that has not. Returns the greatest level that is shown so far. */
  enter(): number {
    for (; this.#entered < this.#drawn.length && this.#drawn[this.#entered].at < 0; this.#entered++) {
      const { inside, outside } = this.#drawn[this.#entered];
      for (const [k, level] of this.#levels.entries()) this.#tests[k].add((1 - level) * inside - level * outside);
    }
    const failing = this.#tests.findIndex((test) => !test.isProved(this.#alpha));
    return failing === 0 ? 0 : (this.#levels.at(failing < 0 ? -1 : failing - 1) ?? 0);
  }

  #testOf(level: number): BettingTest {
    const { damping, rankInside } = this.#ledger;
    const threshold = (level * missedAtLeast(this.#ledger) - (1 - level) * rankInside) / this.flow;
    return new BettingTest(threshold, -level / (1 - damping));
  }
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

/** Visits that no walk can find: to dead pages of the universe, and all that may follow flows that cannot be tried. */
function missedAtLeast(ledger: MassLedger): number {
  const { pages, state, waiting, settled, damping, universe } = ledger;
  let dead = 0;
  let lost = ledger.flowUnknown + (1 - damping) * ledger.delta;
  for (let page = 0; page < pages; page++) {
    const of = state[page];
    if (isOutside(of, universe) || of === PageState.Open) continue;
    if (of === PageState.Dead) dead += waiting[page] + settled[page];
    // What waits on downloaded pages is what rounding left.
    else if (of >= PageState.Refused || isDownloaded(of)) lost += waiting[page];
  }
  return dead + lost / (1 - damping);
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
