/** Where the missing share is (C6), against the dense solution of what is known, and on webs worked by hand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, MassLedger, type MissingReason, missingShares } from "../../src/coverage/index.ts";
import { GrowingLinks, type Hosts } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { insideOf, type World } from "../support/truth.ts";
import { type Fact, factsInAnyOrder, reasonFor, FactEmitter, worldWithoutRedirects } from "../support/worlds.ts";

/** Three hosts, by the remainder of the page's id. */
const hostsOfWorld = (world: World): Hosts => ({
  names: ["a.example", "b.example", "c.example"],
  hostOf: Uint32Array.from({ length: world.known }, (_, page) => page % 3),
});

const crawl = worldWithoutRedirects.chain((world) =>
  fc.record({ world: fc.constant(world), facts: factsInAnyOrder(world) }),
);

function certified(world: World, facts: readonly Fact[]) {
  const emitter = new FactEmitter(world);
  const ledger = emitter.addListener(new MassLedger(emitter.options));
  ledger.grow(world.known);
  for (const fact of facts) emitter.emit(fact);
  return { ledger, certificate: certify(ledger), emitter };
}

describe("missing shares", () => {
  it("are by reason what the dense solution sends there, and sum to what is not certified", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts }) => {
        const { ledger, certificate, emitter } = certified(world, facts);
        const expected = expectedShares(world, facts, emitter);
        const shares = missingShares(ledger, certificate);
        for (const { reason, mass } of shares) expect(mass).toBeCloseTo(expected.get(reason) ?? 0, 9);
        const named = new Set(shares.map(({ reason }) => reason));
        expect(named.size).toBe(shares.length);
        for (const [reason, mass] of expected) if (mass > 1e-9) expect(named).toContain(reason);
        expect(shares.every(({ mass }) => mass > 0)).toBe(true);
        const total = shares.reduce((sum, { mass }) => sum + mass, 0);
        expect(total).toBeCloseTo(1 - certificate.coverage, 9);
        expect(shares.map(({ mass }) => mass)).toEqual(shares.map(({ mass }) => mass).toSorted((a, b) => b - a));
      }),
      { numRuns: cases(800) },
    );
  });

  it("are split by host without loss, largest first, except trust that no host is known of", () => {
    fc.assert(
      fc.property(crawl, ({ world, facts }) => {
        const { ledger, certificate } = certified(world, facts);
        for (const { reason, mass, hosts } of missingShares(ledger, certificate, hostsOfWorld(world))) {
          const masses = hosts.map((host) => host.mass);
          const sum = masses.reduce((total, each) => total + each, 0);
          expect(sum).toBeCloseTo(reason === "trust-unseeded" ? 0 : mass, 12);
          expect(masses).toEqual(masses.toSorted((a, b) => b - a));
          for (const { pages } of hosts) expect(pages).toBeGreaterThan(0);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("of a page that links to one page of each fate are counted by hand", () => {
    // d = 1/2, page 0 has all trust: x_0 = 1/2, each of its five links carries 1/20. Dead: one visit, 1/20. Open: two
    // visits, 1/10. Page 5 has unknown links: x_5 = 1/20, of which 1/40 goes on, for two visits: 1/20. The whole is 1/2
    // + 1/20 + 3/10 + 1/20 + 1/20 = 19/20.
    const links = new GrowingLinks();
    links.set(0, [1, 2, 3, 4, 5]);
    links.set(5, []);
    const ledger = new MassLedger({ links, pages: 6, damping: 0.5 });
    ledger.trusted(0, 1);
    ledger.downloaded(0);
    ledger.dead(1);
    ledger.refused(2, "robots");
    ledger.refused(3, "trap");
    ledger.linksUnknown(5);
    const certificate = certify(ledger);
    const shares = new Map(missingShares(ledger, certificate).map(({ reason, mass }) => [reason, mass]));
    expect(certificate.coverage).toBeCloseTo(11 / 19, 11);
    expect(shares.get("dead")).toBeCloseTo(1 / 19, 11);
    expect(shares.get("robots")).toBeCloseTo(2 / 19, 11);
    expect(shares.get("trap")).toBeCloseTo(2 / 19, 11);
    expect(shares.get("not-fetched")).toBeCloseTo(2 / 19, 11);
    expect(shares.get("links-unknown")).toBeCloseTo(1 / 19, 11);
    expect(shares.size).toBe(5);
  });
});

function expectedShares(world: World, facts: readonly Fact[], emitter: FactEmitter): Map<MissingReason, number> {
  const { x, rankInside, flowOpen, flowDead } = insideOf(world, emitter);
  const { damping: d, urls } = world;
  const whole = rankInside + flowOpen / (1 - d) + flowDead;
  const shares = new Map<MissingReason, number>();
  const add = (reason: MissingReason, visits: number) => {
    shares.set(reason, (shares.get(reason) ?? 0) + visits / whole);
  };
  for (let url = 0; url < world.known; url++) {
    const { kind } = urls[url];
    if (!emitter.learnt.has(url)) add(reasonTold(world, facts, url), x[url] / (1 - d));
    else if (kind === "dead") add("dead", x[url]);
    else if (kind === "partly") add("links-unknown", (d * x[url]) / (1 - d));
  }
  add("trust-unseeded", 1 - [...emitter.trusted].reduce((sum, url) => sum + urls[url].trust, 0));
  return shares;
}

/** The last reason that was reported for a URL whose fate is not known. */
function reasonTold(world: World, facts: readonly Fact[], url: number): MissingReason {
  const last = facts.findLast((fact) => fact.url === url && fact.about !== "trust");
  if (last === undefined) return "not-fetched";
  return last.about === "refusal" ? reasonFor(url) : world.urls[url].kind === "forbidden" ? "robots" : "not-fetched";
}
