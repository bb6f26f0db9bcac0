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

  it("has the links that the redirecting request took besides", async () => {
    const queue = queueOf();
    await visit(queue, ["/moved", "/list"]);
    await visit(queue, ["/d1"], () => queue.addRequestsBatched([urlOf("/d1")]), urlOf("/list"));
    await visit(queue, ["/d1"], () => {});
    // 1/2 is at the seed, 1/4 at /list; 1/8 goes to /d1, and counts 1/4.
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
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

  it("make the links of the page unknown if it was counted without those of the second", async () => {
    const warn = watchWarnings();
    const queue = queueOf({ coverage: 0.9 });
    await visit(queue, ["/p"]);
    await visit(queue, ["/d1"], takesIfLabelled(queue, ["/d1"]));
    expect(await queue.isFinished()).toBe(true);
    await queue.addRequest({ url: urlOf("/p"), uniqueKey: "p again", label: "LIST" } as { url: string });
    await visit(queue, ["/d1"], takesIfLabelled(queue, ["/d1"]));
    expect(queue.certificate().coverage).toBeCloseTo(0.75);
    expect(await visit(queue, [])).toBe(urlOf("/d1"));
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining("one request per URL")]);
  });
});
