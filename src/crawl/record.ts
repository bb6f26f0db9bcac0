/**
 * What a crawl knows: the one place where a fact enters. Each fact goes to the store, to the order and to the watch, in the same
 * order always; a crawl that is resumed is told its facts again by replay.ts through the very same methods, but for the store.
 *
 * Invariants: URLs are numbered in the order in which they were heard of, visits in the order in which they ended; a URL has one last
 * word at most; what the order and the watch know is a function of the facts alone.
 */
import { assert, zeroCounts } from "../base/index.ts";
import {
  CoverageWatch,
  type CrawlFacts,
  Redirects,
  type RefusalReason,
  refusalReasons,
} from "../coverage/index.ts";
import { GrowingLinks } from "../graph/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";
import { type CrawlStore, type Outcome, outcomes, type Source, type Visit } from "../store/index.ts";
import { hostOfOrigin, splitUrl } from "../web/index.ts";
import type { CrawlEvent } from "./events.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import { type Host, Hosts } from "./politeness/hosts.ts";
import { SeedTrust } from "./seed-trust.ts";
import type { CrawlSettings } from "./settings/settings.ts";
import { DEPTH_MAX, UrlState, UrlTable } from "./url-table.ts";

/** How a visit went, for the store. */
export type VisitDetails = Pick<Visit, "atMs"> & Partial<Visit>;

export interface RecordOptions {
  readonly store: CrawlStore;
  readonly settings: CrawlSettings;
  readonly fingerprinter: Fingerprinter;
  /** What happens, as it happens: facts that it speaks of may not be committed yet. */
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined;
}

export class CrawlRecord {
  readonly urls = new UrlTable();
  readonly hosts: Hosts;
  readonly order: CrawlOrder;
  readonly watch: CoverageWatch;
  /** Visits that ended, with whatever outcome. */
  visits = 0;
  readonly outcomes = zeroCounts(outcomes);
  /** Of those refused, URLs that failed for good. */
  failed = 0;
  wireBytes = 0;
  readonly seeds: SeedTrust;
  readonly tell: (event: CrawlEvent) => void;
  /** URLs too deep to which a shorter way was found since somebody last looked here. */
  nearer: number[] = [];
  readonly #redirects = new Redirects();
  readonly #nextHops = new Map<number, number>();
  /** Redirects whose target we know by another form than the server does. */
  readonly #rewritten = new Set<number>();
  /** How many redirects lead to a URL in a row, where any does. */
  readonly #redirectHops = new Map<number, number>();
  /** URLs of which the last word is not spoken. */
  open = 0;
  readonly #store: CrawlStore;
  readonly #fingerprinter: Fingerprinter;
  readonly #links = new GrowingLinks();
  readonly #listeners: readonly CrawlFacts[];
  readonly #origins: string[] = [];
  readonly #originIds = new Map<string, number>();
  readonly #hostsOfOrigins: Host[] = [];

  constructor({ store, settings, fingerprinter, onEvent }: RecordOptions) {
    this.tell = (event) => onEvent?.(event);
    this.seeds = new SeedTrust({ tell: this.tell, textOf: (url) => this.textOf(url) });
    this.#store = store;
    this.#fingerprinter = fingerprinter;
    this.hosts = new Hosts(settings.politeness);
    const context = { links: this.#links, pages: 1024, damping: settings.damping };
    this.order = createOrder(settings.order, { ...context, hostOf: (url) => this.hostOf(url).id });
    this.watch = new CoverageWatch({ ...context, goal: settings.limits.coverage ?? 1 });
    this.#listeners = [this.order, this.watch];
  }

  /** Pages that were fetched. */
  get pages(): number {
    return this.outcomes.downloaded + this.outcomes["downloaded-partly"];
  }

  hostOf(url: number): Host {
    return this.hostOfOrigin(this.urls.originOf(url));
  }

  hostOfOrigin(origin: number): Host {
    return this.#hostsOfOrigins[origin];
  }

  originText(origin: number): string {
    return this.#origins[origin];
  }

  textOf(url: number): string {
    return this.originText(this.urls.originOf(url)) + this.#store.pathOf(url);
  }

  find(url: string): number {
    this.#fingerprinter.text(url);
    return this.urls.find(this.#fingerprinter.high, this.#fingerprinter.low);
  }

  /** The number of a canonical URL, which is new or not. `onVisit`: it stands on the page whose visit is told next. */
  hear(url: string, how: { source: Source; depth: number; onVisit: boolean }): number {
    const known = this.find(url);
    if (known >= 0) return known;
    const { high, low } = this.#fingerprinter;
    return this.hearNew(url, high, low, how);
  }

  /** The same for a URL whose fingerprint is known and which is certainly new. */
  hearNew(
    url: string,
    high: number,
    low: number,
    { source, depth, onVisit }: { source: Source; depth: number; onVisit: boolean },
  ): number {
    const { origin, path } = splitUrl(url);
    const originId = this.originId(origin);
    const id = this.#enter(high, low, originId, depth);
    const heardAt = this.visits + (onVisit ? 1 : 0);
    this.#store.addUrl({
      id,
      origin: originId,
      path,
      depth: this.urls.depthOf(id),
      source,
      heardAt,
      reason: null,
    });
    return id;
  }

