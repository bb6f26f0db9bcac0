/**
 * The queue on small webs whose coverage is worked out by hand. Damping is 0.5: of the lives at a page, half end, half
 * go on. What flows to a page that was not fetched counts twice, for its lives may never come back.
 */
import { AsyncResource } from "node:async_hooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Random } from "../../src/base/index.ts";
import { forCrawlee4, ImportanceQueue, type ImportanceQueueOptions } from "../../src/crawlee/index.ts";
import { type FakeContext, FakeRequest, runFakeCrawler } from "./fake-crawler.ts";

const HOST = "http://a.example";
const SEED = `${HOST}/`;

function queueOf(options: Partial<ImportanceQueueOptions<FakeRequest>> = {}): ImportanceQueue<FakeRequest> {
  return new ImportanceQueue({ Request: FakeRequest, seeds: [SEED], damping: 0.5, ...options });
}

/** Hands out the next request, and brings back a page with these links, of which the handler takes some. */
async function visit(
  queue: ImportanceQueue<FakeRequest>,
  links: readonly string[],
  handle: (context: FakeContext) => unknown = () => queue.addRequestsBatched(links.map(urlOf)),
): Promise<string> {
  const request = await queue.fetchNextRequest();
  if (request === null) throw new Error("nothing was handed out");
  const body = links.map((link) => `<a href="${link}">x</a>`).join("");
  request.loadedUrl = request.url;
  await queue.handler(handle)({ request, response: { statusCode: 200 }, body, contentType: { type: "text/html" } });
  request.state = 4;
  await queue.markRequestHandled(request);
  return request.url;
}

const urlOf = (path: string) => new URL(path, SEED).href;

function watchWarnings() {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return warn;
}

describe("coverage", () => {
  it("counts half of the lives that the first of two pages sends on", async () => {
    const queue = queueOf();
    // 1/2 is at the seed; 1/8 goes to each of two pages, and counts 1/4.
    await visit(queue, ["/a", "/b"]);
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBeCloseTo(5 / 7);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBe(1);
    expect(await queue.isFinished()).toBe(true);
  });

  it("leaves out a link that the filter dropped, and counts it as the worst in the strict number", async () => {
    const queue = queueOf();
    await visit(queue, ["/a", "/dropped"], () => queue.addRequestsBatched([urlOf("/a")]));
    // 1/2 at the seed, 1/8 goes to /a and counts 1/4; what goes to /dropped is no part of the sum.
    expect(queue.certificate().coverage).toBeCloseTo(2 / 3);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBe(1);
    expect(queue.certificate().strict).toBeCloseTo(5 / 7);
  });

  it("counts the target of a dropped link once another page's link to it was taken", async () => {
    const queue = queueOf();
    await visit(queue, ["/a", "/b"], () => queue.addRequestsBatched([urlOf("/a")]));
    await visit(queue, ["/b"]);
    expect(queue.certificate().coverage).toBeLessThan(1);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBe(1);
  });

  it("counts a link back that was dropped, though its target is fetched", async () => {
    const queue = queueOf();
    await visit(queue, ["/a"]);
    await visit(queue, ["/", "/b"], () => queue.addRequestsBatched([urlOf("/b")]));
    await visit(queue, []);
    // 1/2 is at the seed, 1/4 at /a, 1/16 at /b; 1/16 took the link back, and counts 1/8.
    expect(queue.certificate().strict).toBeCloseTo(13 / 15);
  });

  it("takes what a handler requests for a link, though it stands in no HTML", async () => {
    const queue = queueOf();
    await visit(queue, [], () => queue.addRequestsBatched([urlOf("/from-data")]));
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
  });

  it("takes a link that is written in two ways, as Crawlee does, for one", async () => {
    const queue = queueOf();
    await visit(queue, ["/a", "/a/", "/b"], () => queue.addRequestsBatched([urlOf("/a"), urlOf("/b")]));
    await visit(queue, []);
    expect(queue.certificate().coverage).toBeCloseTo(5 / 7);
    expect(queue.certificate().strict).toBeCloseTo(5 / 7);
  });

  it("takes a request that does not fetch the page of its URL for no link", async () => {
    const queue = queueOf();
    const post = { url: urlOf("/search"), method: "POST" };
    const data = { url: urlOf("/data"), skipNavigation: true };
    await visit(queue, ["/a"], () => queue.addRequestsBatched([post, data, urlOf("/a")]));
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    // They go out first, and nothing is learnt from them.
    expect(await visit(queue, ["/x"], () => {})).toBe(post.url);
    expect(await visit(queue, ["/y"], () => {})).toBe(data.url);
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBe(1);
  });

  it("has a page whose handler threw, and does not know its links", async () => {
    const queue = queueOf();
    const failing = () => {
      throw new Error("by the user");
    };
    await expect(visit(queue, ["/a"], failing)).rejects.toThrow("by the user");
    const request = new FakeRequest({ url: SEED });
    request.state = 6;
    await queue.markRequestHandled(request);
    expect(queue.certificate()).toMatchObject({ downloaded: 1 });
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
  });

  it("remembers what an attempt took before it failed", async () => {
    const queue = queueOf();
    const failing = async () => {
      await queue.addRequestsBatched([urlOf("/a")]);
      throw new Error("by the user");
    };
    await expect(visit(queue, ["/a"], failing)).rejects.toThrow("by the user");
    const again = new FakeRequest({ url: SEED });
    again.retryCount = 1;
    await queue.reclaimRequest(again);
    // The seed waits behind the page that it has linked to.
    await visit(queue, []);
    await visit(queue, ["/a"], () => {});
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: 1 });
  });

  it("counts all dropped links as missing once one was taken too late, and says so once", async () => {
    const warn = watchWarnings();
    const queue = queueOf();
    let late = async (): Promise<unknown> => undefined;
    await visit(queue, ["/a", "/b"], () => {
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/a"), urlOf("/b")]));
    });
    expect(queue.certificate().coverage).toBe(1);
    await late();
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining("expected `await`")]);
  });

  it("knows no links where the handler is not wrapped, and says so once", async () => {
    const warn = watchWarnings();
    const queue = queueOf();
    await queue.addRequestsBatched([urlOf("/a")]);
    for (let request = await queue.fetchNextRequest(); request !== null; request = await queue.fetchNextRequest()) {
      request.state = 4;
      await queue.markRequestHandled(request);
    }
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining("queue.handler(...)")]);
  });

  it("does not know the links of a page that is too large to be read", async () => {
    const queue = queueOf();
    const many = Array.from({ length: 1_000_001 }, () => "/a");
    await visit(queue, many, () => queue.addRequestsBatched([urlOf("/a")]));
    await visit(queue, []);
    expect(queue.certificate().coverage).toBeLessThan(1);
  });

  it("says what is missing, and why", async () => {
    const queue = queueOf();
    await visit(queue, ["/a"]);
    expect(queue.missing()).toMatchObject([{ reason: "not-fetched" }]);
  });
});

