/** How many seeds are lost, by reason: of a long list, nobody adds up the notes. */
import { counted } from "../../base/index.ts";
import type { SeedLost } from "../../crawl/index.ts";
import { SHORT } from "../../text/index.ts";

/** Fewer are told one by one. */
const SUMMED_MIN = 3;

export class SeedLosses {
  readonly #counts = new Map<SeedLost["reason"], number>();

  add({ reason }: Pick<SeedLost, "reason">): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  /** A note about all of them; undefined if there are few. */
  inWords(): string | undefined {
    const byCount = [...this.#counts].sort(([, a], [, b]) => b - a);
    const total = byCount.reduce((sum, [, count]) => sum + count, 0);
    if (total < SUMMED_MIN) return undefined;
    const parts = byCount.map(([reason, count]) => `${reason === "dead" ? reason : SHORT[reason]} ${count}`);
    return `${counted(total, "seed")} could not be fetched: ${parts.join(", ")}`;
  }
}
