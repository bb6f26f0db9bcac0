import { expect, it } from "vitest";
import { zeroCounts } from "../../src/base/index.ts";
import { notFetchedReasons } from "../../src/compare/index.ts";
import {
  comparedStateInWords,
  comparisonNotes,
  movedFigure,
  movedInWords,
  notFetchedInWords,
  shareChangeInWords,
  titleInWords,
} from "../../src/text/index.ts";

it("tells a change of a share with its sign, and never more than it is", () => {
  expect(shareChangeInWords(0.012349)).toBe("+1.23%");
  expect(shareChangeInWords(-0.5)).toBe("−50.0%");
  expect(shareChangeInWords(1e-8)).toBe("±0%");
});

it("tells what a crawl knows of a URL", () => {
  const page = { state: "downloaded" as const, reason: null, target: null };
  expect(comparedStateInWords(null)).toBe("not discovered");
  expect(comparedStateInWords(page)).toBe("downloaded");
  expect(comparedStateInWords({ ...page, state: "waiting" })).toBe("waiting");
  expect(comparedStateInWords({ ...page, state: "dead", reason: "status-410" })).toBe("responds with 410 (gone)");
  expect(comparedStateInWords({ ...page, state: "redirected", target: "http://x.test/" })).toBe(
    "redirects to http://x.test/",
  );
  expect(comparedStateInWords({ ...page, state: "refused", reason: "robots" })).toBe("is forbidden by robots.txt");
  expect(comparedStateInWords({ ...page, state: "refused", reason: "failed:connect-refused" })).toBe(
    "refuses connections",
  );
  expect(comparedStateInWords({ ...page, state: "refused", reason: "failed:a:b" })).toBe("failed: a:b");
});

it("counts in words, one or many", () => {
  expect(movedInWords({ up: 1, down: 2, possible: 0 })).toBe(
    "1 page has certainly gained, 2 pages have certainly lost, 0 pages may have moved.",
  );
  expect(movedFigure({ up: 1, down: 2, possible: 1200 })).toBe("3 (1,200 more possible)");
  expect(movedFigure({ up: 1, down: 2, possible: 0 })).toBe("3");
  const none = zeroCounts(notFetchedReasons);
  expect(notFetchedInWords(none)).toBe("");
  expect(notFetchedInWords({ ...none, waiting: 1000, limit: 2 })).toBe(
    "1,000 waiting to be fetched, 2 beyond a limit in B",
  );
  expect(titleInWords(" \n")).toBe("(none)");
});

it("notes what makes a comparison unfair, and nothing else", () => {
  const side = { coverage: 0.9, isRunning: false };
  const fair = { a: side, b: side, common: 5, isContentComparable: true };
  expect(comparisonNotes(fair)).toEqual([]);
  expect(comparisonNotes({ ...fair, b: { ...side, coverage: 0.84 } })).toEqual([
    "A covers at least 90.00%, B 84.00%. What only one crawl has fetched says little about the web.",
  ]);
  expect(comparisonNotes({ ...fair, a: { ...side, isRunning: true }, b: { ...side, isRunning: true } })).toEqual([
    "A and B are still running: compared is what is stored.",
  ]);
  expect(comparisonNotes({ ...fair, common: 0 })[0]).toMatch(/no URL in common/);
  expect(comparisonNotes({ ...fair, isContentComparable: false })[0]).toMatch(/^Contents cannot be compared/);
});
