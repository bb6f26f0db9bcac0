/** A crawl whose pages are read on threads knows of them what one knows that reads them itself. */
import { describe, expect, it } from "vitest";
import { launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { fatesIn, InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";

const SITE = "http://site.example/";

describe("a crawl with readers on threads", () => {
  it("takes links to the place where a seed has led", async () => {
    const pages: Record<string, Served> = {
      [SITE]: { redirect: "http://www.moved.test/" },
      "http://www.moved.test/": '<a href="/a">a</a><a href="http://other.test/">o</a>',
      "http://www.moved.test/a": '<a href="/b">b</a>',
      "http://www.moved.test/b": "b",
    };
    const settings = inlineSettings([SITE], {});
    const store = new MemoryStore(JSON.stringify(settings));
    const fetcher = new InlineWeb(({ href }) => pages[href]);
    await (await launchCrawl({ settings, store, fetcher, readers: 2 })).run();
    const downloaded = [...fatesIn(store)].flatMap(([url, { outcome }]) => (outcome === "downloaded" ? [url] : []));
    expect(downloaded.sort()).toEqual(Object.keys(pages).slice(1).sort());
  });

  it("keeps digests, and refuses new addresses on the 21st copy of one content", async () => {
    // A page that answers to every address, with addresses of its own: without the rule there is no end.
    const web = () =>
      new InlineWeb(({ pathname }) =>
        pathname === "/robots.txt" ? undefined : '<a href="a/">a</a><a href="b/">b</a><a href="c/">c</a>',
      );
    const outcomes = [];
    for (const readers of [0, 1]) {
      const settings = inlineSettings([SITE], { limits: { pages: 500 } });
      const store = new MemoryStore(JSON.stringify(settings));
      const crawl = await launchCrawl({ settings, store, fetcher: web(), readers });
      expect((await crawl.run()).reason).toBe("frontier-empty");
      const fates = [...fatesIn(store).values()];
      const downloaded = fates.filter(({ outcome }) => outcome === "downloaded");
      expect(downloaded.every(({ digest }) => digest !== null)).toBe(true);
      outcomes.push(fates.map(({ outcome, why }) => why ?? outcome).sort());
    }
    expect(outcomes[0]).toContain("trap:identical-content");
    expect(outcomes[1]).toEqual(outcomes[0]);
  });
});
