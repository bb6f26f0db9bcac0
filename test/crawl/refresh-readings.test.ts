/**
 * How the body of a page is read matters as much as its bytes: a page whose type or X-Robots-Tag is another has changed;
 * and a read that shows less than the page has, by an accident, does not replace what is known.
 */
import { describe, expect, it } from "vitest";
import { certifyLog, launchCrawl, refreshFacts, refreshPages } from "../../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import type { RenderListener, Renderer, Rendering } from "../../src/render/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { refreshTimed } from "../support/forever.ts";
import { fatesIn, inlineSettings, replyOf, type Served, type SettingsChanges } from "../support/inline-web.ts";
import { PassingTimers } from "../support/passing-timers.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const SEED = "http://a.example/";
const PAGE = `${SEED}page`;
const BODY = '<title>Page</title><a href="/x">x</a>';
const FRONT = '<a href="/page">page</a>';
const typed = (type: string, headers: Readonly<Record<string, string>> = {}, body = BODY): Served => ({
  body,
  headers: { "content-type": type, ...headers },
});

/** Everything but the page and the front is not found. */
class OnePage implements Fetcher, Renderer {
  page: Served = BODY;
  truncatedBy: "disconnect" | "length" | undefined;
  rendering: Rendering["kind"] | "cut" = "rendered";

  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const served = url === PAGE ? this.page : url === SEED ? FRONT : { status: 404 };
    const reply = replyOf(served);
    const { truncatedBy } = this;
    const isCut = url === PAGE && reply.kind === "answer" && truncatedBy !== undefined;
    setImmediate(() => done(isCut ? { ...reply, truncated: true, truncatedBy } : reply));
  }

  /** Scripts add a link, and a title. */
  render({ url, answer }: Parameters<Renderer["render"]>[0], { done }: RenderListener): void {
    const { rendering } = this;
    if (url === PAGE && rendering === "failed") return done({ kind: "failed", reason: "crashed" });
    const plain = new TextDecoder().decode(answer.body);
    const html = url === PAGE && rendering === "cut" ? plain : `${plain}<a href="/scripted">x</a>`;
    const document = { documentUrl: url, encoding: "UTF-8", contentType: "text/html", links: [] };
    done({ kind: "rendered", html, ...document, isCut: url === PAGE && rendering === "cut" });
  }

  async close(): Promise<void> {}
}

interface Found {
  readonly outcome: string;
  readonly reason: string | null;
}

/** A crawl of the page, and reads of it, two days apart. */
class PageReads {
  readonly web = new OnePage();
  readonly store: MemoryStore;
  readonly #settings: ReturnType<typeof inlineSettings>;
  readonly #timers = new PassingTimers(1_700_000_000_000);

