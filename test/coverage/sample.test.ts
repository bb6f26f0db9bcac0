/** The sampled certificate: what walks find on average is the truth, and what is claimed is rarely false. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { certify, knownArrival, Look, MassLedger, PageState, type Universe, Walk } from "../../src/coverage/index.ts";
import { BettingTest } from "../../src/coverage/sample/betting.ts";
import { livesOf } from "../../src/coverage/sample/lives-within.ts";
import { flowsOf, Round } from "../../src/coverage/sample/round.ts";
import { cases } from "../support/cases.ts";
import { binomialLimit, coverageOf, follow, ledgerOf, truthIn } from "../support/sampling.ts";
import type { WorldUrl } from "../support/truth.ts";
import { type CrawledWeb, crawledWeb } from "../support/webs.ts";
import { linkTable } from "../support/link-table.ts";
import { copiedRow } from "../../src/graph/index.ts";

describe("a test by betting", () => {
  it("errs no more often than it may, however long one waits for it to err", () => {
    const alpha = 0.05;
    const trials = 2000;
    let errors = 0;
    for (let trial = 0; trial < trials; trial++) {
      const random = new Random(3, trial);
      const share = 0.02 + 0.96 * random.float();
      // A coin whose mean gain is 0: nothing above it can be shown.
      const test = new BettingTest(1);
      for (let draw = 0; draw < 300; draw++) test.add([(random.float() < share ? 1 : 0) - share], -share);
      if (test.isConfirmed(0, alpha)) errors++;
    }
    expect(errors).toBeLessThanOrEqual(binomialLimit(trials, alpha));
  });

  it("shows what is true with a few draws where the margin is wide", () => {
    const random = new Random(5);
    const test = new BettingTest(1);
    let draws = 0;
    for (; !test.isConfirmed(0, 0.001); draws++) test.add([(random.float() < 0.7 ? 1 : 0) - 0.3], -0.3);
    expect(draws).toBeLessThan(80);
  });

  it("never confirms a hypothesis before those that come before it", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 }), (draws) => {
        const test = new BettingTest(3);
        for (const draw of draws) test.add([draw + 0.5, draw + 0.1, draw], -1);
        expect(test.logCapital(0)).toBeGreaterThanOrEqual(test.logCapital(1));
        expect(test.logCapital(1)).toBeGreaterThanOrEqual(test.logCapital(2));
      }),
    );
  });

  it("takes no bet where even the worst draw would do", () => {
    const test = new BettingTest(1);
    test.add([5], 0);
    expect(test.logCapital(0)).toBe(0);
  });
});

describe("lives", () => {
  it("have the visits, ends and exits that following links step by step gives", () => {
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const { ledger } = ledgerOf(crawledWeb(seed), "everything");
        const { visits, exits, unknown } = livesOf(ledger);
        for (let page = 0; page < ledger.pages; page++) {
          if (!isDownloaded(ledger.state[page])) continue;
          const expected = stepByStep(ledger, page);
          expect(visits[page]).toBeCloseTo(expected.visits, 4);
          expect(unknown[page]).toBeCloseTo(expected.unknown, 4);
          expect(exits[page]).toBeCloseTo(expected.exits, 4);
          // What is not solved to the end counts as an exit.
          expect(exits[page]).toBeGreaterThanOrEqual(expected.exits - 1e-9);
        }
      }),
      { numRuns: cases(100) },
    );
  });

  it("are uncertain by no more than their slack, also where surfing hardly ever ends", () => {
    let slackMost = 0;
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const { ledger } = ledgerOf(crawledWeb(seed, { damping: 0.998 }), "everything");
        const { visits, exits, unknown, slack } = livesOf(ledger);
        slackMost = Math.max(slackMost, slack);
        for (let page = 0; page < ledger.pages; page++) {
          if (!isDownloaded(ledger.state[page])) continue;
          const expected = stepByStep(ledger, page, 20_000);
          expect(exits[page] - slack).toBeLessThanOrEqual(expected.exits + 1e-9);
          expect(unknown[page] + slack).toBeGreaterThanOrEqual(expected.unknown - 1e-9);
          expect(visits[page]).toBeLessThanOrEqual(expected.visits + 1e-9);
        }
      }),
      { numRuns: cases(30) },
    );
    expect(slackMost).toBeGreaterThan(0.01);
  });

  it("are the same if they start from those of an earlier moment", () => {
    const web = crawledWeb(8);
    const early = ledgerOf({ ...web, learnt: web.learnt.slice(0, web.learnt.length >> 1) }, "everything");
    const late = ledgerOf(web, "everything");
    const before = livesOf(early.ledger);
    const grown = { ...before };
    const { visits } = livesOf(late.ledger, grown);
    for (const [page, value] of livesOf(late.ledger).visits.entries()) expect(visits[page]).toBeCloseTo(value, 4);
  });
});

const isDownloaded = (state: number): boolean => state === PageState.Downloaded || state === PageState.LinksUnknown;

/** What a life at a page is expected to do within D, by handing on its probability so many times. */
function stepByStep(
  ledger: MassLedger,
  page: number,
  steps = 2000,
): { visits: number; unknown: number; exits: number } {
  const { state, links, damping } = ledger;
  let at = new Map([[page, 1]]);
  const sum = { visits: 0, unknown: 0, exits: 0 };
  for (let step = 0; step < steps && at.size > 0; step++) {
    const next = new Map<number, number>();
    for (const [here, weight] of at) {
      if (weight < 1e-14) continue;
      if (!isDownloaded(state[here])) {
        sum.exits += weight;
        continue;
      }
      sum.visits += weight;
      if (state[here] === PageState.LinksUnknown) {
        sum.unknown += weight;
        continue;
      }
      const row = copiedRow(links, here);
      for (const link of row) {
        const target = ledger.resolve(link);
        next.set(target, (next.get(target) ?? 0) + (weight * damping) / row.length);
      }
    }
    at = next;
  }
  return sum;
}

