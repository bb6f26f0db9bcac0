/** What the reply to a request for a page means: the facts that a crawl learns from it. */
import { type Answer, type Reply, retryAfterMs, retryWaitMs, type Verdict } from "../fetch/index.ts";
import {
  canonicalUrl,
  combined,
  splitUrl,
  trapNames,
  type UsagePreferences,
  usageOfHeaders,
  usageText,
} from "../web/index.ts";
import type { PageTask } from "./dispatcher.ts";
import type { VisitDetails } from "./fact-writer.ts";
import type { CrawlFrontier } from "./frontier.ts";
import type { Now } from "./machine.ts";
import type { CrawlModel } from "./model.ts";
import type { Host } from "./politeness/host.ts";
import { USAGE_BY_HEADER } from "./politeness/robots-policy.ts";
import { type PageContent, LinkKind, type PackedLinks } from "./reader/contract.ts";
import type { SeedTrust } from "./seed-trust.ts";
import type { WebSettings } from "./settings/settings.ts";
import { UrlState } from "./url-index.ts";

/** Redirects in a row; one more and the URL has failed. */
export const REDIRECTS_MAX = 10;

/** What replies are judged by and where facts go: a crawl that runs has more, an import has just this. */
export interface OutcomeModel
  extends Pick<CrawlModel, "facts" | "index" | "attempts" | "copies" | "values" | "scope" | "feed"> {
  readonly seeds: Pick<SeedTrust, "delayed">;
}

export class PageOutcomes {
  readonly #model: OutcomeModel;
  readonly #frontier: Pick<CrawlFrontier, "putBack" | "retryAt">;
  readonly #web: WebSettings;

  constructor(model: OutcomeModel, frontier: Pick<CrawlFrontier, "putBack" | "retryAt">, web: WebSettings) {
    this.#model = model;
    this.#frontier = frontier;
    this.#web = web;
  }

  /** A page is there, but where it is does not belong to the crawl. */
  outOfScope(url: number, text: string, reply: Reply, atMs: number): void {
    this.#model.facts.refused(url, "out-of-scope", "redirect", { ...detailsOf(reply, atMs), location: text });
  }

  /** Takes in any reply but that of a page, whose `content` comes later. */
  replied({ url, text, host }: PageTask, reply: Reply, verdict: Verdict, now: Now): void {
    const { facts } = this.#model;
    const details = detailsOf(reply, now.wallMs);
    switch (verdict.meaning) {
      case "dead":
        return facts.dead(url, verdict.reason, details);
      case "forbidden":
        return facts.refused(url, this.#isEntry(url) ? "blocked" : "forbidden", verdict.reason, details);
      case "redirect":
        return this.#redirected(url, text, reply, details);
      case "try-again":
        if (verdict.reason === "aborted") return this.#frontier.putBack(url);
        return this.#tryAgain(url, host, reply, verdict, details, now);
      default:
        return facts.refused(url, "failed", verdict.reason, details);
    }
  }

  /** A URL that had failed has failed once more. That is noted, and it counts as failed as before. */
  failedAgain(url: number, reply: Reply, { reason }: Verdict, wallMs: number): void {
    this.#model.facts.tryAgain(url, reason, detailsOf(reply, wallMs));
  }

  /** Whether the headers of a page forbid the purpose of this crawl. If so, nothing of the page is taken in. */
  forbidden({ url, usage }: PageTask, answer: Answer, wallMs: number): boolean {
    const { purpose } = this.#web;
    if (purpose === "none" || usageOfHeaders(answer.headers)?.[purpose] !== false) return false;
    const details = { ...detailsOf(answer, wallMs), usage: saidUsage(usage, answer) };
    this.#model.facts.refused(url, "robots", USAGE_BY_HEADER, details);
    return true;
  }

  /** A page was read; its body may be gone by now, to the thread that read it. */
  content({ url, usage }: PageTask, answer: Answer, content: PageContent, wallMs: number): void {
    const { index, facts } = this.#model;
    const details = Object.assign(detailsOf(answer, wallMs), content.facts, { usage: saidUsage(usage, answer) });
    const depth = index.depthOf(url) + 1;
    const from = index.shardOf(url);
    const { canonical } = content;
    if (canonical !== null && this.#web.honourCanonical && !this.#leadsBack(url, canonical)) {
      return this.#redirectTo(url, canonical, "canonical", false, details);
    }
    const row = linkRow(this.#model, content.links, { depth, from, refuseNew: this.#refusesNew(url, content) });
    if (canonical !== null) facts.discover(canonical, { source: "canonical", depth, onVisit: true, from });
    facts.expectLinks(content.links.text, content.links.ends);
    facts.downloaded(url, row.targets, content.linksUnknown, this.#withValue(url, details));
    if (content.links.anchors !== null) facts.anchors(this.#uncertain(row.targets, content.links.anchors));
    if (content.texts !== null) facts.texts(content.texts);
    for (const [trapped, rule] of row.trapped) facts.refused(trapped, "trap", rule, { atMs: wallMs });
  }

  /** The texts of links, without those of links that are known to lead to a page: nobody will ask for them. */
  #uncertain(targets: Uint32Array, anchors: string): string {
    const { index } = this.#model;
    return anchors
      .split("\n")
      .map((text, k) => (index.isDownloaded(targets[k]) ? "" : text))
      .join("\n")
      .trimEnd();
  }

  #withValue(url: number, details: VisitDetails): VisitDetails {
    const { values, index } = this.#model;
    if (values === undefined) return details;
    const { title = null, language = null, status = null, contentType = null, atMs } = details;
    return { ...details, value: values.of({ url: index.textOf(url), title, language, status, contentType }, atMs) };
  }

  /** The rule by which new URLs on yet another copy of the same content are refused. */
  #refusesNew(url: number, { facts: { digest } }: PageContent): string | null {
    if (digest === null) return null;
    const isOneMore = this.#model.copies.count(url, digest) >= this.#web.sameContentMax;
    return isOneMore ? "identical-content" : null;
  }

  #redirected(url: number, text: string, reply: Reply, details: VisitDetails): void {
    const location = reply.kind === "answer" ? (reply.headers["location"] ?? "") : "";
    const target = canonicalUrl(location, text, this.#web.urlRules);
    if (target === null) return this.#model.facts.refused(url, "failed", "bad-location", details);
    this.#redirectTo(url, target, "redirect", isRewritten(location, text, target), details);
  }

  #redirectTo(
    url: number,
    target: string,
    source: "redirect" | "canonical",
    isRewritten: boolean,
    details: VisitDetails,
  ): void {
    const { index, facts } = this.#model;
    if (!this.#mayLeadTo(url, target, source)) {
      return facts.refused(url, "out-of-scope", "redirect", { ...details, location: target });
    }
    if (index.hopsTo(url) >= REDIRECTS_MAX) {
      return facts.refused(url, "failed", "too-many-redirects", details);
    }
    if (this.#leadsBack(url, target) && !this.#isTrueLoop(url, target, isRewritten)) {
      return facts.refused(url, "failed", "redirect-loop", details);
    }
    const depth = index.depthOf(url);
    const id = facts.discover(target, { source, depth, onVisit: true, from: index.shardOf(url) });
    facts.redirected(url, id, isRewritten, details);
  }

