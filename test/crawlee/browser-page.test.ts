/** Which links a page in a browser has, whatever its handler does to it. Damping is 0.5. */
import { describe, expect, it } from "vitest";
import { queueOf, SEED, urlOf, visit } from "./visits.ts";

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
