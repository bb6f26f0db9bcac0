/**
 * The work of a refresh: known pages are fetched again, each host's in the order of the plan. Requests are conditional
 * where the last answer gave validators; else the digest of the body tells whether a page has changed.
 *
 * Life of a page: planned, then one of the outcomes of `rereadOutcomes`, which is written; or left for another time,
 * because its host asked for time or could not be reached, in which case nothing is written and the next run plans it
 * again. There are no second attempts within a run: a host that is paused is left alone. What changed on a page is not
 * followed: links stay as they were crawled.
 */
import { type Answer, type FetchRequest, type Reply, retryAfterMs, verdictOf } from "../../fetch/index.ts";
import { type Reread, rereadOutcomes } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { zeroCounts } from "../../base/index.ts";
import { canonicalUrl } from "../../web/index.ts";
import type { PageTask, Work } from "../dispatcher.ts";
import { fingerprintBytes, type Fingerprinter } from "../fingerprint.ts";
import { HostQueues } from "../host-queues.ts";
import type { Now } from "../machine.ts";
import type { Address, Host, Hosts } from "../politeness/hosts.ts";
import type { PolitenessListener } from "../politeness/politeness.ts";
import type { Judgement, Origins, RobotsAttempt } from "../politeness/robots-policy.ts";
import type { RefreshPage } from "./refresh-facts.ts";

export interface RefreshWorkOptions {
  readonly store: CrawlStore;
  readonly fingerprinter: Fingerprinter;
  readonly hosts: Hosts;
  readonly origins: Origins;
  /** Downloaded before; the first of a host is read first. */
  readonly pages: readonly PlannedPage[];
  readonly onReread?: ((reread: Reread, text: string) => void) | undefined;
}

export interface PlannedPage extends RefreshPage {
  readonly origin: number;
  readonly text: string;
}

export interface RefreshResult {
  /** How many pages came out so. */
  readonly outcomes: Readonly<Record<Reread["outcome"], number>>;
  /** Planned and left for another time. */
  readonly left: number;
  /**
   * How many of them for which reason: that of the reply that ended the visit of their host, "robots-..." or
   * "interrupted".
   */
  readonly leftWhy: Readonly<Record<string, number>>;
  /** Hosts that asked for time, and should be left alone for a while. */
  readonly patience: readonly string[];
}

/** Only these say that a page has moved for good (RFC 9110, 15.4); behind any other it may be back tomorrow. */
const LASTING_REDIRECTS: ReadonlySet<number> = new Set([301, 308]);

export class RefreshWork implements Work, PolitenessListener {
  readonly #options: RefreshWorkOptions;
  readonly #queues: HostQueues<PlannedPage>;
  readonly #underWay = new Map<number, PlannedPage>();
  readonly #outcomes = zeroCounts(rereadOutcomes);
  readonly #leftWhy: Record<string, number> = {};
  readonly #patience = new Set<string>();
  #number = 0;
  #left = 0;

  constructor(options: RefreshWorkOptions) {
    this.#options = options;
    this.#queues = new HostQueues(options.hosts);
    for (const page of options.pages) this.#queues.add(options.origins.hostOfOrigin(page.origin), page);
    for (const { number } of options.store.rereads()) this.#number = number;
  }

  /** Whether every page was read or left. */
  get isDone(): boolean {
    return this.#queues.isEmpty && this.#underWay.size === 0;
  }

  get result(): RefreshResult {
    return { outcomes: this.#outcomes, left: this.#left, leftWhy: this.#leftWhy, patience: [...this.#patience] };
  }

  /** Nothing more is to be requested. */
  leaveAll(why: string): void {
    for (const host of this.#queues.hosts) this.#leave(host, why);
  }

  awake(host: Host): void {
    this.#queues.awake(host);
  }

  vacated(address: Address): void {
    this.#queues.vacated(address);
  }

  robotsDelayed(origin: number, { reason, reply }: RobotsAttempt, { wallMs }: Now): void {
    const host = this.#options.origins.hostOfOrigin(origin);
    if (wantsTime(reply, wallMs)) this.#patience.add(host.name);
    this.#leave(host, `robots-${reason}`);
  }

  next(): PageTask | undefined {
    const next = this.#queues.next();
    if (next === undefined) return undefined;
    const { host, item } = next;
    this.#underWay.set(item.url, item);
    return { url: item.url, text: item.text, origin: item.origin, host };
  }

  hold({ url, host }: PageTask): void {
    this.#queues.add(host, this.#take(url), "first");
  }

  excluded(task: PageTask, why: Exclude<Judgement, { kind: "allowed" | "later" }>, now: Now): void {
    const page = this.#take(task.url);
    if (why.kind === "refused" && why.reason === "robots" && why.detail === null) {
      return this.#write(page, { outcome: "failed", reason: "robots" }, now);
    }
    const isRobots = why.kind === "refused" && why.reason === "robots";
    this.#count(isRobots ? `robots-${why.detail}` : (why.detail ?? "failed"), 1);
  }

  requestFor({ url, text }: PageTask): FetchRequest {
    const { etag = null, lastModified = null } = this.#underWay.get(url) ?? {};
    return {
      url: text,
      purpose: "page",
      ...(etag === null ? {} : { etag }),
      ...(lastModified === null ? {} : { lastModified }),
    };
  }

  replied({ url, host }: PageTask, reply: Reply, now: Now): void {
    const page = this.#take(url);
    const { pausesHost, reason } = verdictOf(reply);
    const asksForTime = wantsTime(reply, now.wallMs);
    if (asksForTime) this.#patience.add(host.name);
    if (!asksForTime && !pausesHost && reason !== "aborted") {
      return this.#write(page, this.#findingOf(page, reply), now, reply);
    }
    const why = reason === "aborted" ? INTERRUPTED : reason;
    this.#count(why, 1);
    this.#leave(host, why);
  }

  #take(url: number): PlannedPage {
    const page = this.#underWay.get(url)!;
    this.#underWay.delete(url);
    return page;
  }

  #leave(host: Host, why: string): void {
    this.#count(why, this.#queues.drop(host).length);
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
      return { outcome: "moved", reason: canonicalUrl(location, page.text) ?? location };
    }
    if (meaning !== "page") return { outcome: "failed", reason };
    const digest = this.#digestOf(reply.body);
    return { outcome: isSame(digest, page.digest) ? "unchanged" : "changed", digest, ...validatorsOf(reply) };
  }

  #digestOf(body: Uint8Array): Uint8Array | null {
    if (body.length === 0) return null;
    const { fingerprinter } = this.#options;
    fingerprinter.bytes(body);
    return fingerprintBytes(fingerprinter.high, fingerprinter.low);
  }

  #write({ url, text }: PlannedPage, finding: Finding, { wallMs }: Now, reply?: Reply): void {
    const { store, onReread } = this.#options;
    const reread: Reread = {
      number: ++this.#number,
      url,
      atMs: wallMs,
      reason: null,
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

export const INTERRUPTED = "interrupted";

type Finding = Pick<Reread, "outcome"> & Partial<Pick<Reread, "reason" | "digest" | "etag" | "lastModified">>;

/** Of other statuses Retry-After says nothing about the host: a page that is gone is gone. */
function wantsTime(reply: Reply, wallMs: number): boolean {
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
