/** Where a round of reads gets its pages from while it runs, and whom it tells what came of them. */
import type { Reread, Visit } from "../../log/index.ts";
import type { Now } from "../machine.ts";
import type { Reading } from "./reading.ts";
import type { KnownRefreshPage } from "./refresh-work.ts";

/** A page to read now. */
export type RoundPage = KnownRefreshPage | UnreadPage;

/** A page that was never downloaded. */
interface UnreadPage {
  readonly url: number;
  readonly visit: null;
  /** The visit by which it failed, if it did: another outcome replaces that. */
  readonly failed: number | undefined;
}

/** A page that was not read after all: its host asked us to wait or could not be reached, or the round was stopped. */
export interface LeftPage {
  readonly url: number;
  readonly why: string;
  /** When its host may be requested again, by the clock. */
  readonly untilMs: number;
}

export interface RoundSource {
  /** A page that may be read now; undefined if there is none before `nextMs`. */
  next(now: Now): RoundPage | undefined;
  /** When to ask again, by the clock that never jumps. */
  nextMs(now: Now): number;
  /** No more pages come: the round ends when those that were given are read. */
  isClosed(now: Now): boolean;
  /** What came of a page that was downloaded before; `reading` is of the visit that counts now. */
  reread(reread: Reread, reading: Reading): void;
  /** What came of a page that was not. */
  firstRead(visit: Visit): void;
  left(page: LeftPage, now: Now): void;
}
