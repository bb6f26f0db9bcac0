/** Pages that go through a renderer: what they want is fetched politely, and what is missing is never taken for all. */
import { describe, expect, it } from "vitest";
import type { Crawl, CrawlEvent } from "../../../src/crawl/index.ts";
import { plainSiteFile } from "../../../src/lab/index.ts";
import type { Served, SettingsChanges } from "../../support/inline-web.ts";
import { SimulatedRenderer } from "../../support/simulation/renderer.ts";
import { crawlTimed, TimedWeb, type TimedCrawl, type TimedWebOptions } from "../../support/timed-web.ts";

const SITE = "http://site.example/";
const LINK = '<a href="/end">end</a>';
const script: Served = { body: "", headers: { "content-type": "text/javascript" } };
const robots = (body: string): Served => ({ body, headers: { "content-type": "text/plain" } });

interface Crawled extends TimedCrawl {
  readonly web: TimedWeb;
  readonly rendered: readonly string[];
  readonly events: readonly CrawlEvent[];
}

async function crawl(
  serve: TimedWebOptions["serve"],
  changes: SettingsChanges = {},
  render: "never" | "auto" | "always" = "always",
): Promise<Crawled> {
  const web = new TimedWeb({ serve });
  const renderer = new SimulatedRenderer(web.timers);
  const events: CrawlEvent[] = [];
  const all = { ...changes, web: { sitemaps: false, render, ...changes.web } };
  const options = { renderer, onEvent: (event: CrawlEvent) => void events.push(event) };
  return { ...(await crawlTimed(web, [SITE], all, undefined, options)), web, rendered: renderer.rendered, events };
}

/** A front page that shows what it fetches from here; nothing else but its end is there. */
function fetching(from: string, serve: TimedWebOptions["serve"]): TimedWebOptions["serve"] {
  return (url, nth, atMs) => {
    if (url.href === SITE) return `<script data-fetch="${from}"></script>`;
    return url.href === `${SITE}end` ? "end" : serve(url, nth, atMs);
  };
}

