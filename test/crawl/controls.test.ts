/** A crawl that somebody pauses, lets go on, gives other limits and stops, while it runs. */
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import {
  type Crawl,
  type CrawlEvent,
  type CrawlSettings,
  type CrawlStatus,
  endOfLastRun,
  type HostState,
} from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { EPOCH_MS } from "../support/simulation/timers.ts";
import { crawlTimed, TimedWeb, type TimedOptions } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const POLITE = { delayMs: 1000, concurrency: 8, perHost: 1, perAddress: 100, crawlDelayMsMax: 0 };
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join("");

/**
 * / links to /0 ... /59, which link nowhere. The first request (robots.txt) is at 1 ms, then one a second and 10 ms.
 */
const star = (latencyMs: (url: URL) => number = () => 10): TimedWeb =>
  new TimedWeb({
    latencyMs,
    serve: ({ pathname }) => {
      if (pathname === "/robots.txt") return undefined;
      return pathname === "/" ? links(...Array.from({ length: 60 }, (_, k) => `/${k}`)) : "page";
    },
  });

/** A chain / -> /1 -> /2 -> ... -> /9. */
const chain = (): TimedWeb =>
  new TimedWeb({
    serve: ({ pathname }) => {
      const number = Number(pathname.slice(1));
      return Number.isNaN(number) || number > 9 ? undefined : links(`/${number + 1}`);
    },
  });

interface Observed {
  readonly events: CrawlEvent[];
  readonly statuses: CrawlStatus[];
  readonly store: MemoryStore;
  readonly end: Awaited<ReturnType<typeof crawlTimed>>["end"];
  readonly crawl: Crawl;
}

interface ControlledOptions extends TimedOptions {
  readonly store?: MemoryStore;
  readonly politeness?: CrawlSettings["politeness"];
}

/** Crawls with one connection and a second of rest, and does things at their times. */
async function controlled(
  web: TimedWeb,
  limits: CrawlSettings["limits"],
  acts: Readonly<Record<number, (crawl: Crawl) => void>>,
  { store = new MemoryStore("{}"), politeness = POLITE, ...options }: ControlledOptions = {},
): Promise<Observed> {
  const events: CrawlEvent[] = [];
  const statuses: CrawlStatus[] = [];
  const launched: Crawl[] = [];
  // Times are counted by hand here: nobody looks for a sitemap.
  const settings = { politeness, limits, web: { sitemaps: false } };
  const { end } = await crawlTimed(web, [SITE], settings, store, {
    ...options,
    onEvent: (event) => void events.push(event),
    onStatus: (status) => void statuses.push(status),
    onLaunch: (crawl) => {
      launched.push(crawl);
      options.onLaunch?.(crawl);
      for (const [ms, act] of Object.entries(acts)) web.timers.after(Number(ms), () => act(crawl));
    },
  });
  return { events, statuses, store, end, crawl: launched[0] };
}

describe("a status", () => {
  it("tells how many of the pages that wait hold what the target needs, and nothing without a target", async () => {
    const { statuses } = await controlled(
      star(),
      { coverage: 0.5 },
      { 5000: (crawl) => crawl.changeLimits({ pages: 9 }) },
    );
    // The front page holds 0.15, the sixty share 0.85: for 0.5 it takes 0.35 of that, 24.7 of them.
    expect(statuses.find(({ pages }) => pages === 1)?.pagesNeeded).toBe(25);
    expect(statuses.find(({ pages }) => pages === 8)?.pagesNeeded).toBeUndefined();
  });
});

