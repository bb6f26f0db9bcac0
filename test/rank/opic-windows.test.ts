/** What OPIC remembers, against lists of all that happened: the slow way round, by the definitions of the paper. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Opic, type OpicMemory } from "../../src/rank/index.ts";
import { createHistory } from "../../src/rank/opic-memory.ts";
import { cases } from "../support/cases.ts";

interface Read {
  readonly clock: number;
  readonly cash: number;
}

/** Everything that happened to a page; its discovery counts as a read that handed on nothing. */
interface Life {
  readonly discovered: number;
  readonly reads: readonly Read[];
}

/** Importance by definition, of a page that has this cash now. */
type Definition = (life: Life, cash: number, clock: number) => number;

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** What came in since the oldest of the last n reads, over the clock since. */
const variable =
  (n: number): Definition =>
  ({ discovered, reads }, cash, clock) => {
    const [oldest, ...later] = [{ clock: discovered, cash: 0 }, ...reads].slice(-n);
    const since = clock - (oldest?.clock ?? 0);
    return since === 0 ? 0 : (cash + total(later.map((read) => read.cash))) / since;
  };

/** What was handed on in the last T of the clock, and the cash it has, over T. */
const fixed =
  (window: number): Definition =>
  ({ reads }, cash, clock) =>
    (cash + total(reads.filter((read) => read.clock >= clock - window).map((read) => read.cash))) / window;

/** What was handed on after the oldest of the last n reads, over the clock from that one to the last. */
const literalVariable =
  (n: number): Definition =>
  ({ discovered, reads }) => {
    const [oldest, ...later] = [{ clock: discovered, cash: 0 }, ...reads].slice(-n);
    const between = (later.at(-1)?.clock ?? oldest.clock) - oldest.clock;
    return between === 0 ? 0 : total(later.map((read) => read.cash)) / between;
  };

/** H (T-g)/T + C if g < T, else C T/g, read after read; H / T. */
const bao =
  (window: number): Definition =>
  ({ discovered, reads }) => {
    let history = 0;
    let last = discovered;
    for (const { clock, cash } of reads) {
      const g = clock - last;
      history = g < window ? (history * (window - g)) / window + cash : (cash * window) / g;
      last = clock;
    }
    return history / window;
  };

/** One event: how far the clock moves, which page is read with how much cash; page 0 to 3 are there from the start. */
const event = fc.record({ passes: fc.nat(8), page: fc.nat(6), cash: fc.nat(10) });

describe.each<[string, OpicMemory, Definition]>([
  ["a variable window of 1 read", { kind: "variable", reads: 1 }, variable(1)],
  ["a variable window of 2 reads", { kind: "variable", reads: 2 }, variable(2)],
  ["a variable window of 4 reads", { kind: "variable", reads: 4 }, variable(4)],
  ["a fixed window", { kind: "fixed", window: 16 }, fixed(16)],
  ["a variable window as printed", { kind: "variable", reads: 3, literal: true }, literalVariable(3)],
  [
    "a fixed window as printed",
    { kind: "fixed", window: 16, literal: true },
    (life, _cash, clock) => fixed(16)(life, 0, clock),
  ],
  ["BAO", { kind: "bao", window: 16 }, bao(16)],
])("%s", (_, memory, definition) => {
  it("estimates what its definition says, after any reads of pages that came early or late", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.nat(10), (events, cash) => {
        const history = createHistory(memory, 4);
        history.grow(7);
        const lives = new Map<number, { discovered: number; reads: Read[] }>();
        let clock = 0;
        const lifeOf = (page: number) => {
          const life = lives.get(page) ?? { discovered: clock, reads: [] };
          if (!lives.has(page)) history.discovered?.(page, clock);
          lives.set(page, life);
          return life;
        };
        for (let page = 0; page < 4; page++) lifeOf(page);
        for (const each of events) {
          clock += each.passes / 4;
          lifeOf(each.page).reads.push({ clock, cash: each.cash });
          history.read(each.page, each.cash, clock);
        }
        for (const [page, life] of lives) {
          expect(history.estimate(page, cash, clock)).toBeCloseTo(definition(life, cash, clock), 9);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("a variable window by hand", () => {
  it("of three reads is what came in since the third last, over the clock since", () => {
    const history = createHistory({ kind: "variable", reads: 3 }, 1);
    history.discovered?.(0, 2);
    // Before there are three reads, discovery at clock 2 is the oldest.
    history.read(0, 6, 4);
    expect(history.estimate(0, 1, 9)).toBeCloseTo((6 + 1) / 7, 12);
    history.read(0, 5, 10);
    history.read(0, 4, 12);
    // The third last is that at clock 4, whose own 6 came in before it.
    expect(history.estimate(0, 1, 14)).toBeCloseTo((5 + 4 + 1) / 10, 12);
    history.read(0, 3, 20);
    expect(history.estimate(0, 1, 22)).toBeCloseTo((4 + 3 + 1) / 12, 12);
  });
});

describe("a fixed window that holds more and more reads", () => {
  it("loses none of them, and none stays too long", () => {
    // 1,500 reads, one each 1 of the clock, then 3,000 within 30: a window of 100 fills up after its ring has gone
    // round.
    const window = 100;
    const history = createHistory({ kind: "fixed", window }, 5);
    const lives = Array.from({ length: 5 }, () => ({ discovered: 0, reads: new Array<Read>() }));
    let clock = 0;
    const check = (now: number) => {
      for (const [page, life] of lives.entries())
        expect(history.estimate(page, 1, now)).toBeCloseTo(fixed(window)(life, 1, now), 9);
    };
    for (let k = 0; k < 4500; k++) {
      clock += k < 1500 ? 1 : 0.01;
      lives[k % 5]?.reads.push({ clock, cash: k % 7 });
      history.read(k % 5, k % 7, clock);
      if (k % 100 === 0) check(clock);
    }
    for (let later = 0.005; later < 140; later += 10) check(clock + later);
  });
});

describe("a read", () => {
  it("hands nothing to the page itself, nor to one that was removed", () => {
    const opic = new Opic({ pages: 4, damping: 0.8, memory: { kind: "literal" } });
    opic.removePage(3);
    // Three pages are left. Each has 1/4, and the virtual page has 1/4.
    opic.read(0, Uint32Array.of(0, 1, 3));
    // Page 0 hands 0.8 of 1/4 to 1, the rest to the virtual page, which gives a third of 1/4 + 1/20 to each.
    expect(opic.cashOf(0)).toBeCloseTo(0.1, 14);
    expect(opic.cashOf(1)).toBeCloseTo(0.25 + 0.2 + 0.1, 14);
    expect(opic.cashOf(2)).toBeCloseTo(0.25 + 0.1, 14);
  });
});
