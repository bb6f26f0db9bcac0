/**
 * Requests of which nobody knows which page they are from: a timer, an event, a list that handlers share. They may be
 * links of the pages that seem to have dropped them. Damping is 0.5, so a seed whose links are unknown has half of all
 * importance.
 */
import { AsyncResource } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { type FakeContext, FakeRequest } from "./fake-crawler.ts";
import { queueOf, SEED, urlOf, visit, watchWarnings } from "./visits.ts";

const UNKNOWN = { coverage: expect.closeTo(0.5), strict: expect.closeTo(0.5) };

describe("a request that is added outside of all handlers", () => {
  it("makes the links of a page unknown that was counted without it, and a warning says so once", async () => {
    const warn = watchWarnings();
    const queue = queueOf();
    const shared: string[] = [];
    await visit(queue, ["/a", "/b"], () => shared.push("/a", "/b"));
    expect(queue.certificate().coverage).toBe(1);
    await queue.addRequestsBatched(shared.map(urlOf));
    expect(queue.certificate()).toMatchObject(UNKNOWN);
    expect(queue.coverage).toBeCloseTo(0.5);
    expect(queue.missing()).toMatchObject([{ reason: "links-unknown" }]);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining("outside of the request handlers")]);
  });

  it("does so if it comes before the page is counted, but not if the handler takes it, too", async () => {
    watchWarnings();
    for (const isTaken of [false, true]) {
      const queue = queueOf();
      const outside = new AsyncResource("outside");
      await visit(queue, ["/a"], async () => {
        await outside.runInAsyncScope(() => queue.addRequest({ url: urlOf("/a") }));
        if (isTaken) await queue.addRequest({ url: urlOf("/a") });
      });
      await visit(queue, []);
      expect(queue.certificate()).toMatchObject(isTaken ? { coverage: 1, strict: 1 } : UNKNOWN);
    }
  });

  it("does so if its URL was requested before, and if it is written in another way", async () => {
    watchWarnings();
    const queue = queueOf();
    await visit(queue, ["/a"]);
    // 1/2 is at the seed, 1/4 at /a; what takes the link back counts as dropped.
    await visit(queue, ["/b"], () => {});
    expect(queue.certificate().coverage).toBe(1);
    await queue.addRequestsBatched([urlOf("/b/")]);
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
  });

  it("makes the crawl go on that had reached its target", async () => {
    watchWarnings();
    const queue = queueOf({ coverage: 0.9 });
    await visit(queue, ["/a", "/b"], () => {});
    expect(await queue.isFinished()).toBe(true);
    await queue.addRequest({ url: urlOf("/a") });
    expect(await queue.isFinished()).toBe(false);
    expect(await visit(queue, [])).toBe(urlOf("/a"));
  });

  it("changes nothing for pages that do not link to it, or have taken it, and if it was there from the start", async () => {
    const warn = watchWarnings();
    const queue = queueOf();
    await queue.addRequestsBatched([SEED, urlOf("/start")]);
    await visit(queue, ["/start", "/a", "/b"], () => queue.addRequestsBatched([urlOf("/a")]));
    await queue.addRequestsBatched([urlOf("/a"), urlOf("/from-data")]);
    await queue.addRequest({ url: urlOf("/b"), method: "POST" } as { url: string });
    // 1/2 at the seed; 1/12 goes to /a and counts 1/6. The links to /start and /b were dropped.
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
    expect(warn).not.toHaveBeenCalled();
  });

  it("leaves the links of a page unknown until a handler takes it there", async () => {
    watchWarnings();
    const queue = queueOf();
    await visit(queue, ["/a", "/b"], () => {});
    await queue.addRequest({ url: urlOf("/a") });
    await visit(queue, []);
    for (const taken of ["/b", "/a"]) {
      expect(queue.certificate().coverage).toBeCloseTo(0.5);
      await queue.addRequest({ url: SEED, uniqueKey: `for ${taken}` } as { url: string });
      await visit(queue, ["/a", "/b"], () => queue.addRequest({ url: urlOf(taken) }));
    }
    await visit(queue, []);
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: 1, downloaded: 3 });
  });
});

describe("a timer that a handler has started and that outlives it", () => {
  it("makes the links of other pages unknown, too, for which it may add requests", async () => {
    watchWarnings();
    const queue = queueOf();
    let timer = async (_url: string): Promise<unknown> => undefined;
    await visit(queue, ["/a", "/c"]);
    await visit(queue, ["/b"], () => {});
    await visit(queue, [], () => {
      timer = AsyncResource.bind((url: string) => queue.addRequest({ url }));
    });
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: expect.closeTo(6 / 7) });
    await timer(urlOf("/b"));
    // 1/2 is at the seed, 1/8 at each of /a and /c, and as much goes on from both.
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
  });

  it("makes the links of its own page unknown if the attempt failed, unless a later one takes them", async () => {
    watchWarnings();
    for (const isTaken of [false, true]) {
      const queue = queueOf();
      let timer = async (): Promise<unknown> => undefined;
      const request = (await queue.fetchNextRequest())!;
      const handle = queue.handler<FakeContext>(() => {
        timer = AsyncResource.bind(() => queue.addRequest({ url: urlOf("/from-data") }));
      });
      await handle({ request, response: { statusCode: 200 }, body: "", contentType: { type: "text/html" } });
      const again = new FakeRequest({ url: SEED });
      again.retryCount = 1;
      await queue.reclaimRequest(again);
      await timer();
      const takes = ({ request: { url } }: FakeContext) =>
        isTaken && url === SEED ? queue.addRequest({ url: urlOf("/from-data") }) : undefined;
      await visit(queue, [], takes);
      await visit(queue, [], takes);
      expect(queue.certificate()).toMatchObject(isTaken ? { coverage: 1, strict: 1 } : UNKNOWN);
    }
  });
});
