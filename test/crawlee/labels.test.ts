/**
 * Handlers that differ by the label of a request take different links of the same page. All of them are its links.
 * Damping is 0.5.
 */
import { describe, expect, it } from "vitest";
import type { ImportanceQueue } from "../../src/crawlee/index.ts";
import type { FakeContext, FakeRequest } from "./fake-crawler.ts";
import { queueOf, urlOf, visit, watchWarnings } from "./visits.ts";

/** Takes links only of requests with a label. */
function takesIfLabelled(queue: ImportanceQueue<FakeRequest>, links: readonly string[]) {
  return ({ request }: FakeContext) =>
    "label" in request.userData && request.userData.label === "LIST"
      ? queue.addRequestsBatched(links.map(urlOf))
      : undefined;
}

describe("the end of a redirect", () => {
  it("is left to its own request while that one waits, for its handler may be another", async () => {
    const queue = queueOf({ coverage: 0.9 });
    const list = { url: urlOf("/list"), label: "LIST" };
    await visit(queue, ["/moved", "/list"], () => queue.addRequestsBatched([urlOf("/moved"), list]));
    const handle = takesIfLabelled(queue, ["/d1", "/d2"]);
    expect(await visit(queue, ["/d1", "/d2"], handle, urlOf("/list"))).toBe(urlOf("/moved"));
    // 1/2 is at the seed; 1/4 goes to /list, and counts 1/2.
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    expect(await queue.isFinished()).toBe(false);
    expect(await visit(queue, ["/d1", "/d2"], handle)).toBe(urlOf("/list"));
    // 1/4 is at /list; 1/16 goes to each of two pages, and counts 1/8.
    expect(queue.certificate()).toMatchObject({ coverage: expect.closeTo(0.75), strict: expect.closeTo(0.75) });
    await visit(queue, []);
    await visit(queue, []);
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: 1 });
  });

  it("is requested once more by a request that is added later, though the target was reached", async () => {
    const warn = watchWarnings();
    const queue = queueOf({ coverage: 0.6 });
    await visit(queue, ["/a", "/d1"], () => queue.addRequestsBatched([urlOf("/a")]), urlOf("/list"));
    // 1/2 is at /list; 1/8 goes to /a, and counts 1/4; what went to /d1 has ended.
    expect(queue.certificate().coverage).toBeCloseTo(2 / 3);
    expect(await queue.isFinished()).toBe(true);
    await queue.addRequest({ url: urlOf("/list"), label: "LIST" } as { url: string });
    expect(await visit(queue, ["/a", "/d1"], takesIfLabelled(queue, ["/d1"]))).toBe(urlOf("/list"));
    // Now 1/8 goes to /d1, too.
    expect(queue.certificate().coverage).toBeCloseTo(1 / 2);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBeCloseTo(5 / 7);
    expect(await queue.isFinished()).toBe(true);
    expect(warn).not.toHaveBeenCalled();
  });

  it("has the links of each request that leads there, whichever comes first", async () => {
    const queue = queueOf();
    await visit(queue, ["/old", "/older"]);
    await visit(queue, ["/d1", "/d2"], () => queue.addRequestsBatched([urlOf("/d1")]), urlOf("/list"));
    const other = () => queue.addRequestsBatched([urlOf("/d2")]);
    expect(await visit(queue, ["/d1", "/d2"], other, urlOf("/list"))).toBe(urlOf("/older"));
    await visit(queue, []);
    await visit(queue, []);
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: 1, downloaded: 4 });
  });

  it("has the links that the redirecting request took besides", async () => {
    const queue = queueOf();
    await visit(queue, ["/moved", "/list"]);
    await visit(queue, ["/d1"], () => queue.addRequestsBatched([urlOf("/d1")]), urlOf("/list"));
    await visit(queue, ["/d1"], () => {});
    // 1/2 is at the seed, 1/4 at /list; 1/8 goes to /d1, and counts 1/4.
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
  });

  it("is the page of a request that is added later for another way to write its URL", async () => {
    const queue = queueOf();
    await visit(queue, ["/moved"]);
    await visit(queue, ["/d1"], () => {}, urlOf("/list"));
    await queue.addRequest({ url: urlOf("/list/") });
    expect(await visit(queue, ["/d1"])).toBe(urlOf("/list/"));
    // 1/2 is at the seed, 1/4 at /list; 1/8 goes to /d1, and counts 1/4.
    expect(queue.certificate()).toMatchObject({ downloaded: 2, coverage: expect.closeTo(0.75) });
  });

  it("is the page itself where two redirect to each other", async () => {
    const queue = queueOf();
    await visit(queue, ["/a", "/b"]);
    const first = await visit(queue, ["/c"], () => {}, urlOf("/b"));
    expect(first).toBe(urlOf("/a"));
    await visit(queue, ["/c"], undefined, urlOf("/a"));
    // 1/2 is at the seed, 1/4 at /b; 1/8 goes to /c, and counts 1/4.
    expect(queue.certificate()).toMatchObject({ downloaded: 2, coverage: expect.closeTo(0.75) });
    await visit(queue, []);
    expect(queue.certificate()).toMatchObject({ downloaded: 3, coverage: 1 });
  });
});

