/**
 * A running Chromium without a network, and its contexts, one per host. It is replaced after some pages, and whenever
 * it dies.
 */
import { type AddressInfo, createServer, type Server } from "node:net";
import { once } from "node:events";
import type { Browser, BrowserContext, BrowserType } from "playwright-core";
import type { Timers } from "../base/index.ts";
import { PREPARATION } from "./document.ts";
import { type RenderLimits, within } from "./limits.ts";

export interface BrowserOptions {
  readonly chromium: BrowserType;
  readonly executablePath: string;
  readonly isSandboxed: boolean;
  readonly userAgent: string;
  readonly limits: RenderLimits;
  readonly timers: Timers;
}

/** A context that pages of one host share. */
interface HostContext {
  readonly context: Promise<BrowserContext>;
  pages: number;
  users: number;
}

/** Contexts that nobody uses are kept for the next page of their host, up to this many. */
const IDLE_CONTEXTS_MAX = 4;

/**
 * The proxy of all browsers: it closes every connection. Whatever a browser sends past the routing ends here.
 */
export class Wall {
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      socket.on("error", () => {});
      socket.destroy();
    });
    this.#server.unref();
  }

  static async build(): Promise<Wall> {
    const wall = new Wall();
    wall.#server.listen(0, "127.0.0.1");
    await once(wall.#server, "listening");
    return wall;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}

export class RunningBrowser {
  /** We ended it because a page hung: that says nothing about the other pages. */
  isKilled = false;
  /** Takes no further pages. */
  isRetired = false;
  isGone = false;
  readonly pid: number | undefined;
  readonly #browser: Browser;
  readonly #options: BrowserOptions;
  readonly #contexts = new Map<string, HostContext>();
  /** Is rejected when the browser is gone: what was asked of it then may never be answered. */
  readonly #gone: Promise<never>;
  #pages = 0;
  #users = 0;

  private constructor(browser: Browser, pid: number | undefined, options: BrowserOptions) {
    this.#browser = browser;
    this.pid = pid;
    this.#options = options;
    this.#gone = new Promise((_, reject) => {
      const gone = (): void => {
        this.isRetired = true;
        this.isGone = true;
        reject(new Error("the browser is gone"));
      };
      if (browser.isConnected()) browser.on("disconnected", gone);
      else gone();
    });
    this.#gone.catch(() => {});
  }

  static async launch(options: BrowserOptions, wallPort: number): Promise<RunningBrowser> {
    const { chromium, executablePath, isSandboxed, limits, timers } = options;
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      chromiumSandbox: isSandboxed,
      proxy: { server: `http://127.0.0.1:${wallPort}`, bypass: "<-loopback>" },
      timeout: limits.launchMs,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: [
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        "--dns-prefetch-disable",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-sync",
        "--no-pings",
        "--block-new-web-contents",
      ],
    });
    const pid = await within(timers, limits.launchMs, pidOf(browser)).catch(() => undefined);
    return new RunningBrowser(browser, pid, options);
  }

  /** Lends the context of a host to one page. */
  async use<T>(host: string, work: (context: BrowserContext) => Promise<T>): Promise<T> {
    const { limits } = this.#options;
    const entry = this.#contextOf(host);
    entry.pages++;
    entry.users++;
    this.#users++;
    if (++this.#pages >= limits.pagesPerBrowser) this.isRetired = true;
    if (entry.pages >= limits.pagesPerContext) this.#contexts.delete(host);
    try {
      return await Promise.race([entry.context.then(work), this.#gone]);
    } finally {
      entry.users--;
      this.#users--;
      this.#tidy(host, entry);
    }
  }

  /** Ends it at once, whatever it is doing. */
  kill(): void {
    this.isKilled = true;
    this.isRetired = true;
    if (this.pid === undefined) return;
    try {
      process.kill(this.pid, "SIGKILL");
    } catch {
      // It is gone.
    }
  }

  async close(): Promise<void> {
    this.isRetired = true;
    const { limits, timers } = this.#options;
    await within(timers, limits.closeMs, this.#browser.close()).catch(() => this.kill());
  }

  #contextOf(host: string): HostContext {
    const known = this.#contexts.get(host);
    if (known !== undefined) return known;
    const { userAgent, limits, timers } = this.#options;
    const context = within(timers, limits.launchMs, newContext(this.#browser, userAgent));
    // Whoever uses it gets the error.
    context.catch(() => {});
    const entry = { context, pages: 0, users: 0 };
    this.#contexts.set(host, entry);
    return entry;
  }

  /** Closes contexts that are worn out or too many, and a retired browser after its last page. */
  #tidy(host: string, entry: HostContext): void {
    if (entry.users === 0 && this.#contexts.get(host) !== entry) this.#closeContext(entry);
    else if (this.#contexts.get(host) === entry) {
      this.#contexts.delete(host);
      this.#contexts.set(host, entry);
    }
    const idle = [...this.#contexts].filter(([, { users }]) => users === 0);
    for (const [name, each] of idle.slice(0, Math.max(0, idle.length - IDLE_CONTEXTS_MAX))) {
      this.#contexts.delete(name);
      this.#closeContext(each);
    }
    if (this.isRetired && this.#users === 0) void this.close();
  }

  #closeContext({ context }: HostContext): void {
    const { limits, timers } = this.#options;
    const closed = context.then((open) => within(timers, limits.closeMs, open.close()));
    // A context that cannot be closed goes with its browser.
    closed.catch(() => {
      this.isRetired = true;
    });
  }
}

async function newContext(browser: Browser, userAgent: string): Promise<BrowserContext> {
  const context = await browser.newContext({ userAgent, serviceWorkers: "block", acceptDownloads: false });
  await context.addInitScript(PREPARATION);
  // Pages answer their own requests; those of windows and workers that belong to no page are refused.
  await context.route("**/*", (route) => route.abort());
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  return context;
}

interface ProcessInfo {
  readonly type: string;
  readonly id: number;
}

async function pidOf(browser: Browser): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return (processInfo as readonly ProcessInfo[]).find(({ type }) => type === "browser")?.id;
}
