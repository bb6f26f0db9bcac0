/**
 * Coverage of what one cares about: no bound is above the truth, whatever the values of pages that nobody has seen. The
 * truth is the dense solution of the full web (support/truth.ts).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, CoverageWatch, MassLedger, subsetShare, tighten, type Universe } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { insideOf, type Truth, truthAllowed, truthOf, type World } from "../support/truth.ts";
import { type Fact, FactEmitter, factsInAnyOrder, world } from "../support/worlds.ts";
import { linkTable } from "../support/link-table.ts";

/** What the truth itself, found by elimination, may lack. */
const ELIMINATION = 1e-13;
/** Reasons that say nothing final. */
const PASSING = ["trap", "limit", "failed", "blocked"] as const;

const value = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const universe = fc.constantFrom<Universe>("everything", "allowed");
/** One value per URL; those that a crawler does not download have theirs too, which it never learns. */
const crawl = world.chain((world) =>
  fc.record({
    world: fc.constant(world),
    facts: factsInAnyOrder(world),
    values: fc.array(value, { minLength: world.urls.length, maxLength: world.urls.length }),
    universe,
  }),
);
type Crawl = typeof crawl extends fc.Arbitrary<infer T> ? T : never;

/** A ledger that is told the value of each page right before its fate. */
function valuedLedger({ world, values, universe }: Crawl) {
  const emitter = new FactEmitter(world, PASSING);
  const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe }));
  const learn = (fact: Fact): void => {
    ledger.grow(fact.url + 1);
    if (fact.about === "fate" && isPage(world, fact.url)) ledger.valued(fact.url, values[fact.url]);
    emitter.emit(fact);
  };
  return { emitter, ledger, learn };
}

const isPage = ({ urls }: World, url: number): boolean => urls[url].kind === "page" || urls[url].kind === "partly";

const truthIn = ({ world, universe }: Crawl): Truth => (universe === "allowed" ? truthAllowed(world) : truthOf(world));

/** The true coverage of value: dead pages have none. A loop of redirects is dead. */
function valuedTruth({ world, values }: Crawl, { ranks }: Truth, had: ReadonlySet<number>): number {
  const worth = ranks.map((rank, url) => (world.urls[url].kind === "dead" ? 0 : values[url] * rank));
  const total = worth.reduce((sum, each) => sum + each, 0);
  return total === 0 ? 0 : worth.reduce((sum, each, url) => sum + (had.has(url) ? each : 0), 0) / total;
}

const shareOf = ({ ranks, sum }: Truth, pages: Iterable<number>): number =>
  sum === 0 ? 0 : [...pages].reduce((total, page) => total + ranks[page], 0) / sum;

