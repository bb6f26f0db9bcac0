import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { type CrawlWindow, openCrawl, openWindow } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { changePage, visitMs, writeTexts } from "../support/text-crawl.ts";

/** Three pages; then page 1 changes and page 2 is gone, then a fourth page is fetched. */
function refreshed(): string {
  const dir = join(temporaryDirectory(), "crawl");
  writeTexts(dir, [{ text: "front" }, { text: "old", title: "Old" }]);
  addAnchors(dir, 2, "old link");
  writeTexts(dir, [{ text: "here", title: "Here" }], { isNew: false });
  changePage(dir, 1, { text: "new", title: "New" });
  addAnchors(dir, 4, "new link");
  changePage(dir, 2, "gone");
  writeTexts(dir, [{ text: "later", title: "Later" }], { isNew: false });
  const store = openCrawl(dir);
  const read = { reason: null, target: null, digest: null, etag: null, lastModified: null, milliseconds: 1 };
  for (const [number, atMs] of [visitMs(3), visitMs(5)].entries()) {
    store.addReread({
      ...read,
      number: number + 1,
      url: 2,
      atMs,
      outcome: "failed",
      status: 500,
      wireBytes: 0,
      visit: null,
    });
  }
  store.close();
  return dir;
}

function addAnchors(dir: string, visit: number, texts: string): void {
  const store = openCrawl(dir);
  store.addAnchors(visit, texts);
  store.close();
}

function at(dir: string, atMs?: number): CrawlWindow {
  const window = openWindow(dir, systemClock, { atMs });
  onTestFinished(() => window.close());
  return window;
}

const shown = (window: CrawlWindow): string[] =>
  window.lines([0, 1, 2, 3]).map(({ id, state, title }) => `${id} ${state} ${title}`);

it("a window as of an earlier moment shows what was known then, and no more", () => {
  const dir = refreshed();
  const now = at(dir);
  expect(shown(now)).toEqual(["0 downloaded null", "1 downloaded New", "2 dead null", "3 downloaded Later"]);
  expect([now.isNow, now.lastVisit(), now.urlCount(), now.rereads(2).rereads.length]).toEqual([true, 6, 4, 2]);

  const earlier = at(dir, visitMs(4));
  expect(shown(earlier)).toEqual(["0 downloaded null", "1 downloaded New", "2 downloaded Here"]);
  expect([earlier.isNow, earlier.lastVisit(), earlier.urlCount()]).toEqual([false, 4, 3]);
  expect(earlier.rereads(2).rereads.map(({ atMs }) => atMs)).toEqual([visitMs(3)]);
  expect(earlier.finalVisit(2)?.outcome).toBe("downloaded");
  expect([at(dir, visitMs(3)).anchorsOf(1), now.anchorsOf(1)]).toEqual(["old link", "new link"]);
  expect([earlier.linksOf(2), now.linksOf(2)]).toEqual([Uint32Array.of(0), new Uint32Array(0)]);
  expect(earlier.log({ before: 100, count: 10 }).visits.map(({ number }) => number)).toEqual([4, 3, 2, 1]);
  expect(earlier.withText("old", Uint32Array.of(0, 1, 2)).found).toEqual([]);
  expect(at(dir, visitMs(3)).withText("old", Uint32Array.of(0, 1, 2)).found).toEqual([1]);

  // The crawl goes on, and the moment stays the same.
  changePage(dir, 0, "gone");
  expect([earlier.lastVisit(), earlier.finalVisit(0)?.outcome]).toEqual([4, "downloaded"]);
  expect(now.finalVisit(0)?.outcome).toBe("dead");
});

it("a window as of a moment after the last visit is one of now", () => {
  const window = at(refreshed(), visitMs(1000));
  expect([window.isNow, window.lastVisit()]).toEqual([true, 6]);
});

it("a window as of an earlier moment answers nothing any more once visits that counted then were deleted", () => {
  const dir = refreshed();
  const window = at(dir, visitMs(3));
  expect(window.lines([1])).toMatchObject([{ title: "Old" }]);
  const store = openCrawl(dir);
  for (const numbers of store.deletableVisits({ newest: 1 })) store.deleteVisits(numbers);
  store.close();
  expect(() => window.lines([1])).toThrow("is no longer whole");
  expect(() => at(dir, visitMs(3)).lastVisit()).toThrow("is no longer whole");
});
