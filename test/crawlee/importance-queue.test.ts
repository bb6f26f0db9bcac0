/** The queue as Crawlee uses it: what is handed out, when the crawl ends, which options are refused. */
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { forCrawlee4 } from "../../src/crawlee/index.ts";
import { FakeRequest, runFakeCrawler } from "./fake-crawler.ts";
import { queueOf, SEED, urlOf, visit } from "./visits.ts";

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

  it("requests without a target what has no importance too, when everything else is proved", async () => {
    const queue = queueOf();
    await queue.addRequest({ url: urlOf("/unlinked") });
    await visit(queue, []);
    expect(queue.certificate().coverage).toBe(1);
    expect(await visit(queue, [])).toBe(urlOf("/unlinked"));
    expect(await queue.isFinished()).toBe(true);
  });

  it("requests the seed as the user wants it", async () => {
    const queue = queueOf();
    await queue.addRequest(new FakeRequest({ url: SEED, label: "START" }));
    expect((await queue.fetchNextRequest())?.userData).toEqual({ label: "START" });
    expect(await queue.fetchNextRequest()).toBeNull();
  });

  it.each(["POST of the user", SEED.slice(0, -1)])(
    "requests the seed besides a POST to it under the key %s",
    async (uniqueKey) => {
      const queue = queueOf();
      await queue.addRequest(new FakeRequest({ url: SEED, method: "POST", uniqueKey }));
      const requests = [await queue.fetchNextRequest(), await queue.fetchNextRequest()];
      expect(requests.map((request) => `${request?.method} ${request?.url}`)).toEqual([`POST ${SEED}`, `GET ${SEED}`]);
      for (const request of requests) await queue.markRequestHandled(request!);
      expect(await queue.handledCount()).toBe(2);
      expect(await queue.isFinished()).toBe(true);
    },
  );

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

describe("mistakes", () => {
  it.each([
    [{ coverage: 90 }, "coverage is 90, expected a number above 0 and at most 1"],
    [{ coverage: Number.NaN }, "coverage is NaN"],
    [{ coverage: "0.9" as unknown as number }, 'coverage is "0.9"'],
    [{ damping: 1 }, "damping is 1, expected a number above 0 and below 1"],
    [{ seeds: [] }, "seeds is empty"],
    [{ covrage: 0.9 } as object, 'there is no option "covrage"; expected Request, seeds, coverage, order, damping.'],
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
