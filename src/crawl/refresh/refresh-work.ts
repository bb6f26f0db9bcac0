/**
 * The work of a refresh: known pages are fetched again, each host's in the order of the plan. Requests are conditional
 * where the last answer gave validators; otherwise the digest of the body tells whether a page has changed.
 *
 * Life of a page: planned, then one of `rereadOutcomes`, which is written; or left, because its host asked us to wait
 * or could not be reached: then nothing is written, and the next run plans it again. There are no second attempts
 * within a run. A page that has changed is read as a crawl reads it, and its visit replaces the earlier one: new URLs
 * are discovered and wait. Whether a page that is gone or has moved is forgotten is decided once all pages of its host
 * have answered (absence.ts). A read that shows less than the page has, because a browser died or a connection was
 * lost, has failed (reading.ts).
 */
import { zeroCounts } from "../../base/index.ts";
import {
  type Answer,
  type FetchRequest,
  type Reply,
  retryAfterMs,
  type Verdict,
  verdictOf,
} from "../../fetch/index.ts";
import { type Reread, rereadOutcomes } from "../../log/index.ts";
import { canonicalUrl } from "../../web/index.ts";
import type { PageTask } from "../dispatcher.ts";
import { ListWork } from "../list-work.ts";
import type { Input, Now } from "../machine.ts";
import { type OutcomeModel, PageOutcomes, REDIRECTS_MAX } from "../page-outcomes.ts";
import { type FinishedPage, type PipelineModel, PagePipeline } from "../page-pipeline.ts";
import type { Address, Host } from "../politeness/host.ts";
import type { Exclusion } from "../politeness/robots-cache.ts";
import type { RobotsAttempt } from "../politeness/robots-policy.ts";
import { renderModeOf } from "../rendering/render-choice.ts";
import { ResourceQueue } from "../rendering/resource-queue.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import { type HostAnswers, isBelieved } from "./absence.ts";
import { type AbsentPage, HostRounds } from "./host-rounds.ts";
import { isSame, readingOf, type Reading, showsLess } from "./reading.ts";
import type { RefreshPage } from "./refresh-facts.ts";

export interface RefreshResult {
  /** How many pages came out so. */
  readonly outcomes: Readonly<Record<Reread["outcome"], number>>;
  /** Of those that are gone or have moved, pages that are kept until another read says the same. */
  readonly doubted: number;
  /** Planned and left for another time. */
  readonly left: number;
  /**
   * Their number by reason: that of the reply that ended the visit of the host, "robots-...", "host-paused" or
   * "interrupted".
   */
  readonly leftWhy: Readonly<Record<string, number>>;
  /** Hosts that asked us to wait, and should be left alone for a while. */
  readonly busyHosts: readonly string[];
}

/** Of a round that was interrupted before it began. */
export function nothingRead(planned: number): RefreshResult {
  const leftWhy = planned === 0 ? {} : { [INTERRUPTED]: planned };
  return { outcomes: zeroCounts(rereadOutcomes), doubted: 0, left: planned, leftWhy, busyHosts: [] };
}

/** Only these say that a page has moved for good (RFC 9110, 15.4); behind any other it may be back tomorrow. */
const LASTING_REDIRECTS: ReadonlySet<number> = new Set([301, 308]);

export interface RefreshModel extends PipelineModel, OutcomeModel {
  readonly digestOf: (body: Uint8Array) => Uint8Array | null;
  /** Writes a reread; its number is given by the writer. `reading`: how the page was read, then or before. */
  readonly write: (reread: Omit<Reread, "number">, text: string, reading: Reading) => void;
  /** Whether something was written since this was last called. */
  readonly takeDirty: () => boolean;
}

/** A page that was downloaded before. */
export interface KnownRefreshPage
  extends Pick<RefreshPage, "url" | "digest" | "etag" | "lastModified" | "absence" | "failure">,
    Reading {
  readonly visit: number;
}

export interface PlannedPage extends KnownRefreshPage {
  readonly origin: number;
  readonly text: string;
}

export class RefreshWork extends ListWork<PlannedPage> {
  readonly #model: RefreshModel;
  readonly #web: CrawlSettings["web"];
  /** A page that is gone or has moved is never believed at once. */
  protected readonly confirmsAbsences: boolean = false;
  protected readonly pipeline: PagePipeline;
  protected readonly outcomes: PageOutcomes;
  readonly #resources: ResourceQueue;
  readonly #isPlain: boolean;
  readonly #rounds = new HostRounds<PlannedPage>();
  /** Pages that have changed and are being read or rendered. */
  readonly #reading = new Map<number, PlannedPage>();
  readonly #counts = zeroCounts(rereadOutcomes);
  readonly #leftWhy: Record<string, number> = {};
  readonly #busyHosts = new Set<string>();
  #doubted = 0;
  #left = 0;
  #now: Now = { nowMs: 0, wallMs: 0 };

