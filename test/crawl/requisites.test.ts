/** What archived pages need is fetched after the crawl: politely, once, and archived. */
import { describe, expect, it } from "vitest";
import { type ArchivedResponse, fetchRequisites, type RequisiteCounts } from "../../src/crawl/index.ts";
import { inlineSettings, type Served, type SettingsChanges } from "../support/inline-web.ts";
import { inTime, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const CDN = "http://cdn.example/";
const sheet = (body: string): Served => ({ body, headers: { "content-type": "text/css" } });
const robots = (body: string): Served => ({ body, headers: { "content-type": "text/plain" } });

function archived(url: string, html: string, { status = 200, mime = "text/html" } = {}): ArchivedResponse {
  return { url, status, mime, read: () => ({ body: Buffer.from(html), contentType: mime }) };
}

interface Run {
  readonly counts: RequisiteCounts;
  /** Archived in this run, but for robots.txt. */
  readonly kept: readonly string[];
  readonly web: TimedWeb;
}

async function run(
  pages: readonly ArchivedResponse[],
  serve: (url: string) => Served | undefined,
  { changes = {}, signal }: { readonly changes?: SettingsChanges; readonly signal?: AbortSignal } = {},
): Promise<Run> {
  const web = new TimedWeb({ serve: ({ href }) => serve(href) });
  const kept: string[] = [];
  const fetching = fetchRequisites({
    archived: () => pages,
    store: { commit: () => {} },
    archive: { keep: ({ request }) => void (request.purpose === "requisite" && kept.push(request.url)) },
    fetcher: web,
    settings: inlineSettings([SITE], changes),
    timers: web.timers,
    ...(signal === undefined ? {} : { signal }),
  });
  return { counts: await inTime(web.timers, fetching), kept, web };
}

describe("what archived pages need", () => {
  it("is archived wherever it lies, also what stylesheets and redirects lead to, each once", async () => {
    const pages = [
      archived(SITE, '<link rel=stylesheet href=a.css><img src="http://cdn.example/i.png">'),
      archived(`${SITE}2`, '<link rel=stylesheet href=a.css><img src="http://cdn.example/i.png"><img src=old.png>'),
      archived(`${SITE}old.png`, "", { status: 301 }),
      archived(`${SITE}gone`, "<img src=never.png>", { status: 404 }),
    ];
    const { counts, kept } = await run(pages, (url) => {
      if (url === `${SITE}a.css`) return sheet("@import 'b.css'; p { background: url(moved.png) }");
      if (url === `${SITE}b.css`) return sheet("@import 'a.css'; p { background: url(font.woff2) }");
      if (url === `${SITE}moved.png`) return { redirect: `${CDN}m.png` };
      return url.endsWith("robots.txt") || url.endsWith("font.woff2") ? undefined : "x";
    });
    expect(kept.toSorted()).toEqual(
      [
        `${CDN}i.png`,
        `${CDN}m.png`,
        `${SITE}a.css`,
        `${SITE}b.css`,
        // Not found, which is archived too.
        `${SITE}font.woff2`,
        `${SITE}moved.png`,
      ].toSorted(),
    );
    expect(counts).toEqual({ fetched: 5, dead: 1, forbidden: 0, left: 0 });
  });

  it("is not fetched where robots.txt forbids it, and rests between two requests", async () => {
    const { counts, kept, web } = await run(
      [archived(SITE, '<img src="http://cdn.example/no/1.png"><img src=1.png><img src=2.png><img src=3.png>')],
      (url) => (url === `${CDN}robots.txt` ? robots("User-agent: *\nDisallow: /no/") : "x"),
      { changes: { politeness: { delayMs: 500, concurrency: 8, perHost: 1, perAddress: 8, crawlDelayMsMax: 0 } } },
    );
    expect(kept).toHaveLength(3);
    expect(counts).toEqual({ fetched: 3, dead: 0, forbidden: 1, left: 0 });
    const times = [1, 2, 3].flatMap((k) => web.times(`${SITE}${k}.png`)).toSorted((a, b) => a - b);
    expect(times[1] - times[0]).toBeGreaterThanOrEqual(500);
    expect(times[2] - times[1]).toBeGreaterThanOrEqual(500);
  });

  it("is left to the next run where its host fails or asks us to wait, and others go on", async () => {
    const { counts, kept, web } = await run(
      [
        archived(SITE, '<img src="http://cdn.example/1.png"><img src="http://cdn.example/2.png"><img src=1.png>'),
        archived(`${SITE}2`, '<img src="http://gone.example/1.png"><img src=2.png>'),
      ],
      (url) => {
        if (url.endsWith("robots.txt"))
          return url.includes("gone") ? { failure: "connect-timeout" as const } : undefined;
        return url.startsWith(CDN) ? { status: 503 } : "x";
      },
    );
    expect(kept.toSorted()).toEqual([`${SITE}1.png`, `${SITE}2.png`]);
    expect(counts).toEqual({ fetched: 2, dead: 0, forbidden: 0, left: 3 });
    expect(web.requests.filter(({ url }) => url.startsWith(CDN) && url.endsWith(".png"))).toHaveLength(1);
  });

  it("is neither archived where its server fails for a moment, nor where it may not be used so", async () => {
    const { counts, kept } = await run(
      [archived(SITE, "<img src=1.png><img src=2.png><img src=3.png>")],
      (url) => {
        if (url.endsWith("1.png")) return { status: 502 };
        if (url.endsWith("2.png")) return { body: "x", headers: { "content-usage": "train-ai=n" } };
        return url.endsWith("robots.txt") ? undefined : "x";
      },
      { changes: { web: { purpose: "ai-train" } } },
    );
    expect(kept).toEqual([`${SITE}3.png`]);
    expect(counts).toEqual({ fetched: 1, dead: 0, forbidden: 1, left: 1 });
  });

  it("ends soon when it is interrupted", async () => {
    const abort = new AbortController();
    abort.abort();
    const { counts, kept } = await run([archived(SITE, "<img src=1.png>")], () => "x", { signal: abort.signal });
    expect(kept).toEqual([]);
    expect(counts.fetched).toBe(0);
  });

  it("is read from thousands of pages a few at a time", async () => {
    let read = 0;
    const pages = Array.from({ length: 3000 }, (_, k): ArchivedResponse => {
      const page = archived(`${SITE}${k}`, `<img src=${k}.png><img src=${k + 1}.png>`);
      return { ...page, read: () => (read++, page.read()) };
    });
    const readAt: number[] = [];
    const { counts } = await run(pages, () => (readAt.push(read), "x"));
    expect(counts.fetched).toBe(3001);
    expect(read).toBe(3000);
    // When the first answer came, not all pages were read.
    expect(readAt[0]).toBeLessThan(1100);
  });
});
