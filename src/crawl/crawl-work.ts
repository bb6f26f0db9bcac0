/**
 * The work of a crawl: pages in the order of the frontier. Pages and sitemaps that come are read for further pages;
 * pages may be rendered before, and what they need for it goes before all other pages.
 */
import { type Answer, type FetchRequest, type Reply, verdictOf } from "../fetch/index.ts";
import type { SitemapEntry } from "../log/index.ts";
import type { Rendering } from "../render/index.ts";
import { usageText } from "../web/index.ts";
import type { PageTask, Work } from "./dispatcher.ts";
import { CrawlFrontier } from "./frontier.ts";
import type { Now } from "./machine.ts";
import type { StopReason } from "./stop-reasons.ts";
import { OwnOrder } from "./own-order.ts";
import { PageOutcomes } from "./page-outcomes.ts";
import type { AuxiliaryRequest } from "./politeness/auxiliary-requests.ts";
import type { Address, Host } from "./politeness/host-schedule.ts";
import type { PolitenessListener } from "./politeness/politeness.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import type { RobotsAttempt } from "./politeness/robots-policy.ts";
import { LinkKind, type PageContent, type SitemapContent } from "./reader/contract.ts";
import { ReadQueue } from "./reader/read-queue.ts";
import { ScopeSettling } from "./scope-settling.ts";
import type { CrawlSettings } from "./settings/settings.ts";
import type { CrawlModel } from "./model.ts";
import { type CamePage, PageRenders, type RenderEnd } from "./rendering/page-renders.ts";
import { renderModeOf } from "./rendering/render-choice.ts";
import { ResourceQueue, type ResourceRequest } from "./rendering/resource-queue.ts";

interface PageRead {
  readonly page: CamePage;
  /** Left out for a page that is read as it came. */
  readonly end?: RenderEnd;
}

export interface WorkOptions {
  /** Fetch only what walks need, and at most so many pages. */
  readonly walkBudget?: number | undefined;
  /** Whether somebody wants to see the pages that are downloaded (default: false). */
  readonly showsPages?: boolean | undefined;
}

export class CrawlWork implements Work, PolitenessListener {
  readonly readings: ReadQueue<PageRead, AuxiliaryRequest>;
  readonly #model: CrawlModel;
  readonly #frontier: CrawlFrontier;
  readonly #outcomes: PageOutcomes;
  readonly #settling: ScopeSettling;
  /** Left out unless only walks may fetch. */
  readonly #walkBudget: number | undefined;
  readonly #showsPages: boolean;
  readonly #renders: PageRenders;
  readonly #resources: ResourceQueue;
  #pageRequests = 0;
  /** Pages requested in this run. */
  #requested = 0;

