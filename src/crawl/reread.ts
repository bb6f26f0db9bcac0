/**
 * Reads pages of a finished crawl again, politely: one request a host at a time, its delay (or the crawl-delay of its robots.txt) between
 * an answer and the next request, no more requests at one address than the crawl allows, robots.txt obeyed as it is by now. Requests are
 * conditional where the last answer gave validators; else the fingerprint of the body tells whether a page has changed.
 *
 * Life of a read: planned, then one of the outcomes of `rereadOutcomes`, written down; or left out, because its host asked for
 * patience or could not be reached, in which case nothing is written and the next run plans it again. There are no second attempts within a
 * run. What changed on a page is not followed: links stay as they were crawled.
 */
import type { Timers } from "../base/index.ts";
import {
  type Answer,
  type Fetcher,
  type FetchRequest,
  type Reply,
  retryAfterMs,
  verdictOf,
} from "../fetch/index.ts";
import type { CrawlStore, Reread } from "../store/index.ts";
import { canonicalUrl, hostOfOrigin, ROBOTS_REDIRECTS_MAX, robotsOfStatus, splitUrl } from "../web/index.ts";
import { AddressGates } from "./address-gates.ts";
import { fingerprintBytes, Fingerprinter } from "./fingerprint.ts";
import type { RefreshPage } from "./refresh-facts.ts";
import { isWholeRobots, RobotsCache, type RobotsState } from "./politeness/robots-cache.ts";
import type { CrawlSettings } from "./settings/settings.ts";

export interface RereadOptions {
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly settings: CrawlSettings;
  readonly timers: Timers;
  /** Downloaded before; the first of a host is read first. */
  readonly pages: readonly RefreshPage[];
  /** Asked before each request: whether to stop. */
  readonly isStopped?: () => boolean;
  readonly onReread?: (reread: Reread, text: string) => void;
}

export interface RereadResult {
  /** How many came out so. */
  readonly outcomes: Readonly<Record<Reread["outcome"], number>>;
  /** Planned and left for another time. */
  readonly left: number;
  /** How many of them for which reason: that of the reply that ended the visit of their host, "robots-..." or "interrupted". */
  readonly leftWhy: Readonly<Record<string, number>>;
  /** Hosts that asked for patience, and should be left alone for a while. */
  readonly patience: readonly string[];
}

interface PlannedPage extends RefreshPage {
  readonly origin: number;
  readonly text: string;
}

const COMMIT_MS = 1000;
const INTERRUPTED = "interrupted";
/** Only these say that a page has moved for good (RFC 9110, 15.4); behind any other it may be back tomorrow. */
const LASTING_REDIRECTS: ReadonlySet<number> = new Set([301, 308]);

export async function rereadPages(options: RereadOptions): Promise<RereadResult> {
  const fingerprinter = await Fingerprinter.create(options.settings.web.hashSeed);
  return new Rereading(options, fingerprinter).run();
}

class Rereading {
  readonly #options: RereadOptions;
  readonly #fingerprinter: Fingerprinter;
  readonly #origins: readonly string[];
  readonly #keeper: RobotsCache;
  /** Origins whose robots.txt was written by the crawl: only then are its sitemaps read, and it may be replaced. */
  readonly #written = new Set<number>();
  readonly #gates: AddressGates;
  readonly #outcomes = { unchanged: 0, changed: 0, gone: 0, moved: 0, failed: 0 };
  readonly #leftWhy: Record<string, number> = {};
  readonly #patience: string[] = [];
  #number = 0;
  #left = 0;
  #committedMs: number;