describe("a rendered page", () => {
  it("has the links of what its scripts fetch", async () => {
    const { fates, end } = await crawl(fetching("/data", ({ pathname }) => (pathname === "/data" ? LINK : undefined)));
    expect(fates.get(`${SITE}end`)?.outcome).toBe("downloaded");
    expect(end.status.coverage).toBeGreaterThan(0.999999);
    expect(fates.has(`${SITE}data`)).toBe(false);
  });

  it("counts the bytes of what it fetched", async () => {
    const { fates } = await crawl(fetching("/data", ({ pathname }) => (pathname === "/data" ? LINK : undefined)));
    const own = '<script data-fetch="/data"></script>'.length;
    expect(fates.get(SITE)?.wireBytes).toBe(own + LINK.length);
  });

  it("has unknown links when something that may exist does not come", async () => {
    const reasons: Served[] = [
      { status: 500 },
      { failure: "connection-lost" },
      { failure: "tls-failed" },
      { failure: "headers-too-large" },
      { body: LINK.slice(0, 5), headers: { "content-type": "text/html" }, truncated: true },
      { redirect: "/data" },
    ];
    for (const served of reasons) {
      const { fates, end } = await crawl(
        fetching("/data", ({ pathname }) => (pathname === "/data" ? served : undefined)),
      );
      expect(fates.get(SITE)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
      expect(end.status.strict).toBeLessThan(0.5);
    }
  });

  it("is whole without what does not exist, what robots.txt forbids and what the guard refuses", async () => {
    const reasons: TimedWebOptions["serve"][] = [
      () => undefined,
      ({ pathname }) => (pathname === "/robots.txt" ? robots("User-agent: *\nDisallow: /data") : LINK),
      ({ pathname }) => (pathname === "/data" ? { failure: "address-refused" } : undefined),
      ({ pathname }) => (pathname === "/data" ? { status: 403 } : undefined),
    ];
    for (const serve of reasons) {
      const { fates } = await crawl(fetching("/data", serve));
      expect(fates.get(SITE)?.outcome).toBe("downloaded");
      expect(fates.has(`${SITE}end`)).toBe(false);
    }
  });

  it("has unknown links when it cannot be rendered, or not to its end", async () => {
    for (const mark of ["data-fails", "data-cut"]) {
      const { fates } = await crawl(({ href }) => (href === SITE ? `<p ${mark}></p>${LINK}` : "end"));
      expect(fates.get(SITE)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
      // Those that are known are followed.
      expect(fates.get(`${SITE}end`)?.outcome).toBe("downloaded");
    }
  });

  it("gets what failed once, or has moved", async () => {
    const again = await crawl(
      fetching("/data", ({ pathname }, nth) => (pathname === "/data" ? (nth < 3 ? { status: 500 } : LINK) : undefined)),
    );
    expect(again.fates.get(`${SITE}end`)?.outcome).toBe("downloaded");
    const moved = await crawl(
      fetching("/data", ({ pathname }) => {
        if (pathname === "/data") return { redirect: "/moved" };
        return pathname === "/moved" ? LINK : undefined;
      }),
    );
    expect(moved.fates.get(`${SITE}end`)?.outcome).toBe("downloaded");
  });

  it("does not read data that moved to another origin, unless its server allows it to all", async () => {
    const run = (allowed: Readonly<Record<string, string>>): Promise<Crawled> =>
      crawl(
        fetching("/data", ({ href }) => {
          if (href === `${SITE}data`) return { redirect: "http://api.example/data" };
          if (href !== "http://api.example/data") return undefined;
          return { body: LINK, headers: { "content-type": "text/html", ...allowed } };
        }),
      );
    expect((await run({})).fates.has(`${SITE}end`)).toBe(false);
    expect((await run({ "access-control-allow-origin": "*" })).fates.has(`${SITE}end`)).toBe(true);
  });

  it("is judged by the robots.txt of each place to which a request is led", async () => {
    const { web, fates } = await crawl(
      fetching("/data", ({ href }) => {
        if (href === `${SITE}data`) return { redirect: "http://api.example/private" };
        return href === "http://api.example/robots.txt" ? robots("User-agent: *\nDisallow: /private") : undefined;
      }),
    );
    expect(web.times("http://api.example/robots.txt")).toHaveLength(1);
    expect(web.times("http://api.example/private")).toEqual([]);
    expect(fates.get(SITE)?.outcome).toBe("downloaded");
  });

  it("rests between two requests to one host, whatever they are for", async () => {
    const politeness = { delayMs: 500, concurrency: 8, perHost: 1, perAddress: 8, crawlDelayMsMax: 0 };
    const { web } = await crawl(
      ({ pathname }) => {
        if (pathname === "/") return '<p data-script="/a.js" data-style="/a.css" data-fetch="/data"></p>';
        return pathname === "/data" ? LINK : pathname === "/end" ? "end" : script;
      },
      { politeness },
    );
    const times = web.requests.map(({ atMs }) => atMs).toSorted((a, b) => a - b);
    expect(web.requests.map(({ url }) => new URL(url).pathname)).toEqual(
      expect.arrayContaining(["/robots.txt", "/", "/a.js", "/a.css", "/data", "/end"]),
    );
    for (let k = 1; k < times.length; k++) expect(times[k] - times[k - 1]).toBeGreaterThanOrEqual(500);
  });

  it("shares scripts and styles with other pages of its host, but not data", async () => {
    const { web, rendered } = await crawl(({ pathname }) => {
      if (pathname.endsWith(".js")) return script;
      if (pathname === "/data") return "text";
      const links = pathname === "/" ? '<a href="/1">1</a> <a href="/2">2</a>' : "";
      return `<p data-script="/app.js" data-fetch="/data"></p>${links}`;
    });
    expect(rendered).toHaveLength(3);
    expect(web.times(`${SITE}app.js`)).toHaveLength(1);
    expect(web.times(`${SITE}data`)).toHaveLength(3);
  });

  it("does not make a crawl read sitemaps of hosts that only have scripts", async () => {
    const { web } = await crawl(
      fetching("http://cdn.example/data", ({ href }) =>
        href === "http://cdn.example/robots.txt" ? robots("Sitemap: http://cdn.example/map.xml") : undefined,
      ),
      { web: { sitemaps: true } },
    );
    expect(web.times("http://cdn.example/data")).toHaveLength(1);
    expect(web.times(`${SITE}sitemap.xml`)).toHaveLength(1);
    expect(web.requests.filter(({ url }) => url.endsWith(".xml"))).toHaveLength(1);
  });

  it("goes on after a minute without a host that is paused, or whose robots.txt does not come", async () => {
    const cases: TimedWebOptions["serve"][] = [
      ({ pathname }) => (pathname === "/data" ? { status: 503, headers: { "retry-after": "900" } } : { status: 404 }),
      ({ pathname }) => (pathname === "/robots.txt" ? { status: 500 } : LINK),
    ];
    for (const serve of cases) {
      const { fates, web } = await crawl(
        fetching("http://api.example/data", (url, nth, atMs) =>
          url.hostname === "api.example" ? serve(url, nth, atMs) : undefined,
        ),
      );
      expect(fates.get(SITE)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
      expect(web.times("http://api.example/data").length).toBeLessThanOrEqual(1);
    }
  });

  it("is whole after a long pause of the crawl, whatever it waited for", async () => {
    const web = new TimedWeb({
      serve: fetching("http://api.example/data", ({ href }) =>
        href === "http://api.example/data"
          ? { body: LINK, headers: { "content-type": "text/html", "access-control-allow-origin": "*" } }
          : undefined,
      ),
    });
    const onLaunch = (launched: Crawl): void => {
      const pauseOnce = (): void => {
        if (web.times("http://api.example/robots.txt").length === 0) return void web.timers.after(1, pauseOnce);
        launched.pause();
        web.timers.after(120_000, () => launched.resume());
      };
      pauseOnce();
    };
    const settings = { web: { sitemaps: false, render: "always" as const } };
    const options = { renderer: new SimulatedRenderer(web.timers), onLaunch };
    const { fates } = await crawlTimed(web, [SITE], settings, undefined, options);
    expect(fates.get(SITE)?.outcome).toBe("downloaded");
    expect(fates.get(`${SITE}end`)?.outcome).toBe("downloaded");
  });

  it("counts towards the limit of bytes while it is rendered, and is left to the next run", async () => {
    const wishes = Array.from({ length: 25 }, (_, k) => `<p data-fetch="/${k}"></p>`).join("");
    const politeness = { delayMs: 100, concurrency: 8, perHost: 1, perAddress: 8, crawlDelayMsMax: 0 };
    const { web, fates, end } = await crawl(({ pathname }) => (pathname === "/" ? wishes : "x".repeat(50_000)), {
      politeness,
      limits: { bytes: 100_000 },
    });
    expect(end.reason).toBe("byte-limit");
    expect(web.requests.filter(({ url }) => /\d$/.test(url))).toHaveLength(2);
    expect(fates.has(SITE)).toBe(false);
  });

  it("is left to the next run when the crawl stops while it waits", async () => {
    const web = new TimedWeb({
      serve: fetching("/data", ({ pathname }) => (pathname === "/data" ? LINK : undefined)),
      latencyMs: ({ pathname }) => (pathname === "/data" ? 60_000 : 10),
    });
    const renderer = new SimulatedRenderer(web.timers);
    const settings = { web: { sitemaps: false, render: "always" as const } };
    const onLaunch = (launched: Crawl): void => void web.timers.after(5_000, () => launched.stop("time-limit"));
    const options = { renderer, onLaunch };
    const first = await crawlTimed(web, [SITE], settings, undefined, options);
    expect(first.fates.has(SITE)).toBe(false);
    const second = await crawlTimed(web, [SITE], settings, first.store, { renderer });
    expect(second.fates.get(SITE)?.outcome).toBe("downloaded");
    expect(second.fates.get(`${SITE}end`)?.outcome).toBe("downloaded");
  });
});

describe("which pages go to the renderer", () => {
  it("is said once per host with never, where a page looks script-made", async () => {
    const shell = '<script src="/app.js"></script><a href="/2">2</a>';
    const { events, rendered } = await crawl(
      ({ pathname }) => (/^\/\d?$/.test(pathname) ? shell : undefined),
      {},
      "never",
    );
    expect(rendered).toEqual([]);
    const notices = events.filter(({ name }) => name === "script-made");
    expect(notices).toEqual([expect.objectContaining({ host: "site.example", url: SITE })]);
  });

  it("is decided before pages that came meanwhile are read, and none of them is lost", async () => {
    const words = "words ".repeat(100);
    const links = Array.from({ length: 30 }, (_, k) => `<a href="/${k}">${k}</a>`).join(" ");
    const politeness = { delayMs: 0, concurrency: 8, perHost: 8, perAddress: 8, crawlDelayMsMax: 0 };
    const { fates, rendered } = await crawl(
      ({ pathname }) => (/^\/\d*$/.test(pathname) ? `<p>${words}</p>${pathname === "/" ? links : ""}` : undefined),
      { politeness },
      "auto",
    );
    expect([...fates.values()].filter(({ outcome }) => outcome === "downloaded")).toHaveLength(31);
    expect(rendered).toHaveLength(3);
  });

  it("is few of a plain site with auto", async () => {
    const { fates, rendered, events } = await crawl(
      ({ pathname }) => {
        const file = plainSiteFile(pathname, 200);
        return file === undefined ? undefined : { body: file.body, headers: { "content-type": file.type } };
      },
      {},
      "auto",
    );
    expect([...fates.values()].filter(({ outcome }) => outcome === "downloaded")).toHaveLength(200);
    expect(rendered.length).toBeLessThanOrEqual(10);
    expect(events.filter(({ name }) => name === "render-decided")).toEqual([
      expect.objectContaining({ host: "site.example", isRendered: false }),
    ]);
  });

  it("is all of a host with auto whose first page has more when it is rendered", async () => {
    const { rendered, fates, events } = await crawl(
      ({ pathname }) => {
        const number = Number(/^\/data\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN);
        if (number < 20) return `<a href="/${2 * number + 1}">1</a> <a href="/${2 * number + 2}">2</a>`;
        const page = pathname === "/" ? 0 : Number(pathname.slice(1));
        return page < 20 ? `<p data-fetch="/data/${page}"></p>` : undefined;
      },
      {},
      "auto",
    );
    expect(rendered).toHaveLength(20);
    expect([...fates.values()].filter(({ outcome }) => outcome === "downloaded")).toHaveLength(20);
    expect(events).toContainEqual(expect.objectContaining({ name: "render-decided", isRendered: true, url: SITE }));
  });

  it("is only HTML that came as a whole", async () => {
    const { rendered } = await crawl(({ pathname }) => {
      if (pathname === "/") return '<a href="/text">1</a> <a href="/cut">2</a>';
      if (pathname === "/text") return { body: "x", headers: { "content-type": "text/plain" } };
      if (pathname !== "/cut") return undefined;
      return { body: "<p>x", headers: { "content-type": "text/html" }, truncated: true };
    });
    expect(rendered).toEqual([SITE]);
  });
});
