/** Crawls with progress on standard error, with JSON lines on request, and with a dashboard on request. */
import { availableParallelism } from "node:os";
import { counted } from "../../base/index.ts";
import type { Crawl, CommandOptions, CrawlEvent } from "../../crawl/index.ts";
import { eventInWords, seedLossInWords } from "../../text/index.ts";
import { expectFree, placeOf, type ServingOptions } from "../options/settings.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { openTerminal, report, writeJsonLine } from "../terminal/terminal.ts";
import { busiestHosts, type HostProgress, openDisplay } from "../live/display.ts";
import { CrawlDashboard } from "./dashboard.ts";
import { fetchPrinter } from "./fetches.ts";
import { idleWorkersAhead, idleWorkersInHindsight, keptFromNowOn, openingSentence, trustSentence } from "./messages.ts";
import type { CrawlPlan } from "./plan.ts";
import { type CrawlResult, runPlan } from "./run.ts";
import { SeedLosses } from "./seed-losses.ts";

/** In a line of progress. */
const HOSTS_NAMED = 3;
/** Events to know of when the crawl has ended. */
const LASTING: ReadonlySet<CrawlEvent["name"]> = new Set([
  "host-blocked",
  "target-unreachable",
  "scope-widened",
  "sitemap-failed",
  "render-decided",
  "script-made",
]);

export type ShowOptions = Pick<
  CommandOptions,
  "json" | "quiet" | "verbose" | "readers" | "workers" | "requisites" | "serve" | "listen" | "token"
>;

/** `finish` is for after the summary is printed; `leave` ends the dashboard at once instead, and says where it was. */
export async function crawlAndShow(plan: CrawlPlan, options: ShowOptions) {
  if (options.serve === true) await expectServable(options);
  const show = new Show(plan, options);
  try {
    const result = await show.run();
    return { result, finish: () => show.finish(), leave: () => show.leave() };
  } catch (error) {
    await show.abandon();
    throw error;
  }
}

/** Checks the options of the dashboard before anything is created. */
async function expectServable({ listen, token }: ShowOptions): Promise<void> {
  await expectFree(listen);
  if (token !== undefined) (await import("../../dashboard/index.ts")).checkToken(token);
}

class Show {
  readonly #plan: CrawlPlan;
  readonly #options: ShowOptions;
  readonly #isQuiet: boolean;
  readonly #workers: number;
  /** Why some workers will have nothing to do. */
  readonly #idleAhead: string | undefined;
  readonly #open: ReturnType<typeof openDisplay>;
  readonly #terminal: ReturnType<typeof openTerminal>;
  #hosts: Iterable<HostProgress> = [];
  #dashboard: CrawlDashboard | undefined;
  #wasInterrupted = false;

