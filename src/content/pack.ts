/**
 * Which pages to pack: those that are worth most together, within a budget. This is the knapsack problem. Pages are
 * taken by value per cost, as Dantzig (1957) does, and what does not fit is passed over.
 *
 * No choice is better by more than the value of the first page that was passed over: all of the budget at the value per
 * cost of that page or better is spent, but for a rest in which it does not fit. That page alone, if it is worth more
 * than all that were taken, is the classic case in which this is bad; so the page of the greatest value is also tried
 * first. The better choice of the two is worth at least half of the best one.
 *
 * Cost: pages are offered by value, highest first, and `costMax` says up to which cost an offer is of use. It falls
 * with the value, so that most pages of a large crawl need not be looked at.
 */

interface Item {
  readonly page: number;
  readonly value: number;
  readonly cost: number;
}

export class PackChoice {
  readonly #budget: number;
  readonly #items: Item[] = [];
  /** The value per cost of the first page that is passed over; undefined while all fit. */
  #cut: number | undefined;
  #itemsAtCut = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** The most that a page of this value may cost to be of use: nothing is lost without one that costs more. */
  costMax(value: number): number {
    if (this.#cut === undefined) return this.#budget;
    return value === 0 ? 0 : Math.min(this.#budget, Math.floor(value / this.#cut));
  }

  /** Offers a page; one that costs more than the whole budget is no offer. */
  offer(page: number, value: number, cost: number): void {
    if (cost > this.#budget) return;
    this.#items.push({ page, value, cost });
    // Late is no mistake: the cut only rises with the offers.
    if (this.#items.length < GROWTH * this.#itemsAtCut) return;
    this.#itemsAtCut = this.#items.length;
    const { passedOver } = filled(byDensity(this.#items), this.#budget);
    this.#cut = passedOver === undefined ? undefined : density(passedOver);
  }

  /** The pages to pack, in the order in which they were offered. */
  chosen(): { readonly pages: readonly number[]; readonly cost: number } {
    const sorted = byDensity(this.#items);
    const usual = filled(sorted, this.#budget);
    const [best] = this.#items.toSorted((a, b) => b.value - a.value);
    if (best === undefined) return { pages: [], cost: 0 };
    const others = sorted.filter((item) => item !== best);
    const around = filled(others, this.#budget - best.cost);
    const taken = usual.value >= best.value + around.value ? usual.taken : around.taken.add(best);
    const items = this.#items.filter((item) => taken.has(item));
    return { pages: items.map(({ page }) => page), cost: items.reduce((sum, { cost }) => sum + cost, 0) };
  }
}

/** How much the number of offers grows before the cut is found again. */
const GROWTH = 1.1;

interface Filled {
  readonly taken: Set<Item>;
  readonly value: number;
  readonly passedOver: Item | undefined;
}

function filled(items: readonly Item[], budget: number): Filled {
  const taken = new Set<Item>();
  let left = budget;
  let value = 0;
  let passedOver: Item | undefined;
  for (const item of items) {
    if (item.cost <= left) {
      taken.add(item);
      left -= item.cost;
      value += item.value;
    } else passedOver ??= item;
  }
  return { taken, value, passedOver };
}

function byDensity(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => density(b) - density(a));
}

function density({ value, cost }: Item): number {
  return value / cost;
}
