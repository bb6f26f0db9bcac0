/** A crawl that is open to be written, with what it needs to fetch pages. */
import { type CrawlArchive, openArchive, openRenderer, type StoredSettings } from "../../crawl/index.ts";
import type { Fetcher } from "../../fetch/index.ts";
import type { Renderer } from "../../render/index.ts";
import { type CrawlStore, openCrawl } from "../../store/index.ts";
import { Interruption, onInterrupt } from "../terminal/interrupts.ts";
import { observed, type OnFetch, type Permission, permitted } from "./fetches.ts";
import { type CrawlPlan, fetcherOf } from "./plan.ts";

export interface CrawlParts {
  readonly store: CrawlStore;
  readonly settings: StoredSettings;
  readonly fetcher: Fetcher;
  readonly renderer?: Renderer;
  readonly archive?: CrawlArchive;
  /** The user interrupts, or somebody else. */
  readonly signal: AbortSignal;
}

/** Opens a crawl to fetch pages, and closes all of it afterwards. It ends with its `permission` as by the user. */
export async function withCrawl<T>(
  plan: CrawlPlan,
  onFetch: OnFetch | undefined,
  work: (parts: CrawlParts) => Promise<T>,
  permission?: Permission,
): Promise<T> {
  const { settings, dir } = plan;
  const store = openCrawl(dir);
  let renderer: Renderer | undefined;
  try {
    const archive = settings.network.warc ? openArchive(dir, store, settings.network) : undefined;
    renderer = await openRenderer(settings);
    const fetcher = permitted(observed(fetcherOf(plan), onFetch), permission);
    const stop = permission?.stop;
    const interruption = new AbortController();
    const interrupt = (): void => interruption.abort(new Interruption("interrupted while the crawl was being read"));
    const forget = onInterrupt(interrupt);
    stop?.addEventListener("abort", interrupt);
    if (stop?.aborted === true) interrupt();
    try {
      const given = { ...(archive && { archive }), ...(renderer && { renderer }) };
      return await work({ store, settings, fetcher, signal: interruption.signal, ...given });
    } finally {
      forget();
      stop?.removeEventListener("abort", interrupt);
      await fetcher.close();
    }
  } finally {
    await renderer?.close();
    store.close();
  }
}
