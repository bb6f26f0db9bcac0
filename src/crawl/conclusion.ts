/** What a crawl has shown in the end: the certificate of all it knows, and where the rest is. */
import {
  type Certificate,
  certify,
  type CrawlFacts,
  MassLedger,
  type MissingShare,
  missingShares,
  PageState,
} from "../coverage/index.ts";
import { GrowingLinks, type Hosts as HostsOfPages } from "../graph/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import { reasonOf } from "./record.ts";
import type { CrawlSettings } from "./settings.ts";
import { parseSettings } from "./stored-settings.ts";

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
export function conclude(store: CrawlStore): Conclusion {
  const { ledger, hosts } = ledgerOfCrawl(store);
  const certificate = certify(ledger);
  return { certificate, missing: missingShares(ledger, certificate, hosts) };
}

export function ledgerOfCrawl(store: CrawlStore): CrawlLedger {
  const settings = parseSettings(store.settings());
  const links = new GrowingLinks();
  const ledger = new MassLedger({ links, pages: 1024, damping: settings.damping });
  const { hosts, tooDeep } = tellUrls(store, ledger, settings);
  const pagesOfHosts = new Uint32Array(hosts.names.length);
  for (const { url, weight } of store.trust()) ledger.trusted(url, weight);
  for (const visit of store.visits()) {
    const { url, outcome } = visit;
    if (outcome === "downloaded" || outcome === "downloaded-partly") {
      pagesOfHosts[hosts.hostOf[url]]++;
      links.set(url, visit.links ?? new Uint32Array(0));
      if (outcome === "downloaded") ledger.downloaded(url);
      else ledger.downloadedPartly(url);
    } else if (outcome === "dead") ledger.dead(url);
    else if (outcome === "redirected") ledger.redirected(url, visit.target ?? url);
    else if (outcome === "refused") ledger.refused(url, reasonOf(visit.reason ?? "failed"));
  }
  const { pagesPerHost = Number.POSITIVE_INFINITY } = settings.limits;
  for (const [url, host] of hosts.hostOf.entries()) {
    if (ledger.state[url] !== PageState.Open) continue;
    if (tooDeep.has(url) || pagesOfHosts[host] >= pagesPerHost) ledger.refused(url, "limit");
  }
  return { ledger, hosts, urls: hosts.hostOf.length };
}

/** Makes room for all URLs, refuses sinks, and tells which URLs lie beyond the depth that was asked for. */
function tellUrls(
  store: CrawlStore,
  ledger: CrawlFacts,
  { limits }: CrawlSettings,
): { hosts: HostsOfPages; tooDeep: Set<number> } {
  const names: string[] = [];
  const ids = new Map<string, number>();
  const hostOfOriginId: number[] = [];
  for (const origin of store.origins()) {
    const name = hostOfOrigin(origin);
    let id = ids.get(name);
    if (id === undefined) {
      ids.set(name, (id = names.length));
      names.push(name);
    }
    hostOfOriginId.push(id);
  }
  const tooDeep = new Set<number>();
  const hostOf: number[] = [];
  for (const { id, origin, path, depth, reason } of store.urls()) {
    hostOf.push(hostOfOriginId[origin]!);
    ledger.grow(id + 1);
    if (path === null && reason !== null) ledger.refused(id, reasonOf(reason));
    else if (limits.depth !== undefined && depth > limits.depth) tooDeep.add(id);
  }
  return { hosts: { names, hostOf: Uint32Array.from(hostOf) }, tooDeep };
}
