/**
 * A surfer's life outside the downloaded pages D, followed on the real web (C8).
 *
 * It starts at an open URL drawn in proportion to the flow there, with weight 1. At every page it counts what it
 * expects of its links into D, and goes on to one of the URLs at which it would leave D again, with the weight of that.
 * So every step costs at most one fetch, moves within D cost none, and `inside` + `outside` is never above 1/(1-d).
 *
 * A machine: `at` is the URL whose outcome is needed next; `arrive` takes it.
 */
import { assert, type Random } from "../../base/index.ts";
import { copiedRow } from "../../graph/index.ts";
import { isOutside } from "../certificate.ts";
import type { FactFollower } from "../fact-follower.ts";
import { isDownloaded, PageState } from "../facts.ts";
import type { MassLedger } from "../ledger.ts";
import type { Lives } from "./lives-within.ts";

/** What became of a URL outside D. */
export type Arrival =
  | { readonly kind: "page"; readonly links: ArrayLike<number> }
  | { readonly kind: "links-unknown" }
  | { readonly kind: "redirect"; readonly target: number }
  /** A dead page, of the universe or not. */
  | { readonly kind: "dead" }
  /** Forbidden: not of the universe. */
  | { readonly kind: "outside-universe" }
  /** Refused, failed, or given up. */
  | { readonly kind: "lost" };

/** What is known already of a URL, from a ledger of the crawl at this moment or before; undefined for an open URL. */
export function knownArrival(ledger: FactFollower, url: number): Arrival | undefined {
  const { links, universe } = ledger;
  const state = ledger.state[url];
  if (state === PageState.Open) return undefined;
  if (isOutside(state, universe)) return { kind: "outside-universe" };
  if (state === PageState.Dead) return { kind: "dead" };
  // One step only: so the log tells of a walk what the crawl saw, to whom the next step was not known yet.
  if (state === PageState.Redirected) return { kind: "redirect", target: ledger.redirectOf(url) };
  if (state === PageState.LinksUnknown) return { kind: "links-unknown" };
  if (state === PageState.Downloaded) return { kind: "page", links: copiedRow(links, url) };
  return { kind: "lost" };
}

/** Below this weight, or after this many pages, the rest of a life counts as missed: it is not worth a fetch. */
const WEIGHT_LEAST = 0.03;
const PAGES_MAX = 8;
/** Beyond that, a chain of redirects counts as lost. */
const REDIRECTS_MAX = 10;

export class Walk {
  /** The URL that the life has arrived at; -1 when it has ended. */
  at: number;
  /** B: discounted visits to D. */
  inside = 0;
  /** V: discounted visits outside D, and all that may follow what is not known. */
  outside = 0;
  /** How many outcomes were not known already. */
  fetched = 0;
  readonly #ledger: MassLedger;
  readonly #lives: Lives;
  readonly #random: Random;
  #weight = 1;
  #pages = 0;
  #redirects = 0;

  constructor(start: number, { ledger, lives, random }: { ledger: MassLedger; lives: Lives; random: Random }) {
    this.#ledger = ledger;
    this.#lives = lives;
    this.#random = random;
    this.at = start;
  }

  /** The weight with which the life has arrived. */
  get weight(): number {
    return this.#weight;
  }

  get hasEnded(): boolean {
    return this.at < 0;
  }

  /** Takes what became of the URL that the life has arrived at, and whether it had to be fetched to know that. */
  arrive(arrival: Arrival, { isFetched = true } = {}): void {
    assert(!this.hasEnded, "the life has not ended");
    if (isFetched) this.fetched++;
    const { damping } = this.#ledger;
    const weight = this.#weight;
    switch (arrival.kind) {
      case "page":
        this.outside += weight;
        this.#pages++;
        return this.#leave(arrival.links, weight * damping);
      case "redirect":
        return this.#redirect(arrival.target);
      case "dead":
        this.outside += weight;
        return this.#end();
      case "links-unknown":
      case "lost":
        this.outside += weight / (1 - damping);
        return this.#end();
      case "outside-universe":
        return this.#end();
    }
  }

  #redirect(target: number): void {
    const end = this.#ledger.resolve(target);
    if (isDownloaded(this.#ledger.state[end])) return this.#leave([end], this.#weight);
    if (++this.#redirects > REDIRECTS_MAX) {
      this.outside += this.#weight / (1 - this.#ledger.damping);
      return this.#end();
    }
    this.at = end;
  }

  /** Follows links with this weight in all: counts those into D, and goes on to one exit. */
  #leave(links: ArrayLike<number>, weight: number): void {
    const { state, damping } = this.#ledger;
    const { visits, unknown, exits, slack } = this.#lives;
    if (links.length === 0) return this.#end();
    const share = weight / links.length;
    let leaving = 0;
    for (let k = 0; k < links.length; k++) {
      const target = this.#ledger.resolve(links[k]);
      if (isDownloaded(state[target])) {
        this.inside += share * visits[target];
        this.outside += (share * (unknown[target] * damping + slack)) / (1 - damping);
        leaving += Math.max(0, exits[target] - slack);
      } else leaving++;
    }
    this.#weight = share * leaving;
    if (this.#weight < WEIGHT_LEAST || this.#pages >= PAGES_MAX) {
      this.outside += this.#weight / (1 - damping);
      return this.#end();
    }
    this.#redirects = 0;
    this.at = this.#exitFrom(links);
  }

  /** Throws dice, again and again, until a life that follows one of these links leaves D. */
  #exitFrom(links: ArrayLike<number>): number {
    const { state, damping } = this.#ledger;
    for (;;) {
      let page = this.#ledger.resolve(links[this.#random.below(links.length)]);
      for (;;) {
        if (!isDownloaded(state[page])) return page;
        const { targets, start, end } = this.#ledger.links.row(page);
        const count = end - start;
        if (state[page] !== PageState.Downloaded || count === 0 || this.#random.float() >= damping) break;
        page = this.#ledger.resolve(targets[start + this.#random.below(count)]);
      }
    }
  }

  #end(): void {
    // No life has more visits, so what counts as missed for caution is no more.
    this.outside = Math.min(this.outside, 1 / (1 - this.#ledger.damping) - this.inside);
    this.at = -1;
  }
}
