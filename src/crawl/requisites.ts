/**
 * What archived pages need to be shown (stylesheets, scripts, images, fonts) is fetched after a crawl and archived
 * beside them, wherever it lies, with the politeness of a crawl. None of it belongs to the graph.
 *
 * Life of a file: found in an archived page or stylesheet that is not archived itself, then fetched, once. What comes
 * is archived, errors too. What fails, or whose host asks us to wait, is left: the next run finds it again.
 */
import { FingerprintTable, systemTimers, type Timers } from "../base/index.ts";
import { type Answer, type Fetcher, type FetchRequest, type Reply, verdictOf } from "../fetch/index.ts";
import { type CrawlStore, REVISIT } from "../store/index.ts";
import {
  canonicalUrl,
  isHtml,
  isVague,
  mediaType,
  requisitesOfPage,
  requisitesOfStylesheet,
  usageOfHeaders,
} from "../web/index.ts";
import type { PageTask } from "./dispatcher.ts";
import { Fingerprinter } from "./fingerprint.ts";
import { ListEngine, ListWork, runList } from "./list-work.ts";
import type { Now } from "./machine.ts";
import type { CrawlArchive } from "./open.ts";
import type { Host } from "./politeness/host.ts";
import { HostSchedule } from "./politeness/host-schedule.ts";
import { OriginTable } from "./politeness/origin-table.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import type { RobotsAttempt } from "./politeness/robots-policy.ts";
import type { CrawlSettings } from "./settings/settings.ts";

/** An archived response, and the body that came with it. */
export interface ArchivedResponse {
  readonly url: string;
  readonly status: number;
  readonly mime: string;
  /** Undefined where its body is not in the archive. */
  readonly read: () => { readonly body: Uint8Array; readonly contentType: string | null } | undefined;
}

export interface RequisitesOptions {
  /** All responses of the archive, each time from the first. */
  readonly archived: () => Iterable<ArchivedResponse>;
  readonly store: Pick<CrawlStore, "commit">;
  readonly archive: CrawlArchive;
  readonly fetcher: Fetcher;
  readonly settings: CrawlSettings;
  readonly timers?: Timers;
  /** Ends it: what is under way may finish for a moment. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (counts: RequisiteCounts) => void;
}

/** How many files came out so. */
export interface RequisiteCounts {
  /** Archived, redirects too. */
  readonly fetched: number;
  /** Not found and the like: the answer is archived. */
  readonly dead: number;
  /** Not allowed by the robots.txt of their host, or not for the purpose of the crawl. */
  readonly forbidden: number;
  /** Left to the next run. */
  readonly left: number;
}

const HOPS_MAX = 5;
const NOTHING = new Uint8Array(0);
/** So many wait for their hosts before further pages are read. */
const WAITING_MAX = 1000;

export async function fetchRequisites(options: RequisitesOptions): Promise<RequisiteCounts> {
  const { store, fetcher, settings, archive, timers = systemTimers, signal } = options;
  const hosts = new HostSchedule(settings.politeness, settings.hosts);
  const work = new RequisiteWork(options, hosts, await Fingerprinter.create(settings.web.hashSeed));
  const engine = new ListEngine({ settings, hosts, origins: work.origins }, work);
  await runList(engine, { store, fetcher, timers, archive, signal });
  return work.counts;
}

interface Requisite {
  readonly url: number;
  readonly text: string;
  readonly origin: number;
  readonly hops: number;
}

class RequisiteWork extends ListWork<Requisite> {
  readonly origins: OriginTable;
  readonly #options: RequisitesOptions;
  readonly #fingerprinter: Fingerprinter;
  /** Archived, or found in this run. */
  readonly #known = new FingerprintTable();
  readonly #unread: Iterator<ArchivedResponse>;
  #isRead = false;
  #found = 0;
  #waiting = 0;
  readonly #counts = { fetched: 0, dead: 0, forbidden: 0, left: 0 };

  constructor(options: RequisitesOptions, hosts: HostSchedule, fingerprinter: Fingerprinter) {
    super(hosts);
    this.#options = options;
    this.origins = new OriginTable(hosts);
    this.#fingerprinter = fingerprinter;
    for (const { url } of options.archived()) this.#isNew(url);
    this.#unread = options.archived()[Symbol.iterator]();
  }

