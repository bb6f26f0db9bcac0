/** When the scope of a crawl is settled: when every host with a seed has answered, or patience is at an end. */
import type { LogListener, Visit } from "../log/index.ts";
import type { UrlIndex } from "./url-index.ts";

/** How long pages that have come wait for seeds that have not. */
const PATIENCE_MS = 10_000;

export class ScopeSettling implements LogListener {
  readonly #index: Pick<UrlIndex, "hostOf">;
  /** Hosts of which no seed has come so far, by their ids. */
  readonly #awaited = new Set<number>();
  #sinceMs = Number.POSITIVE_INFINITY;

  constructor(index: Pick<UrlIndex, "hostOf">) {
    this.#index = index;
  }

  trusted(url: number): void {
    this.#awaited.add(this.#index.hostOf(url).id);
  }

  visited({ url, outcome, target }: Visit): void {
    if (this.#awaited.size === 0 || outcome === "try-again") return;
    this.came(url);
    // Where a seed leads is waited for in its place.
    if (outcome === "redirected" && target !== null) this.trusted(target);
  }

  /** A page has come. */
  came(url: number): void {
    this.#awaited.delete(this.#index.hostOf(url).id);
  }

  /** A page waits for the others. */
  waits(nowMs: number): void {
    this.#sinceMs = Math.min(this.#sinceMs, nowMs);
  }

  /** When waiting ends at the latest. */
  get untilMs(): number {
    return this.#sinceMs + PATIENCE_MS;
  }

  isDue(nowMs: number): boolean {
    return this.#awaited.size === 0 || nowMs >= this.untilMs;
  }
}
