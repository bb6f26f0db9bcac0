/** The truth about a simulated web, as far as a crawl of it can claim something. */
import { isDownloaded } from "../../../src/coverage/index.ts";
import type { CrawlSettings } from "../../../src/crawl/index.ts";
import type { MemoryStore } from "../../../src/store/index.ts";
import { Scope, type ScopeOptions } from "../../../src/web/index.ts";
import { type Truth, truthAllowed, truthOf } from "../truth.ts";
import type { SimulatedWeb } from "./web.ts";

export const ROUNDING = 1e-11;

export type Universe = "allowed" | "scope" | "web";

export function scopeIn(store: MemoryStore): ScopeOptions {
  return (JSON.parse(store.settings()) as CrawlSettings).web.scope;
}

/** Pages of the web that seeds led out of the scope. */
export function sentAway(store: MemoryStore, web: SimulatedWeb): Set<number> {
  const origins = [...store.origins()];
  const urls = [...store.urls()];
  const refused = [...store.visits()].filter(({ reason }) => reason === "out-of-scope");
  const pages = refused
    .filter(({ url }) => urls[url].depth === 0)
    .map(({ url }) => web.pageOf(origins[urls[url].origin] + urls[url].path));
  // What leads out of all scopes does so in the world, too.
  return new Set(pages.filter((page) => web.pages[page].fate !== "redirect" || !web.pages[page].redirectOutside));
}

export function truthFor(store: MemoryStore, web: SimulatedWeb, universe: Universe): Truth {
  const inScope = new Scope(scopeIn(store));
  const contains = (url: string): boolean => inScope.contains(url);
  const world = web.world({ damping: 0.85, universe, contains, sentAway: sentAway(store, web) });
  return universe === "allowed" ? truthAllowed(world) : truthOf(world);
}

/** The share of all importance that the downloaded pages have in truth. */
export function trueCoverage(downloaded: readonly number[], { ranks, sum }: Truth): number {
  const had = downloaded.reduce((total, page) => total + ranks[page], 0);
  return sum === 0 ? 0 : had / sum;
}

export function downloadedPages(store: MemoryStore, web: SimulatedWeb): number[] {
  const urls = [...store.urls()];
  const origins = [...store.origins()];
  return [...store.visits()]
    .filter(({ outcome }) => isDownloaded(outcome))
    .map(({ url }) => web.pageOf(origins[urls[url].origin] + urls[url].path));
}
