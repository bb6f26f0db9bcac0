/**
 * The coverage certificate (C1), (C7): how much of all importance the downloaded pages hold at least. It follows from
 * the facts alone, no matter who downloaded the pages and in what order (C3).
 */
import { assert, IdSet, runSteps, UsageError } from "../base/index.ts";
import { type Graph, linksOf } from "../graph/index.ts";
import { RunningSum } from "./accounts.ts";
import { ELSEWHERE, isDownloaded, isForbidden, PageState, type Universe } from "./facts.ts";
import { MassLedger } from "./ledger.ts";
import type { MassBook } from "./mass-book.ts";

/** What is proved about the pages that a crawl has downloaded. */
export interface Certificate {
  /** The proved share of all importance in the universe that was downloaded. Never above the true share. */
  readonly coverage: number;
  readonly universe: Universe;
  /** The proved share if everything counts, what is forbidden as the worst. At most `coverage`. */
  readonly strict: number;
  /** The proved share of all value in the universe that was downloaded (C10). Only where pages were given values. */
  readonly valued?: number;
  readonly downloaded: number;
  /** R: the unnormalised rank of the downloaded pages from paths that stay among them. */
  readonly rankInside: number;
  /** The flow to pages that may link on, including unseeded trust and unknown links. */
  readonly flowOpen: number;
  /** The flow to pages that link nowhere; 0 where these are not of the universe. */
  readonly flowDead: number;
  /** Trust that exists but was not seeded. */
  readonly delta: number;
}

/** How close a certificate comes to the best bound. */
const GAP = 1e-12;

/** Makes the certificate of a ledger, after pushing until nothing that matters is waiting inside. */
export function certify(ledger: MassLedger): Certificate {
  return runSteps(certifying(ledger));
}

/** The same in steps of one sweep each: with millions of pages all of them take many seconds. */
export function* certifying(ledger: MassLedger): Generator<void, Certificate> {
  if (ledger.isRounded) {
    throw new UsageError("the ledger is rounded, expected an exact one: certify a ledger that was told the same facts");
  }
  const waiting = yield* tightening(ledger, { absoluteGap: GAP });
  const { state, settled, pages, damping, universe } = ledger;
  let flowOpen = ledger.flowUnknown + (1 - damping) * ledger.delta;
  let flowDead = 0;
  for (let page = 0; page < pages; page++) {
    if (isOutside(state[page], universe)) continue;
    if (state[page] === PageState.Open || state[page] >= PageState.Refused) flowOpen += ledger.waiting[page];
    else if (state[page] === PageState.Dead) flowDead += ledger.waiting[page] + settled[page];
  }
  const hasAll = isEverything(ledger);
  return {
    coverage: hasAll ? 1 : ledger.bound(),
    universe: ledger.universe,
    strict: isEverything(ledger, "everything") ? 1 : ledger.bound("everything"),
    ...(ledger.hasValues ? { valued: hasAll && ledger.rankValued > 0 ? 1 : ledger.valuedBound() } : {}),
    downloaded: ledger.downloadedCount,
    rankInside: ledger.rankInside,
    // What is still waiting inside counts as open, to be safe.
    flowOpen: flowOpen + waiting,
    flowDead,
    delta: ledger.delta,
  };
}

/** A crawl of which only the link graph and the downloaded pages are known. */
export interface PlainCrawl {
  readonly graph: Graph;
  readonly trust: Iterable<readonly [page: number, weight: number]>;
  readonly downloaded: Iterable<number>;
  readonly dead?: Iterable<number>;
  readonly damping: number;
  readonly universe?: Universe;
}

/** The ledger of a crawl of which only the link graph and the downloaded pages are known, for `certify`. */
export function ledgerOf(crawl: PlainCrawl): MassLedger {
  const { graph, damping, universe = "everything" } = crawl;
  const ledger = new MassLedger({ links: linksOf(graph), pages: graph.pages, damping, universe });
  for (const [page, weight] of crawl.trust) ledger.trusted(page, weight);
  for (const page of crawl.downloaded) ledger.downloaded(page);
  for (const page of crawl.dead ?? []) ledger.dead(page);
  return ledger;
}

/** Whether a page of this state is no part of the universe. */
export function isOutside(state: number, universe: Universe): boolean {
  return universe === "allowed" && (state === PageState.Dead || isForbidden(state));
}

/**
 * Whether surfers never leave the downloaded pages, so that nothing at all is missing. A flow of zero to the outside
 * does not prove it: what waits on some pages may have been too small to be pushed.
 */
export function isEverything(ledger: MassBook, universe = ledger.universe): boolean {
  // An empty universe has no coverage.
  return ledger.rankInside > 0 && ledger.delta === 0 && isClosed(ledger, { universe });
}