  constructor(changes: SettingsChanges = {}) {
    this.#settings = inlineSettings([SEED], changes);
    this.store = new MemoryStore(JSON.stringify(this.#settings));
  }

  async crawl(page: Served): Promise<this> {
    this.web.page = page;
    const { store } = this;
    const parts = { fetcher: this.web, renderer: this.web, timers: this.#timers };
    await (await launchCrawl({ store, settings: this.#settings, ...parts, readers: 0 })).run();
    return this;
  }

  async read(page: Served): Promise<Found> {
    this.web.page = page;
    this.#timers.now += 2 * DAY;
    const { store } = this;
    const { url } = this.visit;
    const pages = refreshFacts(store).pages.filter((each) => each.url === url);
    const parts = { fetcher: this.web, renderer: this.web, timers: this.#timers };
    await refreshPages({ store, settings: this.#settings, ...parts, pages });
    const { outcome, reason } = [...store.rereads()].at(-1)!;
    return { outcome, reason };
  }

  get visit() {
    return fatesIn(this.store).get(PAGE)!;
  }

  get isScripted(): boolean {
    return fatesIn(this.store).has(`${SEED}scripted`);
  }
}

describe("the same bytes", () => {
  it.each([
    ["text/html", "application/pdf"],
    ["application/pdf", "text/html"],
    ["text/html", "application/octet-stream"],
    ["application/octet-stream", "text/html"],
    ["text/html; charset=utf-8", "text/html; charset=iso-8859-1"],
  ])("as %s and then as %s have changed: what a crawl made anew says is known", async (before, after) => {
    const reads = await new PageReads().crawl(typed(before));
    expect(await reads.read(typed(after))).toEqual({ outcome: "changed", reason: null });
    const anew = await new PageReads().crawl(typed(after));
    expect(reads.visit).toMatchObject({ contentType: after, title: anew.visit.title });
    expect(reads.visit.links).toHaveLength(anew.visit.links!.length);
    expect(await reads.read(typed(after))).toEqual({ outcome: "unchanged", reason: null });
  });

  it("of a type that is written in another way have not changed", async () => {
    const reads = await new PageReads().crawl(typed("text/html; charset=utf-8"));
    expect(await reads.read(typed('Text/HTML;Charset="UTF8"; x=y'))).toEqual({ outcome: "unchanged", reason: null });
  });

  it("with another X-Robots-Tag have changed: their links may not be followed any more", async () => {
    const reads = await new PageReads().crawl(typed("text/html"));
    const nofollow = typed("text/html", { "x-robots-tag": `nofollow, noindex, ${"x".repeat(2000)}` });
    expect((await reads.read(nofollow)).outcome).toBe("changed");
    expect(reads.visit).toMatchObject({ noindex: true });
    expect((await reads.read(nofollow)).outcome).toBe("unchanged");
    expect((await reads.read(typed("text/html"))).outcome).toBe("changed");
  });

  it("with headers that forbid what the crawl is for are a page no more", async () => {
    const web = { purpose: "ai-train" } as const;
    const reads = await new PageReads({ web }).crawl(typed("text/html"));
    expect(reads.visit.outcome).toBe("downloaded");
    await reads.read(typed("text/html", { "content-usage": "train-ai=n" }));
    expect(reads.visit).toMatchObject({ outcome: "refused", reason: "robots" });
  });

  it("are compared so in a refresh that goes on, also after a restart", async () => {
    const HTML = "text/html; charset=utf-8";
    let type = HTML;
    const web = new TimedWeb({
      serve: ({ href }) => (href === PAGE ? typed(type) : href === SEED ? FRONT : undefined),
    });
    const { store, settings } = await crawlTimed(web, [SEED], { limits: {} });
    const typeNow = () => fatesIn(store).get(PAGE)?.contentType;
    for (const [next, forMs] of [
      ["application/pdf", DAY],
      [HTML, HOUR],
      ["application/pdf", DAY],
    ] as const) {
      type = next;
      const end = await refreshTimed(web, store, settings, { budget: 100, forMs });
      expect([typeNow(), end?.status.changed]).toEqual([type, 1]);
    }
  });
});

describe("a read that shows less than a page had", () => {
  const rendered = { web: { render: "always" } } as const;
  const OTHER = BODY.replace("Page", "Other");

  it("because its rendering failed replaces nothing, however often, and is made again", async () => {
    const reads = await new PageReads(rendered).crawl(BODY);
    const before = [reads.visit, certifyLog(reads.store).certificate.coverage];
    expect([reads.visit.outcome, reads.isScripted]).toEqual(["downloaded", true]);
    reads.web.rendering = "failed";
    for (let k = 0; k < 3; k++) {
      expect(await reads.read(OTHER)).toEqual({ outcome: "failed", reason: "not-rendered" });
      expect([reads.visit, certifyLog(reads.store).certificate.coverage]).toEqual(before);
    }
    reads.web.rendering = "rendered";
    expect((await reads.read(OTHER)).outcome).toBe("changed");
    expect(reads.visit).toMatchObject({ outcome: "downloaded", title: "Other" });
  });

  it("because it was not rendered to its end is believed once the next read says the same", async () => {
    const reads = await new PageReads(rendered).crawl(BODY);
    reads.web.rendering = "cut";
    expect(await reads.read(OTHER)).toEqual({ outcome: "failed", reason: "not-rendered" });
    expect(reads.visit).toMatchObject({ outcome: "downloaded", title: "Page" });
    expect((await reads.read(OTHER)).outcome).toBe("changed");
    expect(reads.visit).toMatchObject({ outcome: "links-unknown", title: "Other" });
  });

  it("because the connection was lost is believed once the next read says the same", async () => {
    const reads = await new PageReads().crawl(BODY);
    reads.web.truncatedBy = "disconnect";
    expect(await reads.read("<title>Oth")).toEqual({ outcome: "failed", reason: "cut-off" });
    expect(reads.visit).toMatchObject({ outcome: "downloaded", title: "Page" });
    reads.web.truncatedBy = undefined;
    expect((await reads.read(BODY)).outcome).toBe("unchanged");
    reads.web.truncatedBy = "disconnect";
    expect((await reads.read("<title>Oth")).outcome).toBe("failed");
    expect((await reads.read("<title>Oth")).outcome).toBe("changed");
    expect(reads.visit).toMatchObject({ outcome: "links-unknown", detail: "cut-off" });
  });

  it("because the page is longer than what is read of one is believed at once", async () => {
    const reads = await new PageReads().crawl(BODY);
    reads.web.truncatedBy = "length";
    expect((await reads.read(OTHER)).outcome).toBe("changed");
    expect(reads.visit).toMatchObject({ outcome: "links-unknown", title: "Other" });
  });

  it("is as good as any where the links were not known before", async () => {
    const reads = new PageReads(rendered);
    reads.web.rendering = "failed";
    await reads.crawl(BODY);
    expect(reads.visit.outcome).toBe("links-unknown");
    expect((await reads.read(OTHER)).outcome).toBe("changed");
    expect(reads.visit).toMatchObject({ outcome: "links-unknown", title: "Other" });
  });

  it("is made again after an hour in a refresh that goes on, and then believed", async () => {
    const whole = replyOf(BODY);
    const fetchedAt: number[] = [];
    let isCut = false;
    const web = new TimedWeb({ serve: ({ href }) => (href === PAGE ? OTHER : href === SEED ? FRONT : undefined) });
    const fetch = web.fetch.bind(web);
    web.fetch = (request, done) =>
      fetch(request, (reply) => {
        if (request.url !== PAGE) return done(reply);
        fetchedAt.push(web.timers.nowMs());
        done(isCut ? ({ ...reply, truncated: true, truncatedBy: "disconnect" } as Reply) : whole);
      });
    const { store, settings } = await crawlTimed(web, [SEED], { limits: {} });
    isCut = true;
    const end = await refreshTimed(web, store, settings, { budget: 1000, forMs: DAY });
    expect(end?.status).toMatchObject({ failed: 1, changed: 1 });
    expect(fetchedAt[2] - fetchedAt[1]).toBeGreaterThanOrEqual(HOUR);
    expect(fatesIn(store).get(PAGE)?.outcome).toBe("links-unknown");
  });
});
