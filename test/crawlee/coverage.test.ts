/**
 * What the queue proves on small webs, worked out by hand. Damping is 0.5: of the lives at a page, half end, half go on.
 * What flows to a page that was not fetched counts twice, for its lives may never come back.
 */
import { describe, expect, it } from "vitest";
import { FakeRequest } from "./fake-crawler.ts";
import { queueOf, SEED, urlOf, visit, watchWarnings } from "./visits.ts";

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

  it("is known as of the last look, without a target too", async () => {
    const queue = queueOf();
    await visit(queue, ["/a"]);
    expect(queue.coverage).toBeCloseTo(0.5);
    await visit(queue, []);
    expect(queue.coverage).toBe(1);
  });

  it("says what is missing, and why", async () => {
    const queue = queueOf();
    await visit(queue, ["/a"]);
    expect(queue.missing()).toMatchObject([{ reason: "not-fetched" }]);
  });
});