  constructor(options: RereadOptions, fingerprinter: Fingerprinter) {
    const { store, settings, timers } = options;
    this.#options = options;
    this.#fingerprinter = fingerprinter;
    this.#origins = [...store.origins()];
    this.#keeper = new RobotsCache(store, {
      productToken: settings.productToken,
      originText: (origin) => this.#origins[origin],
    });
    this.#keeper.restore((origin) => this.#written.add(origin));
    this.#gates = new AddressGates(settings.politeness.perAddress);
    for (const { number } of store.rereads()) this.#number = number;
    this.#committedMs = timers.nowMs();
  }

  async run(): Promise<RereadResult> {
    const { settings, store } = this.#options;
    const hosts = this.#byHost();
    const takeHosts = async (): Promise<void> => {
      for (let host = hosts.shift(); host !== undefined; host = hosts.shift()) await this.#readHost(host);
    };
    const workers = Math.min(settings.politeness.concurrency, hosts.length);
    await Promise.all(Array.from({ length: workers }, takeHosts));
    store.commit();
    return {
      outcomes: this.#outcomes,
      left: this.#left,
      leftWhy: this.#leftWhy,
      patience: this.#patience,
    };
  }

  #byHost(): PlannedPage[][] {
    const originOf = new Map<number, number>();
    const wanted = new Set(this.#options.pages.map(({ url }) => url));
    for (const { id, origin } of this.#options.store.urls()) if (wanted.has(id)) originOf.set(id, origin);
    const hosts = new Map<string, PlannedPage[]>();
    for (const page of this.#options.pages) {
      const origin = originOf.get(page.url)!;
      const text = this.#origins[origin] + this.#options.store.pathOf(page.url);
      const name = hostOfOrigin(this.#origins[origin]);
      const queue = hosts.get(name);
      if (queue === undefined) hosts.set(name, [{ ...page, origin, text }]);
      else queue.push({ ...page, origin, text });
    }
    return [...hosts.values()];
  }

  async #readHost(pages: readonly PlannedPage[]): Promise<void> {
    const { settings, isStopped = () => false } = this.#options;
    const host: HostVisit = {
      name: hostNameOf(pages[0].text),
      address: null,
      delayMs: settings.politeness.delayMs,
      answeredMs: -Infinity,
      trouble: null,
    };
    for (const page of pages) {
      if (isStopped()) host.trouble ??= INTERRUPTED;
      const why = host.trouble ?? (await this.#readPage(page, host));
      if (why === null) continue;
      this.#left++;
      this.#leftWhy[why] = (this.#leftWhy[why] ?? 0) + 1;
    }
  }

  /** Answers why the page is left for another time; null once it is read. */
  async #readPage(page: PlannedPage, host: HostVisit): Promise<string | null> {
    const { timers, settings, isStopped = () => false } = this.#options;
    const { delayMs, crawlDelayMsMax } = settings.politeness;
    const state = await this.#robotsOf(page.origin, host);
    if (state.kind !== "rules")
      return host.trouble ?? (state.kind === "unavailable" ? state.reason : state.kind);
    const { crawlDelayMs } = state.rules;
    if (crawlDelayMs !== null) host.delayMs = Math.max(delayMs, Math.min(crawlDelayMs, crawlDelayMsMax));
    if (!state.rules.allows(splitUrl(page.text).path)) {
      this.#write(page, { outcome: "failed", reason: "robots" });
      return null;
    }
    if (isStopped()) return INTERRUPTED;
    const reply = await this.#ask(conditional(page), host);
    if (host.trouble !== null) return host.trouble;
    this.#write(page, this.#findingOf(page, reply), reply);
    if (timers.nowMs() - this.#committedMs >= COMMIT_MS) this.#commit();
    return null;
  }

  #findingOf(page: PlannedPage, reply: Reply): Finding {
    const { meaning, reason } = verdictOf(reply);
    if (meaning === "dead") return { outcome: "gone", reason };
    if (meaning === "not-modified") {
      const { etag, lastModified } = validatorsOf(reply as Answer);
      return {
        outcome: "unchanged",
        digest: page.digest,
        etag: etag ?? page.etag,
        lastModified: lastModified ?? page.lastModified,
      };
    }
    if (meaning === "redirect" && LASTING_REDIRECTS.has((reply as Answer).status)) {
      const location = (reply as Answer).headers["location"] ?? "";
      return { outcome: "moved", reason: canonicalUrl(location, page.text) ?? location };
    }
    if (meaning !== "page") return { outcome: "failed", reason };
    const answer = reply as Answer;
    const digest = this.#digestOf(answer.body);
    return {
      outcome: isSame(digest, page.digest) ? "unchanged" : "changed",
      digest,
      ...validatorsOf(answer),
    };
  }

  #digestOf(body: Uint8Array): Uint8Array | null {
    if (body.length === 0) return null;
    this.#fingerprinter.bytes(body);
    return fingerprintBytes(this.#fingerprinter.high, this.#fingerprinter.low);
  }

  #write({ url, text }: PlannedPage, finding: Finding, reply?: Reply): void {
    const { store, timers, onReread } = this.#options;
    const reread: Reread = {
      number: ++this.#number,
      url,
      atMs: timers.wallMs(),
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

  #commit(): void {
    this.#options.store.commit();
    this.#committedMs = this.#options.timers.nowMs();
  }

  async #robotsOf(origin: number, host: HostVisit): Promise<RobotsState> {
    const { timers } = this.#options;
    const known = this.#keeper.stateOf(origin, timers.wallMs());
    if (known.kind !== "unknown") return known;
    const url = `${this.#origins[origin]}/robots.txt`;
    const reply = await this.#followed(url, host);
    if (reply.kind === "answer" && isWholeRobots(reply)) {
      this.#keeper.answered(origin, { status: reply.status, body: reply.body, atMs: timers.wallMs() });
      if (this.#written.has(origin)) this.#keeper.write(origin);
    } else {
      const isCutOff = reply.kind === "answer" && robotsOfStatus(reply.status) === "obey";
      const reason = `robots-${isCutOff ? "cut-off" : verdictOf(reply).reason}`;
      if (host.trouble !== null) host.trouble = reason;
      this.#keeper.set(origin, { kind: "unavailable", reason });
    }
    return this.#keeper.stateOf(origin, timers.wallMs());
  }

  /**
   * What stands at the end of the redirects; one too many, or to nowhere, comes as it is. So does one to another host, which has a rest
   * of its own that is not known here.
   */
  async #followed(url: string, host: HostVisit): Promise<Reply> {
    const name = hostNameOf(url);
    for (let at = url, hops = 0; ; hops++) {
      const reply = await this.#ask({ url: at, purpose: "robots" }, host);
      if (hops === ROBOTS_REDIRECTS_MAX || verdictOf(reply).meaning !== "redirect") return reply;
      const target = canonicalUrl((reply as Answer).headers["location"] ?? "", at);
      if (target === null || hostNameOf(target) !== name) return reply;
      at = target;
    }
  }

  /** Waits for the host's rest and for a place at its address, asks, and lets the host rest. */
  async #ask(request: FetchRequest, host: HostVisit): Promise<Reply> {
    const { timers, fetcher } = this.#options;
    const waitMs = host.answeredMs + host.delayMs - timers.nowMs();
    if (waitMs > 0) await new Promise<void>((resolve) => void timers.after(waitMs, resolve));
    const { address } = host;
    if (address !== null) await this.#gates.enter(address);
    const reply = await new Promise<Reply>((resolve) => fetcher.fetch(request, resolve));
    if (address !== null) this.#gates.leave(address);
    host.address = reply.address ?? address;
    host.answeredMs = timers.nowMs();
    const isAsked = asksForPatience(reply, timers.wallMs());
    if (isAsked) this.#patience.push(host.name);
    host.trouble = isAsked ? verdictOf(reply).reason : troubleOf(reply);
    return reply;
  }
}