export interface ClosedOptions {
  readonly universe?: Universe;
  /** URLs that pages of other shards may lead to, besides those on which something has arrived (default: none). */
  readonly reached?: Iterable<number>;
}

/** Whether surfers never leave the downloaded pages of a ledger, except for pages of another shard. */
export function isClosed(ledger: MassBook, { universe = ledger.universe, reached = [] }: ClosedOptions = {}): boolean {
  const { state, links } = ledger;
  if (ledger.flowUnknown > 0) return false;
  const isReached = new IdSet();
  const toVisit: number[] = [];
  const reach = (page: number) => {
    if (isReached.has(page)) return;
    isReached.add(page);
    toVisit.push(page);
  };
  ledger.forEachReached(reach);
  for (const page of reached) {
    const end = ledger.resolve(page);
    // Redirects of several shards may form a loop, which is a dead page that none of them sees.
    if (end !== page && state[end] === ELSEWHERE && universe === "everything") return false;
    reach(end);
  }
  for (let page = toVisit.pop(); page !== undefined; page = toVisit.pop()) {
    if (isOutside(state[page], universe) || state[page] === ELSEWHERE) continue;
    if (state[page] !== PageState.Downloaded) return false;
    const { targets, start, end } = links.row(page);
    for (let k = start; k < end; k++) reach(ledger.resolve(targets[k]));
  }
  return true;
}

export interface TightenGoal {
  /** Stop when the bound is this close to the best one, as a share of what is still missing. */
  readonly relativeGap?: number;
  /** Stop when the bound is this close to the best one. */
  readonly absoluteGap?: number;
  /** Stop when no more than this waits inside. */
  readonly waiting?: number;
  /** Stop as soon as the bound has reached this level, or certainly cannot. */
  readonly level?: number;
  /** What the goal is about (default: importance). */
  readonly measure?: "importance" | "value";
}

/**
 * Pushes final pages again and again ("virtual crawl") until the goal is reached: this raises the bound of a ledger to
 * the best that its facts allow (C4). Returns what still waits inside. It is Gauss-Seidel on x = (1-d) t + d W_D x
 * started from below, so x never exceeds the solution.
 *
 * Invariant: the bound is true before, during and after; the best one lies between `bound()` and
 * `boundAtMost(waiting)`. Cost: a sweep over the final pages leaves at most a share (1 + d) / 2 of what waited, usually
 * less. Pages that hold less than half of the average wait for a later sweep, which halves the number of arc updates.
 */
export function tighten(ledger: MassBook, goal: TightenGoal): number {
  return runSteps(tightening(ledger, goal));
}

function* tightening(ledger: MassBook, goal: TightenGoal): Generator<void, number> {
  for (;;) {
    ledger.measure();
    const waiting = ledger.waitingInside();
    if (waiting === 0 || isNearEnough(ledger, waiting, goal)) return waiting;
    ledger.pushFrom(waiting / (2 * ledger.finalCount));
    yield;
  }
}

function isNearEnough(ledger: MassBook, waiting: number, goal: TightenGoal): boolean {
  if (goal.waiting !== undefined) return waiting <= Math.max(goal.waiting, ledger.rounding);
  const isValue = goal.measure === "value";
  // Where nothing of value is left, nothing but rounding would change any more.
  if (isValue && waiting <= ledger.rounding) return true;
  const atMost = (inside: number) => (isValue ? ledger.valuedAtMost(inside) : ledger.boundAtMost(inside));
  const best = atMost(waiting);
  const bound = isValue ? ledger.valuedBound() : ledger.bound();
  if (goal.level !== undefined && (bound >= goal.level || best < goal.level)) return true;
  // Measured without what `bound` subtracts for rounding: that part of the gap would never close.
  const gap = best - atMost(0);
  if (goal.relativeGap !== undefined && gap <= goal.relativeGap * (1 - best)) return true;
  return gap <= (goal.absoluteGap ?? 1e-13);
}

/**
 * The proved share of all importance in the universe that these pages hold, as far as they were downloaded. They may
 * be chosen after everything was seen. True at any moment, best when nothing waits inside.
 */
export function subsetShare(ledger: MassLedger, pages: Iterable<number>): number {
  const { whole, rounding, settled, state, keepsRanks } = ledger;
  assert(keepsRanks, "the share of some pages is known where the rank of each is kept");
  const sum = new RunningSum();
  for (const page of new Set(pages)) if (isDownloaded(state[page])) sum.add(settled[page]);
  return whole <= rounding ? 0 : Math.max(0, Math.min(1, sum.value / whole) - rounding / whole);
}
