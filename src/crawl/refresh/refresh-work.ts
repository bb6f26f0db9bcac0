/**
 * The work of a refresh: known pages are fetched again, each host's in the order of the plan. Requests are conditional
 * where the last answer gave validators; otherwise the digest of the body tells whether a page has changed.
 *
 * Life of a page: planned, then one of `rereadOutcomes`, which is written; or left, because its host asked us to wait
 * or could not be reached: then nothing is written, and the next run plans it again. There are no second attempts
 * within a run. Links of a changed page are not followed.
 */
import { systemTimers, type Timers, zeroCounts } from "../../base/index.ts";
import {
  type Answer,
  type Fetcher,
  type FetchRequest,
  type Reply,
  retryAfterMs,
  verdictOf,
} from "../../fetch/index.ts";
import { type Reread, rereadOutcomes } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { canonicalUrl } from "../../web/index.ts";
import type { PageTask } from "../dispatcher.ts";
import { digestSeedOf, Fingerprinter } from "../fingerprint.ts";
import { ListEngine, ListWork, runList } from "../list-work.ts";
import type { Now } from "../machine.ts";
import { type Host, HostSchedule } from "../politeness/host-schedule.ts";
import type { Exclusion } from "../politeness/robots-cache.ts";
import type { RobotsAttempt } from "../politeness/robots-policy.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import { readIndex, type UrlIndex } from "../url-index.ts";
import type { RefreshPage } from "./refresh-facts.ts";

export interface RefreshOptions {
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly settings: CrawlSettings;
  readonly timers?: Timers;
  /** Downloaded before; the first of a host is read first. */
  readonly pages: readonly RefreshPage[];
  /** Ends the refresh: what is under way may finish for a moment. */
  readonly signal?: AbortSignal;
  readonly onReread?: (reread: Reread, text: string) => void;
}

export interface RefreshResult {
  /** How many pages came out so. */
  readonly outcomes: Readonly<Record<Reread["outcome"], number>>;
  /** Planned and left for another time. */
  readonly left: number;
  /** Their number by reason: that of the reply that ended the visit of the host, "robots-..." or "interrupted". */
  readonly leftWhy: Readonly<Record<string, number>>;
  /** Hosts that asked us to wait, and should be left alone for a while. */
  readonly busyHosts: readonly string[];
}

/** Only these say that a page has moved for good (RFC 9110, 15.4); behind any other it may be back tomorrow. */
const LASTING_REDIRECTS: ReadonlySet<number> = new Set([301, 308]);

/** Fetches pages of a finished crawl again, politely: with the politeness, dispatcher and runner of a crawl. */
export async function refreshPages(options: RefreshOptions): Promise<RefreshResult> {
  const { store, fetcher, settings, timers = systemTimers, signal } = options;
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed, digestSeedOf(settings.web));
  const hosts = new HostSchedule(settings.politeness, settings.hosts);
  const { index } = readIndex(store, hosts, fingerprinter);
  // The index counts the URLs that the crawl left waiting; here only the planned pages wait.
  for (const host of hosts.all) hosts.addWaiting(host, -host.waiting);
  const work = new RefreshWork(options, { hosts, index, fingerprinter });
  const engine = new ListEngine({ settings, hosts, origins: index, store }, work);
  await runList(engine, { store, fetcher, timers, signal });
  return work.result;
}

interface RefreshParts {
  readonly hosts: HostSchedule;
  readonly index: UrlIndex;
  readonly fingerprinter: Fingerprinter;
}

interface PlannedPage extends RefreshPage {
  readonly origin: number;
  readonly text: string;
}

class RefreshWork extends ListWork<PlannedPage> {
  readonly #options: RefreshOptions;
  readonly #parts: RefreshParts;
  readonly #outcomes = zeroCounts(rereadOutcomes);
  readonly #leftWhy: Record<string, number> = {};
  readonly #busyHosts = new Set<string>();
  #number = 0;
  #left = 0;

  constructor(options: RefreshOptions, parts: RefreshParts) {
    super(parts.hosts);
    this.#options = options;
    this.#parts = parts;
    const { index } = parts;
    for (const page of options.pages) {
      const origin = index.originOf(page.url);
      this.add(index.hostOfOrigin(origin), { ...page, origin, text: index.textOf(page.url) });
    }
    this.#number = options.store.rereadCount;
  }