  /** A seed, or the front page of a host, has led to this page of another host. */
  #isEntry(url: number): boolean {
    const { feed, index } = this.#model;
    return feed.standsForHost(url, index.depthOf(url));
  }

  /** The redirects of a seed are followed wherever they lead: where they end belongs to the scope. */
  #mayLeadTo(url: number, target: string, source: "redirect" | "canonical"): boolean {
    const { index, scope } = this.#model;
    const isOfSeed = source === "redirect" && index.depthOf(url) === 0;
    return isOfSeed ? scope.admits(target) : scope.contains(target);
  }

  /** A loop is dead only if the server itself goes round in it: behind a URL that we rewrote there may be a page. */
  #isTrueLoop(url: number, target: string, isRewritten: boolean): boolean {
    if (this.#web.honourCanonical || isRewritten) return false;
    const { index } = this.#model;
    return !index.isRewrittenBetween(index.find(target), url);
  }

  #leadsBack(url: number, target: string): boolean {
    const { index } = this.#model;
    const known = index.find(target);
    return known >= 0 && index.closesLoop(url, known);
  }

  #tryAgain(
    url: number,
    { pausedUntilMs }: Host,
    reply: Reply,
    verdict: Verdict,
    details: VisitDetails,
    { nowMs, wallMs }: Now,
  ): void {
    const { facts, attempts, seeds } = this.#model;
    const { reason } = verdict;
    const attempt = (attempts.get(url) ?? 0) + 1;
    if (attempt >= verdict.attemptsMax) return facts.refused(url, "failed", reason, details);
    facts.tryAgain(url, reason, details);
    const requestedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, wallMs) : null;
    const waitMs = retryWaitMs(attempt, verdict, requestedMs);
    this.#frontier.retryAt(url, nowMs + waitMs);
    seeds.delayed(url, { atMs: wallMs, reason, waitMs: Math.max(waitMs, pausedUntilMs - nowMs) });
  }
}

/** What robots.txt and the headers of a page say about its use. */
function saidUsage(byRobots: UsagePreferences | undefined, { headers }: Answer): string | null {
  const byHeaders = usageOfHeaders(headers);
  if (byRobots === undefined && byHeaders === null) return null;
  return usageText(combined(byRobots ?? {}, byHeaders ?? {}));
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

interface LinkRow {
  /** One number for each link, as written. */
  readonly targets: Uint32Array;
  /** URLs that are new and refused by a rule: that of a trap, or `refuseNew` for all of them. */
  readonly trapped: readonly (readonly [url: number, rule: string])[];
}

function linkRow(
  { index, facts }: Pick<OutcomeModel, "index" | "facts">,
  links: PackedLinks,
  {
    depth,
    from,
    refuseNew,
  }: { readonly depth: number; readonly from: number | undefined; readonly refuseNew: string | null },
): LinkRow {
  const { fingerprints, kinds, ends, text } = links;
  const targets = new Uint32Array(kinds.length);
  const trapped: [number, string][] = [];
  for (let k = 0; k < kinds.length; k++) {
    const kind = kinds[k];
    const high = fingerprints[2 * k];
    const low = fingerprints[2 * k + 1];
    const start = k === 0 ? 0 : ends[k - 1];
    if (kind === LinkKind.Nofollow || kind === LinkKind.OutOfScope) {
      const { origin } = splitUrl(text.slice(start, ends[k]));
      targets[k] = facts.sink(origin, kind === LinkKind.Nofollow ? "nofollow" : "out-of-scope", from);
      continue;
    }
    const known = index.findFingerprint(high, low, from);
    if (known >= 0) {
      targets[k] = known;
      continue;
    }
    const discovery = { source: "link", depth, onVisit: true, from } as const;
    targets[k] = facts.discoverNew(text.slice(start, ends[k]), high, low, discovery);
    const rule = kind >= LinkKind.Trap ? (trapNames[kind - LinkKind.Trap] ?? null) : refuseNew;
    // What another shard has is judged there.
    if (rule !== null && index.stateOf(targets[k]) !== UrlState.Elsewhere) trapped.push([targets[k], rule]);
  }
  return { targets, trapped };
}
