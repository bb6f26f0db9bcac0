/**
 * What a crawl of a site shape needs for a coverage: pages until it is proven, until it is proven strictly, until it is
 * actually had, and until a crawl breadth first has proven it; and what was forecast half of the way.
 */
import { Estimate } from "../../crawl/index.ts";
import type { SiteShape } from "./shapes.ts";
import { SiteCrawl } from "./site-crawl.ts";
import { trueShares } from "./site-truth.ts";

/** Options of `measureSite`. */
export interface SiteOptions {
  readonly coverage: number;
  readonly seed: number;
  readonly damping: number;
  /** Of what is sampled. */
  readonly confidence: number;
  /** How many dice are tried. */
  readonly dice: number;
}

/** Numbers of downloaded pages; undefined where the coverage is never reached. */
export interface SiteMeasures {
  readonly name: string;
  readonly title: string;
  readonly urls: number;
  /** All pages that may be fetched. */
  readonly pages: number;
  readonly proven: number | undefined;
  /** As if what is forbidden and dead counted as the worst. */
  readonly strict: number | undefined;
  /** What is proven strictly once every page is fetched. */
  readonly strictAtEnd: number;
  /** Claimed by sampling with this confidence: the median of several dice. */
  readonly sampled: number | undefined;
  readonly actual: number | undefined;
  readonly breadthFirst: number | undefined;
  readonly breadthFirstActual: number | undefined;
  /** The pages that were forecast in all, after half of those that it took. */
  readonly forecast: number | undefined;
}

export function measureSite({ name, title, generate }: SiteShape, options: SiteOptions): SiteMeasures {
  const { coverage, seed, damping } = options;
  const site = generate(seed);
  const shares = trueShares(site, damping);
  const crawl = new SiteCrawl(site, { order: "rankmass", damping });
  const breadthFirst = new SiteCrawl(site, { order: "lneighbor", damping });
  const proven = crawl.provenAt(coverage, "allowed");
  return {
    name,
    title,
    urls: site.urls.length,
    pages: crawl.pages,
    proven,
    strict: crawl.provenAt(coverage, "everything"),
    strictAtEnd: crawl.provenAtEnd("everything"),
    sampled: median(
      Array.from({ length: options.dice }, (_, dice) =>
        crawl.sampledAt(coverage, { alpha: 1 - options.confidence, seed: 2 * dice }),
      ),
    ),
    actual: actuallyAt(crawl, shares, coverage),
    breadthFirst: breadthFirst.provenAt(coverage, "allowed"),
    breadthFirstActual: actuallyAt(breadthFirst, shares, coverage),
    forecast: proven === undefined ? undefined : forecastAt(crawl, Math.floor(proven / 2), coverage),
  };
}

/** Undefined where one of them is. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return known.length < values.length ? undefined : known[known.length >>> 1];
}

/** The first number of downloads that truly hold the coverage. */
function actuallyAt(crawl: SiteCrawl, shares: Float64Array, coverage: number): number | undefined {
  let held = 0;
  const last = crawl.downloaded().findIndex((page) => (held += shares[page]) >= coverage);
  return last < 0 ? undefined : last + 1;
}

/** The number of pages that the crawl forecasts for a coverage when it has downloaded `pages`. */
export function forecastAt(crawl: SiteCrawl, pages: number, coverage: number): number | undefined {
  const estimate = new Estimate({ coverage });
  for (const point of crawl.points(moments(pages), coverage))
    estimate.add({ ...point, bytes: 0, elapsedMs: point.pages });
  const left = estimate.pagesLeft();
  return left === undefined ? undefined : pages + left;
}

/** Moments of the second half of a crawl of so many pages, a hundredth apart: estimates look no further back. */
function moments(pages: number): number[] {
  const counts = [Math.max(1, pages)];
  while (counts[0] > pages / 2 && counts[0] > 1) counts.unshift(Math.min(counts[0] - 1, Math.floor(counts[0] / 1.01)));
  return counts;
}
