/** Cases at the edge of the model, each worked by hand. */
import { describe, expect, it } from "vitest";
import {
  CoverageWatch,
  certify,
  ledgerOf,
  MassLedger,
  missingShares,
  RankIntervals,
  tighten,
} from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { graphOf } from "../graph/arbitrary.ts";

/** A ledger over links written as rows. */
function ledgerWith(rows: readonly (readonly number[])[], damping = 0.5): MassLedger {
  const links = new GrowingLinks();
  for (const [page, row] of rows.entries()) links.set(page, row);
  return new MassLedger({ links, pages: rows.length, damping });
}

const reasonsOf = (ledger: MassLedger) => missingShares(ledger, certify(ledger)).map(({ reason }) => reason);

describe("a certificate without much to certify", () => {
  it("of no pages at all is 0, all of it trust unseeded", () => {
    const ledger = ledgerWith([]);
    expect(certify(ledger)).toMatchObject({ coverage: 0, downloaded: 0, delta: 1, flowDead: 0 });
    expect(missingShares(ledger, certify(ledger))).toEqual([{ reason: "trust-unseeded", mass: 1, hosts: [] }]);
  });

  it("of downloaded pages that nobody trusts is 0", () => {
    const ledger = ledgerWith([[1], [0]]);
    ledger.trusted(0, 0);
    ledger.downloaded(0);
    ledger.downloaded(1);
    expect(certify(ledger)).toMatchObject({ coverage: 0, downloaded: 2, rankInside: 0 });
  });

  it("of seeds that are all dead is 0, all of it dead", () => {
    const ledger = ledgerWith([[], []]);
    ledger.trusted(0, 0.25);
    ledger.trusted(1, 0.75);
    ledger.dead(1);
    ledger.dead(0);
    expect(certify(ledger)).toMatchObject({ coverage: 0, flowOpen: 0, flowDead: 0.5 });
    expect(reasonsOf(ledger)).toEqual(["dead"]);
  });
});

describe("full coverage", () => {
  it("is exactly 1 on a ring", () => {
    const graph = graphOf([
      [0, 1],
      [1, 2],
      [2, 0],
    ]);
    const ledger = ledgerOf({ graph, trust: [[0, 1]], downloaded: [0, 1, 2], damping: 0.85 });
    expect(certify(ledger).coverage).toBe(1);
    expect(missingShares(ledger, certify(ledger))).toEqual([]);
  });

  it.each([3, 6, 7, 10, 49, 160, 1000])("is exactly 1 when %i seeds share the trust", (seeds) => {
    const ledger = ledgerWith(Array.from({ length: seeds }, (_, page) => [(page + 1) % seeds]));
    for (let page = 0; page < seeds; page++) ledger.trusted(page, 1 / seeds);
    for (let page = 0; page < seeds; page++) ledger.downloaded(page);
    expect(certify(ledger).coverage).toBe(1);
    expect(reasonsOf(ledger)).toEqual([]);
  });

  it("is not claimed when a page was not fetched to which next to nothing flows", () => {
    // Each page of a chain hands on a tenth. Page 14, which holds 9e-15 of the whole, is left to be fetched.
    const rows = Array.from({ length: 15 }, (_, page) => (page < 14 ? [page + 1] : []));
    const ledger = ledgerWith(rows, 0.1);
    ledger.trusted(0, 1);
    for (let page = 13; page >= 0; page--) ledger.downloaded(page);
    expect(certify(ledger).coverage).toBeLessThan(1);
    ledger.downloaded(14);
    expect(certify(ledger).coverage).toBe(1);
  });

  it("reaches any goal of a watch, 1 included", () => {
    const links = new GrowingLinks();
    links.set(0, [1]);
    links.set(1, [0]);
    const watch = new CoverageWatch({ links, pages: 2, damping: 0.85, goal: 1 });
    watch.trusted(0, 1);
    watch.downloaded(0);
    watch.downloaded(1);
    watch.check();
    expect(watch.reached()).toBe(true);
  });
});

