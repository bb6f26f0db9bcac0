/**
 * One page in a browser: opened with the response that came, supplied with what it wants, and read once it is quiet.
 *
 * Its main document is fulfilled once. Where scripts want to go from there is noted as a link and not followed; a page
 * that wants to be loaded again is left.
 */
import type { BrowserContext, Page, Request, Route } from "playwright-core";
import type { Timers } from "../base/index.ts";
import type { Answer } from "../fetch/index.ts";
import type { RenderJob, RenderListener, RenderedPage, WantedResource } from "./contract.ts";
import { CONNECTION_BINDING, type DocumentSnapshot, hasClosedTree, idleScript, snapshotScript } from "./document.ts";
import { IsolatedWorld } from "./isolated-world.ts";
import { HungError, type RenderLimits, StuckError, within } from "./limits.ts";
import {
  documentHeaders,
  isEventStream,
  isMadeAnew,
  isMissedData,
  isWebUrl,
  shownHeaders,
  useOfRequest,
} from "./request-rules.ts";
import { scriptHeaders } from "./script-headers.ts";

export interface VisitOptions {
  readonly job: RenderJob;
  readonly want: RenderListener["want"];
  readonly limits: RenderLimits;
  readonly timers: Timers;
}

/** How often is looked whether a page is done. */
const TICK_MS = 25;
/** Navigations of scripts that are noted; with more, the page is cut. */
const GOALS_MAX = 100;

/**
 * Throws if the browser or the page dies, a `HungError` if the page does not respond, and a `StuckError` if it cannot
 * be closed then.
 */
export async function visitPage(context: BrowserContext, options: VisitOptions): Promise<RenderedPage> {
  const { timers, limits } = options;
  const page = await within(timers, limits.launchMs, context.newPage());
  try {
    const world = await within(timers, limits.launchMs, IsolatedWorld.build(page));
    return await new PageVisit(page, world, options).run();
  } finally {
    await within(timers, limits.closeMs, page.close()).catch((error: unknown) => {
      throw error instanceof HungError ? new StuckError("the page cannot be closed") : error;
    });
  }
}

class PageVisit {
  readonly #page: Page;
  readonly #world: IsolatedWorld;
  readonly #options: VisitOptions;
  readonly #goals = new Set<string>();
  #isOpened = false;
  #isLoaded = false;
  #isCut = false;
  /** It wants to be loaded again. */
  #isLeft = false;
  #crash: Error | undefined;
  /** Resources that were wanted, and those of them that have not come. */
  #wanted = 0;
  #pending = 0;
  #activeMs = 0;

  constructor(page: Page, world: IsolatedWorld, options: VisitOptions) {
    this.#page = page;
    this.#world = world;
    this.#options = options;
  }

