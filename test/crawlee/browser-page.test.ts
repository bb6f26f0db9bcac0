/** Which links a page in a browser has, whatever its handler does to it. Damping is 0.5. */
import { describe, expect, it } from "vitest";
import type { Certificate } from "../../src/coverage/index.ts";
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

  /** What is proved of a page whose handler brings in three links, takes the first one and does something else. */
  async function certificateAfter(handle: (page: FakePage) => void): Promise<Certificate> {
    const queue = queueOf();
    const page = new FakePage();
    const request = (await queue.fetchNextRequest())!;
    request.loadedUrl = SEED;
    const context = { request, response: { status: () => 200 }, page };
    const handler = queue.handler<typeof context>(async () => {
      page.html += '<a href="/x">x</a><a href="/y">x</a><a href="/z">x</a>';
      await queue.addRequestsBatched([urlOf("/early")]);
      handle(page);
    });
    await handler(context);
    await queue.markRequestHandled(request);
    await visit(queue, []);
    return queue.certificate();
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

  it("has links that are unknown once the handler has closed the page or left it", async () => {
    // 1/2 is at the seed, 1/16 at /early; 3/16 took links that were dropped, and counts 3/8.
    expect(await certificateAfter(() => {})).toMatchObject({ coverage: 1, strict: expect.closeTo(0.6) });
    const closed = await certificateAfter((page) => {
      page.isClosed = true;
    });
    const left = await certificateAfter((page) => {
      page.address = urlOf("/elsewhere");
    });
    const unknown = { coverage: expect.closeTo(0.5), strict: expect.closeTo(0.5) };
    expect([closed, left]).toMatchObject([unknown, unknown]);
  });
});