describe("tightening", () => {
  it("ends where all is covered, whatever the goal", () => {
    for (const goal of [{}, { level: 1 }, { level: 0.5 }, { relativeGap: 0.05 }, { absoluteGap: 0 }]) {
      const ledger = ledgerWith([[1], [2], [0]], 0.9);
      ledger.trusted(0, 1);
      for (const page of [0, 1, 2]) ledger.downloaded(page);
      expect(tighten(ledger, goal)).toBeLessThanOrEqual(0.1);
    }
  });

  it("ends where the best bound is exactly the target level", () => {
    // Pages 0 and 1 are a ring of half the trust; page 2, open, has the other half.
    const ledger = ledgerWith([[1], [0], []], 0.9);
    ledger.trusted(0, 0.5);
    ledger.trusted(2, 0.5);
    ledger.downloaded(0);
    ledger.downloaded(1);
    tighten(ledger, { level: 0.5 });
    expect(ledger.bound()).toBeCloseTo(0.5, 10);
  });
});

describe("trust", () => {
  it("that sums to a hair above 1 makes no bound too high", () => {
    // Two dangling seeds of the same trust; d = 0.99 multiplies every error in X by 99.
    const ledger = ledgerWith([[], []], 0.99);
    ledger.trusted(0, 0.5 + 4e-10);
    ledger.trusted(1, 0.5 + 4e-10);
    ledger.downloaded(0);
    ledger.dead(1);
    expect(certify(ledger).coverage).toBeLessThanOrEqual(0.5);
  });

  it("of dangling pages makes no bound too high, however near to 1 the damping factor is", () => {
    for (const d of [0.999, 0.9999, 0.99999, 0.999999, 0.9999999]) {
      const ledger = ledgerWith([[], [], []], d);
      for (const page of [0, 1, 2]) ledger.trusted(page, 1 / 3);
      ledger.downloaded(0);
      ledger.downloaded(1);
      ledger.dead(2);
      expect(certify(ledger).coverage).toBeLessThanOrEqual(2 / 3);
    }
  });

  it("given to a page after it died counts as dead", () => {
    const ledger = ledgerWith([[], []]);
    ledger.dead(1);
    ledger.trusted(0, 0.5);
    ledger.downloaded(0);
    certify(ledger);
    ledger.trusted(1, 0.5);
    expect(certify(ledger).coverage).toBeCloseTo(0.5, 10);
    expect(reasonsOf(ledger)).toEqual(["dead"]);
  });
});

describe("redirects", () => {
  it("of a seed hand its trust to the target undamped, before and after they are learnt", () => {
    const ledger = ledgerWith([[], []]);
    ledger.trusted(0, 0.5);
    ledger.redirected(0, 1);
    ledger.trusted(0, 0.5);
    ledger.downloaded(1);
    expect(certify(ledger)).toMatchObject({ coverage: 1, rankInside: 0.5 });
  });

  it("of a trusted URL that come back to it are dead, whichever URL closes the loop", () => {
    for (const closing of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      const ledger = ledgerWith([[], [], [], []]);
      ledger.trusted(0, 0.5);
      ledger.trusted(3, 0.5);
      ledger.downloaded(3);
      for (const url of closing) ledger.redirected(url, (url + 1) % 3);
      expect(certify(ledger)).toMatchObject({ coverage: expect.closeTo(0.5, 10), flowDead: 0.25 });
    }
  });

  it("to themselves are dead", () => {
    const ledger = ledgerWith([[]]);
    ledger.trusted(0, 1);
    ledger.redirected(0, 0);
    expect(reasonsOf(ledger)).toEqual(["dead"]);
  });

  it("to a page that is dead already, or dies later, are dead", () => {
    for (const diesFirst of [true, false]) {
      const ledger = ledgerWith([[1, 3], [], [], []]);
      ledger.trusted(0, 1);
      ledger.downloaded(0);
      if (diesFirst) ledger.dead(2);
      ledger.redirected(1, 2);
      if (!diesFirst) ledger.dead(2);
      // x_0 = 1/2; 1/8 reaches the dead page for one visit, 1/8 the open page 3 for two: 4 / (4 + 1 + 2).
      expect(certify(ledger).coverage).toBeCloseTo(4 / 7, 10);
      expect(reasonsOf(ledger)).toEqual(["not-fetched", "dead"]);
    }
  });

  it("that lead a link back to its own page keep its mass there", () => {
    // Page 0 links to URL 1, which redirects to page 0: x_0 = 1/2 + x_0 / 2 = 1.
    const ledger = ledgerWith([[1], []]);
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    certify(ledger);
    ledger.redirected(1, 0);
    expect(certify(ledger)).toMatchObject({ coverage: 1, rankInside: expect.closeTo(1, 10) });
  });

  it("learnt from the far end of a chain first bring all mass to its end", () => {
    const ledger = ledgerWith([[], [], [], []]);
    ledger.trusted(0, 1);
    ledger.redirected(2, 3);
    ledger.redirected(0, 1);
    ledger.redirected(1, 2);
    ledger.downloaded(3);
    expect(certify(ledger).coverage).toBe(1);
  });
});

