/**
 * The dashboard of a crawl that runs in this process: told what happens there, and obeyed. It begins while the crawl already runs, and its
 * troubles are told and end nothing.
 */
import { messageOf } from "../../base/index.ts";
import type { Crawl, CrawlEnd, CrawlEvent, CrawlStatus, Limits } from "../../crawl/index.ts";
import { type Control, type ServerThread, startServerThread } from "../../dashboard/index.ts";
import { listening, type ServingOptions } from "../options/serving.ts";

export interface CrawlDashboardOptions extends ServingOptions {
  readonly dir: string;
  readonly onListening: (url: string) => void;
  readonly note: (text: string) => void;
}

export class CrawlDashboard {
  readonly #options: CrawlDashboardOptions;
  readonly #crawl: Crawl;
  readonly #begun: Promise<void>;
  #thread: ServerThread | undefined;
  #status: CrawlStatus | undefined;

  constructor(crawl: Crawl, options: CrawlDashboardOptions) {
    this.#crawl = crawl;
    this.#options = options;
    this.#begun = this.#begin().catch((error: unknown) => {
      options.note(`there is no dashboard: ${messageOf(error)}`);
    });
  }

  /** Undefined before it listens, and where it never does. */
  get url(): string | undefined {
    return this.#thread?.url;
  }

  /** With the newest status: what has changed since is how the crawl stands. */
  tellStatus(status = this.#status): void {
    this.#status = status;
    const { state, limits } = this.#crawl;
    if (status === undefined || state === "ready" || state === "ended") return;
    this.#thread?.send({ type: "status", state, status, limits });
  }

  tellEvent(event: CrawlEvent): void {
    this.#thread?.send({ type: "event", event });
    this.tellStatus();
  }

  /** The directory is closed. */
  async tellEnd({ reason, status }: CrawlEnd): Promise<void> {
    await this.#begun;
    this.#thread?.send({ type: "ended", reason, status });
  }

  async close(): Promise<void> {
    await this.#begun;
    await this.#thread?.close();
  }

  async #begin(): Promise<void> {
    const { dir, listen, token, note, onListening } = this.#options;
    this.#thread = await listening(listen, (address) =>
      startServerThread({
        dir,
        ...address,
        ...(token === undefined ? {} : { token }),
        hosts: (names) => names.map((name) => this.#crawl.hostStatus(name)),
        onControl: (control) => {
          obey(this.#crawl, control);
          this.tellStatus();
        },
        onError: (message) => note(`the dashboard: ${message}`),
      }),
    );
    onListening(this.#thread.url);
    this.tellStatus();
  }
}

function obey(crawl: Crawl, control: Control): void {
  switch (control.action) {
    case "pause":
      return crawl.pause();
    case "resume":
      return crawl.resume();
    case "stop":
      return crawl.stop("interrupted");
    case "limits":
      return crawl.changeLimits(changed(crawl.limits, control.limits));
  }
}

/** A limit that is null is taken away, one left out stays. */
function changed(limits: Limits, changes: Extract<Control, { readonly action: "limits" }>["limits"]): Limits {
  const all = Object.entries({ ...limits, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}
