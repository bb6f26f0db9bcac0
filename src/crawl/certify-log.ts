/** The certificate of a crawl, computed from its log alone: what the crawl itself believed plays no part. */
import {
  type Ceiling,
  ceilingOf,
  type Certificate,
  certify,
  isDownloaded,
  knownArrival,
  MassLedger,
  type MissingShare,
  missingShares,
  outsideShares,
  PageState,
  refusedState,
} from "../coverage/index.ts";
import { type CrawlLog, type FeedOptions, LogFeed, type LogListener, UrlView } from "../log/index.ts";
import type { GrowingLinks } from "../graph/index.ts";
import { LooksOfLog, type SampledClaim } from "./sampling/looks-of-log.ts";
import { type Limits, parseSettings, universeOf } from "./settings/settings.ts";

/** The certificate of a crawl, what is missing, and what can still be reached. */
export interface CertifiedLog {
  readonly certificate: Certificate;
  readonly missing: readonly MissingShare[];
  /** What the universe leaves out. */
  readonly outside: readonly MissingShare[];
  readonly ceiling: Ceiling;
  /** What walks have shown; undefined where nobody has sampled. */
  readonly sampled?: SampledClaim | undefined;
}

/** Certifies a crawl from its log. */
export function certifyLog(log: CrawlLog): CertifiedLog {
  const { ledger, urls, links } = ledgerOfLog(log);
  const certificate = certify(ledger);
  return {
    certificate,
    missing: missingShares(ledger, certificate, urls.hosts),
    outside: outsideShares(ledger, certificate, urls.hosts),
    ceiling: ceilingOf(ledger),
    sampled: sampledOfLog(log, { ledger, urls, links }),
  };
}

/**
 * What the looks of a log with at least this confidence show, followed again from the dice that it stores; undefined if
 * there are none.
 */
export function sampledOfLog(log: CrawlLog, facts: LedgerOfLog, confidence = 0): SampledClaim | undefined {
  return hasLooks(log) ? looksOf(facts).read(log).claim(confidence) : undefined;
}

export function hasLooks(log: CrawlLog): boolean {
  for (const _ of log.looks()) return true;
  return false;
}

/** The looks of a log, before it is read. Walks go on where `isKnown` says that the outcome of a URL is known. */
export function looksOf({ ledger, urls, links }: LedgerOfLog, isKnown: (url: number) => boolean = () => true) {
  return new LooksOfLog({
    links,
    hostOf: (url) => urls.hostOf(url),
    ledger: { damping: ledger.damping, universe: ledger.universe },
    arrivalOf: (url) => (isKnown(url) ? knownArrival(ledger, url) : undefined),
  });
}

export interface LedgerOfLog {
  readonly ledger: MassLedger;
  readonly urls: UrlView;
  readonly links: GrowingLinks;
}

/**
 * A ledger with all facts of a log, and the view of its URLs; `listener` learns of the same reading. Copies count
 * nothing in coverage of value if the option or the crawl's own settings say so.
 */
export function ledgerOfLog(
  log: CrawlLog,
  listener: LogListener = {},
  { duplicatesCountNothing = false }: Pick<FeedOptions, "duplicatesCountNothing"> = {},
): LedgerOfLog {
  const settings = parseSettings(log.settings());
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url), {
    duplicatesCountNothing: duplicatesCountNothing || settings.web.duplicatesCountNothing,
  });
  const ledger = new MassLedger({
    links: feed.links,
    pages: 1024,
    damping: settings.damping,
    universe: universeOf(settings),
  });
  const urls = new UrlView(feed.links);
  feed.add(urls, ledger, listener);
  feed.readAll(log);
  markBeyondLimits(ledger.state, urls, settings.limits);
  return { ledger, urls, links: feed.links };
}

/** One `PageState` per URL of a log; those that wait beyond a limit of the user are refused. */
export function statesOfLog(log: CrawlLog): Uint8Array {
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
  const urls = new UrlView(feed.links);
  feed.add(urls);
  feed.readAll(log);
  markBeyondLimits(urls.state, urls, parseSettings(log.settings()).limits);
  return urls.state;
}

/** Marks URLs that wait beyond a limit of the user as refused, in `state`, which holds one `PageState` per URL. */
export function markBeyondLimits(state: Uint8Array, urls: UrlView, limits: Limits): void {
  const { depth = Number.POSITIVE_INFINITY, pagesPerHost = Number.POSITIVE_INFINITY } = limits;
  const { names, hostOf } = urls.hosts;
  const pages = new Uint32Array(names.length);
  for (let url = 0; url < hostOf.length; url++) if (isDownloaded(state[url])) pages[hostOf[url]]++;
  for (let url = 0; url < hostOf.length; url++) {
    if (state[url] !== PageState.Open) continue;
    if (urls.depthOf(url) > depth || pages[hostOf[url]] >= pagesPerHost) state[url] = refusedState("limit");
  }
}
