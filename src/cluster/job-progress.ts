/**
 * How far a job is, added up from the notes of its shards: what every worker and everybody who watches computes alike.
 */
import {
  addedUp,
  boundOf,
  type Ceiling,
  ceilingBy,
  type LostShare,
  type MassSums,
  type MissingReason,
  unseededOf,
} from "../coverage/index.ts";
import { type CrawlSettings, type Limits, type StopReason, universeOf } from "../crawl/index.ts";
import type { Board, BoardShard } from "../store/index.ts";
import { NoteReader, type PageCounts, type ShardNote } from "./shard-note.ts";

export interface JobProgress {
  readonly counts: PageCounts;
  readonly known: number;
  readonly frontier: number;
  readonly hosts: number;
  /** Proven for all shards together. */
  readonly coverage: number;
  readonly strict: number;
  readonly ceiling: Ceiling;
  /** Why the ceiling is below 1, with the URL that has most of it. */
  readonly losses: readonly { readonly reason: MissingReason; readonly mass: number; readonly url: string | null }[];
  /** Why no shard has anything left to do, as far as it is known at this moment. */
  readonly quiet: StopReason | undefined;
  readonly ageMs: number;
}

/** What the notes of all shards say, some of which may be missing. */
export function progressOf(board: Board, settings: CrawlSettings, reader: NoteReader = new NoteReader()): JobProgress {
  const universe = universeOf(settings);
  const notes = board.shards.map((shard) => reader.read(shard)).filter((note) => note !== undefined);
  const sums = addedUp(
    notes.map((note) => ({ ...note.sums, damping: settings.damping })),
    settings.damping,
  );
  const quiet = quietness(board, notes);
  const isAll = quiet !== undefined && notes.every(({ isClosed }) => isClosed) && isWhole(sums);
  const ceiling = ceilingBy(lossesIn(notes, sums), sums, universe);
  return {
    counts: countsIn(notes),
    known: sum(notes, ({ known }) => known),
    frontier: sum(notes, ({ frontier }) => frontier),
    hosts: sum(notes, ({ hosts }) => hosts),
    coverage: isAll ? 1 : boundOf(sums, universe),
    strict: isAll && universe === "everything" ? 1 : boundOf(sums, "everything"),
    ceiling,
    losses: ceiling.lost.map(({ reason, mass }) => ({ reason, mass, url: worstIn(notes, reason) })),
    quiet,
    ageMs: board.job.ageMs,
  };
}

/** Whether all trust was seeded, and something was downloaded: an empty universe has no coverage. */
function isWhole(sums: MassSums): boolean {
  return sums.rankInside > 0 && unseededOf(sums) === 0;
}

export const NO_COUNTS: PageCounts = { pages: 0, dead: 0, redirects: 0, refused: 0, failed: 0, retries: 0, bytes: 0 };

function countsIn(notes: readonly ShardNote[]): PageCounts {
  const total = { ...NO_COUNTS };
  for (const { counts } of notes) {
    for (const name of Object.keys(NO_COUNTS) as (keyof PageCounts)[]) total[name] += counts[name];
  }
  return total;
}

function sum(notes: readonly ShardNote[], value: (note: ShardNote) => number): number {
  return notes.reduce((total, note) => total + value(note), 0);
}

/** In visits. */
function lossesIn(notes: readonly ShardNote[], sums: MassSums): LostShare[] {
  const masses = new Map<MissingReason, number>();
  for (const { losses } of notes) {
    for (const { reason, mass } of losses) masses.set(reason, (masses.get(reason) ?? 0) + mass);
  }
  const unseeded = unseededOf(sums);
  if (unseeded > 0) masses.set("trust-unseeded", unseeded);
  return Array.from(masses, ([reason, mass]) => ({ reason, mass, page: undefined }));
}

function worstIn(notes: readonly ShardNote[], reason: MissingReason): string | null {
  const all = notes.flatMap((note) => note.losses.filter((loss) => loss.reason === reason));
  return all.sort((a, b) => b.mass - a.mass)[0]?.url ?? null;
}

/**
 * Why nothing is left to do: every shard has an owner that says so, and all that one has discovered for another was
 * heard. Notes are written at different moments, so one look is not enough (`EndDetector`).
 */
function quietness({ shards }: Board, notes: readonly ShardNote[]): StopReason | undefined {
  const isOwned = ({ worker, epoch, noteEpoch }: BoardShard): boolean => worker !== null && epoch === noteEpoch;
  if (!shards.every(isOwned) || !notes.every(({ isIdle }) => isIdle)) return undefined;
  if (sum(notes, ({ sent }) => sent) !== sum(notes, ({ heard }) => heard)) return undefined;
  const parked = new Set(notes.map((note) => note.parked));
  return parked.has("depth-limit") ? "depth-limit" : parked.has("page-limit") ? "page-limit" : "frontier-empty";
}

/**
 * Tells when a job has nothing left to do. Whoever is idle is woken only by hearing of something, and what is heard and
 * what is sent are counted. If two boards show the same counts with all shards idle, and every shard has written a note
 * in between, then nothing was under way when the second of these notes was written first (Mattern 1987, the four
 * counter method).
 */
export class EndDetector {
  #quiet: readonly (readonly [epoch: number, note: ShardNote])[] | undefined;

  /** The reason, if the job is certainly at its end. */
  look(board: Board, { quiet }: JobProgress, notes: NoteReader): StopReason | undefined {
    if (quiet === undefined) {
      this.#quiet = undefined;
      return undefined;
    }
    const now = board.shards.map((shard) => [shard.epoch, notes.read(shard) as ShardNote] as const);
    const before = this.#quiet;
    if (before === undefined) {
      this.#quiet = now;
      return undefined;
    }
    const isSame = now.every(([epoch, { sent, heard }], shard) => {
      const [epochBefore, noteBefore] = before[shard];
      return epoch === epochBefore && sent === noteBefore.sent && heard === noteBefore.heard;
    });
    if (!isSame) {
      this.#quiet = now;
      return undefined;
    }
    return now.every(([, note], shard) => note.number > before[shard][1].number) ? quiet : undefined;
  }
}

/** The limit of the job that is reached. */
export function jobLimit(
  { coverage, pages, bytes, timeMs }: Limits,
  { coverage: proven, counts, ageMs }: JobProgress,
): StopReason | undefined {
  if (coverage !== undefined && proven >= coverage) return "coverage-reached";
  if (pages !== undefined && counts.pages >= pages) return "page-limit";
  if (bytes !== undefined && counts.bytes >= bytes) return "byte-limit";
  if (timeMs !== undefined && ageMs >= timeMs) return "time-limit";
  return undefined;
}
