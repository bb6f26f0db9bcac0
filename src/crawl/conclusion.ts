/** What a crawl has shown in the end: the certificate of all it knows, and where the rest is. */
import {
  type Certificate,
  certify,
  isDownloaded,
  MassLedger,
  type MissingShare,
  missingShares,
  PageState,
  refusedState,
} from "../coverage/index.ts";
import type { Hosts as HostsOfPages } from "../graph/index.ts";
import { type CrawlLog, LogFacts } from "./log-facts.ts";
import type { Limits } from "./settings/settings.ts";
import { parseSettings } from "./settings/stored-settings.ts";

export interface Conclusion {
  readonly certificate: Certificate;
  readonly missing: readonly MissingShare[];
}

/** A ledger told of all facts of a crawl, and the hosts of its URLs. */
export interface CrawlLedger {
  readonly ledger: MassLedger;
  readonly hosts: HostsOfPages;
  /** URLs known, sinks included. */
  readonly urls: number;
}

/** Computes the certificate from the log alone: what the crawl itself believed plays no part. */
export function conclude(store: CrawlLog): Conclusion {
  const { ledger, hosts } = ledgerOfCrawl(store);
  const certificate = certify(ledger);
  return { certificate, missing: missingShares(ledger, certificate, hosts) };
}

export function ledgerOfCrawl(store: CrawlLog): CrawlLedger {
  const settings = parseSettings(store.settings());
  const log = new LogFacts();
  const ledger = new MassLedger({ links: log.links, pages: 1024, damping: settings.damping });
  log.add(ledger);
  const steps = log.steps(store);
  while (steps.next().done !== true);
  const { hosts, urls } = log;
  markBeyondLimits(ledger.state, log, settings.limits);
  return { ledger, hosts, urls };
}

/**
 * URLs that wait in vain, beyond a limit of the user's, count as refused for it, not as pages still to be fetched: says so in `state`, which
 * holds one `PageState` a URL.
 */
export function markBeyondLimits(state: Uint8Array, { hosts, depths }: LogFacts, limits: Limits): void {
  const { depth = Number.POSITIVE_INFINITY, pagesPerHost = Number.POSITIVE_INFINITY } = limits;
  const { names, hostOf } = hosts;
  const pages = new Uint32Array(names.length);
  for (let url = 0; url < hostOf.length; url++) if (isDownloaded(state[url])) pages[hostOf[url]]++;
  for (let url = 0; url < hostOf.length; url++) {
    if (state[url] !== PageState.Open) continue;
    if (depths[url] > depth || pages[hostOf[url]] >= pagesPerHost) state[url] = refusedState("limit");
  }
}