describe("walks", () => {
  /** Coverage as so many walks find it on average, with what no walk can find; undefined where nothing is open. */
  function foundIn(web: CrawledWeb, universe: Universe, seed: number) {
    const { ledger, had } = ledgerOf(web, universe);
    const round = new Round(ledger);
    if (round.flow === 0) return undefined;
    const walks = 3000;
    let inside = 0;
    let outside = 0;
    let longest = 0;
    for (let k = 0; k < walks; k++) {
      const random = new Random(seed, k);
      const walk = follow(new Walk(round.drawStart(random), { ...round, random }), web.world, universe);
      longest = Math.max(longest, walk.inside + walk.outside);
      inside += walk.inside / walks;
      outside += walk.outside / walks;
    }
    expect(longest).toBeLessThanOrEqual(1 / (1 - web.world.damping) + 1e-9);
    const covered = ledger.rankInside + round.flow * inside;
    const found = covered / (covered + flowsOf(ledger).missed + round.flow * outside);
    return { found, truth: coverageOf(truthIn(web.world, universe), had) };
  }

  it.each(["everything", "allowed"] as const)("find the true coverage on average: %s", (universe) => {
    let compared = 0;
    const webs = cases(100);
    for (let seed = 0; seed < webs; seed++) {
      const web = crawledWeb(seed, { strange: false });
      const { found, truth } = foundIn(web, universe, seed) ?? {};
      if (found === undefined || truth === undefined) continue;
      // The rest of a walk that is cut counts as missed, so less may be found, the more so the slower lives end.
      expect(found, `seed ${seed}`).toBeLessThan(truth + 0.02);
      if (web.world.damping < 0.9) expect(found, `seed ${seed}`).toBeGreaterThan(truth - 0.1);
      compared++;
    }
    expect(compared).toBeGreaterThan(0.4 * webs);
  });

  it("assume the worst of what they cannot see: the truth where all of it leads into pages without end", () => {
    let compared = 0;
    const webs = cases(60);
    for (let seed = 0; seed < webs; seed++) {
      const web = withEndlessPages(crawledWeb(seed, { damping: 0.5 }));
      const { found, truth } = foundIn(web, "everything", seed) ?? {};
      if (found === undefined || truth === undefined) continue;
      expect(found, `seed ${seed}`).toBeLessThan(truth + 0.02);
      expect(found, `seed ${seed}`).toBeGreaterThan(truth - 0.05);
      compared++;
    }
    expect(compared).toBeGreaterThan(0.4 * webs);
  });

  /** Two more pages that link to each other, to which all links of forbidden pages and all unseen links lead. */
  function withEndlessPages({ world, learnt }: CrawledWeb): CrawledWeb {
    const count = world.urls.length;
    const urls = world.urls.map((url) =>
      url.kind === "forbidden" || url.kind === "partly" ? { ...url, links: [count] } : url,
    );
    const endless = (to: number): WorldUrl => ({ kind: "page", links: [to], seenLinks: [], trust: 0 });
    return { world: { ...world, urls: [...urls, endless(count + 1), endless(count)] }, learnt };
  }

  it("know what the ledger knows", () => {
    const ends = new Uint32Array(6).fill(5, 0, 1);
    const links = linkTable({ targets: Uint32Array.of(1, 2, 3, 4, 5), starts: new Uint32Array(6), ends });
    const ledger = new MassLedger({ links, pages: 6, damping: 0.5 });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    ledger.dead(1);
    ledger.redirected(2, 0);
    ledger.refused(3, "robots");
    ledger.linksUnknown(4);
    expect(knownArrival(ledger, 0)).toEqual({ kind: "page", links: Uint32Array.of(1, 2, 3, 4, 5) });
    expect(knownArrival(ledger, 1)).toEqual({ kind: "dead" });
    expect(knownArrival(ledger, 2)).toEqual({ kind: "redirect", target: 0 });
    expect(knownArrival(ledger, 3)).toEqual({ kind: "lost" });
    expect(knownArrival(ledger, 4)).toEqual({ kind: "links-unknown" });
    expect(knownArrival(ledger, 5)).toBeUndefined();
    // Of a chain it knows one step, also after it has followed it to its end.
    ledger.redirected(5, 2);
    expect(ledger.resolve(5)).toBe(0);
    expect(knownArrival(ledger, 5)).toEqual({ kind: "redirect", target: 2 });
  });
});

