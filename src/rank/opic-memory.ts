/**
 * What OPIC remembers of each page: all of its history, or a window of it (OPIC, sections 2 and 3; BAO from the full
 * paper).
 *
 * Time is the clock G, the cash handed on so far by all pages. A page that is read hands on the cash C that it received
 * since it was last read. Its importance is the rate at which cash comes in, estimated by
 *
 *     literal    (H + C) / (G + 1), as in the paper: H is all that it handed on, C what it has.
 *     all        what came in, over G: the same without the cash that pages had at the start. Exact in the limit, but
 *                blind to change.
 *     fixed      what was handed on in the clock's last T, plus the cash it has, over T. Memory: 20 bytes per read in
 *                the window.
 *     variable   what came in since the oldest of the last n reads, over the clock since. Memory: 16 n bytes per page.
 *     bao        H / T, with H what came in during T before the last read, by interpolation: H (T-g)/T + C if g < T,
 *                else C T/g, with g the clock since the read before. Memory: 16 bytes per page.
 *
 * Why not the paper's estimate: what came in at page j is the sum of what others handed to it, so `all` is L' (H/G),
 * one more step of the power method on the shares H/G. The paper's sum also contains the initial cash for good. At the
 * same number of reads the error of `all` is two to four times smaller (experiment opic-convergence). The windows leave
 * the initial cash out too.
 *
 * Where the papers are silent: cash on a page counts as soon as it arrives (`fixed`, `variable`), as in the static
 * estimate; otherwise a page that was not read within the window would be worth nothing. A page that was never read is
 * estimated from the clock at which it was discovered. Estimates are not normalised: opic.ts divides by their sum.
 *
 * The windows as printed in section 3 (`literal`) have only what was handed on: `fixed` the history between G - T and
 * G, `variable` what was handed on after the oldest of the last n reads, over the clock from that read to the last one.
 * Both contain the initial cash until it leaves the window.
 */
import { enlarged, UsageError } from "../base/index.ts";

/** What OPIC remembers of each page: all history (`literal`: as in the paper), a window of the clock, or last reads. */
export type OpicMemory =
  | { readonly kind: "all" | "literal" }
  | { readonly kind: "fixed"; readonly window: number; readonly literal?: boolean }
  | { readonly kind: "variable"; readonly reads: number; readonly literal?: boolean }
  | { readonly kind: "bao"; readonly window: number };

/** The most reads per page that `variable` may keep; the paper finds 4 good. */
const READS_MAX = 1000;

/** Whether estimates are those of the paper, with the cash that pages had at the start. */
export function isLiteral(memory: OpicMemory): boolean {
  return memory.kind === "literal" || ("literal" in memory && memory.literal === true);
}

export interface CreditHistory {
  grow(pages: number): void;
  /** A page was discovered. Called once per page: a removed page never comes back under its id. */
  discovered?(page: number, clock: number): void;
  /** A page handed on its cash, which advanced the clock to this time. */
  read(page: number, cash: number, clock: number): void;
  /** Importance up to a common factor, for a page that has this cash now. */
  estimate(page: number, cash: number, clock: number): number;
}

export function createHistory(memory: OpicMemory, pages: number): CreditHistory {
  const history = emptyHistory(memory);
  history.grow(pages);
  return history;
}

function emptyHistory(memory: OpicMemory): CreditHistory {
  switch (memory.kind) {
    case "all":
    case "literal":
      return new WholeHistory();
    case "fixed":
      return new FixedWindow(checkWindow(memory.window), isLiteral(memory));
    case "variable":
      return new VariableWindow(checkReads(memory), isLiteral(memory));
    case "bao":
      return new Interpolation(checkWindow(memory.window));
  }
}

function checkWindow(window: number): number {
  if (window > 0 && window < Infinity) return window;
  throw new UsageError(`the window is ${window}, expected a number above 0: the part of the clock that counts`);
}

/** Between one read and itself no clock passes, so the literal window has at least two. */
function checkReads({ reads, literal }: Extract<OpicMemory, { kind: "variable" }>): number {
  const least = literal === true ? 2 : 1;
  if (Number.isInteger(reads) && reads >= least && reads <= READS_MAX) return reads;
  throw new UsageError(`the window is ${reads} reads, expected a whole number from ${least} to ${READS_MAX}`);
}

class WholeHistory implements CreditHistory {
  #sums = new Float64Array(0);

  grow(pages: number): void {
    this.#sums = enlarged(this.#sums, pages);
  }

  read(page: number, cash: number): void {
    this.#sums[page] += cash;
  }

  estimate(page: number, cash: number): number {
    return this.#sums[page] + cash;
  }
}

