/**
 * A web whose pages change and signal it, day by day: what refresh policies are compared on.
 *
 * Hosts are of four kinds, as in the study of J. Cho and H. Garcia-Molina (The evolution of the web and implications
 * for an incremental crawler, VLDB 2000), who watched 270 sites for four months: 132 com, 78 edu, 30 net or org, 30
 * gov. Of the pages of com sites, 40% changed whenever they were visited, once a day; of edu and gov, more than half
 * did not change at all. Each kind has a share of pages for each of five ranges of the mean time between changes;
 * within a range, times are spread evenly in their logarithm. The shares that the paper does not give in numbers are
 * ours, such that all pages together are close to its 23% below a day and 30% above four months.
 *
 * Changes are a Poisson process. A change is signalled with a probability (recall); false signals come at random.
 */
import { Random } from "../../base/index.ts";
import { SILENT, type SignalQuality } from "../../refresh/index.ts";

/** Days between changes: up to a day, a week, a month, four months, and longer. */
const RANGES = [
  [1 / 8, 1],
  [1, 7],
  [7, 30],
  [30, 120],
  [120, 1500],
] as const;

/** Sites in the study, and the shares of their pages per range. */
const KINDS = [
  { sites: 132, shares: [0.4, 0.15, 0.15, 0.12, 0.18] },
  { sites: 30, shares: [0.15, 0.2, 0.2, 0.17, 0.28] },
  { sites: 78, shares: [0.08, 0.1, 0.14, 0.15, 0.53] },
  { sites: 30, shares: [0.06, 0.08, 0.12, 0.2, 0.54] },
] as const;

/** Change rates of pages by their hosts, in changes per day. */
export function mixedRates(hosts: Uint32Array, seed: number): Float64Array {
  const random = new Random(seed);
  const kinds: (typeof KINDS)[number][] = [];
  return Float64Array.from(hosts, (host) => {
    while (kinds.length <= host)
      kinds.push(
        KINDS[
          drawn(
            random,
            KINDS.map(({ sites }) => sites / 270),
          )
        ],
      );
    const [shortest, longest] = RANGES[drawn(random, kinds[host].shares)];
    return 1 / (shortest * (longest / shortest) ** random.float());
  });
}

/** An index, with these probabilities. */
function drawn(random: Random, shares: readonly number[]): number {
  let left = random.float();
  for (const [k, share] of shares.entries()) {
    left -= share;
    if (left < 0) return k;
  }
  return shares.length - 1;
}

/** Pages that change. */
export interface ChangingPages {
  readonly importance: Float64Array;
  readonly hosts: Uint32Array;
  /** Changes per day. */
  readonly rates: Float64Array;
  /** The quality of the signals of each page. */
  readonly qualityOf: (page: number) => SignalQuality;
}

export class ChangingWeb {
  readonly pages: ChangingPages;
  readonly days: number;
  /** For each day and page: when it first changes on this day, as a share of the day; 1 if it does not. */
  readonly firstChange: Float32Array;
  /** For each day and page: signals on this day. */
  readonly signals: Uint8Array;

  constructor(pages: ChangingPages, { days, seed }: { readonly days: number; readonly seed: number }) {
    const count = pages.rates.length;
    this.pages = pages;
    this.days = days;
    this.firstChange = new Float32Array(days * count).fill(1);
    this.signals = new Uint8Array(days * count);
    for (let page = 0; page < count; page++) this.#draw(page, new Random(seed, page + 1));
  }

  #draw(page: number, random: Random): void {
    const count = this.pages.rates.length;
    const { recall, falseShare } = this.pages.qualityOf(page);
    const rate = this.pages.rates[page];
    for (const time of poissonTimes(random, rate, this.days)) {
      const day = Math.floor(time);
      const place = day * count + page;
      this.firstChange[place] = Math.min(this.firstChange[place], time - day);
      if (random.float() < recall) this.#signal(place);
    }
    const falseRate = recall === 0 ? 0 : (rate * recall * falseShare) / (1 - falseShare);
    for (const time of poissonTimes(random, falseRate, this.days)) this.#signal(Math.floor(time) * count + page);
  }

  #signal(place: number): void {
    if (this.signals[place] < 255) this.signals[place]++;
  }
}

function* poissonTimes(random: Random, rate: number, end: number): Generator<number> {
  if (!(rate > 0)) return;
  for (let time = 0; ; ) {
    time -= Math.log(1 - random.float()) / rate;
    if (time >= end) return;
    yield time;
  }
}

/** The same quality for all pages. */
export const allAlike = (quality: SignalQuality) => (): SignalQuality => quality;

/** No page signals anything. */
export const silent = allAlike(SILENT);
