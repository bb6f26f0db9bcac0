/** Which question is answered by whom. */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import type { Timers } from "../../base/index.ts";
import { missingReasons } from "../../coverage/index.ts";
import type { CrawlWindow } from "../../store/index.ts";
import type { NumberedSurvey, SurveySource } from "../../survey/index.ts";
import type { NotYet, Problem } from "../protocol/http.ts";
import type { Asset } from "./assets.ts";
import { parseControl } from "./control.ts";
import { Events, LISTENERS_MAX } from "./events.ts";
import { HOST_SORTS, Hosts, hostsMissing, missingOf } from "./hosts.ts";
import { type CrawlPort, Live } from "./live.ts";
import { Log, LOG_ONLY } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { Overviews, progressOf } from "./overview.ts";
import { PageDetails } from "./page-detail.ts";
import { PAGE_PARAMETERS, pageFilter, Pages } from "./pages.ts";
import { Questions, Refusal, wholeId } from "./questions.ts";

const BODY_BYTES_MAX = 4096;

export interface AppOptions {
  readonly dir: string;
  readonly window: CrawlWindow;
  readonly source: SurveySource;
  readonly feed: CrawlPort | undefined;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly timers: Timers;
  /** Told of bugs of ours, which are answered without their details. */
  readonly onTrouble: (error: unknown) => void;
}

export interface App {
  readonly hono: Hono;
  readonly events: Events;
}

export function createApp(options: AppOptions): App {
  const { dir, window, source, feed, timers } = options;
  const live =
    feed === undefined ? undefined : new Live(feed, { timers, lastVisit: () => window.lastVisit() });
  const overviews = new Overviews({ dir, window, source, live });
  const log = new Log(window, live);
  let settings = window.settings();
  /** A survey of what the crawl is no more must not be told beside what it is. */
  const surveyedNow = () => {
    const before = settings;
    settings = window.settings();
    if (settings !== before) source.refresh();
    return source.current();
  };
  const look = () => {
    if (window.lastVisit() > (surveyedNow()?.survey.facts.visits ?? -1)) source.refresh();
  };
  const events = new Events({ overviews, log, source, timers, look, onTrouble: options.onTrouble });
  const hono = new Hono();
  tellState(hono, { overviews, log, events, look });
  tellLists(hono, { options, overviews, live, surveyed: () => surveyed(source, surveyedNow()) });
  tellMetrics(hono, { overviews, source, look });
  takeControl(hono, live);
  serveAssets(hono, options.assets);
  hono.notFound((c) => c.json<Problem>({ problem: "there is nothing under this address" }, 404));
  hono.onError((error, c) => {
    if (error instanceof NoSurvey) return c.json<NotYet | Problem>(error.answer, 503);
    if (error instanceof Refusal) return c.json<Problem>({ problem: error.message }, error.status);
    options.onTrouble(error);
    return c.json<Problem>({ problem: "the dashboard failed to answer; its own messages say more" }, 500);
  });
  look();
  return { hono, events };
}

interface StateParts {
  readonly overviews: Overviews;
  readonly log: Log;
  readonly events: Events;
  readonly look: () => void;
}

function tellState(hono: Hono, { overviews, log, events, look }: StateParts): void {
  hono.get("/api/overview", (c) => {
    asked(c.req.url, []);
    look();
    return c.json(overviews.now());
  });
  hono.get("/api/tide", (c) => {
    asked(c.req.url, []);
    return c.json(overviews.tide());
  });
  hono.get("/api/log", (c) => {
    const questions = asked(c.req.url, ["before", "only", "host", "count"]);
    const before = questions.position("before");
    const only = questions.oneOf("only", LOG_ONLY);
    const host = questions.text("host")?.toLowerCase();
    return c.json(
      log.list({
        count: questions.count(),
        ...(before === undefined ? {} : { before }),
        ...(only === undefined ? {} : { only }),
        ...(host === undefined ? {} : { host }),
      }),
    );
  });
  hono.get("/api/events", (c) => {
    asked(c.req.url, []);
    if (c.req.method === "HEAD") return c.body(null, 200, { "content-type": "text/event-stream" });
    if (events.isFull) {
      const problem = `${LISTENERS_MAX} pages are listening already: close one of them`;
      return c.json<Problem>({ problem }, 503);
    }
    const seen = Number(c.req.header("last-event-id") ?? Number.NaN);
    const response = streamSSE(c, (stream) => events.listen(stream, seen >= 0 ? seen : undefined));
    response.headers.set("cache-control", "no-store");
    return response;
  });
}