describe("a refused page", () => {
  it("may be downloaded after all, and may redirect or die", () => {
    const ledger = ledgerWith([[1, 2, 3], [], [], []]);
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    for (const page of [1, 2, 3]) ledger.refused(page, "limit");
    expect(reasonsOf(ledger)).toEqual(["limit"]);
    ledger.downloaded(1);
    ledger.redirected(2, 1);
    ledger.dead(3);
    // x_0 = 1/2, x_1 = 1/6, dead 1/12: 8 / 9.
    expect(certify(ledger).coverage).toBeCloseTo(8 / 9, 10);
    expect(reasonsOf(ledger)).toEqual(["dead"]);
  });
});

describe("a copy of a ledger", () => {
  it("knows what the original knows, and goes its own way", () => {
    const rows = [[1], [2], [], []];
    const original = ledgerWith(rows, 0.85);
    original.trusted(3, 1);
    original.redirected(3, 0);
    original.downloaded(0);
    original.push(0);
    const copy = new MassLedger({ links: original.links, pages: 0, damping: 0.85 });
    copy.copyFrom(original);
    const before = original.bound();
    copy.downloaded(1);
    expect(certify(copy).coverage).toBeGreaterThan(before);
    expect(original.bound()).toBe(before);
  });
});

describe("a ledger that receives contradictory facts throws, since ignoring them would certify too much", () => {
  const lonely = () => new MassLedger({ links: new GrowingLinks(), pages: 2, damping: 0.5 });

  it("a push of a page that was not fetched", () => {
    const ledger = ledgerWith([[1], []]);
    ledger.trusted(0, 1);
    expect(() => ledger.push(0)).toThrow(/only a final page/);
    expect(ledger.bound()).toBe(0);
  });

  it("a download before its links are known", () => {
    expect(() => lonely().downloaded(0)).toThrow(/links of a page are known before/);
  });

  it("an id without room: trusted, redirected to, linked to, or downloaded", () => {
    expect(() => lonely().trusted(2, 1)).toThrow(/grow first/);
    expect(() => lonely().redirected(0, 2)).toThrow(/grow first/);
    expect(() => lonely().dead(2)).toThrow(/grow first/);
    const ledger = ledgerWith([[5]]);
    expect(() => ledger.downloaded(0)).toThrow(/grow first/);
    ledger.grow(6);
    ledger.downloaded(0);
    expect(ledger.downloadedCount).toBe(1);
  });

  it("a damping factor that is none", () => {
    for (const damping of [0, 1, 1.5, Number.NaN]) {
      expect(() => new MassLedger({ links: new GrowingLinks(), pages: 1, damping })).toThrow(/damping is/);
    }
  });
});

describe("pages of equal rank", () => {
  it("are not ranked for certain by the last bit of their sums", () => {
    // Page 6 receives the shares of three pages, page 7 the same shares in the opposite order. Nothing is open.
    const ledger = ledgerWith([[6], [6], [6], [7], [7], [7], [], []], 0.85);
    for (const [page, weight] of [0.09, 0.11, 0.3, 0.3, 0.11, 0.09].entries()) ledger.trusted(page, weight);
    for (let page = 0; page < 8; page++) ledger.downloaded(page);
    const intervals = new RankIntervals(ledger, certify(ledger));
    const difference = Math.abs(ledger.settled[6] - ledger.settled[7]);
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(1e-15);
    expect(intervals.isAbove(6, 7) || intervals.isAbove(7, 6)).toBe(false);
    // Each of them has 0.85 times the half of the trust, more than any other page.
    expect([...intervals.ranking()].slice(0, 2).toSorted()).toEqual([6, 7]);
    expect(intervals.certainPrefix()).toBe(0);
  });
});
