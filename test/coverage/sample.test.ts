/** The sampled certificate: what walks expect is the truth, and what is shown is rarely false. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { BettingTest } from "../../src/coverage/sample/betting.ts";
import { livesOf } from "../../src/coverage/sample/lives.ts";
import { Look } from "../../src/coverage/sample/look.ts";
import { type Arrival, Walk } from "../../src/coverage/sample/walk.ts";
import { certify, MassLedger, PageState, type Universe } from "../../src/coverage/index.ts";
import { type Truth, truthAllowed, truthOf, type World } from "../support/truth.ts";
import { type CrawledWeb, crawledWeb } from "../support/webs.ts";
import { FactEmitter } from "../support/worlds.ts";

describe("a test by betting", () => {
  it("errs no more often than it may, however long one waits for it to err", () => {
    const alpha = 0.05;
    let errors = 0;
    const trials = 2000;
    for (let trial = 0; trial < trials; trial++) {
      const random = new Random(3, trial);
      const share = 0.02 + 0.96 * random.float();
      // A coin whose mean is the threshold: nothing above it can be shown.
      const test = new BettingTest(share, 0);
      for (let draw = 0; draw < 300; draw++) test.add(random.float() < share ? 1 : 0);
      if (test.isProved(alpha)) errors++;
    }
    expect(errors).toBeLessThan(alpha * trials + 3 * Math.sqrt(alpha * trials));
  });

  it("shows what is true with a few draws where the margin is wide", () => {
    const random = new Random(5);
    const test = new BettingTest(0.3, 0);
    let draws = 0;
    while (!test.isProved(0.001)) {
      test.add(random.float() < 0.7 ? 1 : 0);
      draws++;
    }
    expect(draws).toBeLessThan(80);
  });

  it("needs no draw where the worst would do", () => {
    expect(new BettingTest(-2, -1).isProved(1e-9)).toBe(true);
  });
});

/** All that a walk may meet in a world. */
function arrivalAt(world: World, url: number, universe: Universe): Arrival {
  const { kind, links } = world.urls[url];
  switch (kind) {
    case "page":
      return { kind: "page", links };
    case "partly":
      return { kind: "links-unknown" };
    case "redirect":
      return { kind: "redirect", target: links[0] };
    case "dead":
      return { kind: universe === "allowed" ? "outside-universe" : "dead" };
    case "forbidden":
      return { kind: universe === "allowed" ? "outside-universe" : "lost" };
  }
}

const coverageOf = ({ ranks, sum }: Truth, had: Iterable<number>): number =>
  sum === 0 ? 0 : [...had].reduce((total, page) => total + ranks[page], 0) / sum;

/** The ledger of a web that was crawled in part, pushed to the end. */
function ledgerOf({ world, learnt }: CrawledWeb, universe: Universe) {
  const emitter = new FactEmitter(world);
  const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe }));
  emitter.emit({ about: "trust", url: 0 });
  for (const url of learnt) emitter.emit({ about: "fate", url });
  ledger.grow(world.urls.length);
  return { ledger, emitter, certificate: certify(ledger) };
}

function follow(walk: Walk, world: World, universe: Universe): Walk {
  while (walk.at >= 0) walk.arrive(arrivalAt(world, walk.at, universe));
  return walk;
}

const truthIn = (world: World, universe: Universe): Truth =>
  universe === "allowed" ? truthAllowed(world) : truthOf(world);

