/** A whole run of a crawl in a directory, for programs: its settings, its fetcher, its store, all closed afterwards. */
import { availableParallelism } from "node:os";
import { UsageError } from "../base/index.ts";
import type { Fetcher, SessionOptions } from "../fetch/index.ts";
import type { Renderer } from "../render/index.ts";
import { type CrawlStore, createCrawl, isCrawl, openCrawl } from "../store/index.ts";
import { type Crawl, type CrawlEnd, launchCrawl, type LaunchOptions } from "./launch.ts";
import { OwnFetcher } from "./own-fetcher.ts";
import { expectStore } from "./own-parts.ts";
import { openArchive, openFetcher, openRenderer } from "./open.ts";
import { crawlSettings } from "./settings/crawl-settings.ts";
import { mostConnections } from "./settings/host-rules.ts";
import { checkSeedHosts, liveProxy } from "./settings/network.ts";
import { type CrawlOptions, parseSettings, sessionParts, type StoredSettings } from "./settings/settings.ts";

export interface DirectoryRun
  extends Partial<
    Pick<LaunchOptions, "readers" | "onStatus" | "onEvent" | "onPage" | "valueOfPage" | "makeOrder" | "signal">
  > {
  /** Of a resumed crawl, what is to change; without URLs it keeps its seeds. */
  readonly options: CrawlOptions;
  /** Headers, cookies and credentials, which are never stored. */
  readonly session?: SessionOptions;
  /** Gets the pages, instead of HTTP; it is closed at the end. */
  readonly fetcher?: Fetcher;
  /** Keeps the log, instead of the directory; it is not closed. */
  readonly store?: CrawlStore;
  /** The crawl is about to run: from now on it can be controlled. */
  readonly onLaunch?: (crawl: Crawl) => void;
}

/** Crawls in a directory, and resumes the crawl that is there. Nothing is created if the options make no sense. */
export async function crawlInDirectory(dir: string, run: DirectoryRun): Promise<CrawlEnd> {
  const { options, session = {}, onLaunch, readers = availableParallelism() - 1, store: given, ...launch } = run;
  if (given !== undefined) expectStore(given);
  let crawl: Crawl | undefined;
  const own = run.fetcher && new OwnFetcher(run.fetcher, () => crawl?.stop("interrupted"));
  let fetcher: Fetcher | undefined = own;
  let renderer: Renderer | undefined;
  let opened = given === undefined && isCrawl(dir) ? openCrawl(dir) : undefined;
  try {
    const settings = settingsOf(options, session, given ?? opened);
    if (settings.network.warc && given !== undefined) {
      throw new UsageError("WARC files belong to a directory: give dir instead of crawlStore, or set warc: false");
    }
    fetcher ??= await fetcherFor(settings, { session, proxy: options.proxy });
    renderer = await openRenderer(settings);
    run.signal?.throwIfAborted();
    const store = given ?? (opened ??= createCrawl(dir, JSON.stringify(settings)));
    const archive =
      settings.network.warc && opened !== undefined ? openArchive(dir, opened, settings.network) : undefined;
    crawl = await launchCrawl({
      ...launch,
      settings,
      store,
      fetcher,
      readers,
      ...(archive === undefined ? {} : { archive }),
      ...(renderer === undefined ? {} : { renderer }),
    });
    onLaunch?.(crawl);
    const end = await crawl.run();
    if (own?.failure !== undefined) throw own.failure.error;
    return end;
  } finally {
    try {
      await renderer?.close();
      await fetcher?.close();
    } finally {
      opened?.close();
    }
  }
}

function settingsOf(options: CrawlOptions, session: SessionOptions, store: CrawlStore | undefined): StoredSettings {
  const parts = sessionParts.filter((part) => session[part] !== undefined);
  const [seed] = store?.trust() ?? [];
  // A store of the caller's may be new.
  const before = store === undefined || seed === undefined ? undefined : parseSettings(store.settings());
  return crawlSettings(options, { before, session: parts });
}

/** The settings have neither the session nor the password of the proxy. */
async function fetcherFor(
  settings: StoredSettings,
  given: { readonly session: SessionOptions; readonly proxy: CrawlOptions["proxy"] },
): Promise<Fetcher> {
  const { network, politeness, hosts } = settings;
  const proxy = liveProxy(network, given.proxy ?? undefined, process.env);
  await checkSeedHosts(settings, proxy);
  return openFetcher(network, mostConnections(politeness.perHost, hosts), proxy, given.session);
}
