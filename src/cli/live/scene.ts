/** Everything that the live view of a crawl shows at one moment, and the history of the run for its charts. */
import type { UniverseName } from "../../text/index.ts";
import type { CrawlEvent, CrawlState, CrawlStatus, HostStatus, Limits, NextLimit } from "../../crawl/index.ts";

export interface Scene {
  readonly status: CrawlStatus;
  readonly state: CrawlState;
  readonly limits: Limits;
  readonly pagesPerSecond: number | undefined;
  readonly nextLimit: NextLimit | undefined;
  readonly history: RunHistory;
  /** The best first. */
  readonly hosts: readonly HostLine[];
  /** The newest last. */
  readonly events: readonly CrawlEvent[];
  readonly damping: number;
  /** What coverage is measured against. */
  readonly universe: UniverseName;
}

interface HostLine {
  readonly name: string;
  readonly pages: number;
  readonly dead: number;
  readonly errors: number;
  readonly status: HostStatus | null;
}

type Point = Pick<CrawlStatus, "elapsedMs" | "pages" | "coverage">;

const POINTS_MAX = 1024;
/** A column of a chart is at least this long, so that the chart grows until it has its full width. */
const COLUMN_MS = 250;

/**
 * Points of a run so far, in the order of their times. When there are too many, every other point is dropped, and from
 * then on points are twice as far apart: a run of days costs no more than one of minutes.
 */
export class RunHistory {
  readonly #points: Point[] = [];
  /** A point closer than this to the one before the newest replaces the newest. */
  #apartMs = 0;

  get size(): number {
    return this.#points.length;
  }

  add({ elapsedMs, pages, coverage }: Point): void {
    const before = this.#points.at(-2);
    if (before !== undefined && elapsedMs - before.elapsedMs < this.#apartMs) this.#points.pop();
    this.#points.push({ elapsedMs, pages, coverage });
    if (this.#points.length <= POINTS_MAX) return;
    // The first and the newest stay.
    const kept = this.#points.filter((_, k) => k % 2 === POINTS_MAX % 2);
    this.#points.splice(0, this.#points.length, ...kept);
    this.#apartMs = elapsedMs / (POINTS_MAX / 2);
  }

  /** Coverage at the end of each column, from the start of the run until now. */
  coverages(columnsMax: number): number[] {
    return this.#ends(columnsMax).map((endMs) => this.#last(endMs)?.coverage ?? 0);
  }

  /** Pages per second in each column. */
  speeds(columnsMax: number): number[] {
    let beforeMs = 0;
    let before = this.#points[0]?.pages ?? 0;
    return this.#ends(columnsMax).map((endMs) => {
      const pages = this.#pagesAt(endMs);
      const speed = endMs === beforeMs ? 0 : (1000 * (pages - before)) / (endMs - beforeMs);
      beforeMs = endMs;
      before = pages;
      return speed;
    });
  }

  #ends(columnsMax: number): number[] {
    const totalMs = this.#points.at(-1)?.elapsedMs ?? 0;
    const columns = Math.max(1, Math.min(columnsMax, Math.ceil(totalMs / COLUMN_MS)));
    return Array.from({ length: columns }, (_, k) => ((k + 1) * totalMs) / columns);
  }

  #last(atMs: number): Point | undefined {
    return this.#points.findLast(({ elapsedMs }) => elapsedMs <= atMs) ?? this.#points[0];
  }

  /** Interpolated between two points. */
  #pagesAt(atMs: number): number {
    const k = this.#points.findIndex(({ elapsedMs }) => elapsedMs >= atMs);
    const after = this.#points[k < 0 ? this.#points.length - 1 : k];
    const before = this.#points[k - 1];
    if (after === undefined) return 0;
    if (before === undefined || after.elapsedMs === before.elapsedMs) return after.pages;
    const share = (atMs - before.elapsedMs) / (after.elapsedMs - before.elapsedMs);
    return before.pages + Math.min(1, share) * (after.pages - before.pages);
  }
}
