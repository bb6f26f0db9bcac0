/**
 * Reads pages on other threads, so that the engine's own is free for the network and the store.
 *
 * A job goes to the thread with the fewest jobs. A thread that dies (a page too large for its memory, say) is replaced, and its jobs
 * end as pages whose links are not known: nothing hangs, and the certificate stays sound.
 */
import { Worker } from "node:worker_threads";
import { compiledEntry } from "../base/index.ts";
import {
  Outbox,
  type ReaderMessage,
  type ReaderReply,
  unreadablePage,
  unreadableSitemap,
} from "./reader-messages.ts";
import type {
  PageContent,
  PageJob,
  PageReader,
  ReaderSettings,
  SitemapContent,
  SitemapJob,
} from "./reading.ts";

interface Pending {
  readonly page?: (content: PageContent) => void;
  readonly sitemap?: (content: SitemapContent) => void;
}

export interface ReaderPoolOptions {
  readonly threads: number;
  /** Bodies are still needed here after they were read, so threads get copies. */
  readonly keepsBodies: boolean;
}

export class ReaderPool implements PageReader {
  readonly #settings: ReaderSettings;
  readonly #keepsBodies: boolean;
  readonly #threads: ReaderThread[];

  constructor(settings: ReaderSettings, { threads, keepsBodies }: ReaderPoolOptions) {
    this.#settings = settings;
    this.#keepsBodies = keepsBodies;
    this.#threads = Array.from({ length: threads }, () => new ReaderThread(settings));
  }

  readPage(job: PageJob, done: (content: PageContent) => void): void {
    this.#thread().send((id) => ({ id, kind: "page", job }), { page: done }, this.#transferable(job.body));
  }

  readSitemap(job: SitemapJob, done: (content: SitemapContent) => void): void {
    this.#thread().send((id) => ({ id, kind: "sitemap", job }), { sitemap: done }, []);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #thread(): ReaderThread {
    let best = 0;
    for (let k = 1; k < this.#threads.length; k++) {
      if (this.#threads[k]!.load < this.#threads[best]!.load) best = k;
    }
    if (this.#threads[best]!.isDead) this.#threads[best] = new ReaderThread(this.#settings);
    return this.#threads[best]!;
  }

  /** A body that fills its buffer is handed over without a copy. */
  #transferable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    return isOwn && !this.#keepsBodies ? [buffer] : [];
  }
}

class ReaderThread {
  isDead = false;
  readonly #worker: Worker;
  readonly #unsent: Outbox<ReaderMessage>;
  readonly #pending = new Map<number, Pending>();
  #sent = 0;

  constructor(settings: ReaderSettings) {
    this.#worker = new Worker(compiledEntry("crawl/reader-worker.js"), { workerData: settings });
    this.#worker.on("message", (replies: readonly ReaderReply[]) => {
      for (const reply of replies) this.#replied(reply);
    });
    this.#unsent = new Outbox((messages, transfer) => this.#worker.postMessage(messages, transfer));
    this.#worker.on("error", () => this.#died());
    this.#worker.on("exit", () => this.#died());
  }

  get load(): number {
    return this.#pending.size;
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