describe("a pause", () => {
  it("starts nothing new, finishes what is under way, keeps committing, and ends with resume", async () => {
    const web = star();
    const { events, statuses, end } = await controlled(
      web,
      { pages: 10 },
      {
        // The second request, of the page /, started at 1,011 ms and is under way.
        1015: (crawl) => crawl.pause(),
        61_015: (crawl) => crawl.resume(),
      },
    );
    const times = web.requests.map(({ atMs }) => atMs);
    expect(times.slice(0, 3)).toEqual([1, 1011, 61_016]);
    expect(statuses.find(({ pages }) => pages === 1)!.elapsedMs).toBe(2000);
    expect(end).toMatchObject({ reason: "page-limit", status: { pages: 10 } });
    expect(events).toEqual([
      { name: "paused", atMs: EPOCH_MS + 1016 },
      { name: "resumed", atMs: EPOCH_MS + 61_016 },
      { name: "stopping", atMs: expect.any(Number), reason: "page-limit" },
    ]);
  });

  it("does not stop the clock of a limit of time", async () => {
    const { end } = await controlled(star(), { timeMs: 30_000 }, { 5000: (crawl) => crawl.pause() });
    expect(end.reason).toBe("time-limit");
    expect(end.status.elapsedMs).toBe(30_000);
  });

  it("can be ended by stopping, and the crawl resumes in the next run", async () => {
    const web = star();
    const { end, store, crawl } = await controlled(
      web,
      {},
      {
        5000: (crawl) => crawl.pause(),
        9000: (crawl) => crawl.stop("interrupted"),
      },
    );
    expect(end.reason).toBe("interrupted");
    expect(end.status.elapsedMs).toBe(9000);
    expect(crawl.state).toBe("ended");
    const next = await controlled(web, {}, {}, { store });
    expect(next.end).toMatchObject({ reason: "frontier-empty", status: { pages: 61 } });
    expect(web.requests.filter(({ url }) => url === SITE)).toHaveLength(1);
  });

  it("before the crawl is run makes it wait from the start, and twice is once", async () => {
    const web = star();
    const { events } = await controlled(
      web,
      { pages: 1 },
      { 10_000: (crawl) => crawl.resume(), 10_001: (crawl) => crawl.resume() },
      {
        onLaunch: (crawl) => {
          expect(crawl.state).toBe("ready");
          crawl.pause();
          crawl.pause();
          expect(crawl.state).toBe("paused");
        },
      },
    );
    expect(web.requests[0].atMs).toBe(10_001);
    expect(events.map(({ name }) => name)).toEqual(["paused", "resumed", "stopping"]);
  });
});

