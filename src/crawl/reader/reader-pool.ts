/**
 * Reads pages on other threads, so that the engine's own is free for the network and the store.
 *
 * A job goes to the thread with the fewest jobs. A thread that dies (a page too large for its memory, say) is replaced,
 * and its jobs end as pages whose links are not known: nothing hangs, and the certificate stays sound.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError } from "../../base/index.ts";
import {
  Outbox,
  type PageContent,
  type PageJob,
  type PageReader,
  type ReaderMessage,
  type ReaderReply,
  type ReaderSettings,
  type ScopeOfJob,
  type SitemapContent,
  type SitemapJob,
  unreadablePage,
  unreadableSitemap,
} from "./contract.ts";

interface Pending {
  readonly page?: (content: PageContent) => void;
  readonly sitemap?: (content: SitemapContent) => void;
}

export interface ReaderPoolOptions {
  readonly threads: number;
  /** Bodies are still needed here after they were read, so threads get copies. */
  readonly keepsBodies: boolean;
}

/** Threads that may die in one run, each of a page too large for it, before something else must be wrong. */
const DEATHS_MAX = 20;

export class ReaderPool implements PageReader {
  readonly #settings: ReaderSettings;
  readonly #keepsBodies: boolean;
  readonly #threads: ReaderThread[];
  #deaths = 0;

  private constructor(settings: ReaderSettings, { threads, keepsBodies }: ReaderPoolOptions) {
    this.#settings = settings;
    this.#keepsBodies = keepsBodies;
    this.#threads = Array.from({ length: threads }, () => new ReaderThread(settings));
  }

  /** A pool whose threads are ready to read; threads that cannot start are an error at once. */
  static async start(settings: ReaderSettings, options: ReaderPoolOptions): Promise<ReaderPool> {
    const pool = new ReaderPool(settings, options);
    try {
      await Promise.all(pool.#threads.map((thread) => thread.ready));
      return pool;
    } catch (error) {
      await pool.close();
      throw new FailureError(
        `cannot start ${options.threads} threads that read pages: ${String(error)}; try --readers 0`,
      );
    }
  }

  readPage(job: PageJob, done: (content: PageContent) => void): void {
    const thread = this.#thread();
    const message = { kind: "page", job: thread.withNews(job) } as const;
    thread.send((id) => ({ id, ...message }), { page: done }, this.#transferable(job.body));
  }

  readSitemap(job: SitemapJob, done: (content: SitemapContent) => void): void {
    const thread = this.#thread();
    const message = { kind: "sitemap", job: thread.withNews(job) } as const;
    thread.send((id) => ({ id, ...message }), { sitemap: done }, []);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #thread(): ReaderThread {
    let best = 0;
    for (let k = 1; k < this.#threads.length; k++) {
      if (this.#threads[k].load < this.#threads[best].load) best = k;
    }
    if (this.#threads[best].isDead) this.#replace(best);
    return this.#threads[best];
  }

  #replace(thread: number): void {
    if (++this.#deaths > DEATHS_MAX) {
      throw new FailureError(
        `threads that read pages have died ${this.#deaths} times; give the machine more memory, or try --readers 0`,
      );
    }
    this.#threads[thread] = new ReaderThread(this.#settings);
  }

  /** A body that fills its buffer is handed over without a copy. */
  #transferable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    return isOwn && !this.#keepsBodies ? [buffer] : [];
  }
}

class ReaderThread {
  isDead = false;
  /** Settled once the thread can read, or cannot be started. */
  readonly ready: Promise<unknown>;
  readonly #worker: Worker;
  readonly #unsent: Outbox<ReaderMessage>;
  readonly #pending = new Map<number, Pending>();
  #sent = 0;
  /** How much of `widened` the thread knows. */
  #widened = 0;

  constructor(settings: ReaderSettings) {
    this.#worker = new Worker(compiledEntry("crawl/reader/reader-worker.js"), { workerData: settings });
    this.#worker.on("message", (replies: readonly ReaderReply[]) => {
      for (const reply of replies) this.#replied(reply);
    });
    this.ready = once(this.#worker, "message");
    // Who waits for it hears of it; a thread that replaces another has nobody who waits.
    this.ready.catch(() => {});
    this.#unsent = new Outbox((messages, transfer) => this.#worker.postMessage(messages, transfer));
    this.#worker.on("error", () => this.#died());
    this.#worker.on("exit", () => this.#died());
  }

  get load(): number {
    return this.#pending.size;
  }

  /** The job with what the thread does not know of the scope: a list may have thousands of seeds that redirect. */
  withNews<Job extends ScopeOfJob>({ widened = [], ...job }: Job): Omit<Job, "widened"> & ScopeOfJob {
    if (widened.length === this.#widened) return job;
    const news = widened.slice(this.#widened);
    this.#widened = widened.length;
    return { ...job, widened: news };
  }

  send(messageOf: (id: number) => ReaderMessage, pending: Pending, transfer: ArrayBuffer[]): void {
    const id = this.#sent++;
    this.#pending.set(id, pending);
    this.#unsent.add(messageOf(id), transfer);
  }

  #replied(reply: ReaderReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.kind === "page") pending?.page?.(reply.content);
    else pending?.sitemap?.(reply.content);
  }

  async close(): Promise<void> {
    this.#pending.clear();
    await this.#worker.terminate();
  }

  #died(): void {
    this.isDead = true;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const each of pending) {
      each.page?.(unreadablePage());
      each.sitemap?.(unreadableSitemap());
    }
  }
}