/** Reads of all pages in one queue, a ring. What leaves the window is subtracted from the sum of its page. */
class FixedWindow implements CreditHistory {
  readonly #window: number;
  readonly #isLiteral: boolean;
  #sums = new Float64Array(0);
  #counts = new Uint32Array(0);
  #pages = new Uint32Array(1024);
  #cash = new Float64Array(1024);
  #clocks = new Float64Array(1024);
  #first = 0;
  #size = 0;

  constructor(window: number, literal: boolean) {
    this.#window = window;
    this.#isLiteral = literal;
  }

  grow(pages: number): void {
    this.#sums = enlarged(this.#sums, pages);
    this.#counts = enlarged(this.#counts, pages);
  }

  read(page: number, cash: number, clock: number): void {
    this.#forgetBefore(clock - this.#window);
    if (this.#size === this.#pages.length) this.#enlarge();
    const place = (this.#first + this.#size++) % this.#pages.length;
    this.#pages[place] = page;
    this.#cash[place] = cash;
    this.#clocks[place] = clock;
    this.#sums[page] += cash;
    this.#counts[page]++;
  }

  estimate(page: number, cash: number, clock: number): number {
    this.#forgetBefore(clock - this.#window);
    return (this.#sums[page] + (this.#isLiteral ? 0 : cash)) / this.#window;
  }

  #forgetBefore(clock: number): void {
    while (this.#size > 0 && this.#clocks[this.#first] < clock) {
      const page = this.#pages[this.#first];
      // An empty sum is 0, not what rounding has left.
      if (--this.#counts[page] === 0) this.#sums[page] = 0;
      else this.#sums[page] -= this.#cash[this.#first];
      this.#first = (this.#first + 1) % this.#pages.length;
      this.#size--;
    }
  }

  #enlarge(): void {
    const capacity = this.#pages.length;
    const order = <T extends Uint32Array | Float64Array>(ring: T): T => {
      const larger = enlarged(ring, 2 * capacity);
      larger.set(ring.subarray(this.#first));
      larger.set(ring.subarray(0, this.#first), capacity - this.#first);
      return larger;
    };
    this.#pages = order(this.#pages);
    this.#cash = order(this.#cash);
    this.#clocks = order(this.#clocks);
    this.#first = 0;
  }
}

/** The last n reads of each page, a ring per page. Until there are n, the discovery counts as a read without cash. */
class VariableWindow implements CreditHistory {
  readonly #reads: number;
  readonly #isLiteral: boolean;
  #cash = new Float64Array(0);
  #clocks = new Float64Array(0);
  #counts = new Uint32Array(0);

  constructor(reads: number, literal: boolean) {
    this.#reads = reads;
    this.#isLiteral = literal;
  }

  grow(pages: number): void {
    this.#cash = enlarged(this.#cash, pages * this.#reads);
    this.#clocks = enlarged(this.#clocks, pages * this.#reads);
    this.#counts = enlarged(this.#counts, pages);
  }

  discovered(page: number, clock: number): void {
    this.read(page, 0, clock);
  }

  read(page: number, cash: number, clock: number): void {
    const place = page * this.#reads + (this.#counts[page]++ % this.#reads);
    this.#cash[place] = cash;
    this.#clocks[place] = clock;
  }

  estimate(page: number, cash: number, clock: number): number {
    const n = this.#reads;
    const count = this.#counts[page];
    const oldest = count <= n ? 0 : count % n;
    const kept = Math.min(count, n);
    const newest = this.#clocks[page * n + ((oldest + kept - 1) % n)];
    let sum = this.#isLiteral ? 0 : cash;
    // The cash of the oldest read came in before it.
    for (let k = 1; k < kept; k++) sum += this.#cash[page * n + ((oldest + k) % n)];
    const since = (this.#isLiteral ? newest : clock) - this.#clocks[page * n + oldest];
    return since > 0 ? sum / since : 0;
  }
}

class Interpolation implements CreditHistory {
  readonly #window: number;
  #history = new Float64Array(0);
  #last = new Float64Array(0);

  constructor(window: number) {
    this.#window = window;
  }

  grow(pages: number): void {
    this.#history = enlarged(this.#history, pages);
    this.#last = enlarged(this.#last, pages);
  }

  discovered(page: number, clock: number): void {
    this.#last[page] = clock;
  }

  read(page: number, cash: number, clock: number): void {
    const window = this.#window;
    const g = clock - this.#last[page];
    this.#history[page] = g < window ? this.#history[page] * ((window - g) / window) + cash : (cash * window) / g;
    this.#last[page] = clock;
  }

  estimate(page: number): number {
    return this.#history[page] / this.#window;
  }
}
