/**
 * Pages and sitemaps between their responses and their contents. Nothing is read before the scope is settled, because
 * links are judged by it (growing-scope.ts). A page may be rendered: before it is read, or once its plain HTML was.
 */
import type { Answer } from "../fetch/index.ts";
import type { Rendering } from "../render/index.ts";
import type { CrawlModel } from "./model.ts";
import type { SitemapRequest } from "./politeness/auxiliary-requests.ts";
import type { PageContent } from "./reader/contract.ts";
import { ReadQueue } from "./reader/read-queue.ts";
import { type FetchedPage, PageRenders, type RenderEnd } from "./rendering/page-renders.ts";
import type { RenderMode } from "./rendering/render-choice.ts";
import { ResourceQueue, type ResourceRequest } from "./rendering/resource-queue.ts";
import { ScopeSettling } from "./scope-settling.ts";
import type { SharedMeans } from "./shard-part.ts";

/** A page of which is known all that will be. */
export interface FinishedPage {
  readonly page: FetchedPage;
  /** The response as it was read, which a browser may have changed. */
  readonly shown: Answer;
  readonly content: PageContent;
  /** Received for it, besides its own response. */
  readonly bytes: number;
  /** It was to be rendered, and there is nothing but its plain HTML. */
  readonly isRenderFailed: boolean;
}

/** What pages are read for: a crawl has more, a refresh has just this. */
export type PipelineModel = Pick<CrawlModel, "hosts" | "effects" | "index" | "facts" | "scope" | "feed">;

export interface PipelineOptions {
  readonly mode: RenderMode;
  readonly finished: (page: FinishedPage) => void;
  /** What may be read at the same time, shared with other pipelines (default: not shared). */
  readonly load?: SharedMeans | undefined;
}

interface PageRead {
  readonly page: FetchedPage;
  /** Left out for a page that is read as it was received. */
  readonly end?: RenderEnd;
}

export class PagePipeline {
  /** What pages that are being rendered request. */
  readonly resources: ResourceQueue;
  readonly #scope: CrawlModel["scope"];
  readonly #finished: (page: FinishedPage) => void;
  readonly #reads: ReadQueue<PageRead, SitemapRequest>;
  readonly #settling: ScopeSettling;
  readonly #renders: PageRenders;

  constructor(model: PipelineModel, { mode, finished, load }: PipelineOptions) {
    const { hosts, effects, index, facts, scope, feed } = model;
    this.#scope = scope;
    this.#finished = finished;
    this.#reads = new ReadQueue(effects, scope.widened, load);
    this.#settling = new ScopeSettling(index);
    feed.add(this.#settling);
    this.#renders = new PageRenders(mode, effects);
    this.resources = new ResourceQueue({
      hosts,
      effects,
      originOf: (url) => facts.originOf(url),
      hostOfOrigin: (origin) => index.hostOfOrigin(origin),
      received: (render, bytes) => this.#renders.received(render, bytes),
      incomplete: (render) => this.#renders.incomplete(render),
    });
  }

  /** What earlier runs wrote is known. */
  open({ isScopeSettled }: { readonly isScopeSettled: boolean }): void {
    if (isScopeSettled) this.#scope.settle();
    if (!this.#scope.isSettled) this.#reads.hold();
  }

  /** The crawl stops: pages that were to be read once the scope is settled are left to the next run. */
  stop(): void {
    if (this.#reads.isHeld) this.#reads.abandon();
  }

  /** All that is being read is left to others. */
  abandon(): void {
    this.#reads.abandon();
  }

  get isFull(): boolean {
    return this.#reads.isFull || this.#renders.isFull;
  }

  /** Pages and sitemaps that are being read or rendered. */
  get count(): number {
    return this.#reads.count + this.#renders.count;
  }

  /** Received for pages that are not finished, besides their own responses. */
  get bytes(): number {
    return this.#renders.bytes;
  }

  /** When the scope is settled at the latest. */
  get nextMs(): number {
    return this.#reads.isHeld ? this.#settling.untilMs : Number.POSITIVE_INFINITY;
  }

  settleScope(nowMs: number, { mayFetchMore }: { readonly mayFetchMore: boolean }): void {
    const reads = this.#reads;
    if (!reads.isHeld) return;
    const isPageWaiting = reads.pages > 0;
    if (isPageWaiting) this.#settling.begin(nowMs);
    const isStuck = reads.isFull || !mayFetchMore;
    if (this.#settling.isDue(nowMs) || (isStuck && isPageWaiting)) {
      this.#scope.settle();
      return reads.release();
    }
    // Sitemaps take the room of the first page.
    if (!isStuck) return;
    reads.release();
    reads.hold();
  }

  /** A page that is not a redirect has answered, so it is known where this seed leads. */
  answered(url: number): void {
    this.#settling.answered(url);
  }

  addPage(page: FetchedPage): void {
    if (!this.#renders.accept(page)) this.#reads.addPage(page.task.text, page.answer, { page });
  }

  addSitemap(request: SitemapRequest, answer: Answer): void {
    this.#reads.addSitemap(request.start, answer, request);
  }

  /** Whose sitemap was read; undefined for one that is not awaited. */
  takeSitemap(id: number): SitemapRequest | undefined {
    return this.#reads.takeSitemap(id)?.subject;
  }

  pageRead(id: number, content: PageContent): void {
    const read = this.#reads.takePage(id);
    if (read === undefined) return;
    const { page, end } = read.subject;
    if (end !== undefined) this.#renderedRead(end, read.answer, content);
    else if (!this.#renders.acceptRead(page, content)) this.#finishPlain(page, content);
  }

  resourceWanted(wanted: ResourceRequest): void {
    const page = this.#renders.taskOf(wanted.render);
    if (page !== undefined) this.resources.want(wanted, page);
  }

  /** A page was rendered; if that failed, its plain HTML is used. */
  rendered(id: number, rendering: Rendering): void {
    this.resources.drop(id);
    const end = this.#renders.ended(id, rendering);
    if (end === undefined) return;
    const { page, plain, rendered } = end;
    const { text } = page.task;
    if (rendered !== null) this.#reads.addPage(text, rendered.answer, { page, end }, rendered.parts);
    else if (plain === null) this.#reads.addPage(text, page.answer, { page, end });
    else this.#renderedRead(end, page.answer, plain);
  }

  #renderedRead(end: RenderEnd, shown: Answer, content: PageContent): void {
    const { page, plain, rendered, isIncomplete, bytes } = end;
    const linksUnknown = content.linksUnknown ?? (isIncomplete ? "not-rendered" : null);
    const isRenderFailed = rendered === null;
    this.#finished({ page, shown, content: { ...content, linksUnknown }, bytes, isRenderFailed });
    this.#renders.finished(end);
    const decided = this.#renders.compare(page, plain, rendered === null ? null : { content, isIncomplete });
    for (const each of decided) this.#finishPlain(each.page, each.plain);
  }

  #finishPlain(page: FetchedPage, content: PageContent): void {
    this.#finished({ page, shown: page.answer, content, bytes: 0, isRenderFailed: false });
  }
}
