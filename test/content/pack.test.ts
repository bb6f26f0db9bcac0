/** Which pages are packed: compared with all choices there are, and with the truth that no crawler can see. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PackChoice } from "../../src/content/pack.ts";
import { certify, knownRanking, MassLedger, subsetShare, type Universe } from "../../src/coverage/index.ts";
import { cases } from "../support/cases.ts";
import { truthAllowed, truthOf } from "../support/truth.ts";
import { FactEmitter, factsInAnyOrder, world } from "../support/worlds.ts";

interface Item {
  readonly value: number;
  readonly cost: number;
}

const item = fc.record({ value: fc.nat(20), cost: fc.integer({ min: 1, max: 12 }) });
/** By value, highest first. */
const items = (maxLength: number): fc.Arbitrary<Item[]> =>
  fc.array(item, { maxLength }).map((drawn) => drawn.toSorted((a, b) => b.value - a.value));

function chosenOf(offers: readonly Item[], budget: number): readonly number[] {
  const choice = new PackChoice(budget);
  for (const [page, { value, cost }] of offers.entries()) choice.offer(page, value, cost);
  const { pages, cost } = choice.chosen();
  expect(cost).toBe(total(offers, pages, "cost"));
  return pages;
}

const total = (offers: readonly Item[], pages: readonly number[], what: keyof Item): number =>
  pages.reduce((sum, page) => sum + offers[page][what], 0);

/** The best value for every budget, by dynamic programming. */
function bestValue(offers: readonly Item[], budget: number): number {
  const best = new Float64Array(budget + 1);
  for (const { value, cost } of offers) {
    for (let left = budget; left >= cost; left--) best[left] = Math.max(best[left], best[left - cost] + value);
  }
  return best[budget];
}

describe("the choice of pages", () => {
  it("stays within the budget, has every page once, and loses less than the first page that is passed over", () => {
    fc.assert(
      fc.property(items(12), fc.nat(40), (offers, budget) => {
        const chosen = chosenOf(offers, budget);
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
        expect(total(offers, chosen, "cost")).toBeLessThanOrEqual(budget);
        const value = total(offers, chosen, "value");
        const best = bestValue(offers, budget);
        expect(2 * value).toBeGreaterThanOrEqual(best);
        const fitting = offers.filter(({ cost }) => cost <= budget);
        let left = budget;
        const passedOver = fitting
          .toSorted((a, b) => b.value / b.cost - a.value / a.cost)
          .find(({ cost }) => (left -= cost) < 0);
        expect(value).toBeGreaterThanOrEqual(best - (passedOver?.value ?? 0));
      }),
      { numRuns: cases(3000) },
    );
  });

  it("loses as little if only those pages are offered that `costMax` lets through", () => {
    fc.assert(
      fc.property(items(60), fc.nat(60), (offers, budget) => {
        const choice = new PackChoice(budget);
        for (const [page, { value, cost }] of offers.entries()) {
          if (cost <= choice.costMax(value)) choice.offer(page, value, cost);
        }
        const value = total(offers, choice.chosen().pages, "value");
        const best = bestValue(offers, budget);
        const most = Math.max(0, ...offers.filter(({ cost }) => cost <= budget).map((each) => each.value));
        expect(value).toBeGreaterThanOrEqual(best - most);
        expect(2 * value).toBeGreaterThanOrEqual(best);
      }),
      { numRuns: cases(2000) },
    );
  });

  it("is one large page if it is worth more than all short ones", () => {
    const offers = [
      { value: 10, cost: 10 },
      { value: 2, cost: 1 },
    ];
    expect(chosenOf(offers, 10)).toEqual([0]);
    expect(chosenOf(offers, 11)).toEqual([0, 1]);
  });

  it("fills the rest with what still fits", () => {
    const offers = [
      { value: 6, cost: 6 },
      { value: 5, cost: 6 },
      { value: 1, cost: 4 },
    ];
    expect(chosenOf(offers, 10)).toEqual([0, 2]);
  });

  it("lets everything through until the budget is spent, then what is worth more per token", () => {
    const choice = new PackChoice(10);
    expect(choice.costMax(0)).toBe(10);
    choice.offer(0, 8, 4);
    expect(choice.costMax(0.001)).toBe(10);
    choice.offer(1, 6, 6);
    choice.offer(2, 4, 8);
    choice.offer(3, 1, 9);
    expect(choice.costMax(4)).toBe(8);
    expect(choice.costMax(1)).toBe(2);
    expect(choice.costMax(0)).toBe(0);
  });

  it("has pages of no importance as long as there is room", () => {
    expect(chosenOf([{ value: 0, cost: 3 }], 3)).toEqual([0]);
    expect(chosenOf([{ value: 0, cost: 3 }], 2)).toEqual([]);
  });
});

describe("what packed pages hold", () => {
  it("is never more than they truly have of all importance, and is the sum of their own shares", () => {
    const crawl = world.chain((world) =>
      fc.record({
        world: fc.constant(world),
        facts: factsInAnyOrder(world),
        universe: fc.constantFrom<Universe>("everything", "allowed"),
        costs: fc.array(fc.integer({ min: 1, max: 9 }), {
          minLength: world.urls.length,
          maxLength: world.urls.length,
        }),
        budget: fc.nat(20),
      }),
    );
    fc.assert(
      fc.property(crawl, ({ world, facts, universe, costs, budget }) => {
        const emitter = new FactEmitter(world, ["trap", "limit", "failed", "blocked"]);
        const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe }));
        for (const fact of facts) emitter.emit(fact);
        certify(ledger);
        const choice = new PackChoice(budget);
        for (const page of knownRanking(ledger)) choice.offer(page, ledger.settled[page], costs[page]);
        const { pages: chosen } = choice.chosen();
        const { ranks, sum } = universe === "allowed" ? truthAllowed(world) : truthOf(world);
        const truly = sum === 0 ? 0 : chosen.reduce((share, page) => share + ranks[page] / sum, 0);
        expect(subsetShare(ledger, chosen)).toBeLessThanOrEqual(truly + 1e-13);
        if (ledger.whole < 1e-3) return;
        const singly = chosen.reduce((share, page) => share + subsetShare(ledger, [page]), 0);
        expect(subsetShare(ledger, chosen)).toBeCloseTo(singly, 6);
      }),
      { numRuns: cases(1500) },
    );
  });
});
