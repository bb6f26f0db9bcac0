/**
 * The dashboard of a crawl that runs in this process: it receives what happens there, and controls it. It starts while
 * the crawl is running already; its errors are noted and do not stop the crawl.
 */
import { messageOf } from "../../base/index.ts";
import type { Crawl, CrawlEnd, CrawlEvent, CrawlStatus, Limits } from "../../crawl/index.ts";
import type { Control, ServerThread } from "../../dashboard/index.ts";
import { listening, type ServingOptions } from "../options/settings.ts";

interface CrawlDashboardOptions {
  readonly dir: string;
  readonly serving: ServingOptions;
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
      options.note(`the dashboard could not start: ${messageOf(error)}`);
    });
  }

  /** Undefined before it listens, and if it never does. */
  get url(): string | undefined {
    return this.#thread?.url;
  }

  /** Without a status, sends the newest one again: state and limits may have changed. */
  sendStatus(status = this.#status): void {
    this.#status = status;
    const { state, limits } = this.#crawl;
    if (status === undefined || state === "ready" || state === "ended") return;
    this.#thread?.send({ type: "status", state, status, limits });
  }

  sendEvent(event: CrawlEvent): void {
    this.#thread?.send({ type: "event", event });
    this.sendStatus();
  }

  /** After the directory is closed. */
  async sendEnd({ reason, status }: CrawlEnd): Promise<void> {
    await this.#begun;
    this.#thread?.send({ type: "ended", reason, status });
  }

  async close(): Promise<void> {
    await this.#begun;
    await this.#thread?.close();
  }

  async #begin(): Promise<void> {
    const { dir, serving, note, onListening } = this.#options;
    const { listen, token } = serving;
    const { startServerThread } = await import("../../dashboard/index.ts");
    this.#thread = await listening(listen, (address) =>
      startServerThread({
        dir,
        ...address,
        ...(token === undefined ? {} : { token }),
        crawl: {
          hosts: (names) => names.map((name) => this.#crawl.hostStatus(name)),
          onControl: (control) => {
            obey(this.#crawl, control);
            this.sendStatus();
          },
        },
        onError: (message) => note(`the dashboard: ${message}`),
      }),
    );
    onListening(this.#thread.url);
    this.sendStatus();
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

/** null removes a limit; one that is left out stays. */
function changed(limits: Limits, changes: Extract<Control, { readonly action: "limits" }>["limits"]): Limits {
  const all = Object.entries({ ...limits, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}