  constructor(model: RefreshModel, { web }: CrawlSettings, pages: readonly KnownRefreshPage[]) {
    super(model.hosts);
    this.#model = model;
    this.#web = web;
    const mode = renderModeOf(web);
    this.#isPlain = mode === "never";
    this.pipeline = new PagePipeline(model, { mode, finished: (page) => this.finished(page) });
    this.pipeline.open({ isScopeSettled: true });
    this.#resources = this.pipeline.resources;
    this.outcomes = new PageOutcomes(model, { putBack: () => {}, retryAt: () => {} }, web);
    for (const page of pages) this.#rounds.planned(this.plan(page));
  }

  /** A page is left for another time. */
  protected left(_url: number, _why: string): void {}

  /** One more page is to be read. Returns its host. */
  protected plan(page: KnownRefreshPage): Host {
    const { index } = this.#model;
    const origin = index.originOf(page.url);
    const host = index.hostOfOrigin(origin);
    this.add(host, { ...page, origin, text: index.textOf(page.url) });
    return host;
  }

  get result(): RefreshResult {
    const busyHosts = [...this.#busyHosts];
    return { outcomes: this.#counts, doubted: this.#doubted, left: this.#left, leftWhy: this.#leftWhy, busyHosts };
  }

  override get isDone(): boolean {
    return super.isDone && this.#reading.size === 0;
  }

  override get isFull(): boolean {
    return this.pipeline.isFull;
  }

  override received(input: Input, now: Now): void {
    this.#now = now;
    this.#resources.wake(now.nowMs);
    if (input.kind === "page-read") this.pipeline.pageRead(input.id, input.content);
    if (input.kind === "resource-wanted") this.pipeline.resourceWanted(input);
    if (input.kind === "rendered") this.pipeline.rendered(input.id, input.rendering);
    if (input.kind === "cut-off") this.#abandon();
  }

  interrupted(): void {
    for (const host of this.waitingHosts()) this.#leave(host, INTERRUPTED);
  }

  /** Pages of these hosts, which asked to wait, are left. */
  leaveAlone(hosts: ReadonlySet<string>): void {
    for (const host of this.waitingHosts().filter(({ name }) => hosts.has(name))) {
      this.#busyHosts.add(host.name);
      this.#leave(host, HOST_PAUSED);
    }
  }

  robotsDelayed(origin: number, { reason, reply }: RobotsAttempt, { wallMs }: Now): void {
    const host = this.#model.index.hostOfOrigin(origin);
    if (asksToWait(reply, wallMs)) this.#busyHosts.add(host.name);
    this.#leave(host, `robots-${reason}`);
  }

  override next(): PageTask | undefined {
    const resource = this.#resources.next();
    if (resource !== undefined || this.isFull) return resource;
    return super.next();
  }

  override hold(task: PageTask): void {
    if (ResourceQueue.isTask(task)) this.#resources.hold(task);
    else super.hold(task);
  }

  override awake(host: Host): void {
    this.#resources.awake(host);
    super.awake(host);
  }

  override vacated(address: Address): void {
    this.#resources.vacated(address);
    super.vacated(address);
  }

  excluded(task: PageTask, why: Exclusion, now: Now): void {
    if (ResourceQueue.isTask(task)) return this.#resources.excluded(task, why);
    this.#now = now;
    const page = this.take(task.url);
    if (why.kind === "refused" && why.reason === "robots") this.#write(page, { outcome: "failed", reason: "robots" });
    else this.#count(why.detail ?? (why.kind === "refused" ? why.reason : "failed"), [page]);
    this.#settled(task.host, 1);
  }

  requestFor(task: PageTask): FetchRequest {
    if (ResourceQueue.isTask(task)) return this.#resources.requestFor(task);
    const { etag = null, lastModified = null } = this.underWay(task.url) ?? {};
    const request: FetchRequest = { url: task.text, purpose: "page" };
    // What a browser makes of a page may change while its HTML does not.
    if (!this.#isPlain) return request;
    return {
      ...request,
      ...(etag === null ? {} : { etag }),
      ...(lastModified === null ? {} : { lastModified }),
    };
  }

  replied(task: PageTask, reply: Reply, now: Now): void {
    if (ResourceQueue.isTask(task)) return this.#resources.replied(task, reply, now);
    this.#now = now;
    const { url, host } = task;
    const page = this.take(url);
    const verdict = verdictOf(reply);
    if (asksToWait(reply, now.wallMs)) this.#busyHosts.add(host.name);
    if (!isLeft(reply, verdict, now.wallMs)) return this.#answered(task, page, reply, verdict);
    const why = verdict.reason === "aborted" ? INTERRUPTED : verdict.reason;
    this.#count(why, [page]);
    this.#leave(host, why);
    this.#settled(host, 1);
  }

  #answered(task: PageTask, page: PlannedPage, reply: Reply, verdict: Verdict): void {
    const { meaning, reason } = verdict;
    const { host } = task;
    if (meaning === "page" && reply.kind === "answer") return this.#present(task, page, reply);
    if (reply.kind === "answer" && meaning !== "not-modified") this.archive(task, reply, this.#now.wallMs);
    if (meaning === "not-modified" && reply.kind === "answer") {
      this.#rounds.answersOf(host).present();
      const { etag, lastModified } = validatorsOf(reply);
      this.#unchanged({ ...page, etag: etag ?? page.etag, lastModified: lastModified ?? page.lastModified }, reply);
    } else if (meaning === "dead") {
      this.#rounds.absent({ page, task, absence: { outcome: "gone", target: null }, reply, verdict });
    } else if (meaning === "redirect" && reply.kind === "answer") {
      const target = canonicalUrl(reply.headers["location"] ?? "", page.text, this.#web.urlRules);
      const problem = target === null ? "bad-location" : this.#problemOf(page, target);
      if (problem === null) this.#rounds.absent({ page, task, absence: { outcome: "moved", target }, reply, verdict });
      else this.#write(page, { outcome: "failed", reason: problem }, reply);
    } else this.#write(page, { outcome: "failed", reason }, reply);
    this.#settled(host, 1);
  }

  /** Why a redirect of a page that was there leads nowhere. */
  #problemOf({ url, text }: PlannedPage, target: string): string | null {
    const { index } = this.#model;
    const known = index.find(target);
    if (target === text || (known >= 0 && index.closesLoop(url, known))) return "redirect-loop";
    return index.hopsTo(url) >= REDIRECTS_MAX ? "too-many-redirects" : null;
  }

  #present(task: PageTask, page: PlannedPage, answer: Answer): void {
    this.#rounds.answersOf(task.host).present();
    const { facts, feed } = this.#model;
    facts.replace(page.url, page.visit);
    const visit = feed.visits + 1;
    if (this.outcomes.forbidden(task, answer, this.#now.wallMs)) {
      this.#write(page, { outcome: "changed", visit }, answer);
      return this.#settled(task.host, 1);
    }
    if (this.#isPlain && isSame(page, this.#model.digestOf(answer.body), answer)) {
      this.#unchanged({ ...page, ...validatorsOf(answer) }, answer);
      return this.#settled(task.host, 1);
    }
    this.#reading.set(page.url, page);
    this.pipeline.addPage({ task, answer, wallMs: this.#now.wallMs });
  }

  protected finished(finished: FinishedPage): void {
    const {
      page: { task, answer, wallMs },
      content,
      bytes,
    } = finished;
    const page = this.#reading.get(task.url);
    if (page === undefined) return;
    this.#reading.delete(task.url);
    const {
      facts: { digest },
      linksUnknown,
    } = content;
    const validators = validatorsOf(answer);
    if (showsLess(page, finished)) this.#write(page, { outcome: "failed", reason: linksUnknown }, answer, wallMs);
    else if (!this.#isPlain && isSame(page, digest, answer)) {
      this.#unchanged({ ...page, ...validators }, answer, wallMs);
    } else {
      const { facts, feed } = this.#model;
      this.archive(task, answer, wallMs);
      const visit = feed.visits + 1;
      facts.replace(page.url, page.visit);
      const counted = bytes === 0 ? answer : { ...answer, wireBytes: answer.wireBytes + bytes };
      this.outcomes.content(task, counted, content, wallMs);
      const read = { ...page, ...readingOf(answer, content) };
      this.#write(read, { outcome: "changed", digest, visit, ...validators }, answer, wallMs);
    }
    this.#settled(task.host, 1);
  }

  #unchanged({ digest, etag, lastModified, ...page }: PlannedPage, reply: Reply, atMs?: number): void {
    const validators = { digest, etag, lastModified };
    this.#write({ ...page, ...validators }, { outcome: "unchanged", ...validators }, reply, atMs);
  }

  /** Once all pages of a host have answered, it is decided which absences are believed. */
  #settled(host: Host, pages: number): void {
    for (const absent of this.#rounds.settled(host, pages)) this.#judge(absent, this.#rounds.answersOf(host));
  }

  #judge({ page, task, absence, reply, verdict }: AbsentPage<PlannedPage>, host: HostAnswers): void {
    const isLasting = reply.kind === "failure" || verdict.meaning === "dead" || LASTING_REDIRECTS.has(reply.status);
    const { facts, feed } = this.#model;
    const { outcome, target } = absence;
    const reason = outcome === "gone" ? verdict.reason : null;
    const isBelievable = isLasting && !this.confirmsAbsences;
    const context = { host, isLasting: isBelievable, before: page.absence, nowMs: this.#now.wallMs };
    if (!isBelieved(absence, context)) {
      this.#doubted++;
      return this.#write(page, { outcome, target, reason }, reply);
    }
    const visit = feed.visits + 1;
    facts.replace(page.url, page.visit);
    this.outcomes.replied(task, reply, verdict, this.#now);
    this.#write(page, { outcome, target, reason, visit }, reply);
  }

  /** The machine stops: what is being read is left. */
  #abandon(): void {
    this.pipeline.abandon();
    for (const page of this.#reading.values()) {
      this.#reading.delete(page.url);
      this.#count(INTERRUPTED, [page]);
      this.#settled(this.#model.index.hostOf(page.url), 1);
    }
  }

  #leave(host: Host, why: string): void {
    const pages = this.drop(host);
    if (pages.length === 0) return;
    this.#count(why, pages);
    this.#settled(host, pages.length);
  }

  #count(why: string, pages: readonly PlannedPage[]): void {
    this.#left += pages.length;
    this.#leftWhy[why] = (this.#leftWhy[why] ?? 0) + pages.length;
    for (const { url } of pages) this.left(url, why);
  }

  /** Together with the visit: what is archived and what is in the log are committed as one. */
  protected archive({ text }: PageTask, answer: Answer, dateMs: number): void {
    this.#model.effects.push({ kind: "archive", request: { url: text, purpose: "page" }, dateMs, answer });
  }

  #write(page: PlannedPage, finding: Finding, reply?: Reply, atMs = this.#now.wallMs): void {
    const { url, text, readAs, isWhole } = page;
    this.#counts[finding.outcome]++;
    this.#model.write({ ...NOTHING_FOUND, ...costOf(reply), url, atMs, ...finding }, text, { readAs, isWhole });
  }
}

const INTERRUPTED = "interrupted";
/** It asked whoever came before to wait. */
const HOST_PAUSED = "host-paused";
const NOTHING_FOUND = { reason: null, target: null, digest: null, etag: null, lastModified: null, visit: null };

type Finding = Pick<Reread, "outcome"> &
  Partial<Pick<Reread, "reason" | "target" | "digest" | "etag" | "lastModified" | "visit">>;

function costOf(reply: Reply | undefined): Pick<Reread, "status" | "milliseconds" | "wireBytes"> {
  const milliseconds = Math.round(reply?.milliseconds ?? 0);
  if (reply?.kind !== "answer") return { status: null, milliseconds, wireBytes: 0 };
  return { status: reply.status, milliseconds, wireBytes: reply.wireBytes };
}

/** Whether a reply says nothing about its page: the host asks us to wait, or cannot be reached, or we are stopping. */
export function isLeft(reply: Reply, { pausesHost, reason }: Verdict, wallMs: number): boolean {
  return asksToWait(reply, wallMs) || pausesHost || reason === "aborted";
}

/** Of other statuses Retry-After says nothing about the host: a page that is gone is gone. */
function asksToWait(reply: Reply, wallMs: number): boolean {
  if (reply.kind === "failure") return false;
  const { status, headers } = reply;
  return status === 429 || status === 503 || (status >= 500 && retryAfterMs(headers, wallMs) !== null);
}

function validatorsOf({ headers }: Answer): Pick<Reread, "etag" | "lastModified"> {
  return { etag: headers["etag"] ?? null, lastModified: headers["last-modified"] ?? null };
}
