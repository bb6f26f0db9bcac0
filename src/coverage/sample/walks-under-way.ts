/**
 * The walks of a look's current round, followed as far as outcomes are known. What they still need is `wanted`; whoever
 * drives the look fetches it and calls `advance` again.
 */
import { assert } from "../../base/index.ts";
import { PageState } from "../facts.ts";
import type { MassLedger } from "../ledger.ts";
import type { Look } from "./look.ts";
import type { Arrival, Walk } from "./walk.ts";

/** Walks at a time. More would be fetched in vain when the first of them show enough. */
const WALKS_MAX = 4;

/** What became of a URL, as far as it is known; undefined for a URL that is still to be fetched. */
export type ArrivalOf = (url: number) => Arrival | undefined;

export class WalksUnderWay {
  readonly look: Look;
  #ledger: MassLedger | undefined;
  #walks: Walk[] = [];
  #toDraw = 0;

  constructor(look: Look) {
    this.look = look;
  }

  /** Whether the walks of the last round have all ended: only then may its ledger change. */
  get isRoundOver(): boolean {
    return this.#walks.length === 0 && this.#toDraw === 0;
  }

  /** The URLs at which walks wait. */
  get wanted(): readonly number[] {
    return this.#walks.map(({ at }) => at);
  }

  /** The downloaded pages of the ledger are fixed until the round is over. False if there is nothing to walk to. */
  beginRound(ledger: MassLedger, walks: number): boolean {
    assert(this.isRoundOver, "the walks of a round have ended before the next one begins");
    if (!this.look.beginRound(ledger)) return false;
    this.#ledger = ledger;
    this.#toDraw = walks;
    return true;
  }

  /** Follows all walks as far as outcomes are known. Ends the round once its look has shown its target. */
  advance(arrivalOf: ArrivalOf): void {
    for (;;) {
      for (const walk of this.#walks) this.#follow(walk, arrivalOf);
      this.#walks = this.#walks.filter((walk) => !walk.hasEnded);
      if (this.look.enter() >= this.look.target) return this.end();
      if (this.#toDraw === 0 || this.#walks.length >= WALKS_MAX) return;
      this.#toDraw--;
      this.#walks.push(this.look.draw());
    }
  }

  /** Gives up what is left of the round. What was entered stays valid. */
  end(): void {
    this.#walks = [];
    this.#toDraw = 0;
  }

  #follow(walk: Walk, arrivalOf: ArrivalOf): void {
    while (!walk.hasEnded) {
      const arrival = arrivalOf(walk.at);
      if (arrival === undefined) return;
      // What was open when the round began has been fetched since, for this walk or in the course of the crawl.
      const isFetched = (this.#ledger?.state[walk.at] ?? PageState.Open) === PageState.Open;
      walk.arrive(arrival, { isFetched });
    }
  }
}