describe("coverage of value", () => {
  it("is never above the truth, at any moment, whatever the values of unseen pages", () => {
    fc.assert(
      fc.property(crawl, fc.boolean(), (crawl, isTightened) => {
        const truth = truthIn(crawl);
        const { emitter, ledger, learn } = valuedLedger(crawl);
        const { had } = emitter;
        for (const fact of crawl.facts) {
          learn(fact);
          if (isTightened) tighten(ledger, { relativeGap: 0.3, measure: "value" });
          else for (const page of had) ledger.push(page);
          expect(ledger.valuedBound()).toBeLessThanOrEqual(valuedTruth(crawl, truth, had) + ELIMINATION);
        }
        expect(certify(ledger).valued ?? 0).toBeLessThanOrEqual(valuedTruth(crawl, truth, had) + ELIMINATION);
      }),
      { numRuns: cases(2500) },
    );
  });

  it("is V of V and what flows to open pages, for the dense solution on the downloaded pages", () => {
    fc.assert(
      fc.property(crawl, (crawl) => {
        const everything = { ...crawl, universe: "everything" } as const;
        const { emitter, ledger, learn } = valuedLedger(everything);
        for (const fact of crawl.facts) learn(fact);
        if (!ledger.hasValues) return;
        const { x, flowOpen } = insideOf(crawl.world, emitter);
        const worth = [...emitter.had].reduce((sum, page) => sum + crawl.values[page] * x[page], 0);
        if (worth < 1e-3) return;
        const expected = worth / (worth + flowOpen / (1 - crawl.world.damping));
        expect(certify(ledger).valued).toBeCloseTo(expected, 6);
      }),
      { numRuns: cases(1500) },
    );
  });

  it("is never above the truth where the first value comes late, even if earlier pages are worth nothing", () => {
    fc.assert(
      fc.property(crawl, fc.nat(12), fc.boolean(), (drawn, late, isTightened) => {
        const emitter = new FactEmitter(drawn.world, PASSING);
        const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe: drawn.universe }));
        const values = [...drawn.values];
        const truth = truthIn(drawn);
        for (const [k, fact] of drawn.facts.entries()) {
          ledger.grow(fact.url + 1);
          if (fact.about === "fate" && isPage(drawn.world, fact.url)) {
            if (k < late) values[fact.url] = 0;
            else ledger.valued(fact.url, values[fact.url]);
          }
          emitter.emit(fact);
          if (!ledger.hasValues) continue;
          if (isTightened) tighten(ledger, { relativeGap: 0.3, measure: "value" });
          else for (const page of emitter.had) ledger.push(page);
          const truly = valuedTruth({ ...drawn, values }, truth, emitter.had);
          expect(ledger.valuedBound()).toBeLessThanOrEqual(truly + ELIMINATION);
        }
      }),
      { numRuns: cases(1500) },
    );
  });

  it("is as far as it can come if all that waits were pushed, at most what was said", () => {
    fc.assert(
      fc.property(crawl, (crawl) => {
        const { ledger, learn } = valuedLedger(crawl);
        for (const fact of crawl.facts) learn(fact);
        if (!ledger.hasValues) return;
        const most = ledger.valuedAtMost(ledger.waitingInside());
        certify(ledger);
        expect(ledger.valuedBound()).toBeLessThanOrEqual(most + ELIMINATION);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("finds a level that the best bound of value has, and no other", () => {
    fc.assert(
      fc.property(crawl, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (crawl, level) => {
        const [first, second] = [valuedLedger(crawl), valuedLedger(crawl)];
        for (const fact of crawl.facts) {
          first.learn(fact);
          second.learn(fact);
        }
        tighten(first.ledger, { level, measure: "value" });
        const { valued = 0 } = certify(second.ledger);
        if (
          first.ledger.hasValues &&
          valued < 1 &&
          Math.abs(valued - level) > 1e-6 &&
          second.ledger.rankValued > 1e-3
        ) {
          expect(first.ledger.valuedBound() >= level).toBe(valued >= level);
        }
      }),
      { numRuns: cases(1000) },
    );
  });

  it("is never above the truth in a watch, whenever it is checked", () => {
    fc.assert(
      fc.property(crawl, (crawl) => {
        const truth = truthIn(crawl);
        const emitter = new FactEmitter(crawl.world, PASSING);
        const watch = emitter.addListener(
          new CoverageWatch({ ...emitter.options, universe: crawl.universe, goal: 0.9 }),
        );
        expect(watch.valuedCoverage).toBeUndefined();
        for (const fact of crawl.facts) {
          watch.grow(fact.url + 1);
          if (fact.about === "fate" && isPage(crawl.world, fact.url)) watch.valued(fact.url, crawl.values[fact.url]);
          emitter.emit(fact);
          watch.check();
          const truly = valuedTruth(crawl, truth, emitter.had);
          expect(watch.valuedCoverage ?? 0).toBeLessThanOrEqual(truly + ELIMINATION);
          expect(watch.valuedCoverage === undefined).toBe(!watch.hasValues);
        }
      }),
      { numRuns: cases(800) },
    );
  });

  it("is left out where no page was given a value, and the coverage where all values are 1", () => {
    const plain = star();
    plain.downloaded(0);
    expect(certify(plain)).not.toHaveProperty("valued");

    const full = star();
    full.valued(0, 1);
    full.downloaded(0);
    full.downloaded(1);
    const { valued, coverage } = certify(full);
    expect(valued).toBeCloseTo(coverage, 9);
  });

  it("counts a page by its value: by hand on a star with d = 1/2", () => {
    // Of one seed with three leaves: x = 1/2 and 1/12 for each leaf, of which one is open and lasts for 2/12.
    const ledger = star();
    ledger.valued(0, 0.5);
    ledger.valued(1, 0);
    for (const page of [0, 1, 2]) ledger.downloaded(page);
    const worth = 0.5 * (1 / 2) + 1 / 12;
    expect(certify(ledger).valued).toBeCloseTo(worth / (worth + 2 / 12), 9);
  });

  it("counts nothing of what was downloaded before the first value, and knows the values of its copy", () => {
    for (const isSettledBefore of [true, false]) {
      const ledger = star();
      ledger.downloaded(0);
      if (isSettledBefore) ledger.push(0);
      ledger.valued(1, 0);
      for (const page of [1, 2, 3]) ledger.downloaded(page);
      const copy = new MassLedger({ links: ledger.links, pages: 4, damping: 0.5 });
      copy.copyFrom(ledger);
      for (const each of [ledger, copy]) {
        tighten(each, {});
        expect(each.rankValued).toBeCloseTo(2 / 12, 12);
      }
    }
  });

  it("is 1 where nothing is missing, unless nothing has a value: then it is 0", () => {
    for (const [value, expected] of [
      [0.25, 1],
      [0, 0],
    ]) {
      const ledger = star();
      for (const page of [0, 1, 2, 3]) {
        ledger.valued(page, value);
        ledger.downloaded(page);
      }
      expect(certify(ledger)).toMatchObject({ coverage: 1, valued: expected });
    }
  });

  it("takes no value outside [0,1], and none for a page that is final", () => {
    const ledger = star();
    for (const value of [-0.1, 1.1, Number.NaN]) expect(() => ledger.valued(1, value)).toThrow("from 0 to 1");
    ledger.downloaded(0);
    expect(() => ledger.valued(0, 0.5)).toThrow("final");
  });

  it("counts pages fully that come after room was made for them", () => {
    const links = new GrowingLinks();
    links.set(0, [1]);
    const ledger = new MassLedger({ links, pages: 1, damping: 0.5 });
    ledger.trusted(0, 1);
    ledger.valued(0, 0);
    ledger.grow(2);
    links.set(1, []);
    ledger.downloaded(0);
    ledger.downloaded(1);
    tighten(ledger, {});
    expect(ledger.rankValued).toBeCloseTo(1 / 4, 12);
  });
});

describe("the share of some pages", () => {
  it("is never above the truth, for any choice, and all of them have the coverage", () => {
    fc.assert(
      fc.property(crawl, fc.func(fc.boolean()), (crawl, isChosen) => {
        const truth = truthIn(crawl);
        const { emitter, ledger, learn } = valuedLedger(crawl);
        const { had } = emitter;
        for (const [k, fact] of crawl.facts.entries()) {
          learn(fact);
          if (k % 2 === 0) tighten(ledger, { relativeGap: 0.3 });
          const chosen = [...had].filter((page) => isChosen(page));
          expect(subsetShare(ledger, [...chosen, ...chosen])).toBeLessThanOrEqual(shareOf(truth, chosen) + ELIMINATION);
          if (ledger.whole > 1e-3) expect(subsetShare(ledger, had)).toBeCloseTo(ledger.bound(), 6);
        }
      }),
      { numRuns: cases(1000) },
    );
  });

  it("of pages that were not downloaded is 0", () => {
    const ledger = star();
    ledger.downloaded(0);
    ledger.dead(1);
    tighten(ledger, {});
    expect(subsetShare(ledger, [1, 2])).toBe(0);
  });
});

/** A seed that links to three leaves, d = 1/2. */
function star(): MassLedger {
  const links = linkTable({
    targets: Uint32Array.of(1, 2, 3),
    starts: Uint32Array.of(0, 3, 3, 3),
    ends: Uint32Array.of(3, 3, 3, 3),
  });
  const ledger = new MassLedger({ links, pages: 4, damping: 0.5 });
  ledger.trusted(0, 1);
  return ledger;
}
