/**
 * `crawl`: a crawl as a sequence of pages, for programs.
 *
 *     for await (const page of crawl("https://www.example.com/", { coverage: 0.95 })) console.log(page.url);
 *
 * Pages come as they are downloaded. A consumer that is slow holds the crawl back: it pauses while some pages wait. A
 * consumer that leaves the loop ends the crawl, as the signal does; what was downloaded stays in the directory. Once
 * the signal is aborted, no page is handed out any more, also of those that wait: the next call of `next` is rejected
 * with the reason, as with iterators of Node, when the directory is closed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, systemTimers, UsageError } from "../base/index.ts";
import type { Fetcher, SessionOptions } from "../fetch/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { crawlInDirectory } from "./crawl-in-directory.ts";
import { CrawledPage } from "./crawled-page.ts";
import type { Crawl, CrawlEnd, LaunchOptions } from "./launch.ts";
import type { CrawlEvent, DownloadedPage } from "./machine.ts";
import { expectHtml, expectUrls, inWordsOfPrograms } from "./own-parts.ts";
import { expectOptions, programChecks } from "./program-options.ts";
import type { CrawlOptions } from "./settings/settings.ts";
import type { CrawlStatus } from "./status.ts";

/** Options of `crawl`: those of the command `tidemark crawl`, in camel case, and what only a program can give. */
export interface PagesOptions<Data = undefined>
  extends Omit<CrawlOptions, "urls">,
    Partial<Pick<LaunchOptions, "readers" | "onStatus" | "valueOfPage" | "makeOrder">> {
  /** The directory of the crawl; resumes it if it exists. Default: a temporary one, removed at the end. */
  readonly dir?: string;
  /** Keeps the log, instead of a directory; the caller closes it. A store with a log resumes its crawl. */
  readonly crawlStore?: CrawlStore;
  /**
   * Ends the crawl: the loop throws the reason of the signal, once everything is closed. Pages that were downloaded and
   * not handed out by then are in `dir` alone.
   */
  readonly signal?: AbortSignal;
  /** Headers, cookies and credentials, which are never stored. */
  readonly session?: SessionOptions;
  /** Gets the pages, instead of HTTP; `crawl` closes it. */
  readonly fetcher?: Fetcher;
  readonly onEvent?: (event: CrawlEvent | HookFailed) => void;
  /** Whether to hand a page out. It counts as covered all the same: to crawl fewer, use `include` and `exclude`. */
  readonly accept?: (page: CrawledPage) => boolean | Promise<boolean>;
  /** Changes the HTML of a page before its text is made of it, but not what is stored. Called for HTML only. */
  readonly transform?: (html: string, page: CrawledPage) => string | Promise<string>;
  /** Makes `data` of a page. */
  readonly extract?: (page: CrawledPage) => Data | Promise<Data>;
}

/** A hook has thrown: its page is not handed out, and the crawl goes on. */
export interface HookFailed {
  readonly name: "hook-failed";
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly url: string;
  readonly hook: "accept" | "transform" | "extract";
  readonly error: unknown;
}

/** The pages of a crawl, as they are downloaded. They can be read once; the crawl starts with the first. */
export interface CrawledPages<Data = undefined> extends AsyncIterableIterator<CrawledPage<Data>> {
  /** The share of what may be fetched that is certainly covered by now. */
  coverage(): number;
  /** What the crawl knows now; undefined before it has started. */
  readonly status: CrawlStatus | undefined;
  /** How the crawl ended; undefined until then. */
  readonly end: CrawlEnd | undefined;
  /** Ends the crawl in order: pages that have come are still handed out. */
  stop(): void;
}

/** What only a program can give; all else are settings. */
const OF_PROGRAMS: Readonly<Record<Exclude<keyof PagesOptions, keyof CrawlOptions>, unknown>> = programChecks;

/** Pages that wait for the consumer before the crawl pauses. */
const WAITING_MAX = 32;