  /** All that is linked on an origin and never fetched for a reason: one number for all of it. */
  sink(origin: string, reason: RefusalReason): number {
    const known = this.find(sinkText(origin, reason));
    if (known >= 0) return known;
    const { high, low } = this.#fingerprinter;
    const originId = this.originId(origin);
    const id = this.#enter(high, low, originId, DEPTH_MAX);
    const heardAt = this.visits + 1;
    this.#store.addUrl({
      id,
      origin: originId,
      path: null,
      depth: DEPTH_MAX,
      source: "link",
      heardAt,
      reason,
    });
    this.#refuseSink(id, reason);
    return id;
  }

  originId(origin: string): number {
    const known = this.#originIds.get(origin);
    if (known !== undefined) return known;
    const id = this.replayOrigin(origin);
    this.#store.addOrigin(id, origin);
    return id;
  }

  /** A seed, known by now; a seed is where depth begins. */
  trust(url: number, weight: number): void {
    this.urls.setDepth(url, 0);
    this.seeds.trust(url, this.urls.originOf(url), weight);
    for (const listener of this.#listeners) listener.trusted(url, weight);
  }

  /** Makes a URL that no known page links to wait, if it is new since there were `before` URLs. */
  known(url: number, before: number): void {
    if (url >= before) this.order.known(url);
  }

  downloaded(url: number, links: Uint32Array, isWhole: boolean, details: VisitDetails): void {
    const outcome = isWhole ? "downloaded" : "downloaded-partly";
    this.#addVisit(url, outcome, { ...details, links });
    this.replayDownload(url, links, isWhole);
  }

  /** `isRewritten`: the URL that the server named is another than its canonical form, under which we know it. */
  redirected(url: number, target: number, isRewritten: boolean, details: VisitDetails): void {
    const isLoop = this.closesLoop(url, target);
    this.#addVisit(url, "redirected", { ...details, target, reason: isRewritten ? REWRITTEN : null });
    this.replayRedirect(url, target, isRewritten);
    if (isLoop) this.#lost(url, "dead", "redirect-loop", details);
  }

  dead(url: number, details: VisitDetails): void {
    this.#addVisit(url, "dead", details);
    this.replayDead(url);
    this.#lost(url, "dead", details.reason ?? null, details);
  }

  /** `detail` says more than the reason: which rule, which failure. */
  refused(url: number, reason: RefusalReason, detail: string | null, details: VisitDetails): void {
    this.#addVisit(url, "refused", { ...details, reason: detail === null ? reason : `${reason}:${detail}` });
    this.replayRefusal(url, reason);
    this.#lost(url, reason, detail, details);
  }

  /** An attempt that failed; the URL goes on waiting. */
  tryAgain(url: number, detail: string, details: VisitDetails): void {
    this.#addVisit(url, "try-again", { ...details, reason: detail });
    this.outcomes["try-again"]++;
  }

  hopsTo(url: number): number {
    return this.#redirectHops.get(url) ?? 0;
  }

  /** Whether a redirect would lead back to where it comes from. */
  closesLoop(url: number, target: number): boolean {
    return this.#redirects.resolve(target) === url;
  }

  /**
   * Whether the way from one URL to another leads through a redirect that we rewrote: a loop that it closes may be none for a server that
   * tells the two forms apart.
   */
  isRewrittenBetween(from: number, to: number): boolean {
    for (let url: number | undefined = from; url !== undefined && url !== to; url = this.#nextHops.get(url)) {
      if (this.#rewritten.has(url)) return true;
    }
    return false;
  }

  // What follows is told without the store: by the methods above, and by replay.

  /** Makes room for so many URLs at once. */
  reserve(urls: number): void {
    this.urls.reserve(urls);
    for (const listener of this.#listeners) listener.grow(urls);
  }

  replayOrigin(origin: string): number {
    const id = this.#origins.length;
    this.#origins.push(origin);
    this.#originIds.set(origin, id);
    this.#hostsOfOrigins.push(this.hosts.named(hostOfOrigin(origin)));
    return id;
  }

  replayUrl(origin: number, path: string | null, depth: number, reason: RefusalReason | null): void {
    const text = this.originText(origin);
    this.#fingerprinter.text(path === null ? sinkText(text, reason ?? "failed") : text + path);
    const id = this.#enter(this.#fingerprinter.high, this.#fingerprinter.low, origin, depth);
    if (path === null && reason !== null) this.#refuseSink(id, reason);
  }

  replayVisit(wireBytes: number): void {
    this.visits++;
    this.wireBytes += wireBytes;
  }

  replayDownload(url: number, links: Uint32Array, isWhole: boolean): void {
    this.#links.set(url, links);
    this.#close(url, isWhole ? "downloaded" : "downloaded-partly");
    this.hostOf(url).pages++;
    this.#lowerDepths(url);
    for (const listener of this.#listeners) {
      if (isWhole) listener.downloaded(url);
      else listener.downloadedPartly(url);
    }
  }

  replayRedirect(url: number, target: number, isRewritten: boolean): void {
    this.#close(url, "redirected");
    if (isRewritten) this.#rewritten.add(url);
    this.#nextHops.set(url, target);
    if (this.#redirects.add(url, target)) this.#followRedirect(url, target);
    for (const listener of this.#listeners) listener.redirected(url, target);
  }

  #followRedirect(url: number, target: number): void {
    this.#lowerDepths(url);
    this.#redirectHops.set(target, Math.max(this.#redirectHops.get(target) ?? 0, this.hopsTo(url) + 1));
    this.seeds.moved(url, target, this.urls.originOf(target));
  }

  replayDead(url: number): void {
    this.#close(url, "dead");
    for (const listener of this.#listeners) listener.dead(url);
  }

  replayRefusal(url: number, reason: RefusalReason): void {
    if (reason === "failed") this.failed++;
    this.#close(url, "refused");
    for (const listener of this.#listeners) listener.refused(url, reason);
  }

  #addVisit(url: number, outcome: Outcome, details: VisitDetails): void {
    this.replayVisit(details.wireBytes ?? 0);
    this.#store.addVisit({
      reason: null,
      status: null,
      wireBytes: 0,
      milliseconds: 0,
      contentType: null,
      title: null,
      digest: null,
      etag: null,
      lastModified: null,
      target: null,
      links: null,
      ...details,
      number: this.visits,
      url,
      outcome,
    });
  }

  #lost(url: number, reason: RefusalReason | "dead", detail: string | null, { atMs }: VisitDetails): void {
    this.seeds.lost(url, { atMs, reason, detail });
  }

  #enter(high: number, low: number, origin: number, depth: number): number {
    const id = this.urls.add(high, low, origin, depth);
    for (const listener of this.#listeners) listener.grow(id + 1);
    this.hosts.addWaiting(this.hostOf(id), 1);
    this.open++;
    return id;
  }

  #refuseSink(id: number, reason: RefusalReason): void {
    this.setState(id, UrlState.Final);
    this.open--;
    for (const listener of this.#listeners) listener.refused(id, reason);
  }

  #close(url: number, outcome: Outcome): void {
    assert(this.urls.stateOf(url) !== UrlState.Final, `URL ${url} has no last word yet`);
    this.setState(url, UrlState.Final);
    this.open--;
    this.outcomes[outcome]++;
  }

  /** Hosts count the URLs that wait, so a state changes here only. */
  setState(url: number, state: UrlState): void {
    const before = this.urls.stateOf(url);
    if (before === state) return;
    this.urls.setState(url, state);
    if (before === UrlState.Waiting) this.hosts.addWaiting(this.hostOf(url), -1);
    if (state === UrlState.Waiting) this.hosts.addWaiting(this.hostOf(url), 1);
  }

  /** A shorter way to a page is a shorter way to all that it links to, and to where it redirects. */
  #lowerDepths(from: number): void {
    const stack = [from];
    for (let url = stack.pop(); url !== undefined; url = stack.pop()) {
      const depth = this.urls.depthOf(url);
      const end = this.#redirects.resolve(url);
      if (this.#isNearer(end, depth)) stack.push(end);
      const { targets, starts, ends } = this.#links;
      for (let k = starts[url]; k < ends[url]; k++) {
        if (this.#isNearer(targets[k], depth + 1)) stack.push(targets[k]);
      }
    }
  }

  #isNearer(url: number, depth: number): boolean {
    if (this.urls.depthOf(url) <= depth) return false;
    this.urls.setDepth(url, depth);
    if (this.urls.stateOf(url) === UrlState.TooDeep) this.nearer.push(url);
    return this.urls.stateOf(url) === UrlState.Final;
  }
}

/** What the log says of a redirect whose target was brought into canonical form. */
export const REWRITTEN = "rewritten";

/** Before the colon stands the reason, after it what more there is to say. */
export function reasonOf(text: string): RefusalReason {
  const word = text.split(":", 1)[0];
  return refusalReasons.find((reason) => reason === word) ?? "failed";
}

function sinkText(origin: string, reason: RefusalReason): string {
  return `${reason} ${origin}`;
}
