/** `crawl`: the pages of a crawl, for programs. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { certifyLog, crawl, type CrawledPage, type OwnOrderContext, type PagesOptions } from "../../src/crawl/index.ts";
import { OwnOrder } from "../../src/crawl/own-order.ts";
import type { CrawlOrder } from "../../src/order/index.ts";
import { isCrawl, MemoryStore, openCrawl } from "../../src/store/index.ts";
import { inlineOptions } from "../support/inline-pages.ts";
import { InlineWeb, type Served } from "../support/inline-web.ts";
import { temporaryDirectory, temporaryPlace } from "../support/temporary.ts";

const SITE = "http://site.example/";
const PROSE = "What the tide leaves on the beach is another thing each time, and nobody has counted it. ".repeat(3);
const PAGES: Readonly<Record<string, Served>> = {
  "/": `<html lang="en"><title>Tide</title><nav>Menu</nav><main><p>${PROSE}</p><a href="a">A</a><a href="b">B</a></main></html>`,
  "/a": { body: "plain text", headers: { "content-type": "text/plain" } },
  "/b": { body: "PNG", headers: { "content-type": "image/png" } },
};
const site = (): InlineWeb => new InlineWeb(({ pathname }) => PAGES[pathname]);
/** A page that answers to every address, each with one more. */
const endless = (): InlineWeb =>
  new InlineWeb(({ pathname }) =>
    pathname === "/robots.txt" ? undefined : `${pathname}<a href="/${Number(pathname.slice(1)) + 1}">next</a>`,
  );
const options = (others?: PagesOptions): PagesOptions => inlineOptions(site(), others);

async function all<Data>(pages: AsyncIterable<CrawledPage<Data>>): Promise<CrawledPage<Data>[]> {
  const found: CrawledPage<Data>[] = [];
  for await (const page of pages) found.push(page);
  return found;
}