interface ListParts {
  readonly options: AppOptions;
  readonly overviews: Overviews;
  readonly live: Live | undefined;
  /** Throws where there is none yet. */
  readonly surveyed: () => NumberedSurvey;
}

function tellLists(hono: Hono, { options: { window }, overviews, live, surveyed }: ListParts): void {
  const pages = new Pages(window);
  const details = new PageDetails(window, pages, () => overviews.settings.damping);
  const hosts = new Hosts(window, live);
  hono.get("/api/missing", (c) => {
    asked(c.req.url, []);
    return c.json(missingOf(surveyed().survey));
  });
  hono.get("/api/missing/hosts", (c) => {
    const reason = asked(c.req.url, ["reason"]).oneOf("reason", missingReasons);
    if (reason === undefined)
      throw new Refusal(400, `reason is missing: expected one of ${missingReasons.join(", ")}`);
    return c.json(hostsMissing(surveyed().survey, reason));
  });
  hono.get("/api/pages", (c) => {
    const questions = asked(c.req.url, PAGE_PARAMETERS);
    return c.json(pages.list(surveyed(), pageFilter(questions), rowsOf(questions)));
  });
  hono.get("/api/pages/:id", (c) => {
    asked(c.req.url, []);
    return c.json(details.detail(surveyed(), wholeId(c.req.param("id"))));
  });
  hono.get("/api/pages/:id/in", (c) => {
    const questions = asked(c.req.url, ["from", "count"]);
    return c.json(details.linksIn(surveyed(), wholeId(c.req.param("id")), rowsOf(questions)));
  });
  hono.get("/api/pages/:id/out", (c) => {
    const questions = asked(c.req.url, ["from", "count"]);
    return c.json(details.linksOut(surveyed(), wholeId(c.req.param("id")), rowsOf(questions)));
  });
  hono.get("/api/hosts", async (c) => {
    const questions = asked(c.req.url, ["sort", "q", "from", "count"]);
    const q = questions.text("q");
    const filter = { sort: questions.oneOf("sort", HOST_SORTS) ?? "mass", ...(q === undefined ? {} : { q }) };
    return c.json(await hosts.list(surveyed(), filter, rowsOf(questions)));
  });
  hono.get("/api/frontier", async (c) => {
    const count = asked(c.req.url, ["count"]).count();
    return c.json(await hosts.frontier(surveyed(), overviews.settings.order, count));
  });
}

interface MetricsParts {
  readonly overviews: Overviews;
  readonly source: SurveySource;
  readonly look: () => void;
}

/** Made when it is first asked for: what watches the process costs a little. */
function tellMetrics(hono: Hono, { overviews, source, look }: MetricsParts): void {
  let metrics: Metrics | undefined;
  hono.get("/metrics", async (c) => {
    look();
    metrics ??= new Metrics(overviews, source);
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
}

function takeControl(hono: Hono, live: Live | undefined): void {
  const tooLong = () => {
    throw new Refusal(413, `the body is too long: expected at most ${BODY_BYTES_MAX} bytes`);
  };
  hono.post("/api/control", bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLong }), async (c) => {
    const type = c.req.header("content-type")?.split(";", 1)[0].trim().toLowerCase();
    if (type !== "application/json") throw new Refusal(415, "expected a body of type application/json");
    const control = parseControl(await c.req.text());
    if (live === undefined) {
      throw new Refusal(
        409,
        "this crawl does not run beside the dashboard: it can be looked at, not controlled",
      );
    }
    return c.json(await live.control(control));
  });
}

function serveAssets(hono: Hono, assets: ReadonlyMap<string, Asset>): void {
  for (const [path, { bytes, type, isLasting }] of assets) {
    const lasting = "private, max-age=31536000, immutable";
    hono.get(path, (c) =>
      c.body(bytes, 200, { "content-type": type, "cache-control": isLasting ? lasting : "no-cache" }),
    );
  }
}

function asked(url: string, known: readonly string[]): Questions {
  return new Questions(new URL(url).searchParams, known);
}

function rowsOf(questions: Questions): { from: number; count: number } {
  return { from: questions.from(), count: questions.count() };
}

class NoSurvey extends Error {
  readonly answer: NotYet | Problem;

  constructor(answer: NotYet | Problem) {
    super(answer.problem);
    this.answer = answer;
  }
}

function surveyed(source: SurveySource, current: NumberedSurvey | undefined): NumberedSurvey {
  if (current !== undefined) return current;
  const failed = source.problem();
  if (failed !== undefined) throw new NoSurvey({ problem: `the crawl could not be surveyed: ${failed}` });
  const problem = "the crawl is being surveyed: ask again in a moment";
  throw new NoSurvey({ problem, surveying: progressOf(source) });
}
