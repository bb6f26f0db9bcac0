import { expect, it } from "vitest";
import { PageState } from "../../src/coverage/index.ts";
import { LogFeed, UrlView } from "../../src/log/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";

it("says what became of each URL of the small crawl, on which host it is and where redirects end", () => {
  const urls = new UrlView();
  const feed = new LogFeed();
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