  get counts(): RequisiteCounts {
    return { ...this.#counts };
  }

  override get isDone(): boolean {
    return this.#isRead && super.isDone;
  }

  override next(): PageTask | undefined {
    while (!this.#isRead && this.#waiting < WAITING_MAX) this.#readOne();
    return super.next();
  }

  #readOne(): void {
    const { done, value } = this.#unread.next();
    this.#isRead = done === true;
    if (done === true || !isSuccess(value.status)) return;
    const { url, mime } = value;
    // The index does not say what the body is that a revisit shares with an earlier response.
    if (!isStylesheet(mime) && !isVague(mime) && !isHtml(mime, NOTHING) && mime !== REVISIT) return;
    const archived = value.read();
    if (archived === undefined) return;
    const { body, contentType } = archived;
    if (isStylesheet(contentType)) this.#addAll(requisitesOfStylesheet({ url, body, contentType }));
    else if (isHtml(contentType, body)) this.#addAll(requisitesOfPage({ url, body, contentType }));
  }

  interrupted(): void {
    this.#isRead = true;
    this.#unread.return?.();
    for (const host of this.waitingHosts()) this.#leave(host);
  }

  /** Other origins of the host may have a robots.txt. */
  robotsDelayed(origin: number, _attempt: RobotsAttempt): void {
    const host = this.origins.hostOfOrigin(origin);
    for (const each of this.drop(host)) {
      if (each.origin === origin) this.#ended("left");
      else this.add(host, each);
    }
  }

  excluded({ url }: PageTask, why: Exclusion): void {
    this.take(url);
    this.#ended(why.kind === "refused" && why.reason === "robots" ? "forbidden" : "left");
  }

  requestFor({ text }: PageTask): FetchRequest {
    return { url: text, purpose: "requisite" };
  }

  replied(task: PageTask, reply: Reply, { wallMs }: Now): void {
    const { text, hops } = this.take(task.url);
    const { meaning, pausesHost } = verdictOf(reply);
    if (reply.kind === "failure" || meaning === "try-again") {
      this.#ended("left");
      // A file that cannot be had says nothing about the others, unless its host is to be left alone.
      if (pausesHost) this.#leave(task.host);
      return;
    }
    const { archive, settings } = this.#options;
    const { purpose } = settings.web;
    if (purpose !== "none" && usageOfHeaders(reply.headers)?.[purpose] === false) return this.#ended("forbidden");
    archive.keep({ request: { url: text, purpose: "requisite" }, dateMs: wallMs, answer: reply });
    this.#ended(isSuccess(reply.status) || meaning === "redirect" ? "fetched" : "dead");
    if (meaning === "redirect") this.#follow(text, reply, hops);
    else if (isSuccess(reply.status) && isStylesheet(reply.headers["content-type"] ?? null)) {
      const contentType = reply.headers["content-type"] ?? null;
      this.#addAll(requisitesOfStylesheet({ url: text, body: reply.body, contentType }));
    }
  }

  #follow(text: string, { headers }: Answer, hops: number): void {
    const target = canonicalUrl(headers["location"] ?? "", text);
    if (target !== null && hops < HOPS_MAX) this.#addIfNew(target, hops + 1);
  }

  #addAll(urls: readonly string[]): void {
    for (const url of urls) this.#addIfNew(url, 0);
  }

  #addIfNew(text: string, hops: number): void {
    if (!this.#isNew(text)) return;
    const origin = this.origins.originOf(text);
    this.#waiting++;
    this.add(this.origins.hostOfOrigin(origin), { url: this.#found++, text, origin, hops });
  }

  #isNew(url: string): boolean {
    this.#fingerprinter.text(url);
    const { high, low } = this.#fingerprinter;
    if (this.#known.find(high, low) >= 0) return false;
    this.#known.add(high, low);
    return true;
  }

  #leave(host: Host): void {
    for (let left = this.drop(host).length; left > 0; left--) this.#ended("left");
  }

  #ended(as: keyof RequisiteCounts): void {
    this.#waiting--;
    this.#counts[as]++;
    this.#options.onProgress?.(this.counts);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function isStylesheet(contentType: string | null): boolean {
  return mediaType(contentType) === "text/css";
}
