/**
 * The work of a refresh that goes on: pages come from a source while it runs, known ones and new ones.
 *
 * A new page is read as a crawl reads it, and its visit is its first; one that fails is tried again when the source
 * gives it again. So is one that failed in the crawl: what a later read finds replaces that. A known page that is gone
 * or has moved is never believed at once: its host may have a bad hour, and another read some hours later costs little
 * (absence.ts).
 */
import { type FetchRequest, type Reply, verdictOf } from "../../fetch/index.ts";
import type { Visit } from "../../log/index.ts";
import { usageText } from "../../web/index.ts";
import type { PageTask } from "../dispatcher.ts";
import type { Input, Now } from "../machine.ts";
import type { FinishedPage } from "../page-pipeline.ts";
import type { Exclusion } from "../politeness/robots-cache.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import { isLeft, type RefreshModel, RefreshWork } from "./refresh-work.ts";
import type { RoundSource } from "./round-source.ts";

/** A host that gives no time may be requested again after this, and one that was given up, at the latest. */
const LEFT_MS = 600_000;
const LEFT_MS_MAX = 6 * 3_600_000;
/** What is known of a page that was never read. */
const NEVER_READ = { visit: 0, digest: null, etag: null, lastModified: null, readAs: "", isWhole: false } as const;

export class SourcedWork extends RefreshWork {
  protected override readonly confirmsAbsences = true;
  readonly #source: RoundSource;
  readonly #model: RefreshModel;
  /** New pages that were given, of which nothing is known yet, with the visit by which each has failed, if it has. */
  readonly #new = new Map<number, number | undefined>();
  /** Those of them that are being read or rendered. */
  readonly #reading = new Set<number>();
  #now: Now = { nowMs: 0, wallMs: 0 };
  /** The source was asked for pages in this step. */
  #isAsked = false;

  constructor(model: RefreshModel, settings: CrawlSettings, source: RoundSource) {
    super(model, settings, []);
    this.#source = source;
    this.#model = model;
    model.feed.add({ visited: (visit) => this.#visited(visit) });
  }

  override get isDone(): boolean {
    return super.isDone && this.#reading.size === 0 && this.#source.isClosed(this.#now);
  }

  /** While no request may start at all, the source is not asked, and whatever ends will wake us. */
  override get nextMs(): number {
    return this.#isAsked ? this.#source.nextMs(this.#now) : Number.POSITIVE_INFINITY;
  }

  override received(input: Input, now: Now): void {
    this.#now = now;
    this.#isAsked = false;
    super.received(input, now);
    if (input.kind !== "cut-off") return;
    for (const url of this.#reading) this.left(url, "interrupted");
    this.#reading.clear();
  }

  override next(): PageTask | undefined {
    this.#isAsked = true;
    for (let page = this.#source.next(this.#now); page !== undefined; page = this.#source.next(this.#now)) {
      if (page.visit === null) this.#new.set(page.url, page.failed);
      this.plan(page.visit === null ? { ...NEVER_READ, url: page.url } : page);
    }
    return super.next();
  }

  override requestFor(task: PageTask): FetchRequest {
    return this.#new.has(task.url) ? { url: task.text, purpose: "page" } : super.requestFor(task);
  }

  override excluded(task: PageTask, why: Exclusion, now: Now): void {
    const isForbidden = why.kind === "refused" && why.reason === "robots";
    // A host that cannot be reached now may be back tomorrow.
    if (!this.#new.has(task.url) || !isForbidden) return super.excluded(task, why, now);
    const { url } = this.take(task.url);
    const usage = why.usage === undefined ? null : usageText(why.usage);
    this.#replaceFailure(url);
    this.#model.facts.refused(url, why.reason, why.detail, { atMs: now.wallMs, usage });
  }

  override replied(task: PageTask, reply: Reply, now: Now): void {
    this.#now = now;
    const verdict = verdictOf(reply);
    if (!this.#new.has(task.url) || isLeft(reply, verdict, now.wallMs)) return super.replied(task, reply, now);
    this.take(task.url);
    if (verdict.meaning !== "page" || reply.kind !== "answer") {
      if (reply.kind === "answer") this.archive(task, reply, now.wallMs);
      const isFailure = verdict.meaning === "failed" || verdict.meaning === "try-again";
      if (isFailure && this.#new.get(task.url) !== undefined) {
        return this.outcomes.failedAgain(task.url, reply, verdict, now.wallMs);
      }
      this.#replaceFailure(task.url);
      return this.outcomes.replied(task, reply, verdict, now);
    }
    this.#replaceFailure(task.url);
    if (this.outcomes.forbidden(task, reply, now.wallMs)) return;
    this.#reading.add(task.url);
    this.pipeline.addPage({ task, answer: reply, wallMs: now.wallMs });
  }

  protected override finished(finished: FinishedPage): void {
    const { page, content, bytes } = finished;
    const { task, answer, wallMs } = page;
    if (!this.#reading.delete(task.url)) return super.finished(finished);
    this.archive(task, answer, wallMs);
    this.#replaceFailure(task.url);
    this.outcomes.content(task, { ...answer, wireBytes: answer.wireBytes + bytes }, content, wallMs);
  }

  protected override left(url: number, why: string): void {
    this.#new.delete(url);
    const { nowMs, wallMs } = this.#now;
    const pausedMs = this.#model.index.hostOf(url).pausedUntilMs - nowMs;
    const waitMs = pausedMs > 0 ? Math.min(pausedMs, LEFT_MS_MAX) : LEFT_MS;
    this.#source.left({ url, why, untilMs: wallMs + waitMs }, this.#now);
  }

  /** The next visit of the URL, which is final, replaces the one by which it failed. */
  #replaceFailure(url: number): void {
    const failed = this.#new.get(url);
    if (failed !== undefined) this.#model.facts.replace(url, failed);
  }

  #visited(visit: Visit): void {
    if (this.#new.delete(visit.url)) this.#source.firstRead(visit);
  }
}