describe("pages of a crawl", () => {
  it("come as they were served, with what can be made of them", async () => {
    const place = temporaryPlace();
    const pages = crawl(SITE, options());
    expect([pages.coverage(), pages.status, pages.end]).toEqual([0, undefined, undefined]);
    const [front, a, b] = (await all(pages)).sort((x, y) => x.url.localeCompare(y.url));
    expect(front).toMatchObject({ url: SITE, status: 200, title: "Tide", language: "en" });
    expect(front.html).toBe(PAGES["/"]);
    expect(front.text).toBe(`${PROSE.trim()}\n\nAB`);
    expect(front.markdown).toContain("[A](http://site.example/a)");
    expect(front.links).toEqual([`${SITE}a`, `${SITE}b`]);
    expect(front.importance).toBeGreaterThan(0.1);
    expect(Buffer.from(front.body).toString()).toBe(PAGES["/"]);
    expect([a.html, a.text, a.markdown, a.headers["content-type"]]).toEqual([
      null,
      "plain text",
      "plain text",
      "text/plain",
    ]);
    expect([b.html, b.text, b.markdown]).toEqual([null, null, null]);
    expect(pages.end).toMatchObject({ reason: "frontier-empty" });
    expect(pages.coverage()).toBe(1);
    expect(readdirSync(place)).toEqual([]);
  });

  it("are JSON with everything but their bytes", async () => {
    const pages = await all(crawl(SITE, { ...options(), extract: ({ url }) => ({ length: url.length }) }));
    for (const page of pages) {
      const { url, status, headers, title, language, importance, links, text, markdown, data } = page;
      const expected = { url, status, headers, title, language, importance, links, text, markdown, data };
      expect(JSON.parse(JSON.stringify(page))).toEqual(expected);
    }
    const front = JSON.parse(JSON.stringify(pages.find(({ url }) => url === SITE))) as Record<string, unknown>;
    expect(front).toMatchObject({ title: "Tide", text: `${PROSE.trim()}\n\nAB`, links: [`${SITE}a`, `${SITE}b`] });
    expect(front["data"]).toEqual({ length: SITE.length });
  });

  it("end when the consumer leaves, and what came is in the directory, which can be resumed", async () => {
    const dir = join(temporaryDirectory(), "crawl");
    let seen = 0;
    for await (const page of crawl(SITE, options({ fetcher: endless(), dir, maxPages: 500 }))) {
      expect(page.url).toContain(SITE);
      if (++seen === 3) break;
    }
    expect(isCrawl(dir)).toBe(true);
    const store = openCrawl(dir);
    const before = [...store.visits()].length;
    store.close();
    expect(before).toBeGreaterThanOrEqual(3);
    expect(before).toBeLessThan(500);
    const resumed = crawl(SITE, options({ fetcher: endless(), dir, maxPages: before + 5 }));
    expect(await all(resumed)).toHaveLength(5);
    expect(resumed.end?.reason).toBe("page-limit");
  });

  it("hold the crawl back while nobody takes them, without a word of pauses", async () => {
    const web = endless();
    const events: string[] = [];
    const pages = crawl(SITE, options({ fetcher: web, maxPages: 600, onEvent: ({ name }) => events.push(name) }));
    await pages.next();
    let before = -1;
    while (web.requested.length !== before) {
      before = web.requested.length;
      await sleep(50);
    }
    expect(before).toBeLessThan(150);
    expect((await all(pages)).length).toBe(599);
    expect(events).not.toContain("paused");
    expect(events).not.toContain("resumed");
  });

  it("end with the reason of the signal, before the crawl starts or while it runs", async () => {
    const place = temporaryPlace();
    const reason = new Error("enough");
    await expect(all(crawl(SITE, options({ signal: AbortSignal.abort(reason) })))).rejects.toBe(reason);
    const controller = new AbortController();
    const pages = crawl(SITE, options({ fetcher: endless(), signal: controller.signal }));
    await pages.next();
    controller.abort(reason);
    await expect(all(pages)).rejects.toBe(reason);
    expect(pages.end?.reason).toBe("interrupted");
    expect(readdirSync(place)).toEqual([]);
  });

  it("that wait are not handed out once the signal is aborted, and are in the directory, which is closed", async () => {
    const dir = join(temporaryDirectory(), "crawl");
    const reason = new Error("enough");
    const controller = new AbortController();
    const accept = vi.fn(() => true);
    const pages = crawl(SITE, options({ fetcher: endless(), dir, signal: controller.signal, accept }));
    await pages.next();
    await expect.poll(() => pages.status?.pages).toBeGreaterThan(10);
    const came = pages.status?.pages ?? 0;
    controller.abort(reason);
    const [first, second] = [pages.next(), pages.next()];
    await expect(first).rejects.toBe(reason);
    // As with an async generator, the error comes once.
    expect(await second).toEqual({ done: true, value: undefined });
    expect(accept).toHaveBeenCalledOnce();
    expect(pages.end?.reason).toBe("interrupted");
    const store = openCrawl(dir);
    const before = [...store.visits()].length;
    store.close();
    expect(before).toBeGreaterThanOrEqual(came);
    expect(await all(crawl(SITE, options({ fetcher: endless(), dir, maxPages: before + 5 })))).toHaveLength(5);
  });

  it("that wait are not handed out though the crawl has ended before the signal is aborted", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const pages = crawl(SITE, options({ signal: controller.signal }));
    await pages.next();
    await expect.poll(() => pages.end?.reason).toBe("frontier-empty");
    controller.abort(reason);
    await expect(pages.next()).rejects.toBe(reason);
  });

  it("are not handed out if the signal is aborted while a hook has them, or while they are awaited", async () => {
    const reason = new Error("enough");
    const hooked = new AbortController();
    const accept = async (): Promise<boolean> => {
      hooked.abort(reason);
      return true;
    };
    await expect(crawl(SITE, options({ signal: hooked.signal, accept })).next()).rejects.toBe(reason);
    const awaited = new AbortController();
    const silent = { fetch: () => awaited.abort(reason), close: async () => {} };
    await expect(crawl(SITE, options({ signal: awaited.signal, fetcher: silent })).next()).rejects.toBe(reason);
  });

  it("come one by one to calls that do not wait for each other", { timeout: 120_000 }, async () => {
    const pages = crawl(SITE, options());
    const found = await Promise.all([pages.next(), pages.next(), pages.next(), pages.next(), pages.next()]);
    expect(found.map(({ done }) => done)).toEqual([false, false, false, true, true]);
    expect(found.flatMap(({ value }) => value?.url ?? []).sort()).toEqual([SITE, `${SITE}a`, `${SITE}b`]);
  });

  it("are over once the consumer has left, or has never come", async () => {
    const left = crawl(SITE, options({ fetcher: endless() }));
    await left.next();
    await left.return?.();
    expect(await left.next()).toEqual({ done: true, value: undefined });
    const web = site();
    const unread = crawl(SITE, options({ fetcher: web }));
    await unread.return?.();
    expect([await all(unread), web.requested]).toEqual([[], []]);
  });

  it("end with an error that the program throws on an event, and nothing is left behind", async () => {
    const place = temporaryPlace();
    const web = endless();
    const closed = vi.spyOn(web, "close");
    const fail = (): never => {
      throw new Error("no");
    };
    const pages = crawl(SITE, { ...options({ fetcher: web, onEvent: fail }), extract: fail });
    await expect(pages.next()).rejects.toThrow("no");
    expect(closed).toHaveBeenCalled();
    expect(readdirSync(place)).toEqual([]);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  it("can be ended in order: what is in the directory by then is handed out", async () => {
    const dir = join(temporaryDirectory(), "crawl");
    const pages = crawl(SITE, options({ fetcher: endless(), dir }));
    await pages.next();
    await expect.poll(() => pages.status?.pages).toBeGreaterThan(10);
    pages.stop();
    const rest = await all(pages);
    expect(pages.end?.reason).toBe("interrupted");
    const store = openCrawl(dir);
    expect(1 + rest.length).toBe([...store.visits()].length);
    store.close();
  });

  it("are not there where an option makes no sense, and nothing is left behind", async () => {
    const place = temporaryPlace();
    const dir = join(place, "crawl");
    await expect(all(crawl(SITE, options({ coverage: 2, dir })))).rejects.toThrow(UsageError);
    await expect(all(crawl("ftp://x/", options({ dir })))).rejects.toThrow(UsageError);
    const { fetcher: _, ...byHttp } = options({ dir });
    await expect(all(crawl("http://127.0.0.1:1/", byHttp))).rejects.toThrow("use allowPrivate");
    expect(existsSync(dir)).toBe(false);
  });
});

describe("hooks", () => {
  it("choose pages, change their HTML, and make data of them", async () => {
    const seen: string[] = [];
    const pages = crawl(SITE, {
      ...options(),
      accept: ({ url }) => !url.endsWith("b"),
      transform: async (html) => html.replace(/<nav>.*?<\/nav>/, "").replaceAll("tide", "moon"),
      extract: ({ text }) => {
        seen.push(text ?? "");
        return text?.length ?? 0;
      },
    });
    const found = (await all(pages)).sort((x, y) => x.url.localeCompare(y.url));
    expect(found.map(({ url }) => url)).toEqual([SITE, `${SITE}a`]);
    expect(found[0].html).toContain("moon");
    expect(found[0].text).toContain("What the moon leaves");
    expect(found.map(({ data }) => data)).toEqual(found.map(({ text }) => text?.length));
    expect(seen).toHaveLength(2);
    expect(pages.coverage()).toBe(1);
  });

  it.each(["accept", "transform", "extract"] as const)("%s that throws costs its page, not the crawl", async (hook) => {
    const events: unknown[] = [];
    const fail = ({ url }: { readonly url: string }): never | true => {
      if (url === SITE) throw new Error("no");
      return true;
    };
    const pages = crawl(SITE, {
      ...options({ onEvent: (event) => void events.push(event) }),
      ...(hook === "transform" ? { transform: (html: string, page) => String(fail(page)) + html } : { [hook]: fail }),
    });
    expect((await all(pages)).map(({ url }) => url).sort()).toEqual([`${SITE}a`, `${SITE}b`]);
    expect(events).toContainEqual(expect.objectContaining({ name: "hook-failed", hook, url: SITE }));
    expect(pages.coverage()).toBe(1);
  });

  it("that throws is told by one warning to a program that takes no events", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const fail = (): never => {
      throw new Error("no such field");
    };
    expect(await all(crawl(SITE, { ...options({}), extract: fail }))).toEqual([]);
    const [[text], ...others] = warn.mock.calls;
    expect(text).toMatch(/^the hook extract threw for http.*: no such field; such pages are not handed out/);
    expect(others).toEqual([]);
    await all(crawl(SITE, { ...options({ onEvent: () => {} }), extract: fail }));
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe("an order of one's own", () => {
  /** Pages by their URLs, in the order of the alphabet; what it is told it forgets. */
  class Alphabetical implements CrawlOrder {
    readonly name = "alphabetical";
    readonly pushes = 0;
    readonly waiting = new Set<number>();
    readonly #context: OwnOrderContext;

    constructor(context: OwnOrderContext) {
      this.#context = context;
    }

    next(): number {
      const [first = -1] = [...this.waiting].sort((a, b) => this.#urlOf(a).localeCompare(this.#urlOf(b)));
      this.waiting.delete(first);
      return first;
    }

    #urlOf(page: number): string {
      return this.#context.urlOf(page);
    }

    known(page: number): void {
      this.waiting.add(page);
    }

    trusted(page: number): void {
      this.waiting.add(page);
    }

    putBack(page: number): void {
      this.waiting.add(page);
    }

    downloaded(page: number): void {
      const { targets, start, end } = this.#context.links.row(page);
      for (let k = start; k < end; k++) this.#found(targets[k]);
    }

    readonly #seen = new Set<number>();
    #found(page: number): void {
      if (!this.#seen.has(page)) this.waiting.add(page);
      this.#seen.add(page);
    }

    guaranteed(): number {
      return 1;
    }

    grow(): void {}
    linksUnknown(): void {}
    dead(): void {}
    refused(): void {}
    redirected(): void {}
    received(): void {}
  }

  const web = new Map([
    ["/", "/c /b /a"],
    ["/a", "/aa"],
    ["/b", ""],
    ["/c", ""],
    ["/aa", ""],
  ]);
  const alphabet = (): InlineWeb =>
    new InlineWeb(({ pathname }) => {
      const paths = web.get(pathname)?.split(" ");
      return paths && `${pathname}${paths.map((path) => `<a href="${path}">x</a>`).join("")}`;
    });

  it("decides what comes next, and proves nothing", async () => {
    const pages = crawl(
      SITE,
      options({ fetcher: alphabet(), coverage: 0.9, makeOrder: (context) => new Alphabetical(context) }),
    );
    const paths = (await all(pages)).map(({ url }) => new URL(url).pathname);
    expect(paths).toEqual(["/", "/a", "/aa", "/b", "/c"]);
    expect(pages.status).toMatchObject({ guaranteed: null, coverage: 1 });
    expect(pages.end?.reason).toBe("coverage-reached");
  });

  it.each<[string, (order: Alphabetical) => number, RegExp]>([
    ["a page that is none", () => 99, /the order alphabetical gave page 99; expected a known page/],
    ["a page that was fetched", (order) => (order.waiting.size === 3 ? 0 : -2), /gave page 0; expected a known page/],
    ["half a page", () => 0.5, /gave page 0.5; expected a known page/],
  ])("that gives %s ends the crawl with a clear error", async (_, wrong, message) => {
    class Wrong extends Alphabetical {
      override next(): number {
        const page = wrong(this);
        return page === -2 ? super.next() : page;
      }
    }
    const pages = crawl(SITE, options({ fetcher: alphabet(), makeOrder: (context) => new Wrong(context) }));
    await expect(all(pages)).rejects.toThrow(message);
  });

  it("that gives nothing though URLs wait does not make the crawl look complete", async () => {
    class Forgetful extends Alphabetical {
      override next(): number {
        return this.waiting.size === 3 ? -1 : super.next();
      }
    }
    const pages = crawl(SITE, options({ fetcher: alphabet(), makeOrder: (context) => new Forgetful(context) }));
    expect(await all(pages)).toHaveLength(1);
    expect(pages.end).toMatchObject({ reason: "order-empty", status: { frontier: 3 } });
  });

  it("may not give a page twice", () => {
    const order = new OwnOrder(Object.assign(new Alphabetical({} as OwnOrderContext), { next: () => 3 }), () => true);
    expect(order.next()).toBe(3);
    expect(() => order.next()).toThrow("gave page 3 again");
    order.putBack(3);
    expect(order.next()).toBe(3);
  });
});

describe("a store of one's own", () => {
  it("keeps the log, and resumes from it", async () => {
    const crawlStore = new MemoryStore("{}");
    const place = temporaryPlace();
    const first = await all(crawl(SITE, options({ maxPages: 1, crawlStore })));
    const others = await all(crawl(SITE, options({ maxPages: 9, crawlStore })));
    expect([...first, ...others].map(({ url }) => url).sort()).toEqual([SITE, `${SITE}a`, `${SITE}b`]);
    expect(certifyLog(crawlStore).certificate.coverage).toBe(1);
    expect(readdirSync(place)).toEqual([]);
  });

  it("has no place for WARC files", async () => {
    const pages = crawl(SITE, options({ warc: true, crawlStore: new MemoryStore("{}") }));
    await expect(all(pages)).rejects.toThrow("WARC files belong to a directory");
  });
});
