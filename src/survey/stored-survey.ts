/**
 * The stored survey of a crawl, which crawl it belongs to, and whether it is up to date. The key of a survey is a
 * fingerprint of everything that it depends on besides the visits that were added to the log. If the key has changed,
 * nothing that was derived before is of use: pages that were read again have other facts now.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { FailureError, VERSION } from "../base/index.ts";
import {
  type Interval,
  isDownloaded,
  missingFlow,
  missingReason,
  type PageMasses,
  type Universe,
} from "../coverage/index.ts";
import { type CrawlSettings, parseSettings } from "../crawl/index.ts";
import type { CrawlLog } from "../log/index.ts";
import { openCrawlReadOnly, type ReadOptions } from "../store/index.ts";
import { earlierSurveyPath, SurveyFile, surveyPath, touchSurvey } from "./survey-file.ts";
import type { Survey, SurveyFacts, UrlShare } from "./survey.ts";

export class StoredSurvey implements Survey {
  readonly #file: SurveyFile;
  #places: Uint32Array | undefined;

  constructor(file: SurveyFile) {
    this.#file = file;
  }

  get facts(): SurveyFacts {
    return this.#file.head.facts;
  }

  get byImportance(): Uint32Array {
    return this.#file.column("byImportance");
  }

  get byVisit(): Uint32Array {
    return this.#file.column("byVisit");
  }

  get state(): Uint8Array {
    return this.#file.column("state");
  }

  get hostOf(): Uint32Array {
    return this.#file.column("hostOf");
  }

  get statusOf(): Uint16Array {
    return this.#file.column("statusOf");
  }

  get arrived(): Float64Array {
    return this.#file.column("arrived");
  }

  interval(url: number): Interval {
    const { wholeAtMost } = this.#file.head;
    return { low: Math.min(1, this.arrived[url] / wholeAtMost), high: this.#file.column("highs")[url] };
  }

  missing(url: number): UrlShare | undefined {
    const { missingScale, facts } = this.#file.head;
    return this.#share(url, facts.certificate.universe, missingScale);
  }

  outside(url: number): UrlShare | undefined {
    const { outsideScale, facts } = this.#file.head;
    const isPart = missingReason(this.state[url], facts.certificate.universe) !== undefined;
    return isPart ? undefined : this.#share(url, "everything", outsideScale);
  }

  #share(url: number, universe: Universe, scale: number): UrlShare | undefined {
    const { state, arrived } = this;
    const { damping } = this.#file.head;
    const reason = missingReason(state[url], universe);
    if (reason === undefined) return undefined;
    const masses: PageMasses = { pages: state.length, damping, universe, state, arrived: (page) => arrived[page] };
    const mass = missingFlow(masses, url, reason) * scale;
    return mass > 0 ? { reason, mass } : undefined;
  }

  place(url: number): number {
    this.#places ??= placesOf(this.byImportance, this.state);
    return this.#places[url];
  }

  linksTo(url: number): Uint32Array {
    const bounds = this.#file.range("inStarts", url, url + 2);
    return this.#file.range("inSources", bounds[0], bounds[1]);
  }

  linkCount(url: number): number {
    return this.#file.column("linkCounts")[url];
  }

  attempts(url: number): Uint32Array {
    const urls = this.#file.column("attemptUrls");
    return this.#file.column("attemptVisits").filter((_, k) => urls[k] === url);
  }

  close(): void {
    this.#file.close();
  }
}

function placesOf(byImportance: Uint32Array, state: Uint8Array): Uint32Array {
  const places = new Uint32Array(state.length);
  let place = 0;
  for (const url of byImportance) if (isDownloaded(state[url])) places[url] = ++place;
  return places;
}

/** A survey that was just computed. */
export interface WrittenSurvey {
  readonly path: string;
  /** The file is not in the crawl's directory, and is deleted once it is open. */
  readonly isTemporary: boolean;
}

export interface KeyedSurvey {
  readonly survey: Survey;
  readonly key: string;
}

export interface Freshness {
  /**
   * It is of this crawl, with its seeds and its order. What it calls certain still is, or, where pages were read again
   * since, was so by the facts of its time.
   */
  readonly isValid: boolean;
  /** The survey includes everything that the crawl has committed, or had at that moment, with its current limits. */
  readonly isCurrent: boolean;
}

type Store = ReturnType<typeof openCrawlReadOnly>;