  async run(): Promise<RenderedPage> {
    const { job, limits, timers } = this.#options;
    const page = this.#page;
    page.on("load", () => {
      this.#isLoaded = true;
      this.#activeMs = timers.nowMs();
    });
    page.on("crash", () => {
      this.#crash = new Error("the page crashed");
    });
    page.on("dialog", (dialog) => void dialog.dismiss().catch(ignore));
    page.on("popup", (popup) => void popup.close().catch(ignore));
    await this.#refuseConnections();
    await page.route("**/*", (route) => this.#route(route));
    await within(timers, limits.launchMs, page.goto(job.url, { waitUntil: "commit", timeout: 0 }));
    this.#activeMs = timers.nowMs();
    await this.#settled();
    return this.#read();
  }

  /** What would have come over them is not known. Workers open sockets that cannot be routed; the wall closes them. */
  async #refuseConnections(): Promise<void> {
    const cut = (): void => {
      this.#isCut = true;
    };
    this.#page.on("websocket", cut);
    await this.#page.routeWebSocket(/.*/, (socket) => {
      cut();
      void socket.close();
    });
    await this.#world.expose(CONNECTION_BINDING, cut);
  }

  /** Until the page is quiet, or its time is up. */
  async #settled(): Promise<void> {
    const { limits, timers } = this.#options;
    let ownMs = 0;
    let lastMs = timers.nowMs();
    for (;;) {
      if (this.#crash !== undefined) throw this.#crash;
      if (this.#isLeft) return;
      const nowMs = timers.nowMs();
      if (this.#pending === 0) ownMs += nowMs - lastMs;
      lastMs = nowMs;
      if (this.#isLoaded && this.#pending === 0 && nowMs - this.#activeMs >= limits.quietMs) {
        const wanted = this.#wanted;
        const isIdle = await within(timers, limits.pageMs, this.#world.evaluate(idleScript(limits.quietMs)));
        if (isIdle === true && this.#wanted === wanted && this.#pending === 0) return;
      }
      if (ownMs >= limits.pageMs) {
        this.#isCut = true;
        return;
      }
      if (this.#page.isClosed()) throw new Error("the page is gone");
      await new Promise<void>((resolve) => void timers.after(TICK_MS, resolve));
    }
  }

  async #read(): Promise<RenderedPage> {
    const { job, limits, timers } = this.#options;
    const script = snapshotScript(limits.documentLength);
    const document = (await within(timers, limits.snapshotMs, this.#world.evaluate(script))) as DocumentSnapshot;
    const { html, url, encoding, contentType } = document;
    // A script may have put an empty page in the place of this one.
    const isOther = !isWebUrl(url);
    const links = new Set([...document.links, ...this.#goals, url].filter(isWebUrl));
    return {
      kind: "rendered",
      html,
      documentUrl: isOther ? job.url : url,
      encoding,
      contentType,
      links: [...links],
      isCut: this.#isCut || document.isCut || isOther || hasClosedTree(job.answer),
    };
  }

  async #route(route: Route): Promise<void> {
    const request = route.request();
    try {
      if (request.isNavigationRequest()) return await this.#navigate(route, request);
      await this.#supply(route, request);
    } catch {
      // The page is gone, or the response is none that a browser takes.
      await route.abort().catch(ignore);
    }
  }

  async #navigate(route: Route, request: Request): Promise<void> {
    const { answer, url } = this.#options.job;
    const isMain = request.frame() === this.#page.mainFrame();
    if (isMain && !this.#isOpened) {
      this.#isOpened = true;
      return route.fulfill({ status: 200, headers: documentHeaders(answer), body: Buffer.from(answer.body) });
    }
    if (isMain && isMadeAnew({ url: request.url(), method: request.method() }, url)) {
      this.#isCut = true;
      this.#isLeft = true;
    } else if (isMain) this.#note(request.url());
    // With this reason the browser stays where it is.
    return route.abort("aborted");
  }

  /** Where a script wanted to go. */
  #note(url: string): void {
    if (this.#goals.size < GOALS_MAX) this.#goals.add(url);
    else if (!this.#goals.has(url)) this.#isCut = true;
  }

  /** The page waits until its browser has what it wanted, or knows that there is nothing. */
  async #supply(route: Route, request: Request): Promise<void> {
    const { limits, timers } = this.#options;
    const url = request.url();
    const { accept } = request.headers();
    const wanted = { url, method: request.method(), type: request.resourceType(), accept };
    if (isEventStream(wanted)) {
      this.#isCut = true;
      // With this status, nobody connects again.
      return route.fulfill({ status: 204 });
    }
    const use = useOfRequest(wanted);
    if (isMissedData(wanted)) this.#isCut = true;
    if (use === undefined) return route.abort();
    if (this.#wanted >= limits.resourcesPerPage) {
      this.#isCut = true;
      return route.abort();
    }
    this.#wanted++;
    this.#pending++;
    try {
      const resource = { url, use, ...corsOriginOf(request), ...(use === "data" ? this.#headersOf(request) : {}) };
      const answer = await new Promise<Answer | null>((resolve) => this.#options.want(resource, resolve));
      if (answer === null) return await route.abort();
      await route.fulfill({ status: answer.status, headers: shownHeaders(answer), body: Buffer.from(answer.body) });
    } finally {
      this.#pending--;
      this.#activeMs = timers.nowMs();
    }
  }

  #headersOf(request: Request): Pick<WantedResource, "headers"> {
    const pageUrl = this.#options.job.url;
    const { headers, isPartial } = scriptHeaders({ url: request.url(), pageUrl }, request.headers());
    if (isPartial) this.#isCut = true;
    return Object.keys(headers).length === 0 ? {} : { headers };
  }
}

function corsOriginOf(request: Request): Pick<WantedResource, "corsOrigin"> {
  const { origin } = request.headers();
  return origin === undefined || origin === new URL(request.url()).origin ? {} : { corsOrigin: origin };
}

function ignore(): void {}
