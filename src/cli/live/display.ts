/**
 * What a crawl shows on standard error while it runs: on a terminal a picture that is redrawn every second, elsewhere a
 * plain line with the time now and then. The numbers shown are committed.
 */
import { counted, formatCount, percentAtLeast, systemTimers, type Timers, timeStamp } from "../../base/index.ts";
import { type Crawl, type CrawlEvent, type CrawlStatus, Estimate } from "../../crawl/index.ts";
import { ceilingInWords, type UniverseName } from "../../text/index.ts";
import { leftInWords, speedInWords } from "./lines.ts";
import { EVENTS_SHOWN_MAX, HOSTS_SHOWN_MAX, pictureOf } from "./picture.ts";
import { RunHistory } from "./scene.ts";
import { Screen, type ScreenSize } from "./screen.ts";

export interface HostProgress {
  readonly name: string;
  readonly pages: number;
  readonly dead: number;
  readonly errors: number;
}

/** What the display reads from the crawl for every picture. */
export interface ShownCrawl extends Pick<Crawl, "state" | "limits" | "hostStatus"> {
  readonly hosts: Iterable<HostProgress>;
}

export interface DisplayOptions {
  readonly write: (text: string) => void;
  /** Whether lines can be overwritten. */
  readonly rewrites: boolean;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly size: () => ScreenSize;
  readonly clock: Pick<Timers, "nowMs" | "wallMs">;
  readonly damping: number;
  readonly universe: UniverseName;
}

const PLAIN_MS = 10_000;
/** A picture of this age is redrawn even if nothing was committed: time passes, and pauses end. */
const STALE_MS = 900;
/** After this long without a commit, nothing has happened meanwhile. */
const IDLE_MS = 1500;
/** Rows left to earlier output, if there are enough. */
const ROWS_LEFT = 3;
const ROWS_LEFT_FROM = 18;

export class CrawlDisplay {
  readonly #options: DisplayOptions;
  readonly #screen: Screen;
  readonly #estimate = new Estimate({});
  readonly #history = new RunHistory();
  readonly #events: CrawlEvent[] = [];
  #crawl: ShownCrawl | undefined;
  #status: CrawlStatus | undefined;
  #statusMs = 0;
  #drawnMs = 0;
  #plainMs = 0;

  constructor(options: DisplayOptions) {
    this.#options = options;
    this.#screen = new Screen(options);
  }

  /** Whether events are shown in a picture, which disappears at the end. */
  get isLive(): boolean {
    return this.#options.rewrites;
  }

  /** Shows this crawl from now on. */
  open(crawl: ShownCrawl): void {
    this.#crawl = crawl;
  }

