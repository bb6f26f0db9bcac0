/**
 * Ordinary sites crawled to a coverage of 0.95: pages until it is proven, strictly proven, actually had, and proven by
 * a crawl breadth first; and how far the forecast half of the way was off.
 */
import { measureSite, type SiteMeasures, siteShapes } from "../src/lab/index.ts";

interface SiteFigures extends SiteMeasures {
  /** Pages left that were forecast half of the way, by those that it took. */
  readonly forecastRatio: number | undefined;
}

export function benchSites({ tiny }: { readonly tiny: boolean }): SiteFigures[] {
  return siteShapes.slice(0, tiny ? 1 : siteShapes.length).map((shape) => {
    const measures = measureSite(shape, {
      coverage: 0.95,
      seed: 1,
      damping: 0.85,
      confidence: 0.999,
      dice: tiny ? 1 : 9,
    });
    const { proven, forecast } = measures;
    if (proven === undefined || forecast === undefined) return { ...measures, forecastRatio: undefined };
    const half = Math.floor(proven / 2);
    return { ...measures, forecastRatio: (forecast - half) / (proven - half) };
  });
}