  constructor(model: CrawlModel, { web }: CrawlSettings, { walkBudget, showsPages = false }: WorkOptions) {
    this.#model = model;
    this.#walkBudget = walkBudget;
    this.#showsPages = showsPages;
    this.#frontier = new CrawlFrontier(model);
    this.#outcomes = new PageOutcomes(model, this.#frontier, web);
    this.readings = new ReadQueue(model.effects, model.scope.widened);
    this.#settling = new ScopeSettling(model.index);
    model.feed.add(this.#settling);
    const { hosts, effects, index, facts } = model;
    this.#renders = new PageRenders(renderModeOf(web), effects);
    this.#resources = new ResourceQueue({
      hosts,
      effects,
      originOf: (url) => facts.originOf(url),
      hostOfOrigin: (origin) => index.hostOfOrigin(origin),
      received: (render, bytes) => this.#renders.received(render, bytes),
      incomplete: (render) => this.#renders.incomplete(render),
    });
  }

  /** What earlier runs wrote is known. */
  open(): void {
    const { scope, tally } = this.#model;
    if (tally.downloaded > 0) scope.settle();
    if (!scope.isSettled) this.readings.hold();
  }

  /** The crawl stops: pages that were to be read once the scope is settled are left to the next run. */
  stop(): void {
    if (this.readings.isHeld) this.readings.abandon();
  }

  get isFull(): boolean {
    return this.readings.isFull || this.#renders.isFull;
  }

  /** Pages and sitemaps that came and are being read or rendered. */
  get pagesAtWork(): number {
    return this.readings.count + this.#renders.count;
  }

  /** That came and count for no page yet. */
  get bytesAtWork(): number {
    return this.#renders.bytesAtWork;
  }

  get nextMs(): number {
    return this.readings.isHeld ? Math.min(this.#frontier.nextMs, this.#settling.untilMs) : this.#frontier.nextMs;
  }

  get reasonOfEnd(): StopReason {
    if (this.#walkBudget !== undefined) return "page-limit";
    if (this.#frontier.tooDeep > 0) return "depth-limit";
    if (this.#frontier.overHostLimit > 0) return "page-limit";
    const { order, index } = this.#model;
    return order instanceof OwnOrder && index.open > 0 ? "order-empty" : "frontier-empty";
  }

  limitsChanged(): void {
    this.#frontier.limitsChanged();
  }

  wake(nowMs: number, state: { readonly isPaused: boolean }): void {
    this.#frontier.wake(nowMs);
    this.#resources.wake(nowMs, state);
    if (this.readings.isHeld) this.#settleScope(nowMs);
  }

  #settleScope(nowMs: number): void {
    const { readings } = this;
    const isPageWaiting = readings.pages > 0;
    if (isPageWaiting) this.#settling.begin(nowMs);
    const isStuck = readings.isFull || !this.#mayFetchMore();
    if (this.#settling.isDue(nowMs) || (isStuck && isPageWaiting)) {
      this.#model.scope.settle();
      return readings.release();
    }
    // Sitemaps take the room of the first page.
    if (!isStuck) return;
    readings.release();
    readings.hold();
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

  sitemapCame(request: AuxiliaryRequest, answer: Answer): void {
    this.readings.addSitemap(request.start, answer, request);
  }

  next(): PageTask | undefined {
    const resource = this.#resources.next();
    if (resource !== undefined) return resource;
    if (this.isFull || !this.#mayFetchMore()) return undefined;
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
      this.#settling.answered(task.url);
      if (this.#outcomes.forbidden(task, reply, now.wallMs)) return this.#frontier.ended(task.host);
      const page = { task, answer: reply, wallMs: now.wallMs };
      if (!this.#renders.takes(page)) this.readings.addPage(task.text, reply, { page });
      return;
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

  pageRead(id: number, content: PageContent): void {
    const reading = this.readings.takePage(id);
    if (reading === undefined) return;
    const { page, end } = reading.subject;
    if (end === undefined) {
      if (!this.#renders.takesRead(page, content)) this.#downloaded(page, page.answer, content);
    } else this.#renderedRead(end, reading.answer, content);
  }

  resourceWanted(wanted: ResourceRequest): void {
    const page = this.#renders.taskOf(wanted.render);
    if (page !== undefined) this.#resources.want(wanted, page);
  }

  /** A page came back from the browser, or did not: then its plain HTML is taken. */
  rendered(id: number, rendering: Rendering): void {
    this.#resources.drop(id);
    const end = this.#renders.ended(id, rendering);
    if (end === undefined) return;
    const { page, plain, rendered } = end;
    const { text } = page.task;
    if (rendered !== null) this.readings.addPage(text, rendered.answer, { page, end }, rendered.parts);
    else if (plain === null) this.readings.addPage(text, page.answer, { page, end });
    else this.#renderedRead(end, page.answer, plain);
  }

  #renderedRead(end: RenderEnd, shown: Answer, content: PageContent): void {
    const { page, plain, rendered, isIncomplete, bytes } = end;
    const linksUnknown = content.linksUnknown ?? (isIncomplete ? "not-rendered" : null);
    this.#downloaded(page, shown, { ...content, linksUnknown }, bytes);
    this.#renders.downloaded(end);
    const kept = this.#renders.compare(page, plain, rendered === null ? null : { content, isIncomplete });
    for (const each of kept) this.#downloaded(each.page, each.page.answer, each.plain);
  }

  /** `shown` is the answer as it was read, which a browser may have changed; `bytes` came besides its own. */
  #downloaded({ task, answer, wallMs }: CamePage, shown: Answer, content: PageContent, bytes = 0): void {
    const { index, watch, order, effects } = this.#model;
    // Once its links are known, what has arrived goes on from it.
    const importance = this.#showsPages ? Math.max(watch.waiting[task.url], order.arrived?.(task.url) ?? 0) : 0;
    this.#archive(task, answer, wallMs);
    const counted = bytes === 0 ? answer : { ...answer, wireBytes: answer.wireBytes + bytes };
    this.#outcomes.content(task, counted, content, wallMs);
    this.#frontier.ended(task.host);
    if (!this.#showsPages || !index.isDownloaded(task.url)) return;
    effects.push({ kind: "downloaded", url: task.text, answer: shown, content, importance });
  }

  /** Takes in what a sitemap lists, and returns whose it was. */
  sitemapRead(id: number, content: SitemapContent, { wallMs }: Now): AuxiliaryRequest | undefined {
    const request = this.readings.takeSitemap(id)?.subject;
    if (request === undefined) return undefined;
    const { error, truncation } = content;
    if (error === null) {
      this.#model.facts.sitemap({ address: request.start, atMs: wallMs, entries: this.#discoverAll(content) });
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

  #discoverAll({ links: { kinds, ends, text }, modifiedMs }: SitemapContent): SitemapEntry[] {
    const entries: SitemapEntry[] = [];
    for (let k = 0; k < kinds.length; k++) {
      if (kinds[k] !== LinkKind.Follow) continue;
      const link = text.slice(k === 0 ? 0 : ends[k - 1], ends[k]);
      const url = this.#model.facts.discover(link, { source: "sitemap", depth: 1, onVisit: false });
      entries.push({ url, modifiedMs: Number.isNaN(modifiedMs[k]) ? null : modifiedMs[k] });
    }
    return entries;
  }

  #mayFetchMore(): boolean {
    const { pages = Number.POSITIVE_INFINITY } = this.#model.limits;
    return this.#model.tally.downloaded + this.#pageRequests + this.pagesAtWork < pages;
  }
}
