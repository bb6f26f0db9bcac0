/** When the scope of a crawl is settled: when every seed has been answered, or patience is at an end. */
import { IdSet } from "../base/index.ts";
import type { LogListener, Visit } from "../log/index.ts";
import { type UrlIndex, UrlState } from "./url-index.ts";

/** How long pages that are there wait for seeds that are not. */
const PATIENCE_MS = 10_000;

export class ScopeSettling implements LogListener {
  readonly #index: Pick<UrlIndex, "stateOf">;
  /** Seeds, and what they redirect to, without an answer that says where they lead. */
  readonly #awaited = new Set<number>();
  readonly #answered = new IdSet();
  #sinceMs = Number.POSITIVE_INFINITY;

  constructor(index: Pick<UrlIndex, "stateOf">) {
    this.#index = index;
  }

  trusted(url: number): void {
    this.#awaited.add(url);
  }

  visited({ url, outcome, target }: Visit): void {
    if (outcome === "try-again" || !this.#awaited.delete(url)) return;
    if (outcome !== "redirected" || target === null || this.#answered.has(target)) return;
    // Where a seed leads is waited for in its place.
    if (this.#index.stateOf(target) !== UrlState.Final) this.#awaited.add(target);
  }

  /** A page is there, and waits to be read. */
  answered(url: number): void {
    this.#awaited.delete(url);
    this.#answered.add(url);
  }

  /** Pages wait since then. */
  begin(nowMs: number): void {
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