describe("the crawl", () => {
  it("ends at the coverage that was asked for, with requests waiting", async () => {
    const links: Record<string, string[]> = { "/": ["/a", "/b", "/c", "/d"], "/a": [], "/b": [], "/c": [], "/d": [] };
    const queue = queueOf({ coverage: 0.59 });
    const requested = await runFakeCrawler({
      queue,
      random: new Random(1),
      answer: ({ url }) => ({
        status: 200,
        html: links[new URL(url).pathname].map((link) => `<a href="${link}">x</a>`).join(""),
        loadedUrl: url,
      }),
      handle: ({ request }) => queue.addRequestsBatched(links[new URL(request.url).pathname].map(urlOf)),
    });
    expect(queue.coverage).toBeGreaterThanOrEqual(0.59);
    expect(new Set(requested).size).toBe(2);
    expect(queue.getTotalCount()).toBe(5);
  });

  it("requests the seed as the user wants it", async () => {
    const queue = queueOf();
    await queue.addRequest(new FakeRequest({ url: SEED, label: "START" }));
    expect((await queue.fetchNextRequest())?.userData).toEqual({ label: "START" });
    expect(await queue.fetchNextRequest()).toBeNull();
  });

  it("hands out the page that most lives arrive at", async () => {
    const queue = queueOf();
    await visit(queue, ["/a", "/b", "/hub"]);
    await visit(queue, ["/hub"]);
    expect(await visit(queue, [])).toBe(urlOf("/hub"));
  });

  it("counts as pending what is in flight only, so that a limit of requests leaves a choice", async () => {
    const queue = queueOf();
    const { addedRequests, requestsOverLimit } = await queue.addRequestsBatched(["/a", "/b", "/c"].map(urlOf), {
      maxNewRequests: 2,
    });
    expect(addedRequests.map(({ wasAlreadyPresent }) => wasAlreadyPresent)).toEqual([false, false]);
    expect(requestsOverLimit).toEqual([{ url: urlOf("/c") }]);
    expect(queue.getPendingCount()).toBe(0);
    await queue.fetchNextRequest();
    expect(queue.getPendingCount()).toBe(1);
  });

  it("requests a page that a limit kept out, once it may", async () => {
    const queue = queueOf();
    await visit(queue, ["/a"], () => queue.addRequestsBatched([urlOf("/a")], { maxNewRequests: 0 }));
    expect(await queue.fetchNextRequest()).toBeNull();
    await queue.addRequestsBatched([urlOf("/a")]);
    expect(await visit(queue, [])).toBe(urlOf("/a"));
    expect(queue.certificate().coverage).toBe(1);
  });

  it("takes what a handler adds to another queue for no link of its page", async () => {
    const [queue, other] = [queueOf(), queueOf()];
    await visit(queue, ["/a"], () => other.addRequestsBatched([urlOf("/a")]));
    expect(queue.certificate()).toMatchObject({ coverage: 1 });
    expect(queue.certificate().strict).toBeCloseTo(0.5);
  });

  it("hands out again what Crawlee puts off", async () => {
    const queue = queueOf();
    const request = await queue.fetchNextRequest();
    await queue.reclaimRequest(request!);
    expect(await queue.isFinished()).toBe(false);
    expect(await queue.fetchNextRequest()).toBe(request);
  });

  it("lets Crawlee find the schemas of a router behind its handler", () => {
    const router = Object.assign(async () => {}, { getSchema: () => "schema" });
    expect((queueOf().handler(router) as unknown as typeof router).getSchema()).toBe("schema");
  });

  it("has the names and promises of Crawlee 4", async () => {
    const queue = queueOf();
    const manager = forCrawlee4(queue);
    await manager.addRequest({ url: urlOf("/a") });
    expect(await manager.getTotalCount()).toBe(2);
    const request = await manager.fetchNextRequest();
    expect(await manager.getPendingCount()).toBe(1);
    expect(await manager.reclaimRequest(request!)).toMatchObject({ wasAlreadyHandled: false });
    for await (const each of manager) await manager.markRequestAsHandled(each);
    expect(await manager.getHandledCount()).toBe(2);
    expect(await manager.isEmpty()).toBe(true);
    expect(await manager.isFinished()).toBe(true);
  });
});

