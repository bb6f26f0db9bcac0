/** Where trust is by now: with the seeds, or where their redirects lead; and who is told when some of it is in trouble, or lost. */
import type { RefusalReason } from "../coverage/index.ts";

export interface SeedLoss {
  readonly url: number;
  readonly reason: RefusalReason | "dead";
  readonly detail: string | null;
  /** The trust that it holds. */
  readonly weight: number;
}

/** The first attempt at a seed, or at the robots.txt before it, has failed. */
export interface SeedTrouble {
  readonly url: number;
  /** As a verdict has it: the name of the failure, or "status-503". */
  readonly reason: string;
  readonly isRobots: boolean;
  /** Until it is tried again. */
  readonly waitMs: number;
}

/** Nobody reads more of them, and a network that is down would tell one for each seed. */
const TROUBLES_MAX = 10;

export class SeedTrust {
  /** Told in this run when a seed, or what it redirects to, is found dead or refused. */
  onLost: ((loss: SeedLoss) => void) | undefined;
  /** Told once an origin, and TROUBLES_MAX times at most. */
  onTrouble: ((trouble: SeedTrouble) => void) | undefined;
  readonly #weights = new Map<number, number>();
  /** One seed of each origin that has any. */
  readonly #seedOf = new Map<number, number>();
  readonly #troubled = new Set<number>();

  trust(url: number, origin: number, weight: number): void {
    this.#weights.set(url, weight);
    if (!this.#seedOf.has(origin)) this.#seedOf.set(origin, url);
  }

  moved(from: number, to: number, originOfTo: number): void {
    const weight = this.#weights.get(from);
    if (weight !== undefined) this.trust(to, originOfTo, (this.#weights.get(to) ?? 0) + weight);
  }

  lost(url: number, reason: SeedLoss["reason"], detail: string | null): void {
    const weight = this.#weights.get(url);
    if (weight !== undefined) this.onLost?.({ url, reason, detail, weight });
  }

  /** An attempt at a page has failed, which may be a seed. */
  trouble(url: number, origin: number, reason: string, waitMs: number): void {
    if (this.#weights.has(url)) this.#tell(origin, { url, reason, waitMs, isRobots: false });
  }

  /** The same of a robots.txt: before it is known no seed of its origin is asked for. */
  robotsTrouble(origin: number, reason: string, waitMs: number): void {
    const url = this.#seedOf.get(origin);
    if (url !== undefined) this.#tell(origin, { url, reason, waitMs, isRobots: true });
  }

  #tell(origin: number, trouble: SeedTrouble): void {
    if (this.#troubled.has(origin) || this.#troubled.size >= TROUBLES_MAX) return;
    this.#troubled.add(origin);
    this.onTrouble?.(trouble);
  }
}
