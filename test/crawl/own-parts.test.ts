/** `crawl` with parts that a program brings, and mistakes that programs make. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { crawl, type PagesOptions } from "../../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { inlineOptions } from "../support/inline-pages.ts";
import { InlineWeb } from "../support/inline-web.ts";
import { temporaryPlace } from "../support/temporary.ts";

const SITE = "http://site.example/";
const site = (): InlineWeb => new InlineWeb(({ pathname }) => (pathname === "/" ? '<a href="a">A</a>' : undefined));
const options = (others?: PagesOptions): PagesOptions => inlineOptions(site(), others);

/** Reads all pages, and counts them. */
async function count(pages: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const _ of pages) found++;
  return found;
}

describe("a fetcher of one's own", () => {
  /** Whatever a program writes as `fetch`. */
  const fetcherOf = (fetch: (request: FetchRequest, done: (reply: Reply) => void) => unknown): Fetcher => ({
    fetch: fetch as Fetcher["fetch"],
    close: async () => {},
  });
  const silent = (): Fetcher => fetcherOf(() => undefined);

  it("that never answers does not keep the crawl from its end", { timeout: 120_000 }, async () => {
    const place = temporaryPlace();
    const limited = crawl(SITE, options({ fetcher: silent(), maxTime: 50 }));
    expect(await count(limited)).toBe(0);
    expect(limited.end?.reason).toBe("time-limit");
    const signal = AbortSignal.timeout(50);
    await expect(count(crawl(SITE, options({ fetcher: silent(), signal })))).rejects.toThrow("timeout");
    expect(readdirSync(place)).toEqual([]);
  });

  it("may be an async function that calls done, and may call it twice", async () => {
    const web = site();
    const fetcher = fetcherOf(async (request, done) => {
      const reply = await new Promise<Reply>((resolve) => web.fetch(request, resolve));
      done(reply);
      done(reply);
    });
    expect(await count(crawl(SITE, options({ fetcher })))).toBe(1);
  });

  it.each<[string, Parameters<typeof fetcherOf>[0], string]>([
    [
      "returns its answer in a promise",
      async () => ({ kind: "answer" }),
      "returned a promise; expected that it calls done",
    ],
    ["rejects", () => Promise.reject(new Error("no network")), "no network"],
    [
      "calls done with anything",
      (_, done) => done({ status: 200 } as unknown as Reply),
      "called done with something else",
    ],
    [
      "leaves out a part of its answer",
      (_, done) => done({ kind: "answer", status: 200, headers: {}, body: new Uint8Array() } as unknown as Reply),
      "called done with an answer whose truncated is undefined; expected true or false",
    ],
    [
      "answers with a text",
      (_, done) => done({ kind: "answer", status: 200, headers: {}, body: "<a>" } as unknown as Reply),
      'called done with an answer whose body is "<a>"; expected a Uint8Array',
    ],
    [
      "throws",
      () => {
        throw new Error("no network");
      },
      "no network",
    ],
  ])("that %s ends the crawl with a clear error", async (_, fetch, message) => {
    const place = temporaryPlace();
    await expect(count(crawl(SITE, options({ fetcher: fetcherOf(fetch) })))).rejects.toThrow(message);
    expect(readdirSync(place)).toEqual([]);
  });

  it("that cannot be closed is refused", async () => {
    const fetcher = { fetch: () => {} } as unknown as Fetcher;
    const refused = count(crawl(SITE, options({ fetcher })));
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow("the fetcher has no close");
  });

  it("that fails when it is closed leaves a directory that can be resumed", async () => {
    const dir = `${temporaryPlace()}/crawl`;
    const web = site();
    const fetcher: Fetcher = {
      fetch: (request, done) => web.fetch(request, done),
      close: () => Promise.reject(new Error("not closed")),
    };
    await expect(count(crawl(SITE, options({ fetcher, dir })))).rejects.toThrow("not closed");
    expect(await count(crawl(SITE, options({ dir })))).toBe(0);
  });
});

