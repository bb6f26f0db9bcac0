/**
 * The crawls that this server runs. A run is launched, runs, and ends: with an end of the crawl, or with an error. The
 * server remembers how it ended; what was fetched is in the directory, for this server and the next.
 */
import { systemTimers, UsageError } from "../base/index.ts";
import { type Crawl, type CrawlEnd, crawlInDirectory, type CrawlOptions, type CrawlStatus } from "../crawl/index.ts";
import type { McpOptions } from "./options.ts";
import { isExpected } from "./replies.ts";

/** A crawl that this server runs or ran. */
export class CrawlRun {
  /** Resolves when the run is launched or over. */
  readonly launched: Promise<void>;
  /** Resolves when the run is over and its directory closed. Never rejects. */
  readonly over: Promise<void>;
  readonly #stop = new AbortController();
  #crawl: Crawl | undefined;
  #committed: CrawlStatus | undefined;
  #end: CrawlEnd | undefined;
  #error: unknown;
  #isOver = false;

  constructor(dir: string, options: CrawlOptions, { fetcher, readers }: Pick<McpOptions, "fetcher" | "readers">) {
    const { signal } = this.#stop;
    let launched = (): void => {};
    this.launched = new Promise((resolve) => {
      launched = resolve;
    });
    const run = crawlInDirectory(dir, {
      options,
      signal,
      ...(fetcher === undefined ? {} : { fetcher: fetcher() }),
      ...(readers === undefined ? {} : { readers }),
      onStatus: (status) => {
        this.#committed = status;
      },
      onLaunch: (crawl) => {
        this.#crawl = crawl;
        this.#committed = crawl.status;
        if (signal.aborted) crawl.stop("interrupted");
        launched();
      },
    });
    this.over = run
      .then(
        (end) => {
          this.#end = end;
          this.#error = end.error;
        },
        (error: unknown) => {
          this.#error = error;
        },
      )
      .finally(() => {
        this.#isOver = true;
        launched();
      });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it has come so far that there is something to tell of it besides an error. */
  get hasLaunched(): boolean {
    return this.#crawl !== undefined;
  }

  /** What is committed, and so can be read; undefined before the launch. */
  get status(): CrawlStatus | undefined {
    return this.#end?.status ?? this.#committed;
  }

  /** What ended it against its will; undefined where nothing did. */
  get error(): unknown {
    return this.#error;
  }

  stop(): void {
    this.#stop.abort(new UsageError("the server is closing"));
    this.#crawl?.stop("interrupted");
  }
}

/** How long the start of a crawl is waited for: what is wrong with it is known by then, as a rule. */
const LAUNCH_MS = 3000;

export class CrawlRuns {
  readonly #options: McpOptions;
  readonly #runs = new Map<string, CrawlRun>();
  #isClosed = false;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** The last run of a crawl by this server; undefined where there is none. */
  of(name: string): CrawlRun | undefined {
    return this.#runs.get(name);
  }

  get names(): string[] {
    return [...this.#runs.keys()];
  }

  /** Throws if another crawl must not start now. */
  expectFree(name: string): void {
    const { crawlsMax } = this.#options;
    if (this.#isClosed) throw new UsageError("the server is closing");
    const running = [...this.#runs].filter(([, { isOver }]) => !isOver).map(([each]) => each);
    if (running.includes(name)) {
      throw new UsageError(`the crawl ${name} is running: follow it with status, or give another name`);
    }
    if (running.length >= crawlsMax) {
      throw new UsageError(
        `${running.length} crawls are running (${running.join(", ")}), as many as the operator of this server ` +
          "allows: wait until status says that one of them has ended, then call crawl again",
      );
    }
  }

  /** Starts a run. Throws what is wrong with it, if that is known soon. */
  async start(name: string, dir: string, options: CrawlOptions): Promise<CrawlRun> {
    this.expectFree(name);
    const run = new CrawlRun(dir, options, this.#options);
    this.#runs.set(name, run);
    void run.over.then(() => {
      if (run.hasLaunched && run.error !== undefined && !isExpected(run.error)) this.#options.onBug(run.error);
    });
    await withinMs(LAUNCH_MS, run.launched);
    if (run.isOver && !run.hasLaunched) {
      this.#runs.delete(name);
      throw run.error;
    }
    return run;
  }

  /** Stops all runs, and waits until their directories are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stop();
    await Promise.all(runs.map(({ over }) => over));
  }
}

function withinMs(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = systemTimers.after(ms, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}
