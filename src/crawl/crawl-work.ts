/**
 * The work of a crawl: pages in the order of the frontier. Pages and sitemaps are read for further pages; what pages
 * need to be rendered goes before all other pages (page-pipeline.ts).
 */
import { type Answer, type FetchRequest, type Reply, verdictOf } from "../fetch/index.ts";
import type { SitemapEntry } from "../log/index.ts";
import { usageText } from "../web/index.ts";
import type { PageTask, Work } from "./dispatcher.ts";
import { CrawlFrontier } from "./frontier.ts";
import type { Now } from "./machine.ts";
import type { StopReason } from "./stop-reasons.ts";
import { OwnOrder } from "./own-order.ts";
import { PageOutcomes } from "./page-outcomes.ts";
import { type FinishedPage, PagePipeline } from "./page-pipeline.ts";
import type { SitemapRequest } from "./politeness/auxiliary-requests.ts";
import type { Address, Host } from "./politeness/host.ts";
import type { PolitenessListener } from "./politeness/politeness.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import type { RobotsAttempt } from "./politeness/robots-policy.ts";
import { LinkKind, type SitemapContent } from "./reader/contract.ts";
import type { ShardPart } from "./shard-part.ts";
import type { CrawlSettings } from "./settings/settings.ts";
import type { CrawlModel } from "./model.ts";
import { renderModeOf } from "./rendering/render-choice.ts";
import { ResourceQueue } from "./rendering/resource-queue.ts";

export interface WorkOptions {
  /** Fetch only what walks need, and at most so many pages. */
  readonly walkBudget?: number | undefined;
  /** Whether somebody wants to see the pages that are downloaded (default: false). */
  readonly showsPages?: boolean | undefined;
  readonly shard?: ShardPart | undefined;
}

export class CrawlWork implements Work, PolitenessListener {
  readonly pipeline: PagePipeline;
  readonly #model: CrawlModel;
  readonly #frontier: CrawlFrontier;
  readonly #outcomes: PageOutcomes;
  /** Left out unless only walks may fetch. */
  readonly #walkBudget: number | undefined;
  readonly #showsPages: boolean;
  readonly #resources: ResourceQueue;
  readonly #quota: ShardPart["quota"] | undefined;
  #pageRequests = 0;
  /** Pages requested in this run. */
  #requested = 0;

  constructor(model: CrawlModel, { web }: CrawlSettings, { walkBudget, showsPages = false, shard }: WorkOptions) {
    this.#model = model;
    this.#quota = shard?.quota;
    this.#walkBudget = walkBudget;
    this.#showsPages = showsPages;
    this.#frontier = new CrawlFrontier(model, shard?.means.level);
    this.#outcomes = new PageOutcomes(model, this.#frontier, web);
    this.pipeline = new PagePipeline(model, {
      mode: renderModeOf(web),
      load: shard?.means,
      finished: (page) => this.#downloaded(page),
    });
    this.#resources = this.pipeline.resources;
  }

