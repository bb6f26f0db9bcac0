/** What the reply to a request for a page means: the facts that a crawl learns from it. */
import { type Answer, type Reply, retryAfterMs, retryWaitMs, type Verdict } from "../fetch/index.ts";
import { canonicalUrl, Scope } from "../web/index.ts";
import { ContentCopies } from "./content-copies.ts";
import { fingerprintBytes } from "./fingerprint.ts";
import type { Frontier } from "./frontier.ts";
import { linkRow } from "./link-rows.ts";
import type { PageContent } from "./reader/contract.ts";
import type { CrawlRecord, VisitDetails } from "./record.ts";
import type { WebSettings } from "./settings/settings.ts";

/** Redirects in a row; one more and the URL has failed. */
const REDIRECTS_MAX = 10;

export class PageVisits {
  readonly #record: CrawlRecord;
  readonly #frontier: Frontier;
  readonly #web: WebSettings;
  readonly #scope: Scope;
  readonly #copies = new ContentCopies();
  /** Attempts so far at pages that failed at least once. */
  readonly #attempts = new Map<number, number>();

  constructor(record: CrawlRecord, frontier: Frontier, web: WebSettings) {
    this.#record = record;
    this.#frontier = frontier;
    this.#web = web;
    this.#scope = new Scope(web.scope);
  }

  /** An attempt of an earlier run counts too. */
  restoreAttempt(url: number): void {
    this.#attempts.set(url, (this.#attempts.get(url) ?? 0) + 1);
  }

  /** A copy of an earlier run counts too. */
  restoreContent(url: number, digestHigh: number, digestLow: number): void {
    this.#copies.add(this.#record.hostOf(url).id, digestHigh, digestLow);
  }

  /** Takes in any reply but that of a page, of which `content` is told later. */
  replied(
    url: number,
    text: string,
    reply: Reply,
    verdict: Verdict,
    now: { nowMs: number; wallMs: number },
  ): void {
    const details = detailsOf(reply, now.wallMs);
    switch (verdict.meaning) {
      case "dead":
        this.#forget(url);
        return this.#record.dead(url, { ...details, reason: verdict.reason });
      case "redirect":
        this.#forget(url);
        return this.#redirected(url, text, locationOf(reply), details);
      case "try-again":
        return this.#tryAgain(url, reply, verdict, details, now);
      default:
        this.#forget(url);
        return this.#record.refused(url, "failed", verdict.reason, details);
    }
  }

  /** A page was read; its body may be gone by now, to the thread that read it. */
  content(url: number, answer: Answer, content: PageContent, wallMs: number): void {
    this.#forget(url);
    const details = {
      ...detailsOf(answer, wallMs),
      title: content.title,
      digest: content.hasDigest ? fingerprintBytes(content.digestHigh, content.digestLow) : null,
    };
    const depth = this.#record.urls.depthOf(url) + 1;
    if (content.canonical !== null && this.#web.honourCanonical && !this.#leadsBack(url, content.canonical)) {
      return this.#redirectTo(url, content.canonical, "canonical", false, details);
    }
    const row = linkRow(this.#record, content.links, {
      depth,
      refuseNew: this.#refusesNew(url, content),
    });
    const before = this.#record.urls.size;
    const canonical =
      content.canonical === null
        ? -1
        : this.#record.hear(content.canonical, { source: "canonical", depth, onVisit: true });
    this.#record.downloaded(url, row.targets, content.isWhole, details);
    if (canonical >= 0) this.#record.known(canonical, before);
    for (const [trapped, rule] of row.trapped) this.#record.refused(trapped, "trap", rule, { atMs: wallMs });
  }

  #refusesNew(url: number, { hasDigest, digestHigh, digestLow }: PageContent): string | null {
    if (!hasDigest) return null;
    const copies = this.#copies.add(this.#record.hostOf(url).id, digestHigh, digestLow);
    return copies > this.#web.sameContentMax ? "identical-content" : null;
  }

  #redirected(url: number, text: string, location: string, details: VisitDetails): void {
    const target = canonicalUrl(location, text, this.#web.urlRules);
    if (target === null) return this.#record.refused(url, "failed", "bad-location", details);
    this.#redirectTo(url, target, "redirect", isRewritten(location, text, target), details);
  }

  #redirectTo(
    url: number,
    target: string,
    source: "redirect" | "canonical",
    isRewritten: boolean,
    details: VisitDetails,
  ): void {
    if (!this.#scope.contains(target)) return this.#record.refused(url, "out-of-scope", "redirect", details);
    if (this.#record.hopsTo(url) >= REDIRECTS_MAX) {
      return this.#record.refused(url, "failed", "too-many-redirects", details);
    }
    if (this.#leadsBack(url, target) && !this.#isTrueLoop(url, target, isRewritten)) {
      return this.#record.refused(url, "failed", "redirect-loop", details);
    }
    const depth = this.#record.urls.depthOf(url);
    const id = this.#record.hear(target, { source, depth, onVisit: true });
    this.#record.redirected(url, id, isRewritten, details);
  }

  /**
   * A loop is dead only where the server itself goes round in it. Where we rewrote a URL on the way, or a page named another as its
   * canonical form, there may be a page that we do not see.
   */
  #isTrueLoop(url: number, target: string, isRewritten: boolean): boolean {
    if (this.#web.honourCanonical || isRewritten) return false;
    return !this.#record.isRewrittenBetween(this.#record.find(target), url);
  }

  #leadsBack(url: number, target: string): boolean {
    const known = this.#record.find(target);
    return known >= 0 && this.#record.closesLoop(url, known);
  }

  #tryAgain(
    url: number,
    reply: Reply,
    verdict: Verdict,
    details: VisitDetails,
    { nowMs, wallMs }: { nowMs: number; wallMs: number },
  ): void {
    if (verdict.reason === "aborted") return this.#frontier.putBack(url);
    const attempts = (this.#attempts.get(url) ?? 0) + 1;
    if (attempts >= verdict.attemptsMax) {
      this.#forget(url);
      return this.#record.refused(url, "failed", verdict.reason, details);
    }
    this.#attempts.set(url, attempts);
    this.#record.tryAgain(url, verdict.reason, details);
    const askedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, wallMs) : null;
    const waitMs = retryWaitMs(attempts, verdict, askedMs);
    this.#frontier.retryAt(url, nowMs + waitMs);
    const pauseMs = this.#record.hostOf(url).pausedUntilMs - nowMs;
    const origin = this.#record.urls.originOf(url);
    const { reason } = verdict;
    this.#record.seeds.trouble(url, origin, { atMs: wallMs, reason, waitMs: Math.max(waitMs, pauseMs) });
  }

  #forget(url: number): void {
    this.#attempts.delete(url);
  }
}

function locationOf(reply: Reply): string {
  return reply.kind === "answer" ? (reply.headers["location"] ?? "") : "";
}

/** Whether a Location, read as any browser reads it, is another URL than the canonical form under which we know it. */
function isRewritten(location: string, base: string, canonical: string): boolean {
  const read = new URL(location, base);
  read.hash = "";
  return read.href !== canonical;
}

function detailsOf(reply: Reply, wallMs: number): VisitDetails {
  const { milliseconds } = reply;
  if (reply.kind === "failure") return { atMs: wallMs, milliseconds };
  const { status, headers, wireBytes } = reply;
  return {
    atMs: wallMs,
    milliseconds,
    status,
    wireBytes,
    contentType: headers["content-type"] ?? null,
    etag: headers["etag"] ?? null,
    lastModified: headers["last-modified"] ?? null,
  };
}
