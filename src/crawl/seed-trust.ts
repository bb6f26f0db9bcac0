/** Where trust is by now: with the seeds, or where their redirects lead; and what is told when some of it is in trouble, or lost. */
import type { CrawlEvent, SeedInTrouble, SeedLost } from "./events.ts";

export interface SeedTrustOptions {
  readonly tell: (event: CrawlEvent) => void;
  readonly textOf: (url: number) => string;
}

/** An attempt that failed. */
type Attempt = Pick<SeedInTrouble, "atMs" | "reason" | "waitMs">;

/** Nobody reads more of them, and a network that is down would tell one for each seed. */
const TROUBLES_MAX = 10;

export class SeedTrust {
  readonly #options: SeedTrustOptions;
  readonly #weights = new Map<number, number>();
  /** One seed of each origin that has any. */
  readonly #seedOf = new Map<number, number>();
  readonly #troubled = new Set<number>();

  constructor(options: SeedTrustOptions) {
    this.#options = options;
  }

  trust(url: number, origin: number, weight: number): void {
    this.#weights.set(url, weight);
    if (!this.#seedOf.has(origin)) this.#seedOf.set(origin, url);
  }

  moved(from: number, to: number, originOfTo: number): void {
    const weight = this.#weights.get(from);
    if (weight !== undefined) this.trust(to, originOfTo, (this.#weights.get(to) ?? 0) + weight);
  }

  /** A page is dead or refused, which may be a seed. */
  lost(url: number, loss: Pick<SeedLost, "atMs" | "reason" | "detail">): void {
    const weight = this.#weights.get(url);
    if (weight === undefined) return;
    const { tell, textOf } = this.#options;
    tell({ name: "seed-lost", url: textOf(url), weight, ...loss });
  }

  /** An attempt at a page has failed, which may be a seed. */
  trouble(url: number, origin: number, attempt: Attempt): void {
    if (this.#weights.has(url)) this.#tell(url, origin, { ...attempt, isRobots: false });
  }

  /** The same of a robots.txt: before it is known no seed of its origin is asked for. */
  robotsTrouble(origin: number, attempt: Attempt): void {
    const url = this.#seedOf.get(origin);
    if (url !== undefined) this.#tell(url, origin, { ...attempt, isRobots: true });
  }

  #tell(url: number, origin: number, trouble: Attempt & Pick<SeedInTrouble, "isRobots">): void {
    if (this.#troubled.has(origin) || this.#troubled.size >= TROUBLES_MAX) return;
    this.#troubled.add(origin);
    const { tell, textOf } = this.#options;
    tell({ name: "seed-in-trouble", url: textOf(url), ...trouble });
  }
}
