import fc from "fast-check";
import { expect, it } from "vitest";
import { brokenLinks } from "../../src/findings/broken-links.ts";
import { downloadedPages, linksInto } from "../../src/findings/crawled-site.ts";
import {
  brokenLinkTexts,
  COPIES_MAX,
  FindingsFacts,
  FINDINGS_MAX,
  summariseFindings,
  urlsOfFindings,
} from "../../src/findings/index.ts";
import { cases } from "../support/cases.ts";
import { type RandomCrawl, randomCrawl, siteOf, statusesOf, wayFrom } from "./random-crawls.ts";

function summaryOf(crawl: RandomCrawl) {
  const facts = new FindingsFacts();
  const site = siteOf(crawl, facts);
  const counts = linksInto(site);
  const input = { site, pages: downloadedPages(site), statusOf: statusesOf(crawl), facts };
  return { site, summary: summariseFindings({ ...input, linkedFrom: (url) => counts[url] }) };
}

it("a summary of a small crawl has all that is found, and its counts", () => {
  fc.assert(
    fc.property(randomCrawl, (crawl) => {
      const { site, summary } = summaryOf(crawl);
      const { brokenLinks: broken, redirects, duplicates } = summary;
      const links = [...brokenLinks(site, downloadedPages(site))];
      expect(broken.first.map(({ source, place, way }) => ({ source, target: way[0], place }))).toEqual(links);
      const texts = brokenLinkTexts(summary, { anchorsOf: (id) => (id % 2 === 0 ? `${id}.0\n\n${id}.2` : undefined) });
      const expected = links.map(({ source, place }) =>
        source % 2 === 0 && (place === 0 || place === 2) ? `${source}.${place}` : null,
      );
      expect(texts).toEqual(expected);
      expect([broken.links, broken.pages]).toEqual([links.length, new Set(links.map(({ source }) => source)).size]);
      const moving = crawl.urls.flatMap(({ kind }, id) => (kind === "redirect" || kind === "leaves" ? [id] : []));
      expect(redirects.urls).toBe(moving.length);
      expect(redirects.loops).toBe(moving.filter((id) => wayFrom(crawl, id).isLoop).length);
      expect(redirects.first.map(({ way }) => way[0]).sort((a, b) => a - b)).toEqual(moving);
      const linked = redirects.first.map(({ linkedFrom }) => linkedFrom);
      expect(linked).toEqual(linked.toSorted((a, b) => b - a));
      expect(duplicates.first.reduce((sum, { copies }) => sum + copies, 0)).toBe(duplicates.pages);
      expect(duplicates.first).toHaveLength(duplicates.groups);
      const named = urlsOfFindings(summary);
      for (const { source, target } of links) expect([named.has(source), named.has(target)]).toEqual([true, true]);
    }),
    { numRuns: cases(200) },
  );
});

it("a summary says that near-duplicates are not known where no page has a SimHash, and else has their groups", () => {
  const page = (content: number, words?: number) => {
    return { kind: "page", links: [], content, ...(words === undefined ? {} : { words }) } as const;
  };
  const nearDuplicates = (...urls: RandomCrawl["urls"]) => {
    return summaryOf({ urls, order: urls.map((_, id) => id) }).summary.nearDuplicates;
  };
  expect(nearDuplicates(page(0), page(1))).toBeNull();
  expect(nearDuplicates(page(0, 255), page(1, 0), page(2))).toEqual({ pages: 0, groups: 0, first: [] });
  // The third is a copy of the first, the last is too far from it.
  const found = nearDuplicates(page(0, 0), page(1, 7), page(0, 0), page(2, 4), page(3, 15));
  expect(found).toEqual({ pages: 3, groups: 1, first: [{ pages: [0, 1, 3], copies: 3 }] });
});

it("a summary of a large crawl stays small", () => {
  const size = 3 * FINDINGS_MAX;
  const page = { kind: "page", links: [size], content: 1 } as const;
  const redirect = { kind: "redirect", links: [size], content: 0 } as const;
  const urls = [...Array.from({ length: size }, () => page), { kind: "dead", links: [], content: 0 } as const];
  urls.push(...Array.from({ length: size }, () => redirect as never));
  const { summary } = summaryOf({ urls, order: urls.map((_, id) => id) });
  const { brokenLinks: broken, redirects, duplicates } = summary;
  expect([broken.links, broken.first.length]).toEqual([size, FINDINGS_MAX]);
  expect([redirects.urls, redirects.first.length]).toEqual([size, FINDINGS_MAX]);
  expect([duplicates.groups, duplicates.first[0].copies, duplicates.first[0].pages.length]).toEqual([
    1,
    size,
    COPIES_MAX,
  ]);
});
