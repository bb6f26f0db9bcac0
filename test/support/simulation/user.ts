/**
 * Somebody who pauses a crawl, lets it go on, changes its limits and interrupts it, at any moment and for no reason.
 */
import type { Random } from "../../../src/base/index.ts";
import type { Crawl, Limits } from "../../../src/crawl/index.ts";

/** So that a crawl comes to its end. */
const CHANGES_MAX = 6;

export class SimulatedUser {
  pauses = 0;
  limitChanges = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Between two things that happen: nearly always nothing. */
  act(crawl: Crawl, mayInterrupt: boolean): void {
    const random = this.#random;
    if (crawl.state === "paused") {
      if (random.below(8) === 0) crawl.resume();
    } else if (random.below(60) === 0) {
      crawl.pause();
      this.pauses++;
    }
    if (random.below(50) === 0 && this.limitChanges < CHANGES_MAX) {
      crawl.changeLimits(this.#limits());
      this.limitChanges++;
    }
    if (mayInterrupt && random.below(150) === 0) crawl.stop("interrupted");
  }

  #limits(): Limits {
    const random = this.#random;
    const choices = [
      {},
      { coverage: 0.3 + 0.65 * random.float() },
      { pages: 1 + random.below(30) },
      { depth: 1 + random.below(4) },
      { pagesPerHost: 1 + random.below(5) },
      { depth: 1 + random.below(4), pagesPerHost: 1 + random.below(5) },
      { bytes: 2000 + random.below(20_000) },
      { timeMs: 1 + random.below(600_000) },
    ];
    return choices[random.below(choices.length)];
  }
}
