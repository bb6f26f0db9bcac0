/**
 * The one place where facts enter a crawl: each is appended to the log and fed to everything derived from it, always in
 * the same sequence. A resumed crawl is fed the same records from its log.
 */
import type { RefusalReason } from "../coverage/index.ts";
import {
  BLANK_VISIT,
  type CutRecord,
  DEPTH_MAX,
  type LogFeed,
  type LookRecord,
  type PageTexts,
  type ReceivedRecord,
  type RoundRecord,
  type SitemapRecord,
  type Source,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import type { EngineStore } from "../store/index.ts";
import { splitUrl } from "../web/index.ts";
import type { SeedTrust } from "./seed-trust.ts";
import type { UrlIndex } from "./url-index.ts";

export type VisitDetails = Pick<Visit, "atMs"> & Partial<Visit>;

export interface Discovery {
  readonly source: Source;
  readonly depth: number;
  /** Whether it stands on the page whose visit is written next. */
  readonly onVisit: boolean;
  /** The shard of the page, or of the sitemap, on which it stands (default: none). */
  readonly from?: number | undefined;
}

export interface FactWriterOptions {
  readonly store: EngineStore;
  readonly feed: LogFeed;
  readonly index: UrlIndex;
  /** Reports seeds that are lost; a log that is only prepared has nobody to report to. */
  readonly seeds?: SeedTrust;
}

export class FactWriter {
  readonly #options: FactWriterOptions;
  #isDirty = false;
  /** URLs whose next visit replaces an earlier one. */
  readonly #replaced = new Map<number, number>();

  constructor(options: FactWriterOptions) {
    this.#options = options;
  }

  /** Whether something was written since this was last called. */
  takeDirty(): boolean {
    const isDirty = this.#isDirty;
    this.#isDirty = false;
    return isDirty;
  }

  /** The id of a canonical URL, which may be new. */
  discover(url: string, discovery: Discovery): number {
    const { index } = this.#options;
    const known = index.find(url, discovery.from);
    if (known >= 0) return known;
    index.expect(discovery.from);
    return this.#add(url, discovery);
  }

  /** The same for a URL that is certainly new, with the halves of its fingerprint. */
  discoverNew(url: string, high: number, low: number, discovery: Discovery): number {
    this.#options.index.expect(discovery.from, high, low);
    return this.#add(url, discovery);
  }

  /** One id for all links to an origin that are never followed for a reason, from a shard. */
  sink(origin: string, reason: RefusalReason, shard?: number): number {
    const { feed, index } = this.#options;
    const known = index.findSink(origin, reason, shard);
    if (known >= 0) return known;
    index.expect(shard);
    const [id, discoveredAt] = [feed.urls, feed.visits + 1];
    const from = this.#originId(origin);
    return this.#append({ id, origin: from, path: null, depth: DEPTH_MAX, source: "link", discoveredAt, reason });
  }

  /** The texts of the links of the page that is written next: some stores want to have them at hand. */
  expectLinks(text: string, ends: Uint32Array): void {
    this.#options.store.expectLinks?.(text, ends);
  }

  /** `linksUnknown` says why there may be more links; null if these are all. */
  downloaded(url: number, links: Uint32Array, linksUnknown: string | null, details: VisitDetails): void {
    const outcome = linksUnknown === null ? "downloaded" : "links-unknown";
    this.#visit(url, details, { outcome, links, detail: linksUnknown });
  }

  /** The texts of the links of the visit that was written last, one per line. */
  anchors(texts: string): void {
    if (texts !== "") this.#options.store.addAnchors(this.#options.feed.visits, texts);
  }

  /** The text of the page of the visit that was written last. */
  texts(texts: PageTexts): void {
    this.#options.store.addTexts(this.#options.feed.visits, texts);
  }

  /** `isRewritten`: the server named the target in another form than the canonical one, under which we know it. */
  redirected(url: number, target: number, isRewritten: boolean, details: VisitDetails): void {
    const isLoop = this.#options.index.closesLoop(url, target);
    this.#visit(url, details, { outcome: "redirected", target, isRewritten });
    if (isLoop) this.#lost(url, "dead", "redirect-loop", details);
    else this.#options.seeds?.moved(url, details.atMs);
  }

  /** `detail` says how it is known: a status, a failure. */
  dead(url: number, detail: string, details: VisitDetails): void {
    this.#visit(url, details, { outcome: "dead", detail });
    this.#lost(url, "dead", detail, details);
  }

  /** `detail` says more than the reason: which rule, which failure. */
  refused(url: number, reason: RefusalReason, detail: string | null, details: VisitDetails): void {
    this.#visit(url, details, { outcome: "refused", reason, detail });
    this.#lost(url, reason, detail, details);
  }

  /** An attempt that failed; the URL goes on waiting. */
  tryAgain(url: number, detail: string, details: VisitDetails): void {
    this.#visit(url, details, { outcome: "try-again", detail });
  }

  /** The next visit of a URL replaces this one, which is its final outcome. */
  replace(url: number, visit: number): void {
    this.#replaced.set(url, visit);
  }

  /** A visit of another log, in the numbers of this one. */
  copied(visit: Visit): void {
    this.#visit(visit.url, visit, visit);
  }

  /** Trust that begins with this log. */
  trust(trust: readonly TrustRecord[]): void {
    const { store, feed } = this.#options;
    store.replaceTrust(trust);
    for (const record of trust) feed.trusted(record);
    this.#isDirty = true;
  }

  received(received: ReceivedRecord): void {
    const { store, feed } = this.#options;
    store.putReceived(received);
    feed.received(received);
    this.#isDirty = true;
  }

  /** A shard whose origin has led to the sitemap may be given. */
  sitemap(sitemap: SitemapRecord, from?: number): void {
    this.#options.store.putSitemap(sitemap, from);
    this.#isDirty = true;
  }

  /** The number of an origin, which may be new: it need not have a URL of the crawl. */
  originOf(url: string): number {
    this.#isDirty = true;
    return this.#originId(splitUrl(url).origin);
  }

  look(look: LookRecord): void {
    this.#options.store.addLook(look);
    this.#isDirty = true;
  }

  round(round: RoundRecord): void {
    this.#options.store.addRound(round);
    this.#isDirty = true;
  }

  cut(cut: CutRecord): void {
    this.#options.store.addCut(cut);
    this.#isDirty = true;
  }

  #add(url: string, { source, depth, onVisit }: Discovery): number {
    const { feed, index } = this.#options;
    const { origin: text, path } = splitUrl(url);
    const origin = this.#originId(text);
    return this.#append({
      id: feed.urls,
      origin,
      path,
      depth: Math.min(DEPTH_MAX, depth),
      source,
      discoveredAt: feed.visits + (onVisit ? 1 : 0),
      reason: index.isOriginElsewhere(origin) ? "elsewhere" : null,
    });
  }

  #append(record: UrlRecord): number {
    const { store, feed } = this.#options;
    store.addUrl(record);
    feed.url(record);
    this.#isDirty = true;
    return record.id;
  }

  #originId(text: string): number {
    const { store, feed, index } = this.#options;
    const known = index.findOrigin(text);
    if (known !== undefined) return known;
    const id = feed.origins;
    // It was cut from the texts of all links of a page, which would stay in memory with it.
    const origin = Buffer.from(text, "latin1").toString("latin1");
    store.addOrigin(id, origin);
    feed.origin(origin);
    return id;
  }

  /** The template has all fields: to spread objects that add some takes forty times as long. */
  #visit(url: number, details: VisitDetails, outcome: Partial<Visit> & Pick<Visit, "outcome">): void {
    const { store, feed } = this.#options;
    const visit: Visit = Object.assign({ ...BLANK_VISIT }, details, outcome, { number: feed.visits + 1, url });
    store.addVisit(visit, this.#replaced.get(url));
    this.#replaced.delete(url);
    feed.visit(visit);
    this.#isDirty = true;
  }

  #lost(url: number, reason: RefusalReason | "dead", detail: string | null, { atMs }: VisitDetails): void {
    this.#options.seeds?.lost(url, { atMs, reason, detail });
  }
}
