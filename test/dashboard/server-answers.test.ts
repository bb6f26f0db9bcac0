import { describe, expect, it } from "vitest";
import type { RefreshStatus } from "../../src/crawl/index.ts";
import type { FreshnessAnswer, LogList, Overview, Tide } from "../../src/dashboard/protocol/http.ts";
import { openCrawl } from "../../src/store/index.ts";
import { answer, ask } from "./support/asking.ts";
import {
  addVisit,
  FakeFeed,
  FakeSource,
  smallDirectory,
  smallSurvey,
  startSmall,
  STATUS,
} from "./support/small-dashboard.ts";

describe("freshness", () => {
  it("is what a refresh in this process has last reported, and nothing where none runs", async () => {
    const none = await startSmall();
    expect(await answer<FreshnessAnswer>(`${none.url}api/freshness`)).toEqual({ refresh: null });
    const reported: { status?: RefreshStatus | null } = {};
    const { url } = await startSmall({ refresh: () => reported.status });
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({ state: "ended" });
    reported.status = null;
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({ state: "refreshing", controllable: false });
    expect(await answer<FreshnessAnswer>(`${url}api/freshness`)).toEqual({ refresh: null });
    reported.status = { reads: 3, budget: 10 } as RefreshStatus;
    expect(await answer<FreshnessAnswer>(`${url}api/freshness`)).toEqual({ refresh: { reads: 3, budget: 10 } });
    expect((await ask(`${url}api/freshness?x=1`)).status).toBe(400);
  });
});

describe("the overview", () => {
  it("of a crawl that nobody runs comes from its file and the survey", async () => {
    const { url } = await startSmall();
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({
      name: "small",
      state: "ended",
      reason: null,
      searchable: false,
      controllable: false,
      seeds: [{ url: "https://a.example/", weight: 1 }],
      order: "rankmass",
      damping: 0.8,
      scope: "the host a.example",
      universe: "scope",
      limits: { coverage: 0.9 },
      status: { ...STATUS, elapsedMs: 0 },
      guaranteed: 0.6,
      firstVisitMs: 1_700_000_000_007,
      lastVisitMs: 1_700_000_000_007,
      pagesPerSecond: null,
      secondsLeft: null,
      survey: { survey: 1, visits: 8 },
    });
  });

  it("says why the last run ended, and that another process runs the crawl", async () => {
    const dir = smallDirectory();
    const store = openCrawl(dir);
    store.putMeta("end", JSON.stringify({ reason: "page-limit", atMs: 1 }));
    store.commit();
    const { url } = await startSmall({ dir });
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({ state: "elsewhere", reason: null });
    store.close();
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({
      state: "ended",
      reason: "page-limit",
    });
  });

  it("of a crawl in this process is what the crawl reports, and speeds and waits follow from it", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.status("running", { pages: 10, bytes: 1000, elapsedMs: 0 }, { pages: 100 });
    feed.status("running", { pages: 40, bytes: 7000, elapsedMs: 30_000 }, { pages: 100 });
    const overview = await answer<Overview>(`${url}api/overview`);
    expect(overview).toMatchObject({
      state: "running",
      searchable: false,
      controllable: true,
      limits: { pages: 100 },
      pagesPerSecond: 1,
      bytesPerSecond: 200,
      secondsLeft: 60,
      nextLimit: "pages",
    });
    expect(overview.status).toMatchObject({ pages: 40, coverage: 0.7 });
    feed.tell({
      type: "ended",
      reason: "interrupted",
      status: { ...STATUS, pages: 41, elapsedMs: 31_000 },
    });
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({
      state: "ended",
      reason: "interrupted",
      searchable: false,
      controllable: false,
      pagesPerSecond: null,
      status: { pages: 41 },
    });
  });

  it("is there before any survey is, and says how far that is", async () => {
    const survey = new FakeSource(null);
    survey.step = { task: "reading", done: 3, total: 9, unit: "URLs" };
    const { url } = await startSmall({ survey });
    const overview = await answer<Overview>(`${url}api/overview`);
    expect(overview.survey).toEqual(survey.step);
    expect(overview.status).toMatchObject({ pages: 0, known: 9 });
  });

  it("asks for a newer survey when the settings are others, though nothing was fetched since", async () => {
    const survey = new FakeSource();
    const dir = smallDirectory();
    const { url } = await startSmall({ dir, survey });
    const store = openCrawl(dir);
    store.replaceSettings(store.settings().replace('"damping":0.8', '"damping":0.7'));
    store.close();
    await answer(`${url}api/overview`);
    await answer(`${url}api/overview`);
    expect(survey.refreshes).toBe(1);
  });

  it("of a crawl that has ended in this process is the survey's, which may know of other seeds since", async () => {
    const feed = new FakeFeed();
    const survey = new FakeSource();
    const { url } = await startSmall({ feed, survey });
    const { facts } = smallSurvey();
    const status = { ...facts.status, coverage: 0.99, guaranteed: 0.98, elapsedMs: 4000 };
    feed.tell({ type: "ended", reason: "page-limit", status });
    const overview = await answer<Overview>(`${url}api/overview`);
    expect(overview.status).toEqual({ ...facts.status, elapsedMs: 4000 });
    expect(overview.guaranteed).toBe(facts.guaranteed);
  });

  it("asks for a newer survey when the log has grown, and only then", async () => {
    const dir = smallDirectory();
    const survey = new FakeSource();
    const { url } = await startSmall({ dir, survey });
    await ask(`${url}api/overview`);
    expect(survey.refreshes).toBe(0);
    addVisit(dir);
    await ask(`${url}api/overview`);
    expect(survey.refreshes).toBe(1);
  });
});

