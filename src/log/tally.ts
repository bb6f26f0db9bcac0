/** Counts of a log, or of the part of it that is about one host. */
import { zeroCounts } from "../base/index.ts";
import { outcomes, type Visit } from "./records.ts";

export class Tally {
  /** URLs without sinks. */
  known = 0;
  /** Visits that ended, with any outcome. */
  visits = 0;
  readonly outcomes = zeroCounts(outcomes);
  /** Of the refused URLs, those that failed for good. */
  failed = 0;
  bytes = 0;
  answers = 0;
  answersMs = 0;

  /** Pages that were fetched. */
  get downloaded(): number {
    return this.outcomes.downloaded + this.outcomes["links-unknown"];
  }

  /** URLs without a final outcome. */
  get waiting(): number {
    const { dead, redirected, refused } = this.outcomes;
    return this.known - this.downloaded - dead - redirected - refused;
  }

  add({ outcome, reason, wireBytes, status, milliseconds }: Visit): void {
    this.visits++;
    this.outcomes[outcome]++;
    if (reason === "failed") this.failed++;
    this.bytes += wireBytes;
    if (status === null) return;
    this.answers++;
    this.answersMs += milliseconds;
  }
}
