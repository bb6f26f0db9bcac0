/** The routes of the server. */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { type Timers, UsageError } from "../../base/index.ts";
import { missingReasons } from "../../coverage/index.ts";
import type { RefreshStatus } from "../../crawl/index.ts";
import type { CrawlWindow, ReadOptions } from "../../store/index.ts";
import type { NumberedSurvey, SurveySource } from "../../survey/index.ts";
import type { FreshnessAnswer, NotYet, Problem } from "../protocol/http.ts";
import type { CrawlPort } from "./server-thread.ts";
import type { Asset } from "./assets.ts";
import { Events, VIEWERS_MAX } from "./event-stream.ts";
import { FindingsQuery } from "./findings.ts";
import { HOST_SORTS, HostQueries, hostsMissing, missingOf } from "./hosts.ts";
import { Live } from "./running-crawl.ts";
import { Log, LOG_ONLY } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { Overviews, progressOf } from "./overview.ts";
import { PageDetails } from "./page-detail.ts";
import { PAGE_PARAMETERS, pageFilter, Pages } from "./pages.ts";
import { Searches } from "./search.ts";
import { expectParameters, HttpError, pageId, parseControl, Query } from "./requests.ts";

const BODY_BYTES_MAX = 4096;

interface AppOptions extends ReadOptions {
  readonly dir: string;
  readonly window: CrawlWindow;
  readonly source: SurveySource;
  readonly feed: CrawlPort | undefined;
  readonly refresh: (() => RefreshStatus | null | undefined) | undefined;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly timers: Timers;
  /** Called with bugs of ours; the response does not show their details. */
  readonly onError: (error: unknown) => void;
}

interface App {
  readonly hono: Hono;
  readonly events: Events;
  readonly searches: Searches;
}

export function createApp(options: AppOptions): App {
  const { dir, window, source, feed, timers } = options;
  const live = feed === undefined ? undefined : new Live(feed, { timers, lastVisit: () => window.lastVisit() });
  const { atMs } = options;
  const isRefreshed = () => options.refresh?.() !== undefined;
  const overviews = new Overviews({ dir, window, source, live, isRefreshed, asOfMs: atMs });
  const log = new Log(window, live);
  let settings = window.settings();
  /** A survey with old settings must not be shown next to the new ones. */
  const currentSurvey = () => {
    const before = settings;
    settings = window.settings();
    if (settings !== before) source.refresh();
    return source.current();
  };
  /** Asks for a newer survey if the crawl has made a visit since the last one. */
  const update = () => {
    if (window.lastVisit() > (currentSurvey()?.survey.facts.visits ?? -1)) source.refresh();
  };
  const events = new Events({ overviews, log, source, timers, update, onError: options.onError });
  const surveyed = () => expectSurvey(source, currentSurvey());
  const hono = new Hono();
  const pages = new Pages(window);
  const searches = new Searches({ dir, window, pages, timers, atMs });
  const parts: Parts = { window, source, live, overviews, log, events, pages, searches, update, surveyed };
  stateRoutes(hono, parts);
  listRoutes(hono, parts);
  freshnessRoute(hono, options.refresh);
  metricsRoute(hono, parts, options.refresh);
  controlRoute(hono, live);
  assetRoutes(hono, options.assets);
  hono.notFound((c) => c.json<Problem>({ problem: "there is nothing at this address" }, 404));
  hono.onError((error, c) => {
    if (error instanceof HttpError) {
      const { message: problem, surveying } = error;
      return c.json<NotYet | Problem>({ problem, ...(surveying !== undefined && { surveying }) }, error.status);
    }
    // Visits that counted then may be deleted meanwhile (refresh --keep-visits).
    if (atMs !== undefined && error instanceof UsageError) return c.json<Problem>({ problem: error.message }, 410);
    options.onError(error);
    return c.json<Problem>({ problem: "the dashboard failed to respond; its terminal says why" }, 500);
  });
  update();
  return { hono, events, searches };
}

/** What the routes use. */
interface Parts extends Pick<AppOptions, "window" | "source"> {
  readonly live: Live | undefined;
  readonly overviews: Overviews;
  readonly log: Log;
  readonly events: Events;
  readonly pages: Pages;
  readonly searches: Searches;
  readonly update: () => void;
  /** Throws if there is none yet. */
  readonly surveyed: () => NumberedSurvey;
}

function stateRoutes(hono: Hono, { overviews, log, events, update }: Parts): void {
  hono.get("/api/overview", (c) => {
    expectParameters(c.req.url, []);
    update();
    return c.json(overviews.now());
  });
  hono.get("/api/tide", (c) => {
    expectParameters(c.req.url, []);
    return c.json(overviews.tide());
  });
  hono.get("/api/log", (c) => {
    const query = new Query(c.req.url, ["before", "only", "host", "count"]);
    const filter = { only: query.oneOf("only", LOG_ONLY), host: query.text("host")?.toLowerCase() };
    return c.json(log.list({ before: query.position("before"), count: query.count(), ...filter }));
  });
  hono.get("/api/events", (c) => {
    expectParameters(c.req.url, []);
    if (c.req.method === "HEAD") return c.body(null, 200, { "content-type": "text/event-stream" });
    if (events.isFull) throw new HttpError(503, `${VIEWERS_MAX} pages are connected already: close one of them`);
    const seen = Number(c.req.header("last-event-id") ?? Number.NaN);
    const response = streamSSE(c, (stream) => events.stream(stream, seen >= 0 ? seen : undefined));
    response.headers.set("cache-control", "no-store");
    return response;
  });
}