describe("the tide", () => {
  it("continues where the survey ends with what the crawl reports, never falling", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.status("running", { pages: 2, coverage: 0.6 });
    feed.status("running", { pages: 3, coverage: 0.65, guaranteed: null });
    feed.status("running", { pages: 3, coverage: 0.66 });
    feed.status("running", { pages: 5, coverage: 0.8, guaranteed: 0.75 });
    const { points, target } = await answer<Tide>(`${url}api/tide`);
    expect(target).toBe(0.9);
    expect(points.map(([pages, , certified, guaranteed]) => [pages, certified, guaranteed])).toEqual([
      [1, 0.5, 0.5],
      [2, 0.7, 0.6],
      [3, 0.7, 0.6],
      [5, 0.8, 0.75],
    ]);
  });

  it("says whether it is of the newest facts, because pages were read again", async () => {
    const small = smallSurvey();
    const survey = new FakeSource();
    survey.take(small);
    const { url } = await startSmall({ survey });
    expect(await answer<Tide>(`${url}api/tide`)).toMatchObject({ isOfNow: false });
    survey.take({ ...small, facts: { ...small.facts, isTideOfNow: true } });
    expect(await answer<Tide>(`${url}api/tide`)).toMatchObject({ isOfNow: true });
  });
});

describe("what was proven before a host was found to block the crawler", () => {
  it("counts no longer, until a survey knows of it", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.status("running", { pages: 3, coverage: 0.3, strict: 0.2 });
    expect((await answer<Overview>(`${url}api/overview`)).status).toMatchObject({ coverage: 0.7, strict: 0.7 });
    const event = { name: "host-blocked", atMs: 0, host: "a.example", visit: 9 } as const;
    feed.tell({ type: "event", event });
    expect((await answer<Overview>(`${url}api/overview`)).status).toMatchObject({ coverage: 0.3, strict: 0.2 });
    const { points } = await answer<Tide>(`${url}api/tide`);
    expect(points.at(-1)?.[2]).toBe(0.3);
  });
});