interface HostVisit {
  readonly name: string;
  /** From its first answer on. */
  address: string | null;
  delayMs: number;
  answeredMs: number;
  /** Why it is left alone for the rest of this run. */
  trouble: string | null;
}

type Finding = Pick<Reread, "outcome"> & Partial<Pick<Reread, "reason" | "digest" | "etag" | "lastModified">>;

/** Of other statuses Retry-After says nothing about the host: a page that is gone is gone. */
function asksForPatience(reply: Reply, wallMs: number): boolean {
  if (reply.kind === "failure") return false;
  const { status, headers } = reply;
  return status === 429 || status === 503 || (status >= 500 && retryAfterMs(headers, wallMs) !== null);
}

/**
 * Whether a reply is a reason to leave its whole host alone: it asks for patience, or cannot be reached. It has answered before, so a name
 * that is not found today is such a trouble too, and no proof that its pages are gone.
 */
function troubleOf(reply: Reply): string | null {
  const { reason, pausesHost } = verdictOf(reply);
  return pausesHost || reason === "aborted" || reason === "host-not-found" ? reason : null;
}

function hostNameOf(url: string): string {
  return hostOfOrigin(splitUrl(url).origin);
}

function conditional({ text, etag, lastModified }: PlannedPage): FetchRequest {
  return {
    url: text,
    purpose: "page",
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  };
}

function validatorsOf({ headers }: Answer): Pick<Reread, "etag" | "lastModified"> {
  return { etag: headers["etag"] ?? null, lastModified: headers["last-modified"] ?? null };
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, k) => byte === b[k]);
}
