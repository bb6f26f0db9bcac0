import fc from "fast-check";
import { refusedState } from "../../src/coverage/index.ts";
import { describe, expect, it } from "vitest";
import { FindingsFacts } from "../../src/findings/index.ts";
import { brokenLinks } from "../../src/findings/broken-links.ts";
import { downloadedPages, linksInto, redirectsFrom } from "../../src/findings/crawled-site.ts";
import { cases } from "../support/cases.ts";
import { type RandomCrawl, randomCrawl, siteOf, wayFrom } from "./random-crawls.ts";

const pagesOf = ({ urls }: RandomCrawl) => urls.flatMap(({ kind }, id) => (kind === "page" ? [id] : []));

/** Links of the pages, each target once per page, without those to the page itself. */
function linksByHand(crawl: RandomCrawl) {
  return pagesOf(crawl).flatMap((source) =>
    [...new Set(crawl.urls[source].links)].filter((to) => to !== source).map((target) => ({ source, target })),
  );
}

describe("findings of random crawls are those of a reader who follows every link by hand:", () => {
  it("broken links", () => {
    fc.assert(
      fc.property(randomCrawl, (crawl) => {
        const site = siteOf(crawl);
        const expected = linksByHand(crawl).filter(({ target }) => {
          const { way, isLoop } = wayFrom(crawl, target);
          const end = way[way.length - 1];
          if (isLoop) return true;
          // A host that forbids everything blocks the crawler: that says nothing about the page.
          if (site.state[end] === refusedState("blocked")) return false;
          return ["dead", "failed", "forbidden"].includes(crawl.urls[end].kind);
        });
        expect([...brokenLinks(site, downloadedPages(site))]).toMatchObject(expected);
        expect([...brokenLinks(site, downloadedPages(site))]).toHaveLength(expected.length);
      }),
      { numRuns: cases(300) },
    );
  });

  it("chains of redirects, which end at the redirect that closed the loop", () => {
    fc.assert(
      fc.property(randomCrawl, (crawl) => {
        const site = siteOf(crawl);
        for (const url of crawl.urls.keys()) {
          const { hops, end } = redirectsFrom(site, url);
          const { way, isLoop } = wayFrom(crawl, url);
          if (!isLoop) {
            expect([...hops, end]).toEqual(way);
            continue;
          }
          // Of the URLs of a loop, the one visited last found it closed.
          const loop = wayFrom(crawl, way[way.length - 1]).way;
          const closing = crawl.order.findLast((each) => loop.includes(each));
          expect(end).toBe(closing);
          expect([...hops, end]).toEqual(way.slice(0, way.indexOf(end) + 1));
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("how many pages link to a URL", () => {
    fc.assert(
      fc.property(randomCrawl, (crawl) => {
        const counts = crawl.urls.map((_, id) => linksByHand(crawl).filter(({ target }) => target === id).length);
        expect([...linksInto(siteOf(crawl))]).toEqual(counts);
      }),
      { numRuns: cases(200) },
    );
  });

  it("groups of pages with the same content, by the order of pages that is given", () => {
    fc.assert(
      fc.property(
        randomCrawl.chain((crawl) =>
          fc.record({ crawl: fc.constant(crawl), order: fc.shuffledSubarray(pagesOf(crawl)) }),
        ),
        ({ crawl, order }) => {
          const facts = new FindingsFacts();
          siteOf(crawl, facts);
          const contentOf = (page: number) => crawl.urls[page].content;
          const contents = [...new Set(order.map(contentOf))];
          const expected = contents
            .map((content) => order.filter((page) => contentOf(page) === content))
            .filter(({ length }) => length > 1);
          expect([...facts.digests.groups(Uint32Array.from(order))].map((group) => [...group])).toEqual(expected);
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it("orphans, which a sitemap lists and neither a page nor a redirect leads to", () => {
    fc.assert(
      fc.property(randomCrawl, (crawl) => {
        const facts = new FindingsFacts();
        const site = siteOf(crawl, facts);
        const counts = linksInto(site);
        const reached = new Set(linksByHand(crawl).map(({ target }) => target));
        for (const { kind, links } of crawl.urls) if (kind === "redirect") reached.add(links[0]);
        const expected = crawl.urls.flatMap(({ isListed }, id) => (id > 0 && isListed && !reached.has(id) ? [id] : []));
        // The redirect that closes a loop leads nowhere: what it names may look like an orphan.
        const closing = (id: number) =>
          crawl.urls.some(
            ({ kind, links }, from) => kind === "redirect" && links[0] === id && site.targetOf(from) === undefined,
          );
        const found = [...facts.sitemapUrls.orphans(site, (url) => counts[url])];
        expect(found.filter((id) => !closing(id))).toEqual(expected);
      }),
      { numRuns: cases(300) },
    );
  });
});

it("Seeds are orphans too where a sitemap lists them: those of a list", () => {
  const facts = new FindingsFacts();
  const page = (...links: number[]) => ({ kind: "page", links, content: 0 }) as const;
  const site = siteOf({ urls: [page(1), page(1), page(1)], order: [0, 1, 2] }, facts);
  const listed = (url: number) => ({ url, modifiedMs: null, sitemap: "http://site.example/sitemap.xml", listedMs: 0 });
  facts.sitemapUrls.read({ listedUrls: () => [listed(0), listed(1)] });
  const linkedFrom = linksInto(site);
  expect([...facts.sitemapUrls.orphans(site, (url) => linkedFrom[url])]).toEqual([0]);
});
