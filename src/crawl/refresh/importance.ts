/** What pages are worth to a refresh: shares of the certificate, from the facts of now. */
import { assert, capacityFor, enlarged } from "../../base/index.ts";
import {
  type Certificate,
  certifying,
  isDownloaded,
  type MassLedger,
  PageState,
  refusedState,
} from "../../coverage/index.ts";
import type { Hosts } from "../../graph/index.ts";
import { type CrawlLog, isFinal, type LogListener, type UrlRecord, type UrlView, type Visit } from "../../log/index.ts";
import { readLedger } from "../certify-log.ts";

/** What rounding may make of the sum of all mass, for a hundred million links. */
const ROUNDING = 1e-9;

export interface Importance {
  readonly ledger: MassLedger;
  readonly urls: UrlView;
  readonly certificate: Certificate;
  readonly origins: UrlOrigins;
}

/** What a refresh keeps of it until pages are weighed again: 8 bytes per URL, while a ledger has every link. */
export interface Weighed {
  readonly hosts: Hosts;
  readonly origins: UrlOrigins;
  readonly coverage: number;
}

export function weighedOf({ urls, origins, certificate }: Importance): Weighed {
  return { hosts: urls.hosts, origins, coverage: certificate.coverage };
}

/**
 * Reads the log, and checks that no mass was lost or made. `listener` learns of the same reading. In steps: with
 * millions of pages it takes a minute.
 */
export function* importanceOfLog(log: CrawlLog, listener: LogListener = {}): Generator<unknown, Importance> {
  const origins = new UrlOrigins();
  const { ledger, urls } = yield* readLedger(log, {
    origin: (text) => origins.origin(text),
    url: (record) => origins.url(record),
    ...listener,
  });
  const certificate = yield* certifying(ledger);
  let received = 0;
  for (const { total } of log.received()) received += total;
  const leak = massLeak(ledger, received);
  assert(Math.abs(leak) <= ROUNDING, `mass is conserved: ${leak} too much`);
  return { ledger, urls, certificate, origins };
}

/** How much mass there is that nobody has brought in: 0 up to rounding, or the ledger is wrong (coverage/ledger.ts). */
export function massLeak(ledger: MassLedger, received: number): number {
  const { waiting, settled, state, damping, trust, links } = ledger;
  let sum = 0;
  for (let page = 0; page < ledger.pages; page++) {
    const handsOn = state[page] === PageState.Downloaded && links.count(page) > 0;
    sum += waiting[page] + settled[page] * (handsOn ? 1 - damping : 1);
  }
  return sum - (1 - damping) * trust - received;
}

/** A lower bound of what a page is worth: of a known one, or of one that is still to be had; 0 for all others. */
export function importanceOf({ ledger }: Pick<Importance, "ledger">, url: number): number {
  return isDownloaded(ledger.state[url]) ? ledger.arrived(url) : unreadImportance(ledger, url);
}

/** The same of pages that were never downloaded: those that wait, and those that failed, which are tried again. */
export function unreadImportance({ state, waiting }: MassLedger, url: number): number {
  return state[url] === PageState.Open || state[url] === FAILED ? waiting[url] : 0;
}

const FAILED = refusedState("failed");

/** The visits by which URLs failed for good, as far as a crawl goes. */
export class FailedVisits implements LogListener {
  readonly #visits = new Map<number, number>();

  visited({ number, url, outcome, reason }: Visit): void {
    if (outcome === "refused" && reason === "failed") this.#visits.set(url, number);
    else if (isFinal(outcome)) this.#visits.delete(url);
  }

  /** Undefined for a URL that has not failed. */
  of(url: number): number | undefined {
    return this.#visits.get(url);
  }
}

/** The origins of URLs, in 4 bytes each; their paths are in the store. */
class UrlOrigins {
  readonly #origins: string[] = [];
  #originOf = new Uint32Array(1024);

  origin(text: string): void {
    this.#origins.push(text);
  }

  url({ id, origin }: UrlRecord): void {
    if (id >= this.#originOf.length)
      this.#originOf = enlarged(this.#originOf, capacityFor(id + 1, this.#originOf.length));
    this.#originOf[id] = origin;
  }

  originOf(url: number): string {
    return this.#origins[this.#originOf[url]];
  }
}
