/** The dashboard of a crawl that runs in this process: told what happens there, and obeyed. Its troubles are told and end nothing. */
import type { Crawl, CrawlEvent, CrawlEnd, CrawlStatus, Limits } from "../../crawl/index.ts";
import { type Beside, type Control, startBeside } from "../../dashboard/index.ts";
import { listening, type ServingOptions } from "./address.ts";

export interface CrawlDashboardOptions extends ServingOptions {
  readonly dir: string;
  readonly note: (text: string) => void;
}

export class CrawlDashboard {
  readonly #crawl: Crawl;
  readonly #beside: Beside;
  #status: CrawlStatus | undefined;

  private constructor(crawl: Crawl, beside: Beside) {
    this.#crawl = crawl;
    this.#beside = beside;
  }

  static async start(crawl: Crawl, options: CrawlDashboardOptions): Promise<CrawlDashboard> {
    const { dir, listen, token, note } = options;
    let dashboard: CrawlDashboard | undefined;
    const beside = await listening(listen, (address) =>
      startBeside({
        dir,
        ...address,
        ...(token === undefined ? {} : { token }),
        hosts: (names) => names.map((name) => crawl.treatmentOf(name)),
        onControl: (control) => {
          obey(crawl, control);
          dashboard?.tellStatus();
        },
        onTrouble: (message) => note(`the dashboard: ${message}`),
      }),
    );
    dashboard = new CrawlDashboard(crawl, beside);
    return dashboard;
  }

  get url(): string {
    return this.#beside.url;
  }

  /** With the newest status: what has changed since is how the crawl stands. */
  tellStatus(status = this.#status): void {
    this.#status = status;
    const { state, limits } = this.#crawl;
    if (status === undefined || state === "ready" || state === "ended") return;
    this.#beside.tell({ type: "status", state, status, limits });
  }

  tellEvent(event: CrawlEvent): void {
    this.#beside.tell({ type: "event", event });
    this.tellStatus();
  }

  tellEnd({ reason, status }: CrawlEnd): void {
    this.#beside.tell({ type: "ended", reason, status });
  }

  close(): Promise<void> {
    return this.#beside.close();
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
