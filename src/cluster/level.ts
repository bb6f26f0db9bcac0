/**
 * Best first across workers (decision 8): below the level, a worker starts pages only while little is under way
 * (`Level` in crawl/shard-part.ts). It is told with the notes of shards, so it is as old as these; a worker that does
 * not renew its leases any more has no say.
 */
import type { Board } from "../store/index.ts";
import { NoteReader, type ShardNote } from "./shard-note.ts";

/** Nobody else has a page for which it has no slot, or nobody knows. */
export const NO_LEVEL = Number.NEGATIVE_INFINITY;
/** Pages that have this share of what the best page has are good enough: where workers are about even, nobody waits. */
const GOOD_ENOUGH = 1 / 2;

type IsOurs = (shard: number) => boolean;

/** The level by the shards of others: half of what waits on the best page for which their owners have no slot. */
export function levelOf(board: Board, isOurs: IsOurs, notes: NoteReader = new NoteReader()): number {
  let backlog = NO_LEVEL;
  for (const note of notesOfOthers(board, isOurs, notes)) backlog = Math.max(backlog, note.backlog ?? NO_LEVEL);
  return GOOD_ENOUGH * backlog;
}

/** Of many workers none has less, so that pages of a host that rests for long never keep it from all others. */
const LOOKAHEAD_LEAST = 1 / 16;

/**
 * How far a worker may look ahead, as a share of what a crawl alone may: its part, and what others leave. So all of
 * them together go about as deep as one process does.
 */
export function lookaheadOf(board: Board, isOurs: IsOurs, notes: NoteReader = new NoteReader()): number {
  let left = 1;
  for (const { lookedAhead = 0 } of notesOfOthers(board, isOurs, notes)) left -= lookedAhead;
  return Math.max(left, LOOKAHEAD_LEAST, 1 / Math.max(1, board.workers.length));
}

/** Of shards that others own now. */
function* notesOfOthers({ shards }: Board, isOurs: IsOurs, notes: NoteReader): Generator<Partial<ShardNote>> {
  for (const each of shards) {
    const { shard, worker, epoch, noteEpoch } = each;
    const note = worker === null || epoch !== noteEpoch || isOurs(shard) ? undefined : notes.read(each);
    if (note !== undefined) yield note;
  }
}