/** Crawls from these URLs, and gives the pages as they are downloaded. Options are checked when the first is read. */
export function crawl<Data = undefined>(
  urls: string | readonly string[],
  options: PagesOptions<Data> = {},
): CrawledPages<Data> {
  return new PageSequence(urls, options);
}

class PageSequence<Data> implements CrawledPages<Data> {
  readonly #urls: string | readonly string[];
  readonly #options: PagesOptions<Data>;
  /** The options as they were given, which may be anything. */
  readonly #given: unknown;
  readonly #waiting: DownloadedPage[] = [];
  #run: Promise<void> | undefined;
  #crawl: Crawl | undefined;
  #last: CrawlStatus | undefined;
  #end: CrawlEnd | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #isStopped = false;
  /** The crawl pauses because pages wait. */
  #isHeldBack = false;
  #wake: () => void = () => {};
  /** The last call of `next`, after which the following one has its turn. */
  #turn: Promise<unknown> = Promise.resolve();
  /** How the crawl failed is thrown once; after it there are no more pages. */
  #isTold = false;
  /** That a hook has thrown. */
  #isWarned = false;

  constructor(urls: string | readonly string[], options: PagesOptions<Data>) {
    this.#urls = urls;
    this.#given = options;
    this.#options = options ?? {};
  }

  get status(): CrawlStatus | undefined {
    return this.#last ?? this.#crawl?.status;
  }

  get end(): CrawlEnd | undefined {
    return this.#end;
  }

  coverage(): number {
    return this.status?.coverage ?? 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#crawl?.stop("interrupted");
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls take turns, as those of an async generator do: each has a page of its own. */
  next(): Promise<IteratorResult<CrawledPage<Data>, undefined>> {
    this.#run ??= this.#runAll();
    const page = this.#turn.then(() => this.#nextPage());
    this.#turn = page.catch(() => {});
    return page;
  }

  /** The consumer leaves the loop. */
  async return(): Promise<IteratorResult<CrawledPage<Data>, undefined>> {
    this.#isTold = true;
    await this.#leave();
    return { done: true, value: undefined };
  }

  async #nextPage(): Promise<IteratorResult<CrawledPage<Data>, undefined>> {
    for (;;) {
      const page = await this.#nextDownloaded();
      if (page === undefined || this.#isAborted) return this.#finished();
      try {
        const made = await this.#made(page);
        if (made !== undefined && !this.#isAborted) return { done: false, value: made };
      } catch (error) {
        // A loop does not call `return` when `next` throws.
        this.#isTold = true;
        await this.#leave();
        throw error;
      }
    }
  }

  get #isAborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** Ends the crawl, and no more pages are handed out. */
  async #leave(): Promise<void> {
    this.stop();
    this.#run ??= Promise.resolve();
    await this.#run;
    this.#isOver = true;
    this.#waiting.length = 0;
  }

  async #finished(): Promise<IteratorResult<CrawledPage<Data>, undefined>> {
    await this.#run;
    if (this.#isTold) return { done: true, value: undefined };
    this.#isTold = true;
    const { signal } = this.#options;
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#end?.error !== undefined) throw this.#end.error;
    signal?.throwIfAborted();
    return { done: true, value: undefined };
  }

  async #nextDownloaded(): Promise<DownloadedPage | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const page = this.#waiting.shift();
    if (this.#isHeldBack && this.#waiting.length <= WAITING_MAX / 2) {
      this.#crawl?.resume();
      this.#isHeldBack = false;
    }
    return page;
  }