describe("the log", () => {
  const log = async (url: string, query = "") => answer<LogList>(`${url}api/log?${query}`);

  it("lists visits from the newest on, a page at a time", async () => {
    const { url } = await startSmall();
    const first = await log(url, "count=3");
    expect(first.rows.map(({ key, event }) => [key, event])).toEqual([
      [8, "redirected"],
      [7, "redirected"],
      [6, "refused"],
    ]);
    expect([first.more, first.next]).toEqual([true, 6]);
    const rest = await log(url, "before=6");
    expect(rest.rows.map(({ key }) => key)).toEqual([5, 4, 3, 2, 1]);
    expect([rest.more, rest.next]).toEqual([false, undefined]);
    expect(rest.rows[4]).toMatchObject({
      text: "Downloaded: =cmd|' /C calc'!A0",
      page: { id: 0, url: "https://a.example/" },
      host: "a.example",
    });
    expect((await log(url, "only=trouble")).rows.map(({ key }) => key)).toEqual([6, 4, 2]);
    expect((await log(url, "host=b.example:8080")).rows.map(({ key }) => key)).toEqual([5]);
    expect((await log(url, "only=events")).rows).toEqual([]);
    for (const query of ["before=-1", "before=x", "only=errors", "count=201"]) {
      expect((await ask(`${url}api/log?${query}`)).status, query).toBe(400);
    }
  });

  it("has the events of a crawl in this process in between, each at its own position", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    const at = { atMs: 1_700_000_000_100 };
    feed.tell({ type: "event", event: { name: "paused", ...at } });
    feed.tell({ type: "event", event: { name: "resumed", ...at } });
    feed.tell({
      type: "event",
      event: { name: "host-paused", ...at, host: "a.example", reason: "status-503", forMs: 2000 },
    });
    const { rows, next } = await log(url, "count=4");
    expect(rows.map(({ key, event }) => [Number(key.toFixed(3)), event])).toEqual([
      [8.75, "host-paused"],
      [8.667, "resumed"],
      [8.5, "paused"],
      [8, "redirected"],
    ]);
    expect(next).toBe(8);
    expect(rows[0].text).toBe("a.example responds with 503 (overloaded): paused for 2 s");
    const older = await log(url, `before=${rows[1].key}&count=2`);
    expect(older.rows.map(({ event }) => event)).toEqual(["paused", "redirected"]);
    expect((await log(url, "only=events&count=1")).next).toBe(8.75);
    expect((await log(url, "only=trouble&count=2")).rows.map(({ event }) => event)).toEqual(["host-paused", "refused"]);
    expect((await log(url, "only=pages&count=1")).rows[0].key).toBe(8);
    expect((await log(url, "host=b.example:8080")).rows.map(({ key }) => key)).toEqual([5]);
  });

  it("keeps the last thousand events", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    for (let k = 0; k < 1001; k++) feed.tell({ type: "event", event: { name: "paused", atMs: k } });
    let before = "";
    let events = 0;
    let oldest = 0;
    for (;;) {
      const { rows, next } = await log(url, `only=events&count=200${before}`);
      events += rows.length;
      oldest = rows.at(-1)?.atMs ?? oldest;
      if (next === undefined) break;
      before = `&before=${next}`;
    }
    expect([events, oldest]).toEqual([1000, 1]);
    // One more has a place of its own, though one more is gone: 1,002 of 1,003 beyond visit 8.
    feed.tell({ type: "event", event: { name: "paused", atMs: 1001 } });
    const [newest, next] = (await log(url, "only=events&count=2")).rows;
    expect([newest?.key, next?.key]).toEqual([8 + 1002 / 1003, 8 + 1001 / 1002]);
  });
});

describe("what needs a survey, while there is none", () => {
  const paths = [
    "missing",
    "missing/hosts?reason=dead",
    "findings",
    "pages",
    "pages/0",
    "pages/0/in",
    "pages/0/out",
    "hosts",
    "frontier",
  ];

  it("answers that it is not there yet, and how far it is", async () => {
    const survey = new FakeSource(null);
    survey.step = { task: "reading", done: 1, unit: "URLs" };
    const { url } = await startSmall({ survey });
    expect(survey.refreshes).toBeGreaterThan(0);
    for (const path of paths) {
      const reply = await ask(`${url}api/${path}`);
      expect(reply.status, path).toBe(503);
      expect(JSON.parse(reply.text), path).toEqual({
        problem: "the survey of the crawl is being computed: ask again in a moment",
        surveying: survey.step,
      });
    }
    survey.take(smallSurvey());
    for (const path of paths) expect((await ask(`${url}api/${path}`)).status, path).toBe(200);
  });

  it("says what went wrong where there will be none", async () => {
    const survey = new FakeSource(null);
    survey.failure = "the disk is full";
    const { url } = await startSmall({ survey });
    const reply = await ask(`${url}api/pages`);
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.text)).toEqual({ problem: "the survey of the crawl failed: the disk is full" });
  });
});

describe("a bug of ours", () => {
  it("is reported to us and not to the client", async () => {
    const broken = smallSurvey();
    const errors: unknown[] = [];
    const survey = new FakeSource({
      ...broken,
      interval: () => {
        throw new Error("secret detail");
      },
    });
    const { url } = await startSmall({ survey, onError: (error) => errors.push(error) });
    const reply = await ask(`${url}api/pages`);
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain("secret");
    expect(reply.text).not.toContain(".ts");
    expect(String(errors[0])).toContain("secret detail");
  });
});

