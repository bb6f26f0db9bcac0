/** The ledger of a round of walks: what comes meanwhile waits, and is then taken as if it had come at once. */
import { describe, expect, it } from "vitest";
import { MassLedger, PageState } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { RoundLedger } from "../../src/crawl/sampling/round-ledger.ts";

const PAGES = 8;

/** Page 0 links to all others. */
function options() {
  const links = new GrowingLinks();
  links.set(0, [1, 2, 3, 4, 5, 6]);
  return { links, damping: 0.85, universe: "everything" as const, pages: PAGES };
}

/** One fact of every kind; where two are about one page, their order matters. */
function tell(facts: RoundLedger | MassLedger): void {
  facts.trusted(0, 1);
  facts.downloaded(0);
  facts.linksUnknown(1);
  facts.dead(2);
  facts.refused(3, "forbidden");
  facts.redirected(4, 5);
  facts.dead(5);
  facts.received(6, 0, 0.25);
}

const statesOf = ({ state }: MassLedger): number[] => Array.from({ length: PAGES }, (_, page) => state[page]);

describe("the ledger of a round", () => {
  it("keeps its pages while walks are under way, and takes what came meanwhile once they have ended", () => {
    const round = new RoundLedger(options());
    round.hold();
    tell(round);
    expect(statesOf(round.ledger)).toEqual(Array.from({ length: PAGES }, () => PageState.Open));
    expect(round.ledger.waiting.slice(0, PAGES)).toEqual(new Float64Array(PAGES));
    round.release();
    const atOnce = new MassLedger({ ...options(), keepsRanks: false });
    tell(atOnce);
    expect(statesOf(round.ledger)).toEqual(statesOf(atOnce));
    expect(round.ledger.waiting.slice(0, PAGES)).toEqual(atOnce.waiting.slice(0, PAGES));
  });

  it("takes a fact once, and at once where no walk is under way", () => {
    const round = new RoundLedger(options());
    round.trusted(0, 1);
    expect(round.ledger.waiting[0]).toBeGreaterThan(0);
    round.hold();
    round.received(1, 0, 0.25);
    round.release();
    const arrived = round.ledger.waiting[1];
    expect(arrived).toBeGreaterThan(0);
    round.release();
    round.downloaded(0);
    expect(round.ledger.waiting[1]).toBe(arrived);
    expect(round.ledger.state[0]).toBe(PageState.Downloaded);
  });
});