  /** The page after all hooks; undefined if it is not handed out. */
  async #made(downloaded: DownloadedPage): Promise<CrawledPage<Data> | undefined> {
    const { accept, transform, extract, onEvent } = this.#options;
    let page = new CrawledPage<Data | undefined>(downloaded, undefined);
    let hook: HookFailed["hook"] = "accept";
    try {
      if (accept !== undefined && !(await accept(page as CrawledPage))) return undefined;
      hook = "transform";
      const html = transform === undefined ? null : page.html;
      if (transform !== undefined && html !== null) {
        page = new CrawledPage(downloaded, undefined, expectHtml(await transform(html, page as CrawledPage)));
      }
      hook = "extract";
      page.data = await extract?.(page as CrawledPage);
      return page as CrawledPage<Data>;
    } catch (error) {
      if (onEvent === undefined) this.#warn(hook, downloaded.url, error);
      else onEvent({ name: "hook-failed", atMs: systemTimers.wallMs(), url: downloaded.url, hook, error });
      return undefined;
    }
  }

  /** A program that takes no events learns of the first, or it would not know why pages are missing. */
  #warn(hook: HookFailed["hook"], url: string, error: unknown): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const what = `the hook ${hook} threw for ${url}: ${messageOf(error)}`;
    const advice = "such pages are not handed out, and the crawl goes on; `onEvent` gets each as hook-failed";
    process.emitWarning(`${what}; ${advice}`, "TidemarkWarning");
  }

  #came(page: DownloadedPage): void {
    this.#waiting.push(page);
    this.#wake();
    if (this.#waiting.length < WAITING_MAX || this.#isHeldBack) return;
    this.#isHeldBack = true;
    this.#crawl?.pause();
  }

  async #runAll(): Promise<void> {
    let signal: AbortSignal | undefined;
    const stop = (): void => this.stop();
    try {
      expectOptions(this.#given);
      ({ signal } = this.#options);
      signal?.addEventListener("abort", stop, { once: true });
      signal?.throwIfAborted();
      const { dir, crawlStore } = this.#options;
      if (dir !== undefined && crawlStore !== undefined) {
        throw new UsageError("dir and crawlStore cannot be used together: the log is kept in one place; leave one out");
      }
      const urls = expectUrls(this.#urls);
      this.#end = await inDirectory(dir, (place) => this.#crawlIn(place, urls));
      this.#last = this.#end.status;
    } catch (error) {
      this.#failure = { error: inWordsOfPrograms(error) };
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#isOver = true;
      this.#wake();
    }
  }

  #crawlIn(dir: string, urls: readonly string[]): Promise<CrawlEnd> {
    const { readers, onStatus, valueOfPage, makeOrder, session, fetcher, crawlStore } = this.#options;
    const options = Object.fromEntries(
      Object.entries(this.#options).filter(([name]) => !Object.hasOwn(OF_PROGRAMS, name)),
    );
    return crawlInDirectory(dir, {
      options: { ...options, urls },
      ...(readers === undefined ? {} : { readers }),
      ...(session === undefined ? {} : { session }),
      ...(fetcher === undefined ? {} : { fetcher }),
      ...(crawlStore === undefined ? {} : { store: crawlStore }),
      ...(makeOrder === undefined ? {} : { makeOrder }),
      ...(onStatus === undefined ? {} : { onStatus }),
      ...(valueOfPage === undefined ? {} : { valueOfPage }),
      onEvent: (event) => this.#happened(event),
      onPage: (page) => this.#came(page),
      onLaunch: (crawl) => {
        this.#crawl = crawl;
        if (this.#isStopped) crawl.stop("interrupted");
      },
    });
  }

  /** That the crawl pauses for a slow consumer is nothing that happened to it. */
  #happened(event: CrawlEvent): void {
    if (this.#isHeldBack && (event.name === "paused" || event.name === "resumed")) return;
    this.#options.onEvent?.(event);
  }
}

/** In a directory of the user's, or in one that is removed afterwards. */
async function inDirectory<T>(dir: string | undefined, work: (dir: string) => Promise<T>): Promise<T> {
  if (dir !== undefined) return work(dir);
  const parent = mkdtempSync(join(tmpdir(), "tidemark-"));
  try {
    return await work(join(parent, "crawl"));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
