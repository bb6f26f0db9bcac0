import { expect, it } from "vitest";
import { PageState } from "../../src/coverage/index.ts";
import { LogFeed, UrlView } from "../../src/log/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";

it("says what became of each URL of the small crawl, on which host it is and where redirects end", () => {
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
  const urls = new UrlView(feed.links);
  feed.add(urls);
  feed.readAll(tellSmallCrawl(new MemoryStore()));
  const { Downloaded, LinksUnknown, Dead, Redirected, Refused, Open } = PageState;
  const kinds = Array.from(urls.state.slice(0, urls.urls), (state) => Math.min(state, Refused));
  // 6 and 7 redirect to each other: the one that closes the loop leads nowhere.
  expect(kinds).toEqual([Downloaded, Redirected, Dead, LinksUnknown, Refused, Open, Redirected, Dead, Refused]);
  expect([1, 6, 7].map((url) => urls.endOf(url))).toEqual([3, 7, 7]);
  expect([...urls.sinks]).toEqual([8]);
  expect(urls.hosts.names[urls.hostOf(3)]).toBe("b.example:8080");
});

it("lowers the depth of a URL, and of all behind it, when a shorter way is found; a seed has depth 0", () => {
  const feed: LogFeed = new LogFeed((url) => urls.hostOf(url));
  const urls = new UrlView(feed.links);
  feed.add(urls);
  const store = tellSmallCrawl(new MemoryStore());
  const record = { origin: 0, source: "link", discoveredAt: 8, reason: null } as const;
  // 9 was discovered far away, and redirects to 10, which links to 11; then 5 is fetched, which links to 9.
  for (const id of [9, 10, 11]) store.addUrl({ ...record, id, path: `/${id}`, depth: id });
  const [visit] = [...store.visits()];
  store.addVisit({ ...visit, number: 9, url: 9, outcome: "redirected", target: 10, links: null });
  store.addVisit({ ...visit, number: 10, url: 10, outcome: "links-unknown", links: Uint32Array.of(11) });
  store.commit();
  feed.readAll(store);
  expect([9, 10, 11].map((url) => urls.depthOf(url))).toEqual([9, 9, 10]);
  store.addVisit({ ...visit, number: 11, url: 5, links: Uint32Array.of(9) });
  store.commit();
  feed.readAll(store);
  expect([5, 9, 10, 11].map((url) => urls.depthOf(url))).toEqual([1, 2, 2, 3]);
});
