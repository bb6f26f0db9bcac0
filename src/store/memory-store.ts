/**
 * A store in memory with the same contract, and a disk that fails or forgets on demand, for simulated crawls.
 *
 * The log is in plain lists; how much of each is committed is a length, so a commit costs nothing and `crash` is a cut.
 * Records are kept as given, without a copy.
 */
import { assert } from "../base/index.ts";
import {
  type CrawlLog,
  type CutRecord,
  type ListedUrl,
  LogRules,
  type LookRecord,
  type PageTexts,
  type ReceivedRecord,
  type ReplacedVisit,
  type Reread,
  type RobotsRecord,
  type RoundRecord,
  type SitemapRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { type CrawlStore, type KeptVisits, StoreError } from "./contract.ts";
import { CONDENSED_TO } from "./condensed-reads.ts";
import { MemoryRereads } from "./memory-rereads.ts";
import { MemoryVisits } from "./memory-visits.ts";
import { lostView, VIEWS_FROM } from "./moment.ts";

/** What is replaced as a whole. */
interface Replaceable {
  settings: string;
  trust: readonly TrustRecord[];
  meta: ReadonlyMap<string, string>;
  received: ReadonlyMap<string, ReceivedRecord>;
  /** When each sitemap was read last. */
  sitemaps: ReadonlyMap<string, number>;
  listed: ReadonlyMap<number, Omit<ListedUrl, "listedMs">>;
}

/** A store in memory, for tests and simulated crawls. */
export class MemoryStore implements CrawlStore {
  /** Writes so far, each fact and each commit, also those that failed. */
  writes = 0;
  readonly #origins: string[] = [];
  readonly #urls: UrlRecord[] = [];
  readonly #visits = new MemoryVisits();
  readonly #rereads = new MemoryRereads();
  readonly #looks: LookRecord[] = [];
  readonly #rounds: RoundRecord[] = [];
  readonly #cuts: CutRecord[] = [];
  readonly #robots = new Map<number, RobotsRecord>();
  /** What was there at the last commit, if it was replaced since; undefined if there was nothing. */
  readonly #robotsBefore = new Map<number, RobotsRecord | undefined>();
  #current: Replaceable;
  #committed: Replaceable;
  #committedLengths = { origins: 0, urls: 0, visits: 0, rereads: 0, looks: 0, rounds: 0, cuts: 0 };
  #rules = new LogRules(this.#committedLengths);
  #state: "open" | "failed" | "closed" = "open";
  #failAt = Number.POSITIVE_INFINITY;
  #failKind: StoreError["kind"] = "failed";

  /** As a directory just made: the settings are committed. */
  constructor(settingsJson = "{}") {
    const empty = { meta: new Map(), received: new Map(), sitemaps: new Map(), listed: new Map() };
    this.#current = { settings: settingsJson, trust: [], ...empty };
    this.#committed = { ...this.#current };
  }

  /** The write of this number (from 1, over the life of the store) fails, and so do all after it until `crash`. */
  failAt(writeNumber: number, kind: StoreError["kind"]): void {
    this.#failAt = writeNumber;
    this.#failKind = kind;
  }

  /** As if the process had died and the directory had been opened again. No failure is planned any more. */
  crash(): void {
    this.#dropUncommitted();
    this.#state = "open";
    this.#failAt = Number.POSITIVE_INFINITY;
  }

  settings(): string {
    return this.#current.settings;
  }

  replaceSettings(json: string): void {
    this.#write();
    this.#current.settings = json;
  }

  meta(key: string): string | undefined {
    return this.#current.meta.get(key);
  }

  putMeta(key: string, value: string | undefined): void {
    this.#write();
    const meta = new Map(this.#current.meta);
    if (value === undefined) meta.delete(key);
    else meta.set(key, value);
    this.#current.meta = meta;
  }

  addOrigin(id: number, origin: string): void {
    this.#write();
    this.#rules.addOrigin(id);
    this.#origins.push(origin);
  }

  addUrl(url: UrlRecord): void {
    this.#write();
    this.#rules.addUrl(url);
    this.#urls.push(url);
  }

  addVisit(visit: Visit, replaces?: number): void {
    this.#write();
    this.#visits.expect(visit, replaces);
    this.#rules.addVisit(visit, replaces);
    this.#visits.add(visit, replaces);
  }

  deletableVisits(kept: KeptVisits): Iterable<readonly number[]> {
    return this.#visits.deletable(kept);
  }

  deleteVisits(numbers: readonly number[]): void {
    const by = this.#visits.expectDeletable(numbers);
    this.putMeta(VIEWS_FROM, String(Math.max(this.#viewsFrom, ...by)));
    this.#visits.delete(numbers);
  }

  *condenseReads(untilMs: number): Iterable<number> {
    const folds = this.#rereads.foldable(untilMs);
    if (folds.folded.length > 0) {
      const times = this.#rereads.all.filter(({ number }) => folds.into.has(number)).map(({ atMs }) => atMs);
      this.putMeta(CONDENSED_TO, String(Math.max(Number(this.meta(CONDENSED_TO) ?? times[0]), ...times)));
      this.#rereads.fold(folds);
    }
    yield folds.folded.length;
    const numbers = this.#visits.forgettable(untilMs);
    if (numbers.length > 0) {
      this.#write();
      this.#visits.forget(numbers);
    }
    yield numbers.length;
  }

  addAnchors(visit: number, texts: string): void {
    this.#write();
    this.#rules.addTexts(visit);
    this.#visits.addAnchors(visit, texts);
  }

  anchorsOf(url: number): string | undefined {
    return this.#visits.anchorsOf(url);
  }

  addTexts(visit: number, texts: PageTexts): void {
    this.#write();
    this.#rules.addTexts(visit);
    this.#visits.addTexts(visit, texts);
  }

  textsOf(url: number): PageTexts | undefined {
    return this.#visits.textsOf(url);
  }

  addReread(reread: Reread): void {
    this.#write();
    this.#rules.addReread(reread);
    this.#rereads.add(reread);
  }

  addLook(look: LookRecord): void {
    this.#write();
    this.#rules.addLook(look);
    this.#looks.push(look);
  }

  addRound(round: RoundRecord): void {
    this.#write();
    this.#rules.addRound(round);
    this.#rounds.push(round);
  }

  addCut(cut: CutRecord): void {
    this.#write();
    this.#rules.addCut(cut);
    this.#cuts.push(cut);
  }

  replaceTrust(trust: readonly TrustRecord[]): void {
    this.#write();
    this.#rules.replaceTrust(trust);
    this.#current.trust = [...trust].sort((a, b) => a.url - b.url);
  }

  putReceived(received: ReceivedRecord): void {
    this.#write();
    this.#rules.knownUrl(received.url);
    const key = `${received.url} ${received.sender}`;
    if ((this.#current.received.get(key)?.total ?? 0) >= received.total) return;
    this.#current.received = new Map(this.#current.received).set(key, received);
  }

  putRobots(robots: RobotsRecord): void {
    this.#write();
    this.#rules.putRobots(robots.origin, robots.body);
    if (!this.#robotsBefore.has(robots.origin)) {
      this.#robotsBefore.set(robots.origin, this.#robots.get(robots.origin));
    }
    this.#robots.set(robots.origin, robots);
  }

  putSitemap({ address: sitemap, atMs, entries }: SitemapRecord): void {
    this.#write();
    this.#current.sitemaps = new Map(this.#current.sitemaps).set(sitemap, atMs);
    const listed = new Map(this.#current.listed);
    for (const { url, modifiedMs } of entries) {
      this.#rules.knownUrl(url);
      listed.set(url, { url, sitemap, modifiedMs: modifiedMs ?? listed.get(url)?.modifiedMs ?? null });
    }
    this.#current.listed = listed;
  }

  commit(): void {
    this.#write();
    this.#committed = { ...this.#current };
    this.#committedLengths = {
      origins: this.#origins.length,
      urls: this.#urls.length,
      visits: this.#visits.count,
      rereads: this.#rereads.count,
      looks: this.#looks.length,
      rounds: this.#rounds.length,
      cuts: this.#cuts.length,
    };
    this.#visits.commit();
    this.#rereads.commit();
    this.#robotsBefore.clear();
  }

  origins(first = 0): Iterable<string> {
    return this.#origins.slice(first);
  }

  urls(first = 0): Iterable<UrlRecord> {
    return this.#urls.slice(first);
  }

  visits(first = 1): Iterable<Visit> {
    return this.#visits.counted(first);
  }

  get generation(): number {
    return this.#visits.generation();
  }

  replacedVisits(): Iterable<ReplacedVisit> {
    return this.#visits.replaced();
  }

  /** The log as it was after this visit. */
  asOf(visit: number): CrawlLog {
    if (visit < this.#viewsFrom) throw lostView(this.#visits.atMs(this.#viewsFrom));
    const urlCount = this.#urls.filter(({ discoveredAt }) => discoveredAt <= visit).length;
    const urls = this.#urls.slice(0, urlCount);
    const isKnown = ({ url }: { readonly url: number }): boolean => url < urlCount;
    const origins = this.#origins.slice(0, 1 + Math.max(-1, ...urls.map(({ origin }) => origin)));
    return {
      settings: () => this.settings(),
      origins: (first = 0) => origins.slice(first),
      urls: (first = 0) => urls.slice(first),
      visits: (first = 1) => this.#visits.counted(first, visit),
      trust: () => [...this.trust()].filter(isKnown),
      received: () => [...this.received()].filter(isKnown),
      looks: () => this.#looks,
      rounds: () => this.#rounds.filter(({ afterVisit }) => afterVisit <= visit),
      cuts: () => this.#cuts.filter(isKnown),
      listedUrls: () => [...this.listedUrls()].filter(isKnown),
      urlCount,
      generation: this.#visits.generation(visit),
    };
  }

  looks(): Iterable<LookRecord> {
    return this.#looks;
  }

  rounds(): Iterable<RoundRecord> {
    return this.#rounds;
  }

  cuts(): Iterable<CutRecord> {
    return this.#cuts;
  }

  rereads(): Iterable<Reread> {
    return this.#rereads.all;
  }

  trust(): Iterable<TrustRecord> {
    return this.#current.trust;
  }

  received(): Iterable<ReceivedRecord> {
    return [...this.#current.received.values()].sort((a, b) => a.url - b.url || a.sender - b.sender);
  }

  robots(): Iterable<RobotsRecord> {
    return [...this.#robots.values()].sort((a, b) => a.origin - b.origin);
  }

  listedUrls(): Iterable<ListedUrl> {
    const { listed, sitemaps } = this.#current;
    return [...listed.values()]
      .sort((a, b) => a.url - b.url)
      .map((each) => ({ ...each, listedMs: sitemaps.get(each.sitemap) ?? 0 }));
  }

  get rereadCount(): number {
    return this.#rereads.count;
  }

  get urlCount(): number {
    return this.#urls.length;
  }

  pathOf(url: number): string {
    this.#rules.knownUrl(url);
    const { path } = this.#urls[url];
    assert(path !== null, `URL ${url} is a sink and has no path`);
    return path;
  }

  close(): void {
    if (this.#state === "open") this.commit();
    this.#state = "closed";
  }

  #write(): void {
    assert(this.#state !== "closed", "a store that was closed is not written to");
    this.writes++;
    if (this.writes >= this.#failAt && this.#state === "open") {
      this.#dropUncommitted();
      this.#state = "failed";
    }
    if (this.#state === "failed") {
      throw new StoreError(this.#failKind, `write ${this.writes} failed, as planned (${this.#failKind})`);
    }
  }

  get #viewsFrom(): number {
    return Number(this.meta(VIEWS_FROM) ?? 0);
  }

  #dropUncommitted(): void {
    const { origins, urls, visits, looks, rounds, cuts } = this.#committedLengths;
    this.#rereads.undo();
    this.#looks.length = looks;
    this.#rounds.length = rounds;
    this.#cuts.length = cuts;
    this.#visits.undo(visits);
    this.#origins.length = origins;
    this.#urls.length = urls;
    for (const [origin, before] of this.#robotsBefore) {
      if (before === undefined) this.#robots.delete(origin);
      else this.#robots.set(origin, before);
    }
    this.#robotsBefore.clear();
    this.#current = { ...this.#committed };
    this.#rules = new LogRules(this.#committedLengths);
  }
}
