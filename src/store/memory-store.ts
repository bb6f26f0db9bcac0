/**
 * A store in memory with the same contract, and a disk that fails or forgets on demand, for simulated crawls.
 *
 * The log is in plain lists; how much of each is committed is a length, so a commit costs nothing and `crash` is a cut.
 * Records are kept as given, without a copy.
 */
import { assert } from "../base/index.ts";
import {
  type CutRecord,
  isFinal,
  type ListedUrl,
  LogRules,
  type LookRecord,
  type PageTexts,
  type ReceivedRecord,
  type Reread,
  type RobotsRecord,
  type RoundRecord,
  secondOutcome,
  type SitemapRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { type CrawlStore, StoreError } from "./contract.ts";

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
  readonly #visits: Visit[] = [];
  readonly #anchors = new Map<number, string>();
  readonly #texts = new Map<number, PageTexts>();
  readonly #rereads: Reread[] = [];
  readonly #looks: LookRecord[] = [];
  readonly #rounds: RoundRecord[] = [];
  readonly #cuts: CutRecord[] = [];
  readonly #robots = new Map<number, RobotsRecord>();
  /** What was there at the last commit, if it was replaced since; undefined if there was nothing. */
  readonly #robotsBefore = new Map<number, RobotsRecord | undefined>();
  readonly #hasOutcome = new Set<number>();
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

  addVisit(visit: Visit): void {
    this.#write();
    const isLast = isFinal(visit.outcome);
    if (isLast && this.#hasOutcome.has(visit.url)) throw secondOutcome(visit);
    this.#rules.addVisit(visit);
    this.#visits.push(visit);
    if (isLast) this.#hasOutcome.add(visit.url);
  }

  addAnchors(visit: number, texts: string): void {
    this.#write();
    this.#rules.addTexts(visit);
    this.#anchors.set(visit, texts);
  }

  anchorsOf(url: number): string | undefined {
    const visit = this.#finalVisit(url);
    return visit && this.#anchors.get(visit.number);
  }

  addTexts(visit: number, texts: PageTexts): void {
    this.#write();
    this.#rules.addTexts(visit);
    this.#texts.set(visit, texts);
  }

  textsOf(url: number): PageTexts | undefined {
    const visit = this.#finalVisit(url);
    return visit && this.#texts.get(visit.number);
  }

  addReread(reread: Reread): void {
    this.#write();
    this.#rules.addReread(reread);
    this.#rereads.push(reread);
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
      visits: this.#visits.length,
      rereads: this.#rereads.length,
      looks: this.#looks.length,
      rounds: this.#rounds.length,
      cuts: this.#cuts.length,
    };
    this.#robotsBefore.clear();
  }

  origins(first = 0): Iterable<string> {
    return this.#origins.slice(first);
  }

  urls(first = 0): Iterable<UrlRecord> {
    return this.#urls.slice(first);
  }

  visits(first = 1): Iterable<Visit> {
    return this.#visits.slice(first - 1);
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
    return this.#rereads;
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
    return this.#rereads.length;
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

  #finalVisit(url: number): Visit | undefined {
    return this.#visits.find((each) => each.url === url && isFinal(each.outcome));
  }

  #dropUncommitted(): void {
    const { origins, urls, visits, rereads, looks, rounds, cuts } = this.#committedLengths;
    this.#rereads.length = rereads;
    this.#looks.length = looks;
    this.#rounds.length = rounds;
    this.#cuts.length = cuts;
    for (const visit of this.#visits.splice(visits)) {
      if (isFinal(visit.outcome)) this.#hasOutcome.delete(visit.url);
      this.#anchors.delete(visit.number);
      this.#texts.delete(visit.number);
    }
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