export function surveyKey(store: CrawlLog): { readonly settings: CrawlSettings; readonly key: string } {
  const settings = parseSettings(store.settings());
  const { order, damping, limits, hosts = {}, web } = settings;
  const { depth = "-", pagesPerHost = "-" } = limits;
  const pagesOfHosts = Object.entries(hosts).flatMap(([host, { pages }]) => (pages === undefined ? [] : [host, pages]));
  const hash = createHash("sha256");
  // The hash seed is random for each crawl, so it identifies the directory. Another version may compute other values.
  const { hashSeed, duplicatesCountNothing } = web;
  hash.update(JSON.stringify({ version: VERSION, order, damping, hashSeed, duplicatesCountNothing }));
  for (const { url, weight } of store.trust()) hash.update(`\n${url} ${weight}`);
  // Looks are followed from the first record on, where there are any.
  const [firstLook] = store.looks();
  const looks = firstLook === undefined ? "-" : "looks";
  const pages = [pagesPerHost, ...pagesOfHosts].join();
  // Limits change only the reasons why something is missing, and what was surveyed before pages were read again may be
  // shown until there is a newer survey: see `isSameCrawl`.
  return { settings, key: [hash.digest("hex"), depth, pages, looks, store.generation].join(" ") };
}

/** If this part differs, the survey is of another crawl or of other trust, and nothing it calls certain holds. */
function isSameCrawl(key: string, other: string): boolean {
  return key.split(" ", 1)[0] === other.split(" ", 1)[0];
}

/**
 * The key of a survey of an earlier moment. What sitemaps list is not dated, and changes what they are found to lack; a
 * survey of now is made anew with the visits that come along.
 */
export function earlierKey(store: Store): string {
  return `${surveyKey(store).key} ${store.sitemapsReadMs}`;
}

/**
 * The stored survey of this crawl with these settings, even if it is old; undefined if there is none. As of an earlier
 * moment, the survey of now that was stored then may still be there, or one that was made for it.
 */
export function storedSurvey(dir: string, moment: ReadOptions = {}): KeyedSurvey | undefined {
  return withStore(dir, moment, (store) => {
    const ofNow = openKeyed(surveyPath(dir), surveyKey(store).key, store);
    if (store.isNow || ofNow?.survey.facts.visits === store.nextVisit - 1) return ofNow;
    ofNow?.survey.close();
    const path = earlierSurveyPath(dir, store.nextVisit - 1);
    const earlier = openKeyed(path, earlierKey(store), store);
    if (earlier !== undefined) touchSurvey(path);
    return earlier;
  });
}

/** The stored survey if nothing has to be computed; the caller closes it. */
export function currentSurvey(dir: string, moment: ReadOptions): Survey | undefined {
  const stored = storedSurvey(dir, moment);
  if (stored === undefined || surveyFreshness(dir, stored, moment).isCurrent) return stored?.survey;
  stored.survey.close();
  return undefined;
}

/** Opens a survey that was just written. */
export function openWritten({ path, isTemporary }: WrittenSurvey): KeyedSurvey {
  const file = SurveyFile.open(path);
  // An open file stays readable.
  if (isTemporary) rmSync(dirname(path), { recursive: true, force: true });
  if (file === undefined) throw new FailureError(`${path} cannot be read: another program writes there`);
  return { survey: new StoredSurvey(file), key: file.head.key };
}

function openKeyed(path: string, key: string, store: Store): KeyedSurvey | undefined {
  const file = SurveyFile.open(path);
  if (file === undefined) return undefined;
  if (file.head.key === key && continues(store, file.head.facts)) return { survey: new StoredSurvey(file), key };
  file.close();
  return undefined;
}

export function surveyFreshness(
  dir: string,
  { survey: { facts }, key }: KeyedSurvey,
  moment: ReadOptions = {},
): Freshness {
  return withStore(dir, moment, (store) => {
    // One of now may serve an earlier moment, but not the other way round.
    const now = !store.isNow && key === earlierKey(store) ? key : surveyKey(store).key;
    const isValid = isSameCrawl(key, now) && continues(store, facts);
    // Walks whose pages were known already add rounds, but no visits.
    const isComplete =
      facts.visits + 1 === store.nextVisit &&
      facts.urls === store.urlCount &&
      facts.rounds === [...store.rounds()].length;
    return { isValid, isCurrent: isValid && key === now && isComplete };
  });
}

/**
 * False if an older copy of the crawl was restored and took another course: then the times of visits differ. The last
 * visit of the survey may have been replaced since.
 */
function continues(store: Store, { visits, urls, lastVisitMs }: Survey["facts"]): boolean {
  if (visits >= store.nextVisit || urls > store.urlCount) return false;
  if (visits === 0) return true;
  const [last] = store.visits(visits);
  return last?.number === visits ? last.atMs === lastVisitMs : store.generation > visits;
}

function withStore<T>(dir: string, moment: ReadOptions, read: (store: Store) => T): T {
  const store = openCrawlReadOnly(dir, moment);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
