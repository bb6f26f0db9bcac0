/**
 * How coverage rose in a crawl whose pages were read again.
 *
 * The visit of a page that was read again is late, and with it all that its links lead to: after a refresh of the seed,
 * the tide would be flat until the end. So a page counts from its first download on, and what it counts is computed
 * from the facts of now, in a ledger of its own. A point is a lower bound for the web of now: how much of it is covered
 * by the pages that were there by then. Pages that are gone meanwhile do not count.
 *
 * Cost: 12 bytes per URL; for a survey, a second ledger of the same links.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import {
  isDownloaded,
  MassLedger,
  PageState,
  type PageStateName,
  refusalReasons,
  refusedState,
  tighten,
} from "../coverage/index.ts";
import {
  type CrawlLog,
  isFinal,
  type LogListener,
  type ReceivedRecord,
  type ReplacedVisit,
  type TrustRecord,
  type Visit,
} from "../log/index.ts";
import { TIDE_GROWTH, TIDE_PRECISION, type ProvedPoint } from "./tide-gauge.ts";

/** A log with the visits that were replaced. */
export interface RefreshedLog extends CrawlLog {
  replacedVisits(): Iterable<ReplacedVisit>;
}

export class RisenTide implements LogListener {
  readonly #ledger: MassLedger;
  readonly #targetOf: (url: number) => number | undefined;
  /** The first visit that told of a URL what is true now, and its time; 0 for URLs without a final visit. */
  #numbers = new Uint32Array(1024);
  #timesMs = new Float64Array(1024);
  #trust: readonly TrustRecord[] = [];
  #received: readonly ReceivedRecord[] = [];

  /** `ledger`: has the facts of now once the log is read. */
  constructor(ledger: MassLedger, targetOf: (url: number) => number | undefined) {
    this.#ledger = ledger;
    this.#targetOf = targetOf;
  }

  grow(urls: number): void {
    if (urls <= this.#numbers.length) return;
    const capacity = capacityFor(urls, this.#numbers.length);
    this.#numbers = enlarged(this.#numbers, capacity);
    this.#timesMs = enlarged(this.#timesMs, capacity);
  }

  visited({ number, url, atMs, outcome }: Visit): void {
    if (isFinal(outcome)) this.#tell(url, number, atMs);
  }

  /** After the visits that count. */
  read(log: RefreshedLog): void {
    this.#trust = [...log.trust()];
    this.#received = [...log.received()];
    const { state } = this.#ledger;
    for (const { number, url, atMs, outcome } of log.replacedVisits()) {
      const isTrueNow = outcome !== "try-again" && isSameKind(state[url], outcome);
      if (isTrueNow && number < this.#numbers[url]) this.#tell(url, number, atMs);
    }
  }

  /** `last`: the end of the log, which is certified exactly. The bound of the order is that of the crawl alone. */
  upTo([lastPages, lastMs, coverage]: ProvedPoint): ProvedPoint[] {
    const { links, damping, universe, pages } = this.#ledger;
    const ledger = new MassLedger({ links, damping, universe, pages, keepsRanks: false });
    for (const { url, weight } of this.#trust) ledger.trusted(url, weight);
    for (const { url, sender, total } of this.#received) ledger.received(url, sender, total);
    const points: ProvedPoint[] = [];
    let [next, certified] = [1, 0];
    for (const url of this.#inOrder()) {
      this.#feed(ledger, url);
      const { downloadedCount } = ledger;
      if (downloadedCount < next || downloadedCount >= lastPages) continue;
      next = Math.ceil(downloadedCount * TIDE_GROWTH + 1);
      tighten(ledger, { relativeGap: TIDE_PRECISION });
      certified = Math.max(certified, ledger.bound());
      points.push([downloadedCount, this.#timesMs[url], certified, null]);
    }
    return [...points, [lastPages, lastMs, Math.max(certified, coverage), null]];
  }

  #tell(url: number, number: number, atMs: number): void {
    this.#numbers[url] = number;
    this.#timesMs[url] = atMs;
  }

  /** URLs of which something is known, in the order in which it was told; what no visit told comes first. */
  #inOrder(): Uint32Array {
    const { state, pages } = this.#ledger;
    const urls: number[] = [];
    for (let url = 0; url < pages; url++) if (state[url] !== PageState.Open) urls.push(url);
    return Uint32Array.from(urls).sort((a, b) => this.#placeOf(a) - this.#placeOf(b) || a - b);
  }

  /** A host that blocks the crawler counts from the start: what was certain before that was learnt is so no longer. */
  #placeOf(url: number): number {
    return this.#ledger.state[url] === BLOCKED ? 0 : this.#numbers[url];
  }

  #feed(ledger: MassLedger, url: number): void {
    const state = this.#ledger.state[url];
    if (state === PageState.Downloaded) ledger.downloaded(url);
    else if (state === PageState.LinksUnknown) ledger.linksUnknown(url);
    else if (state === PageState.Dead) ledger.dead(url);
    else if (state === PageState.Redirected) ledger.redirected(url, this.#targetOf(url) ?? url);
    else ledger.refused(url, refusalReasons[state - PageState.Refused] ?? "elsewhere");
  }
}

const BLOCKED = refusedState("blocked");

function isSameKind(state: number, outcome: PageStateName): boolean {
  if (isDownloaded(outcome)) return isDownloaded(state);
  if (outcome === "dead") return state === PageState.Dead;
  return outcome === "redirected" ? state === PageState.Redirected : state >= PageState.Refused;
}