  get result(): RefreshResult {
    return { outcomes: this.#outcomes, left: this.#left, leftWhy: this.#leftWhy, busyHosts: [...this.#busyHosts] };
  }

  interrupted(): void {
    for (const host of this.waitingHosts()) this.#leave(host, INTERRUPTED);
  }

  robotsDelayed(origin: number, { reason, reply }: RobotsAttempt, { wallMs }: Now): void {
    const host = this.#parts.index.hostOfOrigin(origin);
    if (asksToWait(reply, wallMs)) this.#busyHosts.add(host.name);
    this.#leave(host, `robots-${reason}`);
  }

  excluded(task: PageTask, why: Exclusion, now: Now): void {
    const page = this.take(task.url);
    if (why.kind === "refused" && why.reason === "robots") {
      return this.#write(page, { outcome: "failed", reason: "robots" }, now);
    }
    this.#count(why.detail ?? (why.kind === "refused" ? why.reason : "failed"), 1);
  }

  requestFor({ url, text }: PageTask): FetchRequest {
    const { etag = null, lastModified = null } = this.underWay(url) ?? {};
    return {
      url: text,
      purpose: "page",
      ...(etag === null ? {} : { etag }),
      ...(lastModified === null ? {} : { lastModified }),
    };
  }

  replied({ url, host }: PageTask, reply: Reply, now: Now): void {
    const page = this.take(url);
    const { pausesHost, reason } = verdictOf(reply);
    const mustWait = asksToWait(reply, now.wallMs);
    if (mustWait) this.#busyHosts.add(host.name);
    if (!mustWait && !pausesHost && reason !== "aborted") {
      return this.#write(page, this.#findingOf(page, reply), now, reply);
    }
    const why = reason === "aborted" ? INTERRUPTED : reason;
    this.#count(why, 1);
    this.#leave(host, why);
  }

  #leave(host: Host, why: string): void {
    this.#count(why, this.drop(host).length);
  }

  #count(why: string, pages: number): void {
    if (pages === 0) return;
    this.#left += pages;
    this.#leftWhy[why] = (this.#leftWhy[why] ?? 0) + pages;
  }

  #findingOf(page: PlannedPage, reply: Reply): Finding {
    const { meaning, reason } = verdictOf(reply);
    if (meaning === "dead") return { outcome: "gone", reason };
    if (reply.kind === "failure") return { outcome: "failed", reason };
    if (meaning === "not-modified") {
      const { etag, lastModified } = validatorsOf(reply);
      return {
        outcome: "unchanged",
        digest: page.digest,
        etag: etag ?? page.etag,
        lastModified: lastModified ?? page.lastModified,
      };
    }
    if (meaning === "redirect" && LASTING_REDIRECTS.has(reply.status)) {
      const location = reply.headers["location"] ?? "";
      return { outcome: "moved", target: canonicalUrl(location, page.text) ?? location };
    }
    if (meaning !== "page") return { outcome: "failed", reason };
    const digest = this.#parts.fingerprinter.digest(reply.body);
    return { outcome: isSame(digest, page.digest) ? "unchanged" : "changed", digest, ...validatorsOf(reply) };
  }

  #write({ url, text }: PlannedPage, finding: Finding, { wallMs }: Now, reply?: Reply): void {
    const { store, onReread } = this.#options;
    const reread: Reread = {
      number: ++this.#number,
      url,
      atMs: wallMs,
      reason: null,
      target: null,
      digest: null,
      etag: null,
      lastModified: null,
      status: reply?.kind === "answer" ? reply.status : null,
      milliseconds: Math.round(reply?.milliseconds ?? 0),
      wireBytes: reply?.kind === "answer" ? reply.wireBytes : 0,
      ...finding,
    };
    store.addReread(reread);
    this.#outcomes[reread.outcome]++;
    onReread?.(reread, text);
  }
}

const INTERRUPTED = "interrupted";

type Finding = Pick<Reread, "outcome"> &
  Partial<Pick<Reread, "reason" | "target" | "digest" | "etag" | "lastModified">>;

/** Of other statuses Retry-After says nothing about the host: a page that is gone is gone. */
function asksToWait(reply: Reply, wallMs: number): boolean {
  if (reply.kind === "failure") return false;
  const { status, headers } = reply;
  return status === 429 || status === 503 || (status >= 500 && retryAfterMs(headers, wallMs) !== null);
}

function validatorsOf({ headers }: Answer): Pick<Reread, "etag" | "lastModified"> {
  return { etag: headers["etag"] ?? null, lastModified: headers["last-modified"] ?? null };
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, k) => byte === b[k]);
}