  show(status: CrawlStatus): void {
    const { rewrites, write, clock } = this.#options;
    this.#status = status;
    this.#statusMs = clock.nowMs();
    this.#learn(status);
    if (rewrites) return this.#draw(status);
    if (status.elapsedMs - this.#plainMs < PLAIN_MS) return;
    this.#plainMs = status.elapsedMs;
    write(`${timeStamp(clock.wallMs())} ${this.#plainLine(status)}\n`);
  }

  /** Appears when the picture is drawn next. */
  note(event: CrawlEvent): void {
    this.#events.push(event);
    if (this.#events.length > EVENTS_SHOWN_MAX) this.#events.shift();
  }

  /** To be called now and then: redraws an old picture. */
  tick(): void {
    const { rewrites, clock } = this.#options;
    if (!rewrites || this.#status === undefined || clock.nowMs() - this.#drawnMs < STALE_MS) return;
    const elapsedMs = this.#status.elapsedMs + clock.nowMs() - this.#statusMs;
    const status = { ...this.#status, elapsedMs };
    // Commits come once a second while there is anything to commit.
    if (clock.nowMs() - this.#statusMs >= IDLE_MS) this.#learn(status);
    this.#draw(status);
  }

  /** To be called when the terminal has another size. */
  resized(): void {
    this.#drawnMs = Number.NEGATIVE_INFINITY;
    this.tick();
  }

  /** Removes the picture, so that something else can be printed; it returns when it is drawn next. */
  clear(): void {
    this.#screen.clear();
  }

  /** Removes the picture for good. */
  close(): void {
    this.clear();
    this.#status = undefined;
  }

  #learn(status: CrawlStatus): void {
    this.#estimate.limits = this.#crawl?.limits ?? {};
    this.#estimate.add(status);
    this.#history.add(status);
  }

  #draw(status: CrawlStatus): void {
    const crawl = this.#crawl;
    if (crawl === undefined) return;
    const { size, clock, damping, universe, unicode } = this.#options;
    const { columns, rows } = size();
    this.#drawnMs = clock.nowMs();
    const scene = {
      status,
      state: crawl.state,
      limits: crawl.limits,
      pagesPerSecond: this.#estimate.pagesPerSecond(),
      nextLimit: this.#estimate.nextLimit(),
      history: this.#history,
      hosts: busiestHosts(crawl.hosts, HOSTS_SHOWN_MAX).map(({ name, pages, dead, errors }) => {
        return { name, pages, dead, errors, status: crawl.hostStatus(name) };
      }),
      events: this.#events,
      damping,
      universe,
    };
    const room = rows < ROWS_LEFT_FROM ? rows - 1 : rows - ROWS_LEFT;
    this.#screen.draw(pictureOf(scene, { columns: Math.max(1, columns - 1), rows: Math.max(1, room), unicode }));
  }

  #plainLine({ pages, coverage, ceiling, frontier }: CrawlStatus): string {
    const rate = this.#estimate.pagesPerSecond();
    const left = this.#estimate.nextLimit()?.seconds;
    const { pages: most, coverage: target = 0 } = this.#crawl?.limits ?? {};
    const reachable = ceiling < target ? ceilingInWords(ceiling) : undefined;
    return [
      most === undefined ? counted(pages, "page") : `${formatCount(pages)} of ${counted(most, "page")}`,
      ...(rate === undefined ? [] : [speedInWords(rate)]),
      `${percentAtLeast(coverage)} covered`,
      ...(reachable === undefined ? [] : [reachable]),
      `${counted(frontier, "URL")} waiting`,
      ...(left === undefined ? [] : [leftInWords(left)]),
    ].join(", ");
  }
}

/** The hosts with the most pages, then with the most errors; hosts with neither are left out. */
export function busiestHosts(hosts: Iterable<HostProgress>, count: number): HostProgress[] {
  const best: HostProgress[] = [];
  for (const host of hosts) {
    if (host.pages === 0 && host.errors === 0) continue;
    const last = best.at(-1);
    if (best.length === count && last !== undefined && byPages(host, last) >= 0) continue;
    best.push(host);
    best.sort(byPages);
    if (best.length > count) best.pop();
  }
  return best;
}

function byPages(a: HostProgress, b: HostProgress): number {
  return b.pages - a.pages || b.errors - a.errors;
}

/** What a terminal can show, from the environment. */
export function featuresOf(
  environment: Readonly<Record<string, string | undefined>>,
  { isTerminal, platform }: { readonly isTerminal: boolean; readonly platform: NodeJS.Platform },
): Pick<DisplayOptions, "rewrites" | "color" | "unicode"> {
  const rewrites = isTerminal && environment["TERM"] !== "dumb";
  // POSIX: the first that is set and not empty decides. Windows terminals know Unicode anyway.
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  return {
    rewrites,
    color: rewrites && !environment["NO_COLOR"],
    unicode: platform === "win32" || /utf-?8/i.test(locale),
  };
}

const TICK_MS = 1000;

/**
 * The display of a crawl on the terminal of this process; `close` removes it and leaves the terminal as it was. With
 * `json`, lines are printed meanwhile; a picture on the same terminal would garble them. `isPlain` is for lines on
 * standard error.
 */
export function openDisplay({
  json,
  isPlain,
  ...about
}: Pick<DisplayOptions, "damping" | "universe"> & { readonly json: boolean; readonly isPlain: boolean }) {
  const { stdout, stderr, env, platform } = process;
  const isTerminal = stderr.isTTY === true && !isPlain && !(json && stdout.isTTY === true);
  const features = featuresOf(env, { isTerminal, platform });
  const display = new CrawlDisplay({
    ...features,
    write: (text) => stderr.write(text),
    // A terminal that does not know its size says 0.
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
    clock: systemTimers,
    ...about,
  });
  const forget = features.rewrites ? watchTerminal(display) : () => {};
  const close = (): void => {
    forget();
    display.close();
  };
  return { display, close };
}

/** Redraws as time passes and when the size changes. However the process ends or stops, the cursor comes back. */
function watchTerminal(display: CrawlDisplay): () => void {
  let cancel = (): void => {};
  const tick = (): void => {
    display.tick();
    cancel = systemTimers.after(TICK_MS, tick);
  };
  tick();
  const resized = (): void => display.resized();
  const clear = (): void => display.clear();
  const suspend = (): void => {
    display.clear();
    process.kill(process.pid, "SIGSTOP");
  };
  process.stderr.on("resize", resized);
  process.on("exit", clear);
  process.on("SIGTSTP", suspend);
  return () => {
    cancel();
    process.stderr.off("resize", resized);
    process.off("exit", clear);
    process.off("SIGTSTP", suspend);
  };
}
