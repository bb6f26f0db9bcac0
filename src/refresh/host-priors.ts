/**
 * What is known of the change rate of a page before it was watched: how often the other pages of its host change.
 *
 * Empirical Bayes on two levels. The prior of the crawl is the mean of the posteriors of all pages; the prior of a host
 * is the mean of those of its pages and of the crawl's prior, which weighs as much as `CRAWL_PAGES` pages; both are
 * repeated until they hardly move. A broad guess weighs as much as `GUESS_PAGES` pages of the crawl. So a host with a
 * few pages follows the crawl, a crawl that was read once follows the guess, and one that was read often follows its
 * own data. The prior is a distribution over the grid of rates, not a Gamma distribution, whose one peak fits few
 * hosts: in docs/benchmarks.md it predicts what reads find worse than the grid does.
 *
 * Cost: `ROUNDS` times the grid per page, for at most `PAGES_MAX` pages, evenly spread. Hosts of which fewer than
 * `HOST_PAGES_MIN` pages are among them share the crawl's prior, so the memory is bounded as well.
 */
import { guessedPrior, normalise, RATES_COUNT } from "./rate-grid.ts";

/** The weight of the guess, in pages of the crawl. */
const GUESS_PAGES = 20;
/** The weight of the crawl, in pages of a host. */
const CRAWL_PAGES = 20;
const PAGES_MAX = 8000;
const HOST_PAGES_MIN = 5;
const ROUNDS = 10;

/** Pages that were watched, by index. */
export interface WatchedPages {
  readonly count: number;
  /** The host of a page; undefined where hosts are not known. */
  readonly hostOf: (page: number) => number | undefined;
  /** Writes how likely each rate is for a page, given a prior. */
  readonly posteriorOf: (page: number, prior: Float64Array, posterior: Float64Array) => void;
}

/** How likely each change rate is for a page of which nothing else is known. */
export class HostPriors {
  readonly #hosts: ReadonlyMap<number, Float64Array>;
  readonly crawl: Float64Array;

  constructor(crawl: Float64Array = guessedPrior(), hosts: ReadonlyMap<number, Float64Array> = new Map()) {
    this.crawl = crawl;
    this.#hosts = hosts;
  }

  of(host: number | undefined): Float64Array {
    return host === undefined ? this.crawl : (this.#hosts.get(host) ?? this.crawl);
  }
}

/** Learns the priors from pages that were watched. */
export function learnHostPriors(pages: WatchedPages): HostPriors {
  const stride = Math.max(1, Math.ceil(pages.count / PAGES_MAX));
  const hosts = sampledHosts(pages, stride);
  const guess = guessedPrior();
  const posterior = new Float64Array(RATES_COUNT);
  let priors = new HostPriors(guess);
  for (let round = 0; round < ROUNDS; round++) {
    const crawl = guess.map((share) => GUESS_PAGES * share);
    const sums = new Map(Array.from(hosts, (host) => [host, new Float64Array(RATES_COUNT)]));
    for (let page = 0; page < pages.count; page += stride) {
      const host = pages.hostOf(page);
      pages.posteriorOf(page, priors.of(host), posterior);
      add(crawl, posterior, 1);
      const sum = host === undefined ? undefined : sums.get(host);
      if (sum !== undefined) add(sum, posterior, 1);
    }
    normalise(crawl);
    for (const sum of sums.values()) {
      add(sum, crawl, CRAWL_PAGES);
      normalise(sum);
    }
    priors = new HostPriors(crawl, sums);
  }
  return priors;
}

/** Hosts with enough pages for a prior of their own. */
function sampledHosts({ count, hostOf }: WatchedPages, stride: number): number[] {
  const sampled = new Map<number, number>();
  for (let page = 0; page < count; page += stride) {
    const host = hostOf(page);
    if (host !== undefined) sampled.set(host, (sampled.get(host) ?? 0) + 1);
  }
  return Array.from(sampled)
    .filter(([, found]) => found >= HOST_PAGES_MIN)
    .map(([host]) => host);
}

function add(sum: Float64Array, weights: Float64Array, factor: number): void {
  for (let k = 0; k < RATES_COUNT; k++) sum[k] += factor * weights[k];
}