describe("limits that change while a crawl runs", () => {
  const storedLimits = (store: MemoryStore) => (JSON.parse(store.settings()) as CrawlSettings).limits;

  it("apply at once, are stored, and are reported", async () => {
    const { end, store, events, crawl } = await controlled(
      star(),
      { pages: 50 },
      {
        10_000: (crawl) => crawl.changeLimits({ pages: 20, coverage: 1 }),
      },
    );
    expect(end).toMatchObject({ reason: "page-limit", status: { pages: 20 } });
    expect(storedLimits(store)).toEqual({ pages: 20, coverage: 1 });
    expect(crawl.limits).toEqual({ pages: 20, coverage: 1 });
    expect(events[0]).toEqual({
      name: "limits-changed",
      atMs: EPOCH_MS + 10_001,
      limits: { pages: 20, coverage: 1 },
    });
  });

  it("are not stored where the settings of the directory are kept", async () => {
    const store = new MemoryStore("{}");
    await controlled(star(), { pages: 1 }, {}, { store });
    const before = store.settings();
    const act = (crawl: Crawl): void => crawl.changeLimits({ pages: 5 });
    const { end } = await controlled(star(), { pages: 3 }, { 1: act }, { store, keepsSettings: true });
    expect(end.status.pages).toBe(5);
    expect(store.settings()).toBe(before);
  });

  it("stop a crawl that has reached them already", async () => {
    // With / and 8 of its 60 pages 0.15 + 8 * 0.85 / 60 * 0.15 = 0.167 is settled, 52 * 0.85 / 60 = 0.737 waits: 18.4%
    // is certain.
    const { end } = await controlled(
      star(),
      {},
      {
        10_000: (crawl) => crawl.changeLimits({ coverage: 0.16 }),
      },
    );
    expect(end).toMatchObject({ reason: "coverage-reached", status: { elapsedMs: 10_000 } });
    const lowered = await controlled(star(), {}, { 10_000: (crawl) => crawl.changeLimits({ pages: 2 }) });
    expect(lowered.end).toMatchObject({ reason: "page-limit", status: { elapsedMs: 10_000 } });
  });

  it("of coverage that are raised let a crawl go on to the new target", async () => {
    const { end } = await controlled(
      star(),
      { coverage: 0.6 },
      {
        1: (crawl) => crawl.changeLimits({ coverage: 0.9 }),
      },
    );
    expect(end.reason).toBe("coverage-reached");
    expect(end.status.coverage).toBeGreaterThanOrEqual(0.9);
  });

  it("of depth that are raised put back what was too deep, to the new depth and no further", async () => {
    const web = chain();
    const { end } = await controlled(
      web,
      { depth: 2 },
      {
        // The pages 0, 1 and 2 are fetched by then, and page 3 was put aside; while a pause keeps the crawl from its
        // end.
        3500: (crawl) => crawl.pause(),
        60_000: (crawl) => crawl.changeLimits({ depth: 5 }),
        60_001: (crawl) => crawl.resume(),
      },
    );
    expect(end).toMatchObject({ reason: "depth-limit", status: { pages: 6, frontier: 1 } });
  });

  it("of pages a host that are raised or lowered hold for each host", async () => {
    const raised = await controlled(
      star(),
      { pagesPerHost: 3 },
      {
        3500: (crawl) => crawl.pause(),
        60_000: (crawl) => crawl.changeLimits({ pagesPerHost: 7 }),
        60_001: (crawl) => crawl.resume(),
      },
    );
    expect(raised.end).toMatchObject({ reason: "page-limit", status: { pages: 7, frontier: 54 } });
    const lowered = await controlled(
      star(),
      { pagesPerHost: 30 },
      {
        5000: (crawl) => crawl.changeLimits({ pagesPerHost: 8 }),
      },
    );
    expect(lowered.end).toMatchObject({ reason: "page-limit", status: { pages: 8, frontier: 53 } });
  });

  it("of pages a host that are lowered during a pause count what is under way", async () => {
    // From 21 ms on four pages are under way; /0 has come by 31 ms. With / it is two, and three more will come: no
    // sixth may start.
    const web = star(({ pathname }) => (["/1", "/2", "/3"].includes(pathname) ? 100 : 10));
    const politeness = { ...POLITE, delayMs: 0, perHost: 4 };
    const { end } = await controlled(
      web,
      {},
      {
        22: (crawl) => crawl.pause(),
        40: (crawl) => crawl.changeLimits({ pagesPerHost: 5 }),
        41: (crawl) => crawl.resume(),
      },
      { politeness },
    );
    expect(end).toMatchObject({ reason: "page-limit", status: { pages: 5 } });
  });

  it("before the crawl is run hold when it is", async () => {
    const { end, store, crawl } = await controlled(
      star(),
      { pages: 2 },
      {},
      {
        onLaunch: (crawl) => crawl.changeLimits({ pages: 4 }),
      },
    );
    expect(end.status.pages).toBe(4);
    expect([storedLimits(store), crawl.limits]).toEqual([{ pages: 4 }, { pages: 4 }]);
  });

  it.each([
    [{ coverage: 0 }, "the limit coverage is 0, expected a share above 0 and at most 1"],
    [{ coverage: 1.01 }, "the limit coverage is"],
    [{ pages: 0 }, "the limit pages is 0, expected a whole number of at least 1"],
    [{ pages: 1.5 }, "the limit pages is"],
    [{ depth: -1 }, "the limit depth is -1, expected a whole number of at least 1"],
    [{ timeMs: Number.POSITIVE_INFINITY }, "the limit timeMs is Infinity, expected milliseconds above 0"],
    [{ bytes: Number.NaN }, "the limit bytes is"],
    [JSON.parse('{"pagesPerHost":"5"}') as object, "the limit pagesPerHost is"],
    [JSON.parse('{"pges":5}') as object, 'there is no limit "pges", expected coverage, pages'],
  ])("that make no sense change nothing: %j", async (limits, message) => {
    let thrown: unknown;
    const { end, events } = await controlled(
      star(),
      { pages: 3 },
      {
        100: (crawl) => {
          try {
            crawl.changeLimits(limits);
          } catch (error) {
            thrown = error;
          }
        },
      },
    );
    expect(thrown).toBeInstanceOf(UsageError);
    expect((thrown as UsageError).message).toContain(message);
    expect(end).toMatchObject({ reason: "page-limit", status: { pages: 3 } });
    expect(events.map(({ name }) => name)).toEqual(["stopping"]);
  });

  it("change nothing of a crawl that has ended", async () => {
    const { crawl, store } = await controlled(star(), { pages: 3 }, {});
    const before = store.settings();
    crawl.changeLimits({ pages: 9 });
    crawl.pause();
    crawl.resume();
    crawl.stop("interrupted");
    expect([crawl.state, crawl.limits, store.settings()]).toEqual(["ended", { pages: 3 }, before]);
  });
});

describe("why a run ended", () => {
  it("is kept from its last commit until the next run begins", async () => {
    const web = star();
    const { store, end } = await controlled(web, { pages: 3 }, {});
    const elapsedMs = end.status.elapsedMs;
    expect(JSON.parse(store.meta("end")!)).toEqual({ reason: "page-limit", atMs: EPOCH_MS + 1 + elapsedMs });
    expect(endOfLastRun(store)).toEqual({ reason: "page-limit", atMs: EPOCH_MS + 1 + elapsedMs });
    let during: unknown = "not asked";
    await controlled(web, {}, { 5: () => (during = endOfLastRun(store)) }, { store });
    expect(during).toBeUndefined();
    expect(endOfLastRun(store)?.reason).toBe("frontier-empty");
  });

  it("is not known of a crawl that was killed", async () => {
    const web = star();
    const { store } = await controlled(web, { pages: 3 }, {});
    // Killed in its next run before anything else was committed.
    await controlled(web, {}, { 5: () => store.crash(), 6: (crawl) => crawl.stop("interrupted") }, { store });
    const killed = new MemoryStore("{}");
    await controlled(star(), {}, { 5000: () => killed.failAt(killed.writes + 1, "failed") }, { store: killed });
    killed.crash();
    expect(endOfLastRun(killed)).toBeUndefined();
  });

  it.each(["{", "null", "[]", '{"reason":"bored","atMs":1}', '{"reason":"page-limit"}'])(
    "is not known where the directory says %s",
    (json) => {
      const store = new MemoryStore("{}");
      store.putMeta("end", json);
      expect(endOfLastRun(store)).toBeUndefined();
    },
  );
});

