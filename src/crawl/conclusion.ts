/** What a crawl has shown in the end: the certificate of all it knows, and where the rest is. */
import {
  type Certificate,
  certify,
  type CrawlFacts,
  MassLedger,
  type MissingShare,
  missingShares,
} from "../coverage/index.ts";
import { GrowingLinks, type Hosts as HostsOfPages } from "../graph/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import { reasonOf } from "./record.ts";
import type { CrawlSettings } from "./settings.ts";

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
  const settings = JSON.parse(store.settings()) as CrawlSettings;
  const links = new GrowingLinks();
  const ledger = new MassLedger({ links, pages: 1024, damping: settings.damping });
  const { hosts, waitingBeyond } = tellUrls(store, ledger, settings);
  for (const { url, weight } of store.trust()) ledger.trusted(url, weight);
  for (const visit of store.visits()) {
    const { url, outcome } = visit;
    if (outcome !== "try-again") waitingBeyond.delete(url);
    if (outcome === "downloaded" || outcome === "downloaded-partly") {
      links.set(url, visit.links ?? new Uint32Array(0));
      if (outcome === "downloaded") ledger.downloaded(url);
      else ledger.downloadedPartly(url);
    } else if (outcome === "dead") ledger.dead(url);
    else if (outcome === "redirected") ledger.redirected(url, visit.target ?? url);
    else if (outcome === "refused") ledger.refused(url, reasonOf(visit.reason ?? "failed"));
  }
  for (const url of waitingBeyond) ledger.refused(url, "limit");
  return { ledger, hosts, urls: hosts.hostOf.length };
}

/** Makes room for all URLs, refuses sinks, and tells which URLs lie beyond the depth that was asked for. */
function tellUrls(
  store: CrawlStore,
  ledger: CrawlFacts,
  { limits }: CrawlSettings,
): { hosts: HostsOfPages; waitingBeyond: Set<number> } {
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
  const waitingBeyond = new Set<number>();
  const hostOf: number[] = [];
  for (const { id, origin, path, depth, reason } of store.urls()) {
    hostOf.push(hostOfOriginId[origin]!);
    ledger.grow(id + 1);
    if (path === null && reason !== null) ledger.refused(id, reasonOf(reason));
    else if (limits.depth !== undefined && depth > limits.depth) waitingBeyond.add(id);
  }
  return { hosts: { names, hostOf: Uint32Array.from(hostOf) }, waitingBeyond };
}
