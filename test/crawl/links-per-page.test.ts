/** A page of more links than a crawl takes: distinct pages count, not what is written. */
import { describe, expect, it } from "vitest";
import { crawlInline, InlineWeb } from "../support/inline-web.ts";

const SEED = "http://site.example/";

async function seedWith(html: string, linksPerPageMax?: number) {
  const web = new InlineWeb(({ pathname }) => (pathname === "/" ? html : undefined));
  const changes = linksPerPageMax === undefined ? {} : { web: { linksPerPageMax } };
  const { fates, store } = await crawlInline(web, [SEED], changes);
  const { outcome, detail, links } = fates.get(SEED) ?? {};
  return { outcome, detail, links: links?.length, urls: [...store.urls()].length };
}

describe("the links of a page", () => {
  it("are all taken, however often each is written and whatever part of a page it names", async () => {
    // As the index of a manual has it: 20,000 entries for 400 pages.
    const entries = Array.from({ length: 20_000 }, (_, k) => `<a href="/page${k % 400}#entry${k}">entry</a>`);
    expect(await seedWith(entries.join(""))).toEqual({ outcome: "downloaded", detail: null, links: 400, urls: 401 });
  });

  it("are all known where there are just as many as are taken, without the link of the page to itself", async () => {
    expect(await seedWith('<a href="/a"><a href="/b"><a href="/">', 2)).toMatchObject({
      outcome: "downloaded",
      links: 2,
    });
    expect(await seedWith('<a href="/"><a href="/a"><a href="/b">', 2)).toMatchObject({
      outcome: "downloaded",
      links: 2,
    });
  });

  it("are not all known where there is one more, and the visit says why", async () => {
    const more = { outcome: "links-unknown", detail: "too-many-links", links: 2, urls: 3 };
    expect(await seedWith('<a href="/a"><a href="/b"><a href="/c">', 2)).toEqual(more);
    expect(await seedWith('<a href="/"><a href="/a"><a href="/b"><a href="/c"><a href="/d">', 2)).toEqual(more);
  });

  it("in a sitemap are as many as it has", async () => {
    const web = new InlineWeb(({ pathname }) => {
      if (pathname === "/") return '<a href="/a">';
      if (pathname === "/robots.txt")
        return { body: `Sitemap: ${SEED}map.txt`, headers: { "content-type": "text/plain" } };
      if (pathname !== "/map.txt") return undefined;
      return { body: `${SEED}b\n${SEED}c\n${SEED}d\n`, headers: { "content-type": "text/plain" } };
    });
    const { store } = await crawlInline(web, [SEED], { web: { linksPerPageMax: 1 } });
    expect([...store.urls()].map(({ path }) => path).sort()).toEqual(["/", "/a", "/b", "/c", "/d"]);
  });
});