function listRoutes(hono: Hono, { window, overviews, live, pages, searches, surveyed }: Parts): void {
  const details = new PageDetails(window, pages, () => overviews.settings.damping);
  const hosts = new HostQueries(window, live);
  const findings = new FindingsQuery(window);
  hono.get("/api/missing", (c) => {
    expectParameters(c.req.url, []);
    return c.json(missingOf(surveyed().survey));
  });
  hono.get("/api/missing/hosts", (c) => {
    const reason = new Query(c.req.url, ["reason"]).oneOf("reason", missingReasons);
    if (reason === undefined)
      throw new HttpError(400, `reason is missing: expected one of ${missingReasons.join(", ")}`);
    return c.json(hostsMissing(surveyed().survey, reason));
  });
  hono.get("/api/findings", (c) => {
    expectParameters(c.req.url, []);
    return c.json(findings.all(surveyed()));
  });
  hono.get("/api/pages", (c) => {
    const query = new Query(c.req.url, PAGE_PARAMETERS);
    return c.json(pages.list(surveyed(), pageFilter(query), query.rows()));
  });
  hono.get("/api/search", (c) => {
    const query = new Query(c.req.url, ["q", "host", "from", "count"]);
    const filter = { q: query.text("q"), host: query.text("host")?.toLowerCase() };
    return c.json(searches.list(surveyed(), filter, query.rows()));
  });
  hono.get("/api/pages/:id", (c) => {
    expectParameters(c.req.url, []);
    return c.json(details.detail(surveyed(), pageId(c.req.param("id"))));
  });
  hono.get("/api/pages/:id/in", (c) => {
    const query = new Query(c.req.url, ["from", "count"]);
    return c.json(details.linksIn(surveyed(), pageId(c.req.param("id")), query.rows()));
  });
  hono.get("/api/pages/:id/out", (c) => {
    const query = new Query(c.req.url, ["from", "count"]);
    return c.json(details.linksOut(surveyed(), pageId(c.req.param("id")), query.rows()));
  });
  hono.get("/api/hosts", async (c) => {
    const query = new Query(c.req.url, ["sort", "q", "from", "count"]);
    const filter = { sort: query.oneOf("sort", HOST_SORTS) ?? "mass", q: query.text("q") };
    return c.json(await hosts.list(surveyed(), filter, query.rows()));
  });
  hono.get("/api/frontier", async (c) => {
    const count = new Query(c.req.url, ["count"]).count();
    return c.json(await hosts.frontier(surveyed(), overviews.settings.order, count));
  });
}

/** The metrics are created at the first request, since measuring the process costs a little. */
function metricsRoute(hono: Hono, { overviews, source, update }: Parts, refresh: AppOptions["refresh"]): void {
  let metrics: Metrics | undefined;
  hono.get("/metrics", async (c) => {
    update();
    metrics ??= new Metrics(overviews, source, refresh);
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
}

function freshnessRoute(hono: Hono, refresh: AppOptions["refresh"]): void {
  hono.get("/api/freshness", (c) => {
    expectParameters(c.req.url, []);
    return c.json<FreshnessAnswer>({ refresh: refresh?.() ?? null });
  });
}

function controlRoute(hono: Hono, live: Live | undefined): void {
  const tooLong = () => {
    throw new HttpError(413, `the body is too long: expected at most ${BODY_BYTES_MAX} bytes`);
  };
  hono.post("/api/control", bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLong }), async (c) => {
    const type = c.req.header("content-type")?.split(";", 1)[0].trim().toLowerCase();
    if (type !== "application/json") throw new HttpError(415, "expected a body of type application/json");
    const control = parseControl(await c.req.text());
    if (live === undefined) {
      const problem = "this crawl does not run in the dashboard's process: it can be viewed, not controlled";
      throw new HttpError(409, problem);
    }
    return c.json(await live.control(control));
  });
}

function assetRoutes(hono: Hono, assets: ReadonlyMap<string, Asset>): void {
  const immutable = "private, max-age=31536000, immutable";
  for (const [path, { bytes, type, isImmutable }] of assets) {
    const headers = { "content-type": type, "cache-control": isImmutable ? immutable : "no-cache" };
    hono.get(path, (c) => c.body(bytes, 200, headers));
  }
}

function expectSurvey(source: SurveySource, current: NumberedSurvey | undefined): NumberedSurvey {
  if (current !== undefined) return current;
  const failed = source.problem();
  if (failed !== undefined) throw new HttpError(503, `the survey of the crawl failed: ${failed}`);
  const problem = "the survey of the crawl is being computed: ask again in a moment";
  throw new HttpError(503, problem, progressOf(source));
}
