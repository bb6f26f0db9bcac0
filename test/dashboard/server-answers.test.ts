import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  Frontier,
  HostList,
  HostsMissing,
  LinkList,
  LogList,
  Missing,
  Overview,
  PageDetail,
  PageList,
  Problem,
  Tide,
} from "../../src/dashboard/protocol.ts";
import { systemTimers } from "../../src/base/index.ts";
import { openCrawl } from "../../src/store/index.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { answer, ask } from "./support/asking.ts";
import {
  FakeFeed,
  FakeSource,
  smallDirectory,
  smallSurvey,
  startSmall,
  STATUS,
} from "./support/small-dashboard.ts";

const pagesOf = async (url: string, query: string) => answer<PageList>(`${url}api/pages?${query}`);
const idsOf = async (url: string, query: string) => (await pagesOf(url, query)).rows.map(({ id }) => id);

describe("the overview", () => {
  it("of a crawl that nobody runs is told by its file and the survey", async () => {
    const { url } = await startSmall();
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({
      name: "small",
      state: "ended",
      reason: null,
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

  it("of a crawl beside us is what the crawl tells, and speeds and waits follow from it", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.status("running", { pages: 10, bytes: 1000, elapsedMs: 0 }, { pages: 100 });
    feed.status("running", { pages: 40, bytes: 7000, elapsedMs: 30_000 }, { pages: 100 });
    const overview = await answer<Overview>(`${url}api/overview`);
    expect(overview).toMatchObject({
      state: "running",
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

  it("of a crawl that has ended beside us is the survey's, which may know of other seeds since", async () => {
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
  it("goes on where the survey ends with what the crawl tells, never falling", async () => {
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
});

describe("lists of pages", () => {
  it("stand in the order of importance unless told otherwise", async () => {
    const { url } = await startSmall();
    const { survey, total, rows } = await pagesOf(url, "");
    expect([survey, total]).toEqual([1, 8]);
    expect(rows.map(({ id }) => id)).toEqual([0, 3, 5, 2, 4, 1, 6, 7]);
    expect(rows[0]).toEqual({
      id: 0,
      url: "https://a.example/",
      title: "=cmd|' /C calc'!A0",
      state: "downloaded",
      reason: null,
      status: 200,
      importance: { low: 0.5, high: 0.6 },
      depth: 0,
      fetchedMs: 1_700_000_000_007,
    });
    expect(await idsOf(url, "sort=oldest")).toEqual([0, 1, 2, 3, 4, 6, 7, 5]);
    expect(await idsOf(url, "sort=newest")).toEqual([7, 6, 4, 3, 2, 1, 0, 5]);
  });

  it("are filtered by host, state, reason and status, all at once if need be", async () => {
    const { url } = await startSmall();
    expect(await idsOf(url, "host=b.example:8080")).toEqual([3]);
    expect(await idsOf(url, "host=B.Example:8080")).toEqual([3]);
    expect(await idsOf(url, "host=nobody.example")).toEqual([]);
    expect(await idsOf(url, "state=redirected")).toEqual([1, 6, 7]);
    expect(await idsOf(url, "state=downloaded-partly")).toEqual([3]);
    expect(await idsOf(url, "state=refused")).toEqual([4]);
    expect(await idsOf(url, "state=waiting")).toEqual([5]);
    expect(await idsOf(url, "reason=robots")).toEqual([4]);
    expect(await idsOf(url, "reason=trap")).toEqual([]);
    expect(await idsOf(url, "status=302")).toEqual([6, 7]);
    expect(await idsOf(url, "status=3xx")).toEqual([1, 6, 7]);
    expect(await idsOf(url, "status=3xx&state=redirected&host=a.example&sort=newest")).toEqual([7, 6, 1]);
  });

  it("are read a piece at a time, and beyond the end there is nothing", async () => {
    const { url } = await startSmall();
    expect(await idsOf(url, "from=6&count=2")).toEqual([6, 7]);
    expect(await idsOf(url, "from=7&count=2")).toEqual([7]);
    expect(await idsOf(url, "from=8")).toEqual([]);
    expect((await pagesOf(url, "from=4000000000&count=200")).total).toBe(8);
  });

  it("show URLs beyond a limit as refused, for nobody will fetch them", async () => {
    const survey = smallSurvey();
    survey.state[5] = 9;
    const { url } = await startSmall({ survey: new FakeSource(survey) });
    const { rows } = await pagesOf(url, "state=refused");
    expect(rows.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      [5, "refused", "limit"],
      [4, "refused", "robots"],
    ]);
  });

  it("are searched in any case, along the order of the list", async () => {
    const { url } = await startSmall();
    const list = await pagesOf(url, `q=${encodeURIComponent("LOOP")}`);
    expect(list).toMatchObject({ total: 2, searched: { done: 8, total: 8 } });
    expect(list.rows.map(({ id }) => id)).toEqual([6, 7]);
    expect(await idsOf(url, "q=say&state=downloaded-partly")).toEqual([3]);
    expect(await idsOf(url, `q=${encodeURIComponent("%")}`)).toEqual([]);
    expect(await idsOf(url, "q=loop&from=1&count=1")).toEqual([7]);
  });

  it("of a large crawl are searched piece by piece until all is found", async () => {
    const pages = 1200;
    const dir = join(temporaryDirectory(), "large");
    makeLargeCrawl(dir, pages);
    const all = Uint32Array.from({ length: pages }, (_, k) => pages - 1 - k);
    const state = new Uint8Array(pages).fill(1);
    const survey = new FakeSource({
      ...smallSurvey(),
      byImportance: all,
      state,
      interval: () => ({ low: 0, high: 1 }),
    });
    // Each look at the clock is a second after the one before, so every question reads one piece of 512 URLs.
    let nowMs = 0;
    const timers = { ...systemTimers, nowMs: () => (nowMs += 1000) };
    const { url } = await startSmall({ dir, survey, timers });
    const pieces: (readonly [number, number])[] = [];
    for (let k = 0; k < 4; k++) {
      const { total, searched } = await pagesOf(url, "q=/10");
      pieces.push([total, searched?.done ?? 0]);
    }
    // From /1199 down to /688 stand /1000 to /1099; /100 to /109 and /10 come in the last piece.
    expect(pieces).toEqual([
      [100, 512],
      [100, 1024],
      [111, 1200],
      [111, 1200],
    ]);
    const { rows } = await pagesOf(url, "q=/10&from=109");
    expect(rows.map((row) => row.url)).toEqual(["http://large.test/100", "http://large.test/10"]);
  });

  it.each([
    ["sort=fame", 'sort is "fame": expected one of importance, newest, oldest'],
    ["state=try-again", 'state is "try-again"'],
    ["reason=none", 'reason is "none"'],
    ["status=99", 'status is "99": expected an HTTP status such as 404, or 4xx'],
    ["status=4x", 'status is "4x"'],
    ["from=-1", 'from is "-1": expected a whole number from 0'],
    ["from=1.5", 'from is "1.5"'],
    ["count=201", 'count is "201": expected a whole number from 1 to 200'],
    ["count=0", 'count is "0"'],
    ["count=ten", 'count is "ten"'],
    ["page=2", 'unknown parameter "page"'],
    ["sort=newest&sort=oldest", "sort is given twice"],
    [`q=${"x".repeat(261)}`, "q has 261 characters: expected at most 260"],
    ["__proto__=1", "unknown parameter"],
  ])("refuse the question %s", async (query, problem) => {
    const { url } = await startSmall();
    const reply = await ask(`${url}api/pages?${query}`);
    expect(reply.status).toBe(400);
    expect((JSON.parse(reply.text) as Problem).problem).toContain(problem);
  });

  it("take the largest question that is allowed", async () => {
    const { url } = await startSmall();
    expect((await pagesOf(url, `count=200&q=${"x".repeat(260)}`)).total).toBe(0);
  });
});

describe("a page's own view", () => {
  it("tells all that is known of it", async () => {
    const { url } = await startSmall();
    expect(await answer<PageDetail>(`${url}api/pages/0`)).toMatchObject({
      id: 0,
      survey: 1,
      host: "a.example",
      source: "seed",
      place: { place: 1, isCertain: true },
      missing: null,
      trust: 1,
      contentType: "text/html",
      bytes: 10,
      target: null,
      linksIn: 1,
      linksOut: 4,
      visits: [{ number: 1, outcome: "downloaded", status: 200 }],
      rereads: [],
    });
    expect(await answer<PageDetail>(`${url}api/pages/3`)).toMatchObject({
      host: "b.example:8080",
      place: { place: 2, isCertain: false },
      missing: { reason: "links-unknown", mass: 0.1 },
      trust: null,
    });
    expect(await answer<PageDetail>(`${url}api/pages/1`)).toMatchObject({
      target: { id: 3, url: "http://b.example:8080/new?x=1" },
      linksIn: 1,
    });
    expect((await answer<PageDetail>(`${url}api/pages/5`)).visits).toMatchObject([
      { number: 2, outcome: "try-again", status: 503 },
    ]);
  });

  it("tells who links to it and where it leads, with what each link carries", async () => {
    const { url } = await startSmall();
    const into = await answer<LinkList>(`${url}api/pages/1/in`);
    // The page holds 0.5 at the least, damped 0.4, for each of five links 0.08; two of them lead here.
    expect(into).toMatchObject({ total: 1, rows: [{ page: { id: 0 }, times: 2 }] });
    expect(into.rows[0].carries).toBeCloseTo(0.16, 12);
    const out = await answer<LinkList>(`${url}api/pages/0/out`);
    expect(out.total).toBe(4);
    expect(out.rows.map(({ page, times }) => [page.id, times])).toEqual([
      [1, 2],
      [8, 1],
      [2, 1],
      [6, 1],
    ]);
    expect(out.rows.map(({ carries }) => Number(carries.toFixed(12)))).toEqual([0.16, 0.08, 0.08, 0.08]);
    expect(out.rows[1].page.url).toBe("(links never followed on https://a.example: out-of-scope)");
    const last = await answer<LinkList>(`${url}api/pages/0/out?from=3&count=2`);
    expect(last.rows.map(({ page }) => page.id)).toEqual([6]);
    expect((await answer<LinkList>(`${url}api/pages/0/out?from=4`)).rows).toEqual([]);
    expect(await answer<LinkList>(`${url}api/pages/5/out`)).toEqual({ total: 0, rows: [] });
  });

  it("puts those first that bring most", async () => {
    const survey = { ...smallSurvey(), linksTo: () => Uint32Array.of(0, 3, 3) };
    const { url } = await startSmall({ survey: new FakeSource(survey) });
    // 0.2 damped is 0.16 for its one link, counted twice; more than the 0.08 of the other.
    const { rows } = await answer<LinkList>(`${url}api/pages/2/in`);
    expect(rows.map(({ page, times }) => [page.id, times])).toEqual([
      [3, 2],
      [0, 1],
    ]);
  });

  it("is not there for numbers that no page has", async () => {
    const { url } = await startSmall();
    expect((await ask(`${url}api/pages/9`)).status).toBe(404);
    expect((await ask(`${url}api/pages/x`)).status).toBe(400);
    expect((await ask(`${url}api/pages/-1`)).status).toBe(400);
  });

  it("of a URL that is newer than the survey says that nothing is certain", async () => {
    const dir = smallDirectory();
    const { url } = await startSmall({ dir });
    const store = openCrawl(dir);
    store.addUrl({ id: 9, origin: 0, path: "/fresh", depth: 2, source: "link", heardAt: 8, reason: null });
    store.close();
    expect(await answer<PageDetail>(`${url}api/pages/9`)).toMatchObject({
      state: "waiting",
      importance: { low: 0, high: 1 },
      place: null,
      missing: null,
      linksIn: 0,
    });
    expect(await answer<LinkList>(`${url}api/pages/9/in`)).toEqual({ total: 0, rows: [] });
  });
});

describe("where the rest is", () => {
  it("is told by reason and host", async () => {
    const { url } = await startSmall();
    const missing = await answer<Missing>(`${url}api/missing`);
    expect(missing.coverage).toBe(0.7);
    expect(missing.reasons[1]).toEqual({
      reason: "links-unknown",
      mass: 0.1,
      pages: 1,
      hosts: [{ host: "b.example:8080", mass: 0.1, pages: 1 }],
      hostCount: 1,
    });
    expect(await answer<HostsMissing>(`${url}api/missing/hosts?reason=dead`)).toEqual({
      reason: "dead",
      hosts: [{ host: "a.example", mass: 0.05, pages: 1 }],
    });
    expect((await answer<HostsMissing>(`${url}api/missing/hosts?reason=trap`)).hosts).toEqual([]);
    expect((await ask(`${url}api/missing/hosts`)).status).toBe(400);
  });
});

describe("hosts and what comes next", () => {
  const treated = {
    state: "resting",
    pausedForMs: null,
    delayMs: 1000,
    connections: 1,
    underWay: 0,
    address: null,
  } as const;

  it("are sorted and searched", async () => {
    const { url } = await startSmall();
    const names = async (query: string) =>
      (await answer<HostList>(`${url}api/hosts?${query}`)).rows.map(({ host }) => host);
    expect(await names("")).toEqual(["a.example", "b.example:8080"]);
    expect(await names("sort=pages")).toEqual(["a.example", "b.example:8080"]);
    expect(await names("q=B.EX")).toEqual(["b.example:8080"]);
    expect(await names("from=1")).toEqual(["b.example:8080"]);
    expect(await names("from=2")).toEqual([]);
    expect((await ask(`${url}api/hosts?sort=size`)).status).toBe(400);
  });

  it("come with how the crawl beside us treats them", async () => {
    const feed = new FakeFeed();
    feed.onHeard = (message) => {
      if (message.type !== "hosts") return;
      const hosts = message.names.map((name) => (name === "a.example" ? treated : null));
      feed.tell({ type: "hosts", question: message.question, hosts });
    };
    const { url } = await startSmall({ feed });
    const { rows } = await answer<HostList>(`${url}api/hosts`);
    expect(rows.map(({ politeness }) => politeness)).toEqual([treated, null]);
    const next = await answer<Frontier>(`${url}api/frontier`);
    expect(next).toMatchObject({ survey: 1, order: "rankmass", total: 1 });
    expect(next.rows).toMatchObject([{ id: 5, arrives: 0.06, linksIn: 0, politeness: treated }]);
  });

  it("are told without it where the crawl does not answer in time", async () => {
    const { url } = await startSmall({ feed: new FakeFeed() });
    const { rows } = await answer<HostList>(`${url}api/hosts`);
    expect(rows.map(({ politeness }) => politeness)).toEqual([null, null]);
  });

  it("leave out what was fetched since the survey", async () => {
    const dir = smallDirectory();
    addVisit(dir);
    const { url } = await startSmall({ dir });
    expect((await answer<Frontier>(`${url}api/frontier`)).rows).toEqual([]);
  });
});

describe("the log", () => {
  const log = async (url: string, query = "") => answer<LogList>(`${url}api/log?${query}`);

  it("tells visits from the newest on, a piece at a time", async () => {
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

  it("has the events of a crawl beside us in between, each at a place of its own", async () => {
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
    expect(rows[0].text).toBe("a.example is left alone for 2 s: status 503");
    const older = await log(url, `before=${rows[1].key}&count=2`);
    expect(older.rows.map(({ event }) => event)).toEqual(["paused", "redirected"]);
    expect((await log(url, "only=events&count=1")).next).toBe(8.75);
    expect((await log(url, "only=trouble&count=2")).rows.map(({ event }) => event)).toEqual([
      "host-paused",
      "refused",
    ]);
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
        problem: "the crawl is being surveyed: ask again in a moment",
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
    expect(JSON.parse(reply.text)).toEqual({ problem: "the crawl could not be surveyed: the disk is full" });
  });
});

describe("a bug of ours", () => {
  it("is reported to us and not to whoever asked", async () => {
    const broken = smallSurvey();
    const troubles: unknown[] = [];
    const survey = new FakeSource({
      ...broken,
      interval: () => {
        throw new Error("secret detail");
      },
    });
    const { url } = await startSmall({ survey, onTrouble: (error) => troubles.push(error) });
    const reply = await ask(`${url}api/pages`);
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain("secret");
    expect(reply.text).not.toContain(".ts");
    expect(String(troubles[0])).toContain("secret detail");
  });
});

describe("metrics", () => {
  it("are what Prometheus reads", async () => {
    const { url } = await startSmall();
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
      "# HELP tidemark_coverage_ratio Share of all importance that is certainly covered.",
    ]) {
      expect(lines, line).toContain(line);
    }
    expect(text).toContain("process_cpu_seconds_total");
    expect(text.match(/^# HELP tidemark_/gm)).toHaveLength(12);
  });

  it("follow the crawl beside us, and leave out what is not known", async () => {
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

describe("controls", () => {
  const control = async (url: string, body: string) => {
    const headers = { "content-type": "application/json", origin: url.slice(0, -1) };
    const reply = await ask(`${url}api/control`, { method: "POST", headers, body });
    return { status: reply.status, answer: JSON.parse(reply.text) as Record<string, unknown> };
  };

  it("are answered once the crawl shows that it has done it", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.status("running");
    feed.onHeard = () => {
      // Told before the crawl has heard of it.
      feed.status("running");
      feed.status("paused");
    };
    expect(await control(url, '{"action":"pause"}')).toEqual({
      status: 200,
      answer: { state: "paused", limits: { coverage: 0.9 } },
    });
    feed.onHeard = () => feed.status("paused", {}, { pages: 10 });
    expect(await control(url, '{"action":"limits","limits":{"coverage":null,"pages":10}}')).toEqual({
      status: 200,
      answer: { state: "paused", limits: { pages: 10 } },
    });
    expect(feed.heard.at(-1)).toEqual({
      type: "control",
      control: { action: "limits", limits: { coverage: null, pages: 10 } },
    });
  });

  it("that the crawl refuses are refused with its words", async () => {
    const feed = new FakeFeed();
    feed.onHeard = () => feed.tell({ type: "refused", problem: "10 pages are fewer than were fetched" });
    const { url } = await startSmall({ feed });
    expect(await control(url, '{"action":"limits","limits":{"pages":10}}')).toEqual({
      status: 409,
      answer: { problem: "10 pages are fewer than were fetched" },
    });
  });

  it("cannot be where the crawl does not run beside us, or has ended", async () => {
    expect((await control((await startSmall()).url, '{"action":"pause"}')).status).toBe(409);
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.tell({ type: "ended", reason: "frontier-empty", status: { ...STATUS, elapsedMs: 1 } });
    expect(await control(url, '{"action":"stop"}')).toEqual({
      status: 409,
      answer: { problem: "the crawl has ended: there is nothing to control any more" },
    });
    expect(feed.heard).toEqual([]);
  });

  it.each([
    ["", "no JSON"],
    ["[]", "the body is"],
    ["null", "the body is"],
    ['{"action":"delete"}', "action is"],
    ["{}", "action is missing"],
    ['{"action":"pause","force":true}', 'unknown field "force"'],
    ['{"action":"limits"}', "limits is missing"],
    ['{"action":"limits","limits":{"pages":0}}', "expected a whole number of at least 1"],
    ['{"action":"limits","limits":{"pages":1.5}}', "expected a whole number of at least 1"],
    ['{"action":"limits","limits":{"coverage":1.01}}', "expected a number above 0 and at most 1"],
    ['{"action":"limits","limits":{"coverage":0}}', "expected a number above 0"],
    ['{"action":"limits","limits":{"coverage":"0.5"}}', "expected a number, or null for none"],
    ['{"action":"limits","limits":{"speed":null}}', "unknown limit"],
    ['{"action":"limits","limits":{"__proto__":1}}', "unknown limit"],
  ])("are refused that make no sense: %s", async (body, problem) => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    const reply = await control(url, body);
    expect(reply.status).toBe(400);
    expect(reply.answer["problem"]).toContain(problem);
    expect(feed.heard).toEqual([]);
  });
});

/** What waited in the small crawl is found dead. */
function addVisit(dir: string): void {
  const store = openCrawl(dir);
  store.addVisit({
    number: 9,
    url: 5,
    atMs: 1_700_000_001_000,
    outcome: "dead",
    reason: null,
    status: 410,
    wireBytes: 0,
    milliseconds: 1,
    contentType: null,
    title: null,
    digest: null,
    etag: null,
    lastModified: null,
    target: null,
    links: null,
  });
  store.close();
}