  /** What earlier runs wrote is known. */
  open(): void {
    // Where the seeds of a shared crawl lead was found out before.
    this.pipeline.open({ isScopeSettled: this.#model.tally.downloaded > 0 || this.#quota !== undefined });
  }

  get isFull(): boolean {
    return this.pipeline.isFull;
  }

  get nextMs(): number {
    return Math.min(this.#frontier.nextMs, this.pipeline.nextMs);
  }

  get reasonOfEnd(): StopReason {
    if (this.#walkBudget !== undefined) return "page-limit";
    if (this.#frontier.tooDeep > 0) return "depth-limit";
    if (this.#frontier.overHostLimit > 0) return "page-limit";
    const { order, index } = this.#model;
    return order instanceof OwnOrder && index.open > 0 ? "order-empty" : "frontier-empty";
  }

  /** URLs beyond a limit. */
  get parked(): number {
    return this.#frontier.tooDeep + this.#frontier.overHostLimit;
  }

  limitsChanged(): void {
    this.#frontier.limitsChanged();
  }

  wake(nowMs: number, state: { readonly isPaused: boolean }): void {
    this.#frontier.wake(nowMs);
    this.#resources.wake(nowMs, state);
    this.pipeline.settleScope(nowMs, this);
  }

  awake(host: Host): void {
    this.#resources.awake(host);
    this.#frontier.awake(host);
  }

  vacated(address: Address): void {
    this.#resources.vacated(address);
    this.#frontier.vacated(address);
  }

  robotsDelayed(origin: number, { reason, waitMs, isMoved }: RobotsAttempt, { wallMs }: Now): void {
    if (!isMoved) this.#model.seeds.robotsDelayed(origin, { atMs: wallMs, reason, waitMs });
  }

  sitemapReceived(request: SitemapRequest, answer: Answer): void {
    this.pipeline.addSitemap(request, answer);
  }

  next(): PageTask | undefined {
    const resource = this.#resources.next();
    if (resource !== undefined) return resource;
    if (this.isFull || !this.mayFetchMore) return undefined;
    const url = this.#nextUrl();
    if (url < 0) return undefined;
    const { index } = this.#model;
    const origin = index.originOf(url);
    return { url, text: index.textOf(url), origin, host: index.hostOfOrigin(origin) };
  }

  /** What walks wait for comes first. */
  #nextUrl(): number {
    const isOnlyWalking = this.#walkBudget !== undefined;
    if (isOnlyWalking && this.#requested >= this.#walkBudget) return -1;
    for (const url of this.#model.sampler?.wanted ?? []) {
      if (this.#frontier.take(url)) return url;
    }
    return isOnlyWalking ? -1 : this.#frontier.next();
  }

  hold(task: PageTask): void {
    if (ResourceQueue.isTask(task)) this.#resources.hold(task);
    else this.#frontier.hold(task.url, task.host);
  }

  excluded(task: PageTask, why: Exclusion, { wallMs }: Now): void {
    if (ResourceQueue.isTask(task)) return this.#resources.excluded(task, why);
    const { url } = task;
    const { facts } = this.#model;
    if (why.kind === "dead") return facts.dead(url, why.detail, { atMs: wallMs });
    const usage = why.usage === undefined ? null : usageText(why.usage);
    facts.refused(url, why.reason, why.detail, { atMs: wallMs, usage });
  }

  requestFor(task: PageTask): FetchRequest {
    if (ResourceQueue.isTask(task)) return this.#resources.requestFor(task);
    const { text, host } = task;
    this.#pageRequests++;
    this.#requested++;
    this.#frontier.started(host);
    return { url: text, purpose: "page" };
  }

  replied(task: PageTask, reply: Reply, now: Now): void {
    if (ResourceQueue.isTask(task)) return this.#resources.replied(task, reply, now);
    this.#pageRequests--;
    const verdict = verdictOf(reply);
    if (verdict.meaning === "page" && reply.kind === "answer") {
      const { index, scope } = this.#model;
      // Only a seed may have led out of the scope.
      if (index.depthOf(task.url) === 0 && !scope.contains(task.text)) {
        if (!scope.admits(task.text)) return this.#refuse(task, reply, now);
        this.#model.widenScope(task.text, now.wallMs);
      }
      this.pipeline.answered(task.url);
      if (this.#outcomes.forbidden(task, reply, now.wallMs)) return this.#frontier.ended(task.host);
      return this.pipeline.addPage({ task, answer: reply, wallMs: now.wallMs });
    }
    if (reply.kind === "answer") this.#archive(task, reply, now.wallMs);
    this.#outcomes.replied(task, reply, verdict, now);
    this.#frontier.ended(task.host);
  }

  /** A seed has led to this page too late: the scope is settled. */
  #refuse({ url, text, host }: PageTask, reply: Reply, { wallMs }: Now): void {
    this.#outcomes.outOfScope(url, text, reply, wallMs);
    this.#frontier.ended(host);
  }

  #downloaded({ page: { task, answer, wallMs }, shown, content, bytes }: FinishedPage): void {
    const { index, effects } = this.#model;
    // Once its links are known, what has arrived goes on from it.
    const importance = this.#showsPages ? this.#model.arrived(task.url) : 0;
    this.#archive(task, answer, wallMs);
    const counted = bytes === 0 ? answer : { ...answer, wireBytes: answer.wireBytes + bytes };
    this.#outcomes.content(task, counted, content, wallMs);
    this.#frontier.ended(task.host);
    if (!this.#showsPages || !index.isDownloaded(task.url)) return;
    effects.push({ kind: "downloaded", url: task.text, answer: shown, content, importance });
  }

  /** Takes in what a sitemap lists, and returns whose it was. */
  sitemapRead(id: number, content: SitemapContent, { wallMs }: Now): SitemapRequest | undefined {
    const request = this.pipeline.takeSitemap(id);
    if (request === undefined) return undefined;
    const { error, truncation } = content;
    if (error === null) {
      const from = this.#model.index.shardOfOrigin(request.origin);
      const entries = this.#discoverAll(content, from);
      this.#model.facts.sitemap({ address: request.start, atMs: wallMs, entries }, from);
    }
    const reason = error ?? truncation;
    if (reason !== null && request.isGiven === true) this.sitemapFailed(request.start, reason, wallMs);
    return request;
  }

  sitemapFailed(url: string, reason: string, atMs: number): void {
    this.#model.effects.emit({ name: "sitemap-failed", atMs, url, reason });
  }

  /** Together with the visit: what is archived and what is in the log are committed as one. */
  #archive({ text }: PageTask, answer: Answer, dateMs: number): void {
    this.#model.effects.push({ kind: "archive", request: { url: text, purpose: "page" }, dateMs, answer });
  }

  #discoverAll({ links: { kinds, ends, text }, modifiedMs }: SitemapContent, from: number | undefined): SitemapEntry[] {
    const entries: SitemapEntry[] = [];
    for (let k = 0; k < kinds.length; k++) {
      if (kinds[k] !== LinkKind.Follow) continue;
      const link = text.slice(k === 0 ? 0 : ends[k - 1], ends[k]);
      const url = this.#model.facts.discover(link, { source: "sitemap", depth: 1, onVisit: false, from });
      entries.push({ url, modifiedMs: Number.isNaN(modifiedMs[k]) ? null : modifiedMs[k] });
    }
    return entries;
  }

  get lookedAhead(): number {
    return this.#frontier.lookedAhead;
  }

  get mayFetchMore(): boolean {
    return this.pages < (this.#quota?.pages ?? this.#model.limits.pages ?? Number.POSITIVE_INFINITY);
  }

  /** Pages downloaded, and those under way. */
  get pages(): number {
    return this.#model.tally.downloaded + this.#pageRequests + this.pipeline.count;
  }
}
