/**
 * A dashboard beside a crawl, seen from the crawl: started on a thread of its own, told what happens, and asked for nothing. Whatever goes
 * wrong there is reported and the crawl goes on.
 */
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError, messageOf, systemTimers, UsageError } from "../../base/index.ts";
import type { FromCrawl } from "../protocol/thread.ts";
import type { Control, Politeness } from "../protocol/http.ts";
import type { FromThread, ThreadOptions, ToThread } from "./server-worker.ts";

export interface BesideOptions {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  /** Does what the user wants, or throws an error that says why it cannot be. */
  readonly onControl: (control: Control) => void;
  /** How hosts are treated now, one for each name; null for one that the crawl does not know. */
  readonly hosts: (names: readonly string[]) => readonly (Politeness | null)[];
  /** Told, in words, when the dashboard is in trouble or is no more. */
  readonly onTrouble: (message: string) => void;
}

export interface Beside {
  readonly url: string;
  tell(message: FromCrawl): void;
  close(): Promise<void>;
}

/** A thread that does not end by itself is ended. */
const CLOSE_MS_MAX = 3000;

/** Fails where the dashboard cannot begin, for the user may mend that; from then on it never does. */
export async function startBeside(options: BesideOptions): Promise<Beside> {
  const { dir, host, port, token } = options;
  const workerData: ThreadOptions = { dir, host, port, token };
  const worker = new Worker(compiledEntry("dashboard/server/server-worker.js"), { workerData });
  const thread = new DashboardThread(worker, options);
  const url = await thread.listening;
  return { url, tell: (message) => thread.tell(message), close: () => thread.close() };
}

class DashboardThread {
  /** Its address, once it listens. */
  readonly listening: Promise<string>;
  readonly #worker: Worker;
  readonly #options: BesideOptions;
  readonly #ended: Promise<void>;
  #isAlive = true;
  #isClosing = false;
  #hasBegun = false;
  #begun: (url: string) => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(worker: Worker, options: BesideOptions) {
    this.#worker = worker;
    this.#options = options;
    this.listening = new Promise((resolve, reject) => {
      this.#begun = resolve;
      this.#failed = reject;
    });
    this.#ended = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#fail(new FailureError("the dashboard's thread has ended"));
        resolve();
      });
    });
    worker.on("message", (message: FromThread) => this.#hear(message));
    worker.on("error", (error: Error) =>
      this.#fail(new FailureError(`the dashboard has failed: ${error.message}`)),
    );
  }

  /** What nobody hears any more is dropped. */
  tell(message: ToThread): void {
    if (this.#isAlive) this.#worker.postMessage(message, []);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.tell({ type: "close" });
    const cancel = systemTimers.after(CLOSE_MS_MAX, () => void this.#worker.terminate());
    await this.#ended;
    cancel();
  }

  #hear(message: FromThread): void {
    if (message.type === "listening") {
      this.#hasBegun = true;
      this.#begun(message.url);
    } else if (message.type === "failed") {
      this.#fail(message.isUsage ? new UsageError(message.message) : new FailureError(message.message));
    } else if (message.type === "trouble") this.#options.onTrouble(message.message);
    else if (message.type === "hosts") this.#answerHosts(message.question, message.names);
    else if (message.type === "control") this.#control(message.control);
  }

  #answerHosts(question: number, names: readonly string[]): void {
    try {
      this.tell({ type: "hosts", question, hosts: this.#options.hosts(names) });
    } catch (error) {
      this.#options.onTrouble(messageOf(error));
    }
  }

  #control(control: Control): void {
    try {
      this.#options.onControl(control);
    } catch (error) {
      this.tell({ type: "refused", problem: messageOf(error) });
    }
  }

  /** Told once: to whoever waits for the beginning, or else to whoever hears of trouble. */
  #fail(error: Error): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    if (!this.#hasBegun) this.#failed(error);
    else if (!this.#isClosing) this.#options.onTrouble(error.message);
  }
}
