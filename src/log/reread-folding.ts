/**
 * Which rereads of a log can be folded into later ones of the same URL, so that nobody who reads the rest learns
 * anything else. Pure: rows go in, in the order of their numbers, and what to fold comes out.
 *
 * What readers take from the rereads of a page: the time of the last one that showed the page, the times between two
 * of them (a sum for those that found nothing new, a list for the others), how old each change was by its date, whether
 * a date of content that was still the same was later than that content, the validators of the last one, the visit of
 * the last change, and failures since (their first and their last, and absences). So
 *
 * - a read that showed the page is folded into the next one that did, unless it is the last that found a change;
 * - a read that failed, or did not find the page, is folded into the next one that showed it; of failures in a row, all
 *   but the first and the last are folded into the last;
 * - the first read of a URL stays: the time before it is counted from a visit. So does whatever a clock that was set
 *   back makes ambiguous, a change that no visit shows (of version 0.1), and the end of a page.
 *
 * What is left are at most three rows per URL that show it, one more for every `CHANGES_MAX` changes, and its last
 * failures. Memory: some hundred bytes per URL.
 */
import { ageOf } from "../refresh/index.ts";
import { earlierMs, joined, NO_EARLIER_READS } from "./earlier-reads.ts";
import type { EarlierReads, Reread } from "./records.ts";

/** Changes that one row may stand for: a row is written anew whenever another is folded into it. */
const CHANGES_MAX = 64;

export type FoldableReread = Pick<Reread, "number" | "url" | "atMs" | "outcome" | "lastModified" | "visit" | "earlier">;

/** Rows to delete, and what rows stand for from then on. */
export interface RereadFolds {
  readonly folded: readonly number[];
  readonly into: ReadonlyMap<number, EarlierReads>;
}

/** A row that stays for now. */
interface KeptRow {
  readonly number: number;
  readonly outcome: Reread["outcome"];
  /** All that it stands for, with itself. */
  readonly reads: EarlierReads;
}

interface UrlRows {
  /** When the last read ended. */
  lastMs: number;
  /** When the last read ended that showed the page; undefined before the first. */
  shownMs: number | undefined;
  /** When the content of now was first seen; undefined before the first change, since visits are not known here. */
  contentMs: number | undefined;
  /** Rows after the last one that stays for ever. */
  kept: KeptRow[];
}

const NO_ROWS = { lastMs: Number.NEGATIVE_INFINITY, shownMs: undefined, contentMs: undefined } as const;

export class RereadFolding {
  readonly #untilMs: number;
  /** Null for a URL of which no more is folded. */
  readonly #urls = new Map<number, UrlRows | null>();
  #folded: number[] = [];
  #into = new Map<number, EarlierReads>();

  /** Rows that ended later stay as they are. */
  constructor(untilMs: number) {
    this.#untilMs = untilMs;
  }

  add(row: FoldableReread): void {
    const rows = this.#urls.get(row.url);
    if (rows === null) return;
    if (row.atMs > this.#untilMs || (row.outcome === "changed" && row.visit === null)) {
      this.#urls.set(row.url, null);
    } else {
      const known = rows ?? { ...NO_ROWS, kept: [] };
      if (rows === undefined) this.#urls.set(row.url, known);
      this.#addTo(known, row);
    }
  }

  /** What was found since it was last taken. */
  take(): RereadFolds {
    const folds = { folded: this.#folded, into: this.#into };
    this.#folded = [];
    this.#into = new Map();
    return folds;
  }

  #addTo(rows: UrlRows, row: FoldableReread): void {
    // The clock was set back. This row stays, too: it may be the earliest of all.
    const isSetBack = row.atMs < rows.lastMs;
    if (isSetBack) rows.kept = [];
    rows.lastMs = row.atMs;
    if (row.outcome === "unchanged" || row.outcome === "changed") this.#addShown(rows, row);
    // The page ends here; what comes after is another story.
    else if (row.visit !== null) Object.assign(rows, { shownMs: undefined, kept: [] });
    else this.#addFailed(rows, row);
    if (isSetBack) rows.kept = [];
  }

  #addShown(rows: UrlRows, row: FoldableReread): void {
    const { shownMs } = rows;
    rows.shownMs = row.atMs;
    if (row.outcome === "changed") rows.contentMs = row.atMs;
    const before = row.earlier ?? NO_EARLIER_READS;
    const sinceMs = shownMs === undefined ? 0 : row.atMs - shownMs - earlierMs(before);
    const isFoldable = ({ outcome }: KeptRow): boolean => outcome !== "changed" || row.outcome === "changed";
    const folded = rows.kept.filter(isFoldable);
    const earlier = folded.reduceRight((then, { reads }) => joined(reads, then), before);
    if (sinceMs <= 0 || earlier.changes.length >= CHANGES_MAX) {
      rows.kept = [];
      return;
    }
    if (folded.length > 0) this.#fold(folded, row.number, earlier);
    rows.kept = rows.kept.filter((each) => !isFoldable(each));
    rows.kept.push(keptRow(row, joined(earlier, ownRead(row, sinceMs, rows.contentMs))));
  }

  #addFailed({ kept }: UrlRows, row: FoldableReread): void {
    const own = { ...NO_EARLIER_READS, [row.outcome]: 1 };
    const [first, last] = [kept.at(-2), kept.at(-1)];
    const isWithin = last?.outcome === "failed" && first !== undefined && !isShown(first);
    const before = row.earlier ?? NO_EARLIER_READS;
    if (row.outcome !== "failed" || !isWithin) {
      kept.push(keptRow(row, joined(before, own)));
      return;
    }
    const earlier = joined(last.reads, before);
    this.#fold([last], row.number, earlier);
    kept.splice(-1, 1, keptRow(row, joined(earlier, own)));
  }

  #fold(folded: readonly KeptRow[], into: number, earlier: EarlierReads): void {
    for (const { number } of folded) {
      this.#folded.push(number);
      this.#into.delete(number);
    }
    this.#into.set(into, earlier);
  }
}

/** A read that showed the page, as others have it that it is folded into. */
function ownRead({ outcome, atMs, lastModified }: FoldableReread, sinceMs: number, contentMs?: number): EarlierReads {
  const ageMs = ageOf(lastModified, atMs);
  if (outcome === "changed") {
    return { ...NO_EARLIER_READS, changes: [{ quietMs: 0, quietAgeMs: null, afterMs: sinceMs, ageMs }] };
  }
  const isRight = ageMs !== null && contentMs !== undefined && atMs - ageMs <= contentMs;
  return { ...NO_EARLIER_READS, unchanged: 1, quietMs: sinceMs, quietAgeMs: isRight ? null : ageMs };
}

function keptRow({ number, outcome }: FoldableReread, reads: EarlierReads): KeptRow {
  return { number, outcome, reads };
}

function isShown({ outcome }: KeptRow): boolean {
  return outcome === "unchanged" || outcome === "changed";
}