  constructor(plan: CrawlPlan, options: ShowOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#isQuiet = options.quiet === true;
    this.#workers = options.workers ?? 1;
    this.#idleAhead = idleWorkersAhead(plan.settings, this.#workers);
    this.#open = openDisplay({
      damping: plan.settings.damping,
      universe: plan.settings.web.universe,
      json: options.json === true,
      isPlain: options.verbose === true,
    });
    this.#terminal = openTerminal({ quiet: this.#isQuiet, isPlain: options.verbose === true });
  }

  async run(): Promise<CrawlResult> {
    const { display, close } = this.#open;
    const { settings } = this.#plan;
    const lasting = new LastingNotes((text) => this.#note(text), display.isLive);
    const failing = new LastingNotes((text) => this.#note(text), display.isLive);
    const losses = new SeedLosses();
    const result = await runPlan(this.#plan, {
      readers: this.#options.readers ?? Math.max(1, availableParallelism() - 1),
      workers: this.#workers,
      isServed: this.#options.serve === true,
      progress: this.#terminal.progress,
      onFetch: fetchPrinter(this.#options.verbose),
      onOpen: () => this.#announce(),
      onNote: (text) => this.#note(text),
      onWarning: (text) => lasting.add(text),
      onStart: (crawl) => {
        this.#terminal.clear();
        this.#hosts = crawl.hosts;
        if (!this.#isQuiet) display.open(crawl);
        if (this.#options.serve === true) this.#dashboard = this.#serve(crawl);
      },
      onStatus: (status) => {
        this.#dashboard?.sendStatus(status);
        if (this.#isQuiet) return;
        if (this.#options.json === true) writeJsonLine({ type: "progress", ...status, best: this.#bestHosts() });
        display.show(status);
      },
      onEvent: (event) => {
        this.#dashboard?.sendEvent(event);
        display.note(event);
        if (event.name === "seed-lost") {
          losses.add(event);
          lasting.add(seedLossInWords(event, settings.damping));
        }
        if (LASTING.has(event.name)) lasting.add(`${eventInWords(event)}${this.#headerAdvice(event)}`);
        if (event.name === "seed-in-trouble") failing.add(eventInWords(event));
      },
      onStopping: () => {
        this.#wasInterrupted = true;
        this.#note("stopping; Ctrl-C again stops at once");
      },
      requisites: this.#options.requisites === true,
      onRequisites: () => {
        close();
        this.#note("fetching what archived pages need to be shown; Ctrl-C leaves the rest to the next run");
      },
      onCertifying: () => {
        close();
        this.#note("proving how much is covered; Ctrl-C skips this");
      },
    }).finally(() => {
      close();
      this.#terminal.clear();
      lasting.print();
      const lost = losses.inWords();
      if (lost !== undefined) this.#note(lost);
    });
    // They explain why there is no page. If there are pages, the seeds have recovered.
    if (result.end.status.pages === 0) failing.print();
    const idle = this.#idleAhead === undefined ? idleWorkersInHindsight(result, this.#workers) : undefined;
    if (idle !== undefined) this.#note(idle);
    await this.#dashboard?.sendEnd(result.end);
    return result;
  }

  /** On a terminal the dashboard stays until Ctrl-C; elsewhere it ends with the crawl. */
  async finish(): Promise<void> {
    const dashboard = this.#dashboard;
    if (dashboard?.url !== undefined && process.stderr.isTTY === true && !this.#wasInterrupted) {
      report(`the dashboard is still at ${dashboard.url}; Ctrl-C stops it`);
      await untilInterrupted();
    }
    await dashboard?.close();
  }

  /** Where a seed leads is another place than the one the headers were given for. */
  #headerAdvice(event: CrawlEvent): string {
    const { headers = [] } = this.#plan.session.options;
    if (event.name !== "scope-widened" || headers.length === 0) return "";
    const { origin } = new URL(event.url);
    const isGiven = headers.some((each) => each.origin === origin);
    return isGiven ? "" : `; --header is not sent there: start at ${origin}/ if it should be`;
  }

  /** Another dashboard takes the place of this one: whoever has it open need not notice. */
  async leave(): Promise<ServingOptions> {
    const url = this.#dashboard?.url;
    await this.abandon();
    return url === undefined ? {} : placeOf(url, this.#options);
  }

  /** The crawl failed, or something else goes on. */
  async abandon(): Promise<void> {
    await this.#dashboard?.close();
  }

  #serve(crawl: Crawl): CrawlDashboard {
    return new CrawlDashboard(crawl, {
      dir: this.#plan.dir,
      serving: this.#options,
      note: (text) => this.#note(text),
      onListening: (url) => {
        if (this.#options.json === true) writeJsonLine({ type: "serving", url });
        this.#note(`the dashboard is at ${url}`);
      },
    });
  }

  #note(text: string): void {
    this.#open.display.clear();
    this.#terminal.clear();
    if (!this.#isQuiet) report(text);
  }

  /** Before anything is fetched. */
  #announce(): void {
    const plan = this.#plan;
    this.#note(openingSentence(plan));
    const notes = [trustSentence(plan), keptFromNowOn(plan), this.#idleAhead, ...plan.session.notes];
    for (const note of notes) if (note !== undefined) this.#note(note);
    const { network } = plan.settings;
    if (/^tidemark\/\S+$/.test(network.userAgent) && !network.allowPrivate) {
      this.#note("site owners cannot reach you: give a URL or mail address with --contact");
    }
  }

  #bestHosts(): object[] {
    return busiestHosts(this.#hosts, HOSTS_NAMED)
      .filter(({ pages }) => pages > 0)
      .map(({ name, pages, dead, errors }) => ({ host: name, pages, dead, errors }));
  }
}

/** Nobody reads more. */
const NOTES_MAX = 10;

/** Notes worth keeping: printed at once, or, while the live view covers them, at the end. */
export class LastingNotes {
  readonly #note: (text: string) => void;
  readonly #waits: boolean;
  readonly #kept: string[] = [];
  #more = 0;

  constructor(note: (text: string) => void, waits: boolean) {
    this.#note = note;
    this.#waits = waits;
  }

  add(text: string): void {
    if (!this.#waits) this.#note(text);
    else if (this.#kept.length < NOTES_MAX) this.#kept.push(text);
    else this.#more++;
  }

  print(): void {
    for (const text of this.#kept.splice(0)) this.#note(text);
    if (this.#more > 0) this.#note(`${counted(this.#more, "more note")} like these`);
    this.#more = 0;
  }
}
