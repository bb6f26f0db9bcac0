/** The certificate of a crawl, computed from its log alone: what the crawl itself believed plays no part. */
import { runSteps } from "../base/index.ts";
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
import type { LinkTable } from "../graph/index.ts";
import { type CrawlLog, type FeedOptions, LogFeed, type LogListener, UrlView } from "../log/index.ts";
import { LooksOfLog, type SampledClaim } from "./sampling/looks-of-log.ts";
import { RuleFinder } from "./settings/host-rules.ts";
import { type CrawlSettings, parseSettings, universeOf } from "./settings/settings.ts";

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
  const { ledger, urls, looks } = ledgerOfLog(log, {}, { followsLooks: true });
  const certificate = certify(ledger);
  return {
    certificate,
    missing: missingShares(ledger, certificate, urls.hosts),
    outside: outsideShares(ledger, certificate, urls.hosts),
    ceiling: ceilingOf(ledger),
    sampled: looks?.claim(),
  };
}

/**
 * The looks of a log, followed again from the dice that it stores, by the feed that reads it into a ledger; undefined
 * if there are none.
 */
export function looksOfLog(log: CrawlLog, feed: LogFeed, ledger: MassLedger): LooksOfLog | undefined {
  const [first] = log.looks();
  if (first === undefined) return undefined;
  const { damping, universe } = ledger;
  const looks = new LooksOfLog({
    links: feed.links,
    ledger: { damping, universe },
    arrivalOf: (url) => knownArrival(ledger, url),
  });
  looks.listenTo(feed);
  looks.open(log);
  return looks;
}

export interface LedgerOfLog {
  readonly ledger: MassLedger;
  readonly urls: UrlView;
  /** Left out unless they were asked for and there are some. */
  readonly looks?: LooksOfLog | undefined;
}

export interface LedgerOfLogOptions extends Pick<FeedOptions, "duplicatesCountNothing"> {
  /** Follow the looks of the log, too (default: false). */
  readonly followsLooks?: boolean;
}

/**
 * A ledger with all facts of a log, and the view of its URLs; `listener` learns of the same reading. Copies count
 * nothing in coverage of value if the option or the crawl's own settings say so.
 */
export function ledgerOfLog(log: CrawlLog, listener?: LogListener, options?: LedgerOfLogOptions): LedgerOfLog {
  return runSteps(readLedger(log, listener, options));
}

/** The same in steps: a log of millions takes a minute. */
export function* readLedger(
  log: CrawlLog,
  listener: LogListener = {},
  { duplicatesCountNothing = false, followsLooks = false }: LedgerOfLogOptions = {},
): Generator<unknown, LedgerOfLog> {
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
  const looks = followsLooks ? looksOfLog(log, feed, ledger) : undefined;
  yield* feed.read(log);
  markBeyondLimits(ledger.state, urls, settings);
  return { ledger, urls, looks };
}

/**
 * The view of the URLs of a log, without a ledger, and their links; `listener` learns of the same reading. Those that
 * wait beyond a limit of the user are refused.
 */
export function viewOfLog(
  log: CrawlLog,
  listener: LogListener = {},
): { readonly urls: UrlView; readonly state: Uint8Array; readonly links: LinkTable } {
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
  const urls = new UrlView(feed.links);
  feed.add(urls, listener);
  feed.readAll(log);
  markBeyondLimits(urls.state, urls, parseSettings(log.settings()));
  return { urls, state: urls.state, links: feed.links };
}

/** One `PageState` per URL of a log; those that wait beyond a limit of the user are refused. */
export function statesOfLog(log: CrawlLog): Uint8Array {
  return viewOfLog(log).state;
}

/** The settings that limit how much is fetched of a host. */
type Limited = Pick<CrawlSettings, "limits" | "hosts">;

/** Marks URLs that wait beyond a limit of the user as refused, in `state`, which holds one `PageState` per URL. */
export function markBeyondLimits(state: Uint8Array, urls: UrlView, settings: Limited): void {
  const { depth = Number.POSITIVE_INFINITY, pagesPerHost = Number.POSITIVE_INFINITY } = settings.limits;
  const { names, hostOf } = urls.hosts;
  const rules = new RuleFinder(settings.hosts);
  const most = names.map((name) => rules.ruleOf(name).pages ?? pagesPerHost);
  const pages = new Uint32Array(names.length);
  for (let url = 0; url < hostOf.length; url++) if (isDownloaded(state[url])) pages[hostOf[url]]++;
  for (let url = 0; url < hostOf.length; url++) {
    if (state[url] !== PageState.Open) continue;
    if (urls.depthOf(url) > depth || pages[hostOf[url]] >= most[hostOf[url]]) state[url] = refusedState("limit");
  }
}