describe("a page in a browser", () => {
  /** What is used of Playwright's page; the handler may change it. */
  class FakePage {
    html = '<a href="/early">x</a>';
    shadow: unknown[] = [];
    address = SEED;
    isClosed = false;

    async content(): Promise<string> {
      if (this.isClosed) throw new Error("Target page, context or browser has been closed");
      return this.html;
    }
    async $$eval(): Promise<unknown[]> {
      return this.shadow;
    }
    url(): string {
      return this.address;
    }
  }

  async function strictAfter(handle: (page: FakePage) => void): Promise<number> {
    const queue = queueOf();
    const page = new FakePage();
    const request = (await queue.fetchNextRequest())!;
    request.loadedUrl = SEED;
    const response = { status: () => 200 };
    const context = { request, response, page };
    await queue.handler<typeof context>(() => handle(page))(context);
    await queue.markRequestHandled(request);
    const { coverage, strict, rankInside } = queue.certificate();
    expect({ coverage, rankInside }).toEqual({ coverage: 1, rankInside: expect.closeTo(0.5) });
    return strict;
  }

  it("has the links that the handler brought in, those of shadow roots too", async () => {
    const queue = queueOf();
    const page = new FakePage();
    page.shadow = [urlOf("/shadow"), "", { baseVal: "/picture" }];
    const request = (await queue.fetchNextRequest())!;
    request.loadedUrl = SEED;
    const handle = async () => {
      page.html += '<a href="/late">x</a>';
      page.address = `${SEED}#scrolled`;
      await queue.addRequestsBatched([urlOf("/early")]);
    };
    const context = { request, response: { status: () => 200 }, page };
    await queue.handler<typeof context>(handle)(context);
    await queue.markRequestHandled(request);
    await visit(queue, []);
    // 1/2 is at the seed, 1/12 at /early; 1/6 took links that were dropped, and counts 1/3.
    expect(queue.certificate().strict).toBeCloseTo(7 / 11);
  });

  it("has those that were there before the handler closed the page or left it", async () => {
    const closed = await strictAfter((page) => {
      page.isClosed = true;
    });
    const left = await strictAfter((page) => {
      page.address = urlOf("/elsewhere");
      page.html = "";
    });
    expect([closed, left]).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
  });
});

describe("mistakes", () => {
  it.each([
    [{ coverage: 90 }, "coverage is 90, expected a number above 0 and at most 1"],
    [{ coverage: Number.NaN }, "coverage is NaN"],
    [{ coverage: "0.9" as unknown as number }, 'coverage is "0.9"'],
    [{ damping: 1 }, "damping is 1, expected a number above 0 and below 1"],
    [{ seeds: [] }, "seeds is empty"],
    [{ seeds: "http://a.example/" as unknown as string[] }, 'seeds is "http://a.example/", expected a list'],
    [{ seeds: ["a.example"] }, 'the seed "a.example" is no web address'],
    [{ order: "rankmas" }, "Did you mean"],
    [
      { Request: undefined as never },
      "Request is undefined, expected the class of Crawlee: install Crawlee (npm install",
    ],
    [{ Request: globalThis.Request as never }, "Request is the class of fetch"],
    [{ Request: Map as never }, "Request makes objects without a uniqueKey"],
    [{ Request: (() => ({})) as never }, "Request makes objects without a uniqueKey"],
  ])("refuses %o with a clear error", (options, message) => {
    expect(() => queueOf(options)).toThrow(expect.objectContaining({ name: "UsageError" }));
    expect(() => queueOf(options)).toThrow(message);
  });

  it("refuses the crawler that adds links after its handlers have ended", async () => {
    const queue = queueOf();
    const request = (await queue.fetchNextRequest())!;
    const context = { request, querySelector: () => {} };
    const handling = queue.handler<typeof context>(() => {})(context);
    await expect(handling).rejects.toThrow("expected a PlaywrightCrawler or a CheerioCrawler");
  });

  it("refuses a request without a URL", async () => {
    await expect(queueOf().addRequest({})).rejects.toThrow("a request without a url was added; expected a URL");
  });
});
