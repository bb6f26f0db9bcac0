/** Crawls with progress on standard error, as JSON lines where that was asked for, and with a dashboard where that was. */
import { availableParallelism } from "node:os";
import { messageOf } from "../../base/index.ts";
import type { Crawl, CrawlOptions } from "../../crawl/index.ts";
import { eventInWords, seedLossInWords } from "../../text/index.ts";
import { expectFree } from "../options/serving.ts";
import type { CrawlDashboard } from "./dashboard.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { report, writeOut } from "../terminal/streams.ts";
import { openTerminal } from "../terminal/terminal.ts";
import { busiestHosts, type HostProgress } from "../live/display.ts";
import { LastingNotes } from "./lasting-notes.ts";
import { openDisplay } from "../live/terminal.ts";
import { openingSentence, trustSentence } from "./opening.ts";
import type { CrawlPlan } from "./plan.ts";
import { type CrawlResult, runPlan } from "./run.ts";

/** In a line of progress. */
const HOSTS_NAMED = 3;

export type ShowOptions = Pick<CrawlOptions, "json" | "quiet" | "readers" | "serve" | "listen" | "token">;

export interface Shown {
  readonly result: CrawlResult;
  readonly seconds: number;
  /** After the last word: a dashboard on a terminal stays until the user has seen enough, elsewhere it ends with the crawl. */
  readonly finish: () => Promise<void>;
}

export async function crawlAndShow(plan: CrawlPlan, options: ShowOptions): Promise<Shown> {
  if (options.serve === true) await expectServable(options);
  const show = new Show(plan, options);
  try {
    const result = await show.run();
    return { result, seconds: result.end.status.elapsedMs / 1000, finish: () => show.finish() };
  } catch (error) {
    await show.abandon();
    throw error;
  }
}

/** What the user said about the dashboard, before anything is created. */
async function expectServable({ listen, token }: ShowOptions): Promise<void> {
  await expectFree(listen);
  if (token !== undefined) (await import("../../dashboard/index.ts")).checkToken(token);
}

class Show {
  readonly #plan: CrawlPlan;
  readonly #options: ShowOptions;
  readonly #isQuiet: boolean;
  readonly #open: ReturnType<typeof openDisplay>;
  readonly #terminal: ReturnType<typeof openTerminal>;
  #hosts: readonly HostProgress[] = [];
  #dashboard: Promise<CrawlDashboard | undefined> | undefined;
  #wasInterrupted = false;

  constructor(plan: CrawlPlan, options: ShowOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#isQuiet = options.quiet === true;
    this.#open = openDisplay(plan.settings, { json: options.json === true });
    this.#terminal = openTerminal({ quiet: this.#isQuiet });
  }

  async run(): Promise<CrawlResult> {
    const { display, close } = this.#open;
    const { settings } = this.#plan;
    const lasting = new LastingNotes((text) => this.#note(text), display.isLive);
    const dashboard = (act: (dashboard: CrawlDashboard) => void): void => {
      void this.#dashboard?.then((there) => {
        if (there !== undefined) act(there);
      });
    };
    const result = await runPlan(this.#plan, {
      readers: this.#options.readers ?? Math.max(1, availableParallelism() - 1),
      progress: this.#terminal.progress,
      onOpen: () => this.#announce(),
      onStart: (crawl) => {
        this.#terminal.clear();
        this.#hosts = crawl.hosts;
        if (!this.#isQuiet) display.open(crawl);
        // Whatever is wrong with it is no reason not to crawl.
        if (this.#options.serve === true)
          this.#dashboard = this.#serve(crawl).catch((error: unknown) => {
            this.#note(`there is no dashboard: ${messageOf(error)}`);
            return undefined;
          });
      },
      onStatus: (status) => {
        dashboard((each) => each.tellStatus(status));
        if (this.#isQuiet) return;
        if (this.#options.json === true) writeLine({ type: "progress", ...status, best: this.#bestHosts() });
        display.show(status);
      },
      onEvent: (event) => {
        dashboard((each) => each.tellEvent(event));
        display.note(event);
        if (event.name === "seed-lost") lasting.add(seedLossInWords(event, settings.damping));
        else if (event.name === "seed-in-trouble" && !display.isLive) this.#note(eventInWords(event));
      },
      onStopping: () => {
        this.#wasInterrupted = true;
        this.#note("stopping; once more stops at once");
      },
      onConcluding: () => {
        close();
        this.#note("proving how much is covered; Ctrl-C goes without");
      },
    }).finally(() => {
      close();
      this.#terminal.clear();
      lasting.tell();
    });
    await (await this.#dashboard)?.tellEnd(result.end);
    return result;
  }

  async finish(): Promise<void> {
    const dashboard = await this.#dashboard;
    if (dashboard?.url !== undefined && process.stderr.isTTY === true && !this.#wasInterrupted) {
      report(`the dashboard stays at ${dashboard.url} until Ctrl-C`);
      await untilInterrupted();
    }
    await dashboard?.close();
  }

  /** Nothing came of the crawl. */
  async abandon(): Promise<void> {
    await (await this.#dashboard)?.close();
  }

  async #serve(crawl: Crawl): Promise<CrawlDashboard> {
    const { CrawlDashboard } = await import("./dashboard.ts");
    const { listen, token, json = false } = this.#options;
    return new CrawlDashboard(crawl, {
      dir: this.#plan.dir,
      ...(listen === undefined ? {} : { listen }),
      ...(token === undefined ? {} : { token }),
      note: (text) => this.#note(text),
      onListening: (url) => {
        if (json) writeLine({ type: "serving", url });
        this.#note(`the dashboard is at ${url}`);
      },
    });
  }

  #note(text: string): void {
    this.#open.display.clear();
    this.#terminal.clear();
    if (!this.#isQuiet) report(text);
  }

  /** What is about to happen, before anything is fetched. */
  #announce(): void {
    const plan = this.#plan;
    this.#note(openingSentence(plan));
    const moved = trustSentence(plan);
    if (moved !== undefined) this.#note(moved);
    const { network } = plan.settings;
    if (/^tidemark\/\S+$/.test(network.userAgent) && !network.allowPrivate) {
      this.#note("those who run the sites cannot reach you: --contact URL or mail address tells them how");
    }
  }

  #bestHosts(): object[] {
    return busiestHosts(this.#hosts, HOSTS_NAMED)
      .filter(({ pages }) => pages > 0)
      .map(({ name, pages, errors }) => ({ host: name, pages, errors }));
  }
}

export function writeLine(document: object): void {
  writeOut(`${JSON.stringify(document)}\n`);
}
