/** Crawls of sites on loopback with a real Chromium. */
import { afterAll, beforeAll } from "vitest";
import {
  type CrawlEvent,
  type CrawlOptions,
  crawlSettings,
  defaultPoliteness,
  launchCrawl,
  openFetcher,
} from "../../src/crawl/index.ts";
import type { SessionOptions } from "../../src/fetch/index.ts";
import { type BrowserRenderer, startRenderer } from "../../src/render/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { type Fate, fatesIn } from "./inline-web.ts";
import { type Serve, type ServedFile, type ServedSite, serveSite } from "./served-site.ts";

export const browserOptions = {
  userAgent: "tidemark/test",
  sandbox: false,
  limits: { pageMs: 15_000, snapshotMs: 15_000, closeMs: 15_000, quietMs: 150, resourcesPerPage: 30 },
  environment: { CHROMIUM_PATH: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium" },
};

let renderer: BrowserRenderer;
const sites: ServedSite[] = [];

/** One browser for all tests of a file; `processes` are those that run. */
export function useBrowser(): { readonly processes: () => readonly number[] } {
  beforeAll(async () => {
    renderer = await startRenderer(browserOptions);
  });
  afterAll(async () => {
    await renderer.close();
    await Promise.all(sites.map((site) => site.close()));
  });
  return { processes: () => renderer.pids };
}

export async function site(serve: Serve): Promise<ServedSite> {
  const served = await serveSite(serve);
  sites.push(served);
  return served;
}

export interface Crawled {
  readonly fates: ReadonlyMap<string, Fate>;
  readonly events: readonly CrawlEvent[];
  /** Paths of the seed's origin that were downloaded. */
  readonly pages: readonly string[];
  readonly coverage: number;
  readonly error: unknown;
}

export async function crawlOf(
  origin: string,
  options: CrawlOptions = {},
  { session = {}, browser = renderer }: { readonly session?: SessionOptions; readonly browser?: BrowserRenderer } = {},
): Promise<Crawled> {
  const settings = crawlSettings({
    urls: [`${origin}/`],
    render: "always",
    delay: 0,
    allowPrivateHost: ["127.0.0.1"],
    sitemaps: false,
    ...options,
  });
  const store = new MemoryStore(JSON.stringify(settings));
  const fetcher = openFetcher(settings.network, defaultPoliteness.perHost, undefined, session);
  const events: CrawlEvent[] = [];
  try {
    const crawl = await launchCrawl({
      settings,
      store,
      fetcher,
      renderer: browser,
      readers: 0,
      onEvent: (event) => void events.push(event),
    });
    const end = await crawl.run();
    const fates = fatesIn(store);
    const downloaded = [...fates].filter(([, { outcome }]) => outcome === "downloaded");
    const pages = downloaded.map(([url]) => url.replace(origin, "")).sort();
    return { fates, events, pages, coverage: end.status.coverage, error: end.error };
  } finally {
    await fetcher.close();
  }
}

/** A page that runs this script, and a page that it may link to. */
export function scripted(script: string): (path: string) => ServedFile | undefined {
  return (path) =>
    path === "/" ? `<title>t</title><p>text</p><script>${script}</script>` : path === "/end" ? "end" : undefined;
}

export const LINK = 'document.body.insertAdjacentHTML("beforeend", `<a href="/end">end</a>`);';
