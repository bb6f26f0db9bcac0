/**
 * Renders pages in Chromium, some at a time. A browser that dies is replaced and its pages are begun again; a page that
 * hangs is given up, and its browser with it if it cannot be closed.
 */
import { FailureError, messageOf, systemTimers, type Timers, UsageError } from "../base/index.ts";
import { type BrowserOptions, RunningBrowser, Wall } from "./browser.ts";
import type { BrowserRenderer, Rendering, RenderJob, RenderListener } from "./contract.ts";
import { findChromium } from "./find-chromium.ts";
import { defaultRenderLimits, HungError, type RenderLimits, StuckError } from "./limits.ts";
import { visitPage } from "./page-visit.ts";

export interface RendererOptions {
  /** What scripts are told; requests are sent by the fetcher of the crawl. */
  readonly userAgent: string;
  /** Whether Chromium keeps its sandbox (default: true). Without it, a page that breaks Chromium has the machine. */
  readonly sandbox?: boolean;
  readonly limits?: Partial<RenderLimits>;
  readonly timers?: Timers;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Launches in a row that may fail. */
const LAUNCHES_MAX = 3;

/**
 * Starts a browser, so that whatever is missing is known at once. Throws a `UsageError` that says what to install or
 * which option to give.
 */
export async function startRenderer(options: RendererOptions): Promise<BrowserRenderer> {
  const { userAgent, sandbox = true, timers = systemTimers, environment = process.env } = options;
  const { chromium } = await playwright();
  const executablePath = findChromium({ environment, ofPlaywright: pathOf(() => chromium.executablePath()) });
  if (sandbox && process.getuid?.() === 0) throw withoutSandbox("it cannot be kept for root");
  const limits = { ...defaultRenderLimits, ...options.limits };
  const about = { chromium, executablePath, isSandboxed: sandbox, userAgent, limits, timers };
  const wall = await Wall.build();
  try {
    return new ChromiumRenderer(about, wall, await RunningBrowser.launch(about, wall.port));
  } catch (error) {
    wall.close();
    const why = messageOf(error);
    if (sandbox && /sandbox/i.test(why)) throw withoutSandbox("this machine does not allow it");
    throw new UsageError(`${executablePath} cannot be started: ${firstLine(why)}; CHROMIUM_PATH may name another one`, {
      cause: error,
    });
  }
}

function withoutSandbox(why: string): UsageError {
  return new UsageError(
    `Chromium runs pages in a sandbox, and ${why}; run tidemark as another user, or, where you trust the pages or ` +
      "the machine has nothing to lose, give --no-browser-sandbox",
  );
}

async function playwright(): Promise<typeof import("playwright-core")> {
  try {
    return await import("playwright-core");
  } catch (error) {
    throw new UsageError(
      "--render needs the package playwright-core, which is not installed: npm install playwright-core " +
        "(with -g if tidemark was installed with -g)",
      { cause: error },
    );
  }
}

function pathOf(find: () => string): string | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0];
}

interface Task {
  readonly job: RenderJob;
  readonly listener: RenderListener;
}

class ChromiumRenderer implements BrowserRenderer {
  readonly #options: BrowserOptions;
  readonly #wall: Wall;
  readonly #waiting: Task[] = [];
  readonly #browsers = new Set<RunningBrowser>();
  #browser: Promise<RunningBrowser> | undefined;
  #running = 0;
  #isClosed = false;
  #onDown: (why: string) => void = () => {};

  constructor(options: BrowserOptions, wall: Wall, first: RunningBrowser) {
    this.#options = options;
    this.#wall = wall;
    this.#browsers.add(first);
    this.#browser = Promise.resolve(first);
  }

  get pids(): readonly number[] {
    return [...this.#browsers].filter(({ isRetired }) => !isRetired).flatMap(({ pid }) => pid ?? []);
  }

  onDown(listener: (why: string) => void): void {
    this.#onDown = listener;
  }

  render(job: RenderJob, listener: RenderListener): void {
    this.#waiting.push({ job, listener });
    this.#startNext();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    await this.#browser?.catch(() => {});
    await Promise.all([...this.#browsers].map((browser) => browser.close()));
    this.#wall.close();
  }

  #startNext(): void {
    const { pages } = this.#options.limits;
    for (; this.#running < pages && !this.#isClosed; this.#running++) {
      const task = this.#waiting.shift();
      if (task === undefined) return;
      void this.#finish(task);
    }
  }

  async #finish(task: Task): Promise<void> {
    try {
      const rendering = await this.#rendered(task);
      if (!this.#isClosed) task.listener.done(rendering);
    } catch (error) {
      if (this.#isClosed) return;
      this.#isClosed = true;
      this.#onDown(messageOf(error));
    } finally {
      this.#running--;
      this.#startNext();
    }
  }

  /** Throws only if there is no browser to be had. */
  async #rendered({ job, listener }: Task): Promise<Rendering> {
    const { limits, timers } = this.#options;
    const want: RenderListener["want"] = (resource, supply) => listener.want(resource, supply);
    for (let attempt = 1; ; ) {
      const browser = await this.#current();
      if (this.#isClosed) throw new FailureError("the renderer is closed");
      try {
        return await browser.use(job.host, (context) => visitPage(context, { job, want, limits, timers }));
      } catch (error) {
        if (error instanceof StuckError) browser.kill();
        if (error instanceof HungError || error instanceof StuckError) return { kind: "failed", reason: "hung" };
        // Pages that were open in a browser that we ended for another one are not to blame.
        if (!browser.isKilled && attempt++ >= limits.attempts) return { kind: "failed", reason: "crashed" };
      }
    }
  }

  async #current(): Promise<RunningBrowser> {
    for (;;) {
      const running = this.#browser;
      const browser = await running;
      if (browser !== undefined && !browser.isRetired) return browser;
      // Whoever is first starts the next one, for all.
      if (this.#browser === running) this.#browser = this.#launched();
    }
  }

  async #launched(): Promise<RunningBrowser> {
    for (const browser of this.#browsers) if (browser.isGone) this.#browsers.delete(browser);
    for (let attempt = 1; ; attempt++) {
      try {
        const browser = await RunningBrowser.launch(this.#options, this.#wall.port);
        this.#browsers.add(browser);
        if (this.#isClosed) await browser.close();
        return browser;
      } catch (error) {
        if (attempt < LAUNCHES_MAX && !this.#isClosed) continue;
        throw new FailureError(`Chromium cannot be started any more: ${firstLine(messageOf(error))}`, { cause: error });
      }
    }
  }
}