describe("walks", () => {
  it.each(["everything", "allowed"] as const)("expect the true coverage: %s", (universe) => {
    let compared = 0;
    for (let seed = 0; seed < 100; seed++) {
      const web = crawledWeb(seed, { strange: false });
      const { ledger, emitter, certificate } = ledgerOf(web, universe);
      const look = new Look({ ledger, alpha: 0.05, levels: [0.5], seed });
      if (look.flow === 0) continue;
      const walks = 3000;
      let inside = 0;
      let outside = 0;
      for (let k = 0; k < walks; k++) {
        const walk = follow(look.draw(), web.world, universe);
        expect(walk.inside + walk.outside).toBeLessThanOrEqual(1 / (1 - web.world.damping) + 1e-9);
        inside += walk.inside / walks;
        outside += walk.outside / walks;
      }
      const { rankInside, flowDead } = certificate;
      const shown = (rankInside + look.flow * inside) / (rankInside + flowDead + look.flow * (inside + outside));
      const truth = coverageOf(truthIn(web.world, universe), emitter.had);
      // The rest of a walk that is cut counts as missed, so a little less may be shown.
      expect(shown, `seed ${seed}`).toBeLessThan(truth + 0.02);
      expect(shown, `seed ${seed}`).toBeGreaterThan(truth - 0.06);
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
  });
});

describe("a look", () => {
  it.each(["everything", "allowed"] as const)("shows more than is true no more often than it may: %s", (universe) => {
    const alpha = 0.05;
    let looks = 0;
    let errors = 0;
    let above = 0;
    const levels = Array.from({ length: 50 }, (_, k) => (k + 1) / 50);
    for (let seed = 0; seed < 2000; seed++) {
      const web = crawledWeb(seed);
      const { ledger, emitter, certificate } = ledgerOf(web, universe);
      const look = new Look({ ledger, alpha, levels, seed });
      if (look.flow === 0) continue;
      let shown = 0;
      for (let k = 0; k < 60; k++) {
        follow(look.draw(), web.world, universe);
        shown = Math.max(shown, look.enter());
      }
      looks++;
      if (shown > coverageOf(truthIn(web.world, universe), emitter.had) + 1e-9) errors++;
      if (shown > certificate.coverage + 0.02) above++;
    }
    expect(looks).toBeGreaterThan(1000);
    expect(above).toBeGreaterThan(200);
    expect(errors).toBeLessThan(alpha * looks + 3 * Math.sqrt(alpha * looks));
  });

  it("enters walks in the order of drawing, however late the first of them ends", () => {
    // 0 links to 1 and 2, which link back: all that is open comes back.
    const links = { targets: Uint32Array.of(1, 2), starts: Uint32Array.of(0, 2, 2), ends: Uint32Array.of(2, 2, 2) };
    const ledger = new MassLedger({ links, pages: 3, damping: 0.85 });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    certify(ledger);
    expect(ledger.state[1]).toBe(PageState.Open);
    const look = new Look({ ledger, alpha: 0.05, levels: [0.3], seed: 1 });
    const back = (walk: Walk): void => {
      while (walk.at >= 0) walk.arrive({ kind: "page", links: [0] });
    };
    const first = look.draw();
    for (let k = 0; k < 50; k++) back(look.draw());
    expect(look.enter()).toBe(0);
    back(first);
    expect(look.enter()).toBe(0.3);
  });

  it("has visits, exits and unknown links of a life as the definition has them", () => {
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const { ledger } = ledgerOf(crawledWeb(seed), "everything");
        const { visits, exits, unknown } = livesOf(ledger);
        const { state, links, damping } = ledger;
        for (let page = 0; page < ledger.pages; page++) {
          if (state[page] !== PageState.Downloaded && state[page] !== PageState.LinksUnknown) continue;
          // A life ends, leaves, or stays: ends are 1-d of every visit, d of those without links or with unknown ones.
          expect(visits[page]).toBeGreaterThanOrEqual(1);
          expect((1 - damping) * visits[page] + exits[page] + damping * unknown[page]).toBeLessThanOrEqual(1 + 1e-9);
          const count = links.ends[page] - links.starts[page];
          if (state[page] === PageState.LinksUnknown)
            expect([visits[page], exits[page], unknown[page]]).toEqual([1, 0, 1]);
          else if (count === 0) expect([visits[page], exits[page], unknown[page]]).toEqual([1, 0, 0]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