describe("a link beyond the crawler's limit", () => {
  it("leads to the page of a request that is added later for another way to write its URL", async () => {
    const queue = queueOf();
    await visit(queue, ["/p"], () => queue.addRequestsBatched([urlOf("/p")], { maxNewRequests: 0 }));
    await queue.addRequest({ url: urlOf("/p/") });
    expect(await visit(queue, [])).toBe(urlOf("/p/"));
    expect(queue.certificate()).toMatchObject({ downloaded: 2, coverage: 1 });
  });
});

describe("two requests of one URL under different keys", () => {
  it("take the links of one page", async () => {
    const queue = queueOf();
    const again = { url: urlOf("/p"), uniqueKey: "p again", label: "LIST" };
    await visit(queue, ["/p"], () => queue.addRequestsBatched([urlOf("/p"), again]));
    await visit(queue, ["/d1"], takesIfLabelled(queue, ["/d1"]));
    await visit(queue, ["/d1"], takesIfLabelled(queue, ["/d1"]));
    // 1/2 is at the seed, 1/4 at /p; 1/8 goes to /d1, and counts 1/4.
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
    await visit(queue, []);
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: 1 });
  });

  it("are both counted though the page was counted without the links of the second", async () => {
    const warn = watchWarnings();
    const queue = queueOf({ coverage: 0.9 });
    await visit(queue, ["/p"]);
    await visit(queue, ["/d1", "/d2"], takesIfLabelled(queue, ["/d1"]));
    expect(await queue.isFinished()).toBe(true);
    await queue.addRequest({ url: urlOf("/p"), uniqueKey: "p again", label: "LIST" } as { url: string });
    await visit(queue, ["/d1", "/d2"], takesIfLabelled(queue, ["/d1"]));
    // 1/2 is at the seed, 1/4 at /p; 1/16 goes to /d1, and counts 1/8; 1/16 went to /d2, and ended there.
    expect(queue.certificate().coverage).toBeCloseTo(0.75 / (0.75 + 1 / 8));
    expect(await visit(queue, [])).toBe(urlOf("/d1"));
    expect(queue.certificate()).toMatchObject({ coverage: 1, downloaded: 3 });
    expect(warn).not.toHaveBeenCalled();
  });

  it("leave the links of the page unknown if the handler of the second throws after it took some", async () => {
    const queue = queueOf();
    await visit(queue, ["/p"]);
    await visit(queue, ["/d1"], () => {});
    await queue.addRequest({ url: urlOf("/p"), uniqueKey: "p again" } as { url: string });
    const request = (await queue.fetchNextRequest())!;
    const takesAndThrows = queue.handler(async () => {
      await queue.addRequestsBatched([urlOf("/d1")]);
      throw new Error("after it took a link");
    });
    const context = { request, response: { statusCode: 200 }, body: "", contentType: { type: "text/html" } };
    await expect(takesAndThrows(context)).rejects.toThrow("after it took a link");
    await queue.markRequestHandled(request);
    expect(await visit(queue, [])).toBe(urlOf("/d1"));
    expect(queue.missing()).toMatchObject([{ reason: "links-unknown" }]);
  });
});
