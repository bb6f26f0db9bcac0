import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  Findings,
  FrontierList,
  HostList,
  HostsMissing,
  LinkList,
  Missing,
  PageDetail,
  PageList,
  Problem,
} from "../../src/dashboard/protocol/http.ts";
import { systemTimers } from "../../src/base/index.ts";
import { openCrawl } from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { answer, ask } from "./support/asking.ts";
import { addVisit, FakeFeed, FakeSource, smallDirectory, smallSurvey, startSmall } from "./support/small-dashboard.ts";

const pagesOf = async (url: string, query: string) => answer<PageList>(`${url}api/pages?${query}`);
const idsOf = async (url: string, query: string) => (await pagesOf(url, query)).rows.map(({ id }) => id);

describe("lists of pages", () => {
  it("are in the order of importance by default", async () => {
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
      why: "",
      status: 200,
      rank: 1,
      importance: { low: 0.5, high: 0.6 },
      depth: 0,
      fetchedMs: 1_700_000_000_007,
    });
    expect(await idsOf(url, "sort=oldest")).toEqual([0, 1, 2, 3, 4, 6, 7, 5]);
    expect(await idsOf(url, "sort=newest")).toEqual([7, 6, 4, 3, 2, 1, 0, 5]);
  });

  it("say in words why a page was not fetched", async () => {
    const { url } = await startSmall();
    const { rows } = await pagesOf(url, "state=refused");
    expect(rows).toMatchObject([{ state: "refused", reason: "robots", why: "robots.txt" }]);
  });

  it("are filtered by host, state, reason and status, all at once if need be", async () => {
    const { url } = await startSmall();
    expect(await idsOf(url, "host=b.example:8080")).toEqual([3]);
    expect(await idsOf(url, "host=B.Example:8080")).toEqual([3]);
    expect(await idsOf(url, "host=nobody.example")).toEqual([]);
    expect(await idsOf(url, "state=redirected")).toEqual([1, 6, 7]);
    expect(await idsOf(url, "state=links-unknown")).toEqual([3]);
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
    expect(await idsOf(url, "q=say&state=links-unknown")).toEqual([3]);
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
  it("shows all that is known of it", async () => {
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

  it("shows which pages link to it and where it leads, with what each link carries", async () => {
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
    store.addUrl({
      id: 9,
      origin: 0,
      path: "/fresh",
      depth: 2,
      source: "link",
      discoveredAt: 8,
      reason: null,
    });
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

describe("where the missing importance is", () => {
  it("is listed by reason and host", async () => {
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

  it("come with their status in the crawl of this process", async () => {
    const feed = new FakeFeed();
    feed.onHeard = (message) => {
      if (message.type !== "hosts") return;
      const hosts = message.names.map((name) => (name === "a.example" ? treated : null));
      feed.tell({ type: "hosts", question: message.question, hosts });
    };
    const { url } = await startSmall({ feed });
    const { rows } = await answer<HostList>(`${url}api/hosts`);
    expect(rows.map(({ politeness }) => politeness)).toEqual([treated, null]);
    const next = await answer<FrontierList>(`${url}api/frontier`);
    expect(next).toMatchObject({ survey: 1, order: "rankmass", total: 1 });
    expect(next.rows).toMatchObject([{ id: 5, arrives: 0.06, linksIn: 0, politeness: treated }]);
  });

  it("are listed without it where the crawl does not answer in time", async () => {
    const { url } = await startSmall({ feed: new FakeFeed() });
    const { rows } = await answer<HostList>(`${url}api/hosts`);
    expect(rows.map(({ politeness }) => politeness)).toEqual([null, null]);
  });

  it("leave out what was fetched since the survey", async () => {
    const dir = smallDirectory();
    addVisit(dir);
    const { url } = await startSmall({ dir });
    expect((await answer<FrontierList>(`${url}api/frontier`)).rows).toEqual([]);
  });
});

describe("findings", () => {
  it("have the names of their URLs, and what came at the end of each link", async () => {
    const { url } = await startSmall();
    const { survey, brokenLinks, redirects, duplicates, nearDuplicates, orphans } = await answer<Findings>(
      `${url}api/findings`,
    );
    const brief = (way: Findings["redirects"]["rows"][number]["way"]) =>
      way.map((each) => each.url.replace("https://a.example", "")).join(" > ");
    expect(survey).toBe(1);
    expect(brokenLinks).toMatchObject({ links: 2, pages: 1 });
    expect(brokenLinks.rows.map(({ source, way, response }) => [source.id, brief(way), response])).toEqual([
      [0, "/gone", "404"],
      [0, "/loop > /loop2", "redirect loop"],
    ]);
    expect(redirects.rows.map(({ way, response, linkedFrom }) => [brief(way), response, linkedFrom])).toEqual([
      ["/moved > http://b.example:8080/new?x=1", "200", 1],
      ["/loop > /loop2", "redirect loop", 1],
      ["/loop2", "redirect loop", 0],
    ]);
    expect(duplicates).toEqual({ pages: 0, groups: 0, rows: [] });
    expect(nearDuplicates).toMatchObject({ pages: 2, groups: 1, rows: [{ pages: [{ id: 0 }, { id: 3 }], copies: 2 }] });
    expect(orphans.rows).toMatchObject([{ page: { url: "https://a.example/private" }, response: "robots.txt" }]);
    expect((await ask(`${url}api/findings?count=1`)).status).toBe(400);
  });

  it("have the texts of broken links, where the crawl has stored them", async () => {
    const dir = smallDirectory();
    const textsIn = async (): Promise<unknown> => {
      const { url } = await startSmall({ dir });
      return (await answer<Findings>(`${url}api/findings`)).brokenLinks.rows.map(({ text }) => text);
    };
    expect(await textsIn()).toEqual([null, null]);
    const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
    const visit = database.prepare("SELECT number FROM visits WHERE url = 0 AND outcome < 2").get()?.[0] as number;
    database.prepare("INSERT INTO anchors VALUES (?, ?)").run(visit, "\n\nGone for good");
    database.close();
    expect(await textsIn()).toEqual(["Gone for good", null]);
  });
});