describe("metrics", () => {
  it("are what Prometheus reads", async () => {
    const { url } = await startSmall();
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    const { headers, text } = await ask(`${url}metrics`);
    expect(headers["content-type"]).toContain("text/plain; version=0.0.4");
    const lines = new Set(text.split("\n"));
    for (const line of [
      "tidemark_pages_total 2",
      "tidemark_bytes_total 70",
      "tidemark_failed_total 1",
      "tidemark_retries_total 1",
      "tidemark_coverage_ratio 0.7",
      "tidemark_guaranteed_ratio 0.6",
      "tidemark_target_ratio 0.9",
      "tidemark_known_urls 9",
      "tidemark_frontier_urls 1",
      "tidemark_hosts 2",
      "tidemark_running 0",
      'tidemark_missing_ratio{reason="robots"} 0.04',
      "# TYPE tidemark_pages_total counter",
      "# HELP tidemark_coverage_ratio Share of the universe that is certainly covered.",
    ]) {
      expect(lines, line).toContain(line);
    }
    // Since the process began, not since somebody first looked.
    expect(Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(cpuSeconds);
    expect(text.match(/^# HELP tidemark_/gm)).toHaveLength(16);
    // Nobody has given values, or sampled.
    expect(text).not.toMatch(/^tidemark_(valued|sampled)_ratio/m);
  });

  it("leave out what is not known before the first survey, instead of counting from zero again", async () => {
    const survey = new FakeSource(null);
    const { url } = await startSmall({ survey });
    const { text } = await ask(`${url}metrics`);
    expect(text).toContain("\ntidemark_known_urls 9\n");
    expect(text).not.toMatch(/^tidemark_(pages|bytes|failed|retries)_total|^tidemark_(coverage|strict|ceiling)/m);
    survey.take(smallSurvey());
    expect((await ask(`${url}metrics`)).text).toContain("\ntidemark_pages_total 2\n");
  });

  it("of a refresh have its reads and how fresh the copies are, once it has reported", async () => {
    const reported: { status: RefreshStatus | null } = { status: null };
    const { url } = await startSmall({ refresh: () => reported.status });
    const first = (await ask(`${url}metrics`)).text;
    expect(first).toContain("\ntidemark_running 1\n");
    expect(first).not.toMatch(/^tidemark_(read|fresh)/m);
    const freshness = { hour: 0.1, day: 0.4, week: 0.8, month: 1, current: 0.7 };
    const counts = { unchanged: 5, changed: 3, new: 2, gone: 1, moved: 0, doubted: 7, failed: 4, left: 6 };
    reported.status = { budget: 100, readsToday: 20, freshness, ...counts } as RefreshStatus;
    const lines = (await ask(`${url}metrics`)).text.split("\n").filter((line) => /^tidemark_(read|fresh)/.test(line));
    expect(lines).toEqual([
      "tidemark_read_budget 100",
      "tidemark_reads_today 20",
      ...Object.entries(counts).map(([outcome, count]) => `tidemark_reads_total{outcome="${outcome}"} ${count}`),
      ...Object.entries(freshness).map(([age, share]) => `tidemark_fresh_ratio{age="${age}"} ${share}`),
    ]);
    reported.status = { ...reported.status, changed: 4 };
    expect((await ask(`${url}metrics`)).text).toContain('\ntidemark_reads_total{outcome="changed"} 4\n');
  });

  it("have the coverage of value and of samples where there are any, while the crawl runs and after", async () => {
    const sampled = { coverage: 0.85, confidence: 0.999, walks: 9, fetched: 4 };
    const lines = ["tidemark_valued_ratio 0.65", "tidemark_sampled_ratio 0.85"];
    const small = smallSurvey();
    const survey = new FakeSource();
    survey.take({ ...small, facts: { ...small.facts, status: { ...small.facts.status, valued: 0.65, sampled } } });
    const feed = new FakeFeed();
    const { url } = await startSmall({ survey, feed });
    for (const run of [() => {}, () => feed.status("running", { pages: 3 })]) {
      run();
      const { text } = await ask(`${url}metrics`);
      for (const line of lines) expect(text.split("\n")).toContain(line);
    }
    // What the crawl itself has sent is newer.
    feed.status("running", { pages: 4, valued: 0.7, sampled: { ...sampled, coverage: 0.9 } });
    const overview = await answer<Overview>(`${url}api/overview`);
    expect(overview.status).toMatchObject({ valued: 0.7, sampled: { coverage: 0.9 } });
  });

  it("follow the crawl in this process, and leave out what is not known", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed, survey: new FakeSource(null) });
    feed.status("running", { pages: 5, coverage: 0.1, guaranteed: null }, {});
    for (const pages of [5, 6]) {
      feed.status("running", { pages, guaranteed: null }, {});
      const { text } = await ask(`${url}metrics`);
      expect(text).toContain(`\ntidemark_pages_total ${pages}\n`);
      expect(text).toContain("\ntidemark_running 1\n");
      expect(text).not.toMatch(/^tidemark_target_ratio /m);
      expect(text).not.toMatch(/^tidemark_guaranteed_ratio /m);
    }
  });
});