describe("failures of a host", () => {
  const eventsOf = async (serve: ConstructorParameters<typeof TimedWeb>[0]["serve"]): Promise<CrawlEvent[]> => {
    const { events } = await controlled(new TimedWeb({ serve }), {}, {});
    return events.filter(({ name }) => name.startsWith("host-"));
  };

  it("are reported once per pause, which is longer each time", async () => {
    const events = await eventsOf(({ pathname }, nth) => {
      if (pathname === "/robots.txt") return undefined;
      return nth < 3 ? { status: 503, headers: { "retry-after": "40" } } : "page";
    });
    const paused = { name: "host-paused", host: "site.example", reason: "status-503" };
    expect(events).toEqual([
      // robots.txt at 1 ms, a rest of a second after its answer, the page and its answer.
      { ...paused, atMs: EPOCH_MS + 1021, forMs: 40_000 },
      { ...paused, atMs: EPOCH_MS + 41_031, forMs: 80_000 },
    ]);
  });

  it("are reported when a robots.txt makes it wait", async () => {
    const events = await eventsOf(({ pathname }, nth) => {
      return pathname === "/robots.txt" && nth === 1 ? { status: 500 } : undefined;
    });
    expect(events).toMatchObject([{ name: "host-paused", reason: "status-500", forMs: 10_000 }]);
  });

  it("are reported when the host is given up, once for all its pages", async () => {
    const events = await eventsOf(({ pathname }) => {
      if (pathname === "/robots.txt") return undefined;
      return pathname === "/" ? links(...Array.from({ length: 60 }, (_, k) => `/${k}`)) : { status: 503 };
    });
    // Eight failures in a row are enough.
    expect(events.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 7 }, () => "host-paused"),
      "host-given-up",
    ]);
    expect(events.at(-1)).toMatchObject({ host: "site.example", reason: "status-503" });
  });
});

describe("the treatment of a host", () => {
  it("is that of the moment", async () => {
    const seen: (HostState | undefined)[] = [];
    const look = (crawl: Crawl): void => void seen.push(crawl.hostStatus("site.example")?.state);
    const web = new TimedWeb({
      addressOf: () => "192.0.2.1",
      serve: ({ pathname }, nth) => {
        if (pathname === "/robots.txt") return undefined;
        if (pathname === "/") return links("/0", "/1", "/2");
        return pathname === "/0" && nth === 1 ? { status: 503 } : "page";
      },
    });
    const { crawl } = await controlled(
      web,
      { pagesPerHost: 3 },
      {
        // robots.txt is requested at 1 ms and answered at 11; / from 1,011 to 1,021; /0 from 2,021 to 2,031, which
        // pauses the host.
        5: look,
        500: look,
        1015: look,
        1500: look,
        2040: (crawl) => {
          look(crawl);
          expect(crawl.hostStatus("site.example")).toMatchObject({
            pausedForMs: expect.any(Number),
            delayMs: 1000,
            connections: 1,
            underWay: 0,
            address: "192.0.2.1",
          });
        },
      },
    );
    look(crawl);
    expect(seen).toEqual(["robots", "resting", "busy", "resting", "paused", "full"]);
    expect(crawl.hostStatus("unknown.example")).toBeNull();
  });

  it("can be asked for where nothing was wanted of it, which changes nothing", async () => {
    const web = new TimedWeb({ serve: () => links("http://other.site.example/", "/0") });
    const { crawl } = await controlled(web, { pages: 1 }, {});
    expect(crawl.hostStatus("other.site.example")).toMatchObject({ state: "free", delayMs: 1000, underWay: 0 });
    expect([Array.from(crawl.hosts, ({ name }) => name), crawl.status.hosts]).toEqual([["site.example"], 2]);
  });

  it("is done once nothing of it waits, not while a page is to be retried", async () => {
    const seen: (HostState | undefined)[] = [];
    const look = (crawl: Crawl): void => void seen.push(crawl.hostStatus("site.example")?.state);
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/robots.txt") return undefined;
        if (pathname === "/") return links("/again");
        return nth === 1 ? { status: 500 } : links("/");
      },
    });
    // "/" is there at 1,021 ms; the first attempt at /again fails at 2,031.
    const { crawl } = await controlled(web, {}, { 1500: look, 3100: look });
    look(crawl);
    expect(seen.slice(0, 2)).not.toContain("done");
    expect(seen.at(-1)).toBe("done");
  });
});