describe("a look", () => {
  /** 0 links to 1 and 2, which link back: all that is open comes back. */
  function twoOpen(): MassLedger {
    const links = linkTable({
      targets: Uint32Array.of(1, 2),
      starts: Uint32Array.of(0, 2, 2),
      ends: Uint32Array.of(2, 2, 2),
    });
    const ledger = new MassLedger({ links, pages: 3, damping: 0.85 });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    return ledger;
  }

  const comeBack = (walk: Walk): void => {
    while (!walk.hasEnded) walk.arrive({ kind: "page", links: [0] });
  };

  it("enters walks in the order of drawing, however late the first of them ends", () => {
    const look = new Look({ alpha: 0.05, levels: [0.3], seed: 1 });
    expect(look.beginRound(twoOpen())).toBe(true);
    const first = look.draw();
    for (let k = 0; k < 50; k++) comeBack(look.draw());
    expect(look.enter()).toBe(0);
    expect(look.entered).toHaveLength(0);
    comeBack(first);
    expect(look.enter()).toBe(0.3);
    expect(look.entered).not.toHaveLength(0);
  });

  it("claims what is proven, and has nothing to walk to where nothing is open", () => {
    const links = linkTable({
      targets: Uint32Array.of(1, 0),
      starts: Uint32Array.of(0, 1),
      ends: Uint32Array.of(1, 2),
    });
    const ledger = new MassLedger({ links, pages: 2, damping: 0.85 });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    ledger.downloaded(1);
    const look = new Look({ alpha: 0.05, levels: [0.5, 0.9], seed: 1 });
    expect(look.beginRound(ledger)).toBe(false);
    expect(look.shown).toBe(0.9);
  });

  it("claims nothing where all that is missing is refused", () => {
    const ledger = twoOpen();
    ledger.refused(1, "failed");
    ledger.refused(2, "failed");
    const look = new Look({ alpha: 0.05, levels: [0.9], seed: 1 });
    expect(look.beginRound(ledger)).toBe(false);
    expect(look.enter()).toBe(0);
    expect(certify(ledger).coverage).toBeLessThan(0.9);
  });
});
