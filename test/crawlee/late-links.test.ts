/**
 * Links that are taken when their page was already counted without them: then its links are unknown. Damping is 0.5, so
 * a seed whose links are unknown has half of all importance, and what flows on may never come back.
 */
import { AsyncResource } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { queueOf, SEED, urlOf, visit, watchWarnings } from "./visits.ts";

describe("a link that a handler adds after its page was counted", () => {
  it("makes the links of the page unknown if it counts as dropped, and a warning says so once", async () => {
    const warn = watchWarnings();
    const queue = queueOf();
    let late = async (): Promise<unknown> => undefined;
    await visit(queue, ["/a", "/b"], () => {
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/a"), urlOf("/b")]));
    });
    expect(queue.certificate().coverage).toBe(1);
    await late();
    expect(queue.certificate()).toMatchObject({ coverage: expect.closeTo(0.5), strict: expect.closeTo(0.5) });
    expect(queue.coverage).toBeCloseTo(0.5);
    expect(queue.missing()).toMatchObject([{ reason: "links-unknown" }]);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining("expected `await`")]);
  });

  it("does so if it stands in no HTML, and is requested though the target was reached", async () => {
    const warn = watchWarnings();
    const queue = queueOf({ coverage: 0.9 });
    let late = async (): Promise<unknown> => undefined;
    await visit(queue, ["/a"], async () => {
      await queue.addRequestsBatched([urlOf("/a")]);
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/from-data")]));
    });
    await visit(queue, []);
    expect(await queue.isFinished()).toBe(true);
    await late();
    expect(queue.certificate()).toMatchObject({ coverage: expect.closeTo(0.5), strict: expect.closeTo(0.5) });
    expect(await queue.isFinished()).toBe(false);
    expect(await visit(queue, [])).toBe(urlOf("/from-data"));
    expect(queue.certificate().coverage).toBeLessThan(0.9);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("does so until another request of the page has run to its end", async () => {
    watchWarnings();
    const queue = queueOf();
    let late = async (): Promise<unknown> => undefined;
    await visit(queue, ["/a", "/b"], () => {
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/a")]));
    });
    await late();
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
    await queue.addRequest({ url: SEED, uniqueKey: "again" } as { url: string });
    await visit(queue, ["/a", "/b"], () => {});
    // 1/4 went to /a, and counts 1/2; what went to /b has ended.
    expect(queue.certificate().coverage).toBeCloseTo(0.5 / 0.75);
    await visit(queue, []);
    expect(queue.certificate()).toMatchObject({ coverage: 1, downloaded: 2 });
  });

  it("does so for an attempt that has timed out, when the next one was counted", async () => {
    watchWarnings();
    const queue = queueOf();
    let late = async (): Promise<unknown> => undefined;
    const request = (await queue.fetchNextRequest())!;
    const context = { request, response: { statusCode: 200 }, body: "", contentType: { type: "text/html" } };
    await queue.handler(() => {
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/from-data")]));
    })(context);
    request.retryCount = 1;
    await queue.reclaimRequest(request);
    await visit(queue, []);
    expect(queue.certificate().coverage).toBe(1);
    await late();
    expect(queue.certificate().coverage).toBeCloseTo(0.5);
  });

  it("changes nothing if the page was counted with it", async () => {
    const warn = watchWarnings();
    const queue = queueOf({ coverage: 0.9 });
    let late = async (): Promise<unknown> => undefined;
    await visit(queue, ["/a"], async () => {
      await queue.addRequestsBatched([urlOf("/a")]);
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/a"), SEED]));
    });
    await visit(queue, []);
    await late();
    expect(queue.certificate()).toMatchObject({ coverage: 1, strict: 1 });
    expect(await queue.isFinished()).toBe(true);
    expect(warn).not.toHaveBeenCalled();
  });

  it("leaves what is known of other pages: dead ones, redirects, those that are refused or not fetched", async () => {
    watchWarnings();
    const queue = queueOf();
    let late = async (): Promise<unknown> => undefined;
    const outcomes = async () => {
      for (let request = await queue.fetchNextRequest(); request !== null; request = await queue.fetchNextRequest()) {
        const path = new URL(request.url).pathname;
        request.state = path === "/robots" ? 7 : path === "/failed" ? 6 : 4;
        const statusCode = path === "/dead" ? 404 : 200;
        const loaded = path === "/moved" ? urlOf("/end") : request.url;
        const context = { request, response: { statusCode }, body: "", contentType: { type: "text/html" } };
        request.loadedUrl = path === "/robots" ? undefined : loaded;
        if (request.state === 4) await queue.handler(() => {})(context);
        await queue.markRequestHandled(request);
      }
    };
    const paths = ["/late", "/dead", "/moved", "/robots", "/failed", "/page", "/waits"];
    await visit(queue, paths, () => queue.addRequestsBatched(paths.map(urlOf), { maxNewRequests: 6 }));
    await visit(queue, [], () => {
      late = AsyncResource.bind(() => queue.addRequestsBatched([urlOf("/page")]));
    });
    await outcomes();
    const before = queue.certificate();
    await late();
    // 1/2 is at the seed, 1/28 at each of 7 pages; of those at /late, half go on, and may never come back.
    const after = queue.certificate();
    expect(after).toMatchObject({ downloaded: before.downloaded, rankInside: expect.closeTo(before.rankInside) });
    expect(rankAtMost(after) - rankAtMost(before)).toBeCloseTo(1 / 28);
  });
});

/** The largest sum of ranks that a certificate leaves open. */
function rankAtMost({ rankInside, coverage }: { readonly rankInside: number; readonly coverage: number }): number {
  return rankInside / coverage;
}
