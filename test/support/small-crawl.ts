/** A whole small crawl, written to any store. */
import type { CrawlStore } from "../../src/store/index.ts";
import { BLANK_VISIT, type Visit } from "../../src/log/index.ts";

/**
 * Two hosts; 0 links to 1, 2, the sink and itself; 1 redirects to 3; 2 is dead; 4 is refused; 5 waits; 6 and 7 redirect
 * to each other.
 */
export function tellSmallCrawl<Store extends CrawlStore>(store: Store): Store {
  store.addOrigin(0, "https://a.example");
  store.addOrigin(1, "http://b.example:8080");
  const paths = ["/", "/moved", "/gone", "/new?x=1", "/private", "/later", "/loop", "/loop2", null];
  for (const [id, path] of paths.entries()) {
    const sink = path === null ? "out-of-scope" : null;
    store.addUrl({
      id,
      origin: id === 3 ? 1 : 0,
      path,
      depth: id === 0 ? 0 : 1,
      source: id === 0 ? "seed" : "link",
      discoveredAt: 1,
      reason: sink,
    });
  }
  const visit = (number: number, url: number, change: Partial<Visit>): Visit => ({
    ...BLANK_VISIT,
    number,
    url,
    atMs: 1_700_000_000_007,
    outcome: "dead",
    status: 404,
    wireBytes: 10,
    milliseconds: 1,
    ...change,
  });
  store.addVisit(
    visit(1, 0, {
      outcome: "downloaded",
      status: 200,
      title: "=cmd|' /C calc'!A0",
      language: "en-GB",
      contentType: "text/html",
      links: Uint32Array.of(1, 8, 2, 0, 1, 6),
    }),
  );
  store.addVisit(visit(2, 5, { outcome: "try-again", status: 503 }));
  store.addVisit(visit(3, 1, { outcome: "redirected", status: 301, target: 3 }));
  store.addVisit(visit(4, 2, {}));
  store.addVisit(
    visit(5, 3, {
      outcome: "links-unknown",
      status: 200,
      title: 'Say "hi", you',
      links: Uint32Array.of(0),
    }),
  );
  store.addVisit(visit(6, 4, { outcome: "refused", status: null, reason: "robots", wireBytes: 0 }));
  store.addVisit(visit(7, 6, { outcome: "redirected", status: 302, target: 7 }));
  store.addVisit(visit(8, 7, { outcome: "redirected", status: 302, target: 6 }));
  store.commit();
  return store;
}