describe("what makes no sense", () => {
  type Wrong = { readonly [Name in keyof PagesOptions]?: unknown };
  const crawled = (urls: unknown, wrong: Wrong = {}): Promise<number> =>
    count(crawl(urls as string, { ...options(), ...wrong } as PagesOptions));

  it.each<[string, unknown, Wrong, string]>([
    ["no URLs", [], {}, "nothing to crawl: got an empty list; expected a URL"],
    ["nothing at all", undefined, {}, "nothing to crawl: got undefined; expected a URL"],
    ["a URL that is no string", [new URL(SITE)], {}, "a URL to crawl is an object; expected strings"],
    ["an order that is none", SITE, { makeOrder: () => undefined }, "the order that makeOrder has made is undefined"],
    ["half an order", SITE, { makeOrder: () => ({ name: "half", next: () => -1 }) }, "has no putBack, known, grow"],
    ["half a store", SITE, { crawlStore: { addVisit: () => {} } }, "the crawlStore has no settings, origins"],
    ["two places for the log", SITE, { dir: "x", crawlStore: new MemoryStore("{}") }, "cannot be used together"],
    [
      "a flag",
      SITE,
      { confidence: 0.99 },
      "confidence says how sure you want to be that a target is reached: give cov",
    ],
    ["a host of one's own", "http://127.0.0.1:1/", { fetcher: undefined }, "for your own hosts use allowPrivate"],
  ])("is told to a program: %s", async (_, urls, wrong, message) => {
    const place = temporaryPlace();
    const refused = crawled(urls, wrong);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    expect(readdirSync(place)).toEqual([]);
  });

  it.each<[keyof PagesOptions, unknown, string]>([
    ["signal", new AbortController(), "signal is an object; expected its signal (controller.signal)"],
    ["signal", "stop", 'signal is "stop"; expected an AbortSignal'],
    ["signal", { aborted: false }, "signal is an object; expected an AbortSignal"],
    ["signal", null, "signal is null; expected an AbortSignal"],
    ["readers", "2", 'readers is "2"; expected a number of threads; 0 reads pages in the calling one'],
    ["readers", -1, "readers is -1. Expected a whole number from 0 to 64"],
    ["readers", 1.5, "readers is 1.5. Expected a whole number from 0 to 64"],
    ["readers", 1e6, "readers is 1000000. Expected a whole number from 0 to 64"],
    ["onStatus", true, "onStatus is true; expected a function, (status) => void"],
    ["onEvent", {}, "onEvent is an object; expected a function, (event) => void"],
    ["accept", /x/, "accept is an object; expected a function, (page) => boolean"],
    ["transform", "html", 'transform is "html"; expected a function, (html, page) => html'],
    ["extract", ["title"], "extract is a list; expected a function, (page) => data"],
    ["valueOfPage", 1, "valueOfPage is 1; expected a function, (page) => number"],
    ["makeOrder", "rankmass", 'makeOrder is "rankmass"; expected a function, (context) => order'],
    ["dir", new URL("file:///tmp"), "dir is an object; expected the path of a directory, as a string"],
    ["dir", "", 'dir is ""; expected the path of a directory, as a string'],
    ["fetcher", fetch, "the fetcher is a function; expected an object with methods"],
    ["crawlStore", "crawl.sqlite", "the crawlStore is a string; expected an object with methods"],
    ["session", "token", "session is a string; expected an object with headers, credentials, cookies"],
    ["session", new Map(), "session is an object; expected an object with headers"],
    ["session", { cookie: [] }, 'session has no part "cookie"; expected headers, credentials, cookies'],
    ["session", { headers: { a: "b" } }, "session.headers is an object; expected a list of { origin, headers }"],
    ["session", { headers: ["a: b"] }, "session.headers[0] is a string; expected { origin, headers }"],
    [
      "session",
      { headers: [{ origin: SITE, headers: [] }] },
      'session.headers[0].origin is "http://site.example/"; expected an origin, such as https://www.example.com',
    ],
    [
      "session",
      { headers: [{ origin: "http://site.example", headers: [["X-Token", "a"]] }] },
      "session.headers[0].headers is a list; expected a list of names in lower case and values",
    ],
    [
      "session",
      { credentials: [{ origin: "http://site.example", user: "me", password: "p" }] },
      "session.credentials[0].secret is undefined; expected a string",
    ],
    ["session", { cookies: [{ name: "a", value: 1 }] }, "session.cookies[0].value is a number; expected a string"],
    [
      "session",
      { cookieOrigins: ["site.example"] },
      'session.cookieOrigins is a list with "site.example"; expected an',
    ],
    ["session", { keepsCookies: "no" }, 'session.keepsCookies is "no"; expected true or false'],
    ["hosts", new Map([["site.example", { delay: 1 }]]), 'hosts is "[object Map]". Expected'],
    ["scope", Object.create(null), "scope is an object. Expected"],
    ["include", [Object.create(null)], "include is a list of objects. Expected"],
  ])("is told to a program at once: %s is %o", async (name, wrong, message) => {
    const place = temporaryPlace();
    const web = site();
    const refused = crawled(SITE, { fetcher: web, [name]: wrong });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    expect([readdirSync(place), web.requested]).toEqual([[], []]);
  });

  it.each([null, "x", [], 5, new Map()])("are options that are no object: %o", async (wrong) => {
    const refused = count(crawl(SITE, wrong as PagesOptions));
    await expect(refused).rejects.toThrow(/^the options are .+; expected an object, such as \{ coverage: 0.9 \}$/);
    await expect(refused).rejects.toThrow(UsageError);
  });

  it("are URLs among the options, which would be ignored", async () => {
    const refused = count(crawl(SITE, { ...options(), urls: [SITE] } as PagesOptions));
    await expect(refused).rejects.toThrow("urls are the first argument of crawl: give them there");
  });

  it("never repeats a secret", async () => {
    const secret = "hunter2\n";
    for (const session of [
      { headers: [{ origin: "http://site.example", headers: [["x-token", secret]] }] },
      { cookies: [secret] },
      secret,
    ]) {
      await expect(crawled(SITE, { session })).rejects.toThrow(/^session(?!.*hunter2)/s);
    }
  });

  it("leaves what makes sense: a session of all parts, and a signal of another make", async () => {
    const origin = "http://site.example";
    const cookie = { name: "a", value: "b", domain: "site.example", path: "/", expiresMs: null };
    const session = {
      headers: [{ origin, headers: [["x-token", "a"]] }],
      credentials: [{ origin, user: "me", secret: "p" }],
      cookies: [{ ...cookie, hostOnly: true, secure: false, httpOnly: false }],
      cookieOrigins: [origin],
      keepsCookies: true,
    };
    const none = (): void => {};
    const signal = { aborted: false, addEventListener: none, removeEventListener: none, throwIfAborted: none };
    expect(await crawled(SITE, { session, signal, accept: undefined })).toBe(1);
  });

  it("is a page whose transform returns no HTML", async () => {
    const events: unknown[] = [];
    expect(await crawled(SITE, { transform: () => 42, onEvent: (event: unknown) => events.push(event) })).toBe(0);
    const error = new UsageError("transform returned a number; expected HTML, as a string");
    expect(events).toContainEqual(expect.objectContaining({ name: "hook-failed", hook: "transform", error }));
  });

  it("is a second crawl in a directory that is in use", async () => {
    const dir = `${temporaryPlace()}/crawl`;
    const [first, second] = await Promise.allSettled([crawled(SITE, { dir }), crawled(SITE, { dir })]);
    expect(first).toEqual({ status: "fulfilled", value: 1 });
    expect(second).toMatchObject({ status: "rejected", reason: expect.any(UsageError) });
    expect((second as PromiseRejectedResult).reason.message).toContain("is in use by another crawl");
  });
});
