/**
 * The dashboard's server in a thread of the process that crawls or refreshes, as that work sees it. There are only
 * messages, so that viewers cost the crawl next to nothing, and need not wait while a refresh weighs its pages. The
 * crawl sends its status once per second and events as they happen, and waits for nothing. The dashboard asks for the
 * status of the few hosts that somebody is viewing, and forwards what the user wants. A refresh sends its status alone.
 * Errors of the dashboard are reported, and the work continues.
 */
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError, messageOf, systemTimers, UsageError } from "../../base/index.ts";
import type { HostStatus, CrawlEvent, CrawlStatus, Limits, RefreshStatus, StopReason } from "../../crawl/index.ts";
import type { Control } from "../protocol/http.ts";

export type FromCrawl =
  | {
      readonly type: "status";
      readonly state: "running" | "paused" | "stopping";
      readonly status: CrawlStatus;
      readonly limits: Limits;
    }
  | { readonly type: "event"; readonly event: CrawlEvent }
  | {
      readonly type: "hosts";
      readonly question: number;
      /** One per requested host; null if the crawl does not know it. */
      readonly hosts: readonly (HostStatus | null)[];
    }
  /** The control is impossible: sent instead of a status. */
  | { readonly type: "refused"; readonly problem: string }
  /** The crawl has ended and its directory is closed. The dashboard may stay. */
  | { readonly type: "ended"; readonly reason: StopReason; readonly status: CrawlStatus };

export type ToCrawl =
  | { readonly type: "hosts"; readonly question: number; readonly names: readonly string[] }
  | { readonly type: "control"; readonly control: Control };

/** The server's end of the channel. */
export interface CrawlPort {
  send(message: ToCrawl): void;
  onMessage(listener: (message: FromCrawl) => void): void;
}

/** What a refresh has last reported; null: it begins. */
interface FromRefresh {
  readonly type: "refresh";
  readonly status: RefreshStatus | null;
}

export type ToThread = FromCrawl | FromRefresh | { readonly type: "close" };

export type FromThread =
  | ToCrawl
  | { readonly type: "listening"; readonly url: string }
  | { readonly type: "failed"; readonly message: string; readonly isUsage: boolean }
  | { readonly type: "error"; readonly message: string };

/** What the thread starts with. */
export interface ThreadOptions {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  /** Whether a crawl runs in this process, which can be controlled, or a refresh. */
  readonly beside: "crawl" | "refresh";
}

/** The crawl in this process. */
interface CrawlHandle {
  /** Does what the user wants, or throws an error that says why that is impossible. */
  readonly onControl: (control: Control) => void;
  /** The current status of these hosts; null for a host that the crawl does not know. */
  readonly hosts: (names: readonly string[]) => readonly (HostStatus | null)[];
}

export interface ServerThreadOptions extends Omit<ThreadOptions, "beside"> {
  /** Left out beside a refresh. */
  readonly crawl?: CrawlHandle;
  /** Called, with a message, when the dashboard has an error or has ended. */
  readonly onError: (message: string) => void;
}

export interface ServerThread {
  readonly url: string;
  send(message: FromCrawl | FromRefresh): void;
  close(): Promise<void>;
}

/** A thread that does not end by itself is terminated. */
const CLOSE_MS_MAX = 3000;

/** Fails if the dashboard cannot start, since the user may be able to fix that. After that it never fails. */
export async function startServerThread(options: ServerThreadOptions): Promise<ServerThread> {
  const thread = new Thread(options);
  await thread.listening;
  return thread;
}

class Thread implements ServerThread {
  /** Empty until the server listens. */
  url = "";
  readonly listening: Promise<void>;
  readonly #worker: Worker;
  readonly #options: ServerThreadOptions;
  readonly #ended: Promise<void>;
  #isAlive = true;
  #isClosing = false;
  #started: () => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(options: ServerThreadOptions) {
    const { dir, host, port, token, crawl } = options;
    const beside = crawl === undefined ? "refresh" : "crawl";
    const workerData: ThreadOptions = { dir, host, port, beside, ...(token !== undefined && { token }) };
    const worker = new Worker(compiledEntry("dashboard/server/server-worker.js"), { workerData });
    this.#worker = worker;
    this.#options = options;
    this.listening = new Promise((resolve, reject) => {
      this.#started = resolve;
      this.#failed = reject;
    });
    this.#ended = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#fail(new FailureError("the dashboard's thread has ended"));
        resolve();
      });
    });
    worker.on("message", (message: FromThread) => this.#receive(message));
    worker.on("error", (error: Error) => this.#fail(new FailureError(`the dashboard has failed: ${error.message}`)));
  }

  /** Messages to a thread that has ended are dropped. */
  send(message: ToThread): void {
    if (this.#isAlive) this.#worker.postMessage(message, []);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.send({ type: "close" });
    const cancel = systemTimers.after(CLOSE_MS_MAX, () => void this.#worker.terminate());
    await this.#ended;
    cancel();
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case "listening":
        this.url = message.url;
        return this.#started();
      case "failed":
        return this.#fail(message.isUsage ? new UsageError(message.message) : new FailureError(message.message));
      case "error":
        return this.#options.onError(message.message);
      case "hosts":
        return this.#sendHosts(message.question, message.names);
      case "control":
        return this.#control(message.control);
    }
  }

  #sendHosts(question: number, names: readonly string[]): void {
    try {
      this.send({ type: "hosts", question, hosts: this.#options.crawl?.hosts(names) ?? names.map(() => null) });
    } catch (error) {
      this.#options.onError(messageOf(error));
    }
  }

  #control(control: Control): void {
    try {
      this.#options.crawl?.onControl(control);
    } catch (error) {
      this.send({ type: "refused", problem: messageOf(error) });
    }
  }

  /** Reported once: to the caller who waits for the start, or else through `onError`. */
  #fail(error: Error): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    if (this.url === "") this.#failed(error);
    else if (!this.#isClosing) this.#options.onError(error.message);
  }
}
