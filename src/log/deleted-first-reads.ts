/**
 * Which deleted visits must be remembered one by one: the history of a page begins with the first of them, or with an
 * earlier time where the clock was set back. Of all others it is enough to know that they were deleted.
 */
import { isDownloaded } from "../coverage/index.ts";
import type { ReplacedVisit } from "./records.ts";

export class DeletedFirstReads {
  /** When a URL was first downloaded; Infinity where its first visit was no download. */
  readonly #firstMs = new Map<number, number>();

  /** Takes deleted visits in the order of their numbers; says whether an earlier one tells all that this one does. */
  isKnown({ url, atMs, outcome }: Pick<ReplacedVisit, "url" | "atMs" | "outcome">): boolean {
    const firstMs = this.#firstMs.get(url);
    const readMs = isDownloaded(outcome) ? atMs : Infinity;
    if (firstMs === undefined || readMs < firstMs) this.#firstMs.set(url, readMs);
    return firstMs !== undefined && readMs >= firstMs;
  }
}
