/**
 * Walks on the crawl's own past, which cost no fetch: as if only the first half of the pages had been downloaded yet.
 * What has been fetched since tells where most of these walks go. They estimate what real walks will find, and prove
 * nothing.
 *
 * A rehearsed walk that comes to an open URL is left there. The rest of its life is taken to be like the average of
 * all.
 *
 * Cost: the ledger of half of the crawl, made and pushed.
 */
import { Random } from "../../base/index.ts";
import { tighten } from "../certificate.ts";
import type { FactFollower } from "../fact-follower.ts";
import { PageState, refusalReasons } from "../facts.ts";
import { MassLedger } from "../ledger.ts";
import { type Found, Round } from "./round.ts";
import { knownArrival, Walk } from "./walk.ts";

const WALKS = 200;
/** If walks are left this early on the whole, nothing is known about them. */
const FINISHED_LEAST = 2;
const PRECISION = 1e-3;

export interface Rehearsal {
  readonly lives: readonly Found[];
  /** How many fetches a walk is expected to need. */
  readonly fetches: number;
}

export type Trust = Iterable<readonly [page: number, weight: number]>;

/** Undefined if too little is known yet. `trust` is that of the crawl; `seed` needs not be that of a look. */
export function rehearse(ledger: FactFollower, trust: Trust, seed: number): Rehearsal | undefined {
  const past = pastOf(ledger, trust);
  tighten(past, { relativeGap: PRECISION });
  const round = new Round(past);
  if (round.flow === 0) return undefined;
  const walks = Array.from({ length: WALKS }, (_, k) => {
    const random = new Random(seed, k);
    return follow(new Walk(round.drawStart(random), { ...round, random }), ledger);
  });
  const sum = (of: (walk: Walk) => number): number => walks.reduce((total, walk) => total + of(walk), 0);
  const finished = WALKS - sum(weightLeft);
  if (finished < FINISHED_LEAST) return undefined;
  const inside = sum((walk) => walk.inside) / finished;
  const outside = sum((walk) => walk.outside) / finished;
  return {
    lives: walks.map((walk) => ({
      inside: walk.inside + weightLeft(walk) * inside,
      outside: walk.outside + weightLeft(walk) * outside,
    })),
    fetches: sum((walk) => walk.fetched) / finished,
  };
}

const weightLeft = (walk: Walk): number => (walk.hasEnded ? 0 : walk.weight);

function follow(walk: Walk, ledger: FactFollower): Walk {
  while (!walk.hasEnded) {
    const arrival = knownArrival(ledger, walk.at);
    if (arrival === undefined) break;
    walk.arrive(arrival);
  }
  return walk;
}

/** The ledger as if only the first half of the pages were final; redirects and refusals are known as now. */
function pastOf(ledger: FactFollower, trust: Trust): MassLedger {
  const { links, pages, damping, universe, state, finalPages, finalCount } = ledger;
  const past = new MassLedger({ links, pages, damping, universe, keepsRanks: false });
  for (const [page, weight] of trust) past.trusted(page, weight);
  for (let page = 0; page < pages; page++) {
    if (state[page] === PageState.Redirected) past.redirected(page, ledger.resolve(page));
    else if (state[page] >= PageState.Refused) past.refused(page, refusalReasons[state[page] - PageState.Refused]);
  }
  for (let k = 0; k < finalCount >>> 1; k++) {
    const page = finalPages[k];
    if (state[page] === PageState.Dead) past.dead(page);
    else if (state[page] === PageState.LinksUnknown) past.linksUnknown(page);
    else past.downloaded(page);
  }
  return past;
}
