/** Where trust is: with the seeds, or where their redirects lead; and what is reported when some of it is lost. */
import { type CoverageWatch, PageState, refusalReasons } from "../coverage/index.ts";
import type { LogListener } from "../log/index.ts";
import type { CrawlEvent, SeedFailing, SeedLost } from "./machine.ts";

export interface SeedTrustOptions {
  readonly emit: (event: CrawlEvent) => void;
  readonly textOf: (url: number) => string;
  readonly originOf: (url: number) => number;
  /** Knows where redirects end, and what became of each URL; learns each fact first. */
  readonly ledger: Pick<CoverageWatch, "resolve" | "state">;
}

type Attempt = Pick<SeedFailing, "atMs" | "reason" | "waitMs">;

/** Nobody reads more of them, and a network that is down would report one per seed. */
const FAILING_SEEDS_MAX = 10;

export class SeedTrust implements LogListener {
  readonly #options: SeedTrustOptions;
  readonly #weights = new Map<number, number>();
  /** A seed that redirects there, of each URL that seeds redirect to. */
  readonly #ledFrom = new Map<number, number>();
  /** One seed of each origin that has any. */
  readonly #seedOf = new Map<number, number>();
  readonly #reported = new Set<number>();

  constructor(options: SeedTrustOptions) {
    this.#options = options;
  }

  trusted(url: number, weight: number): void {
    this.#weights.set(url, weight);
    const origin = this.#options.originOf(url);
    if (!this.#seedOf.has(origin)) this.#seedOf.set(origin, url);
  }

  /** Trust goes to the end of the redirects, part of which may have been known before; a loop has none. */
  redirected(from: number): void {
    const weight = this.#weights.get(from);
    const end = this.#options.ledger.resolve(from);
    if (weight === undefined || end === from) return;
    if (!this.#weights.has(end)) this.#ledFrom.set(end, this.#ledFrom.get(from) ?? from);
    this.trusted(end, (this.#weights.get(end) ?? 0) + weight);
  }

  /** A page redirects, which may be a seed: perhaps to one that is dead or refused already. */
  moved(url: number, atMs: number): void {
    const { ledger } = this.#options;
    const state = ledger.state[ledger.resolve(url)];
    if (state === PageState.Dead) this.lost(url, { atMs, reason: "dead", detail: "redirect" });
    const refused = refusalReasons[state - PageState.Refused];
    if (refused !== undefined) this.lost(url, { atMs, reason: refused, detail: "redirect" });
  }

  /** A page is dead or refused, which may be a seed. */
  lost(url: number, loss: Pick<SeedLost, "atMs" | "reason" | "detail">): void {
    const weight = this.#weights.get(url);
    if (weight === undefined) return;
    this.#options.emit({ name: "seed-lost", ...this.#namesOf(url), weight, ...loss });
  }

  /** An attempt at a page has failed, which may be a seed. */
  delayed(url: number, attempt: Attempt): void {
    if (!this.#weights.has(url)) return;
    this.#report(url, this.#options.originOf(url), { ...attempt, isRobots: false });
  }

  /** The same of a robots.txt: before it is known no seed of its origin is requested. */
  robotsDelayed(origin: number, attempt: Attempt): void {
    const url = this.#seedOf.get(origin);
    if (url !== undefined) this.#report(url, origin, { ...attempt, isRobots: true });
  }

  #report(url: number, origin: number, failure: Attempt & Pick<SeedFailing, "isRobots">): void {
    if (this.#reported.has(origin) || this.#reported.size >= FAILING_SEEDS_MAX) return;
    this.#reported.add(origin);
    this.#options.emit({ name: "seed-in-trouble", ...this.#namesOf(url), ...failure });
  }

  #namesOf(url: number): Pick<SeedLost, "url" | "seed"> {
    const { textOf } = this.#options;
    const seed = this.#ledFrom.get(url);
    return { url: textOf(url), ...(seed === undefined ? {} : { seed: textOf(seed) }) };
  }
}
