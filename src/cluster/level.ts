/**
 * Best first across workers (decision 8): below the level, a worker starts pages only while little is under way
 * (`Level` in crawl/shard-part.ts). It is told with the notes of shards, so it is as old as these; a worker that does
 * not renew its leases any more has no say.
 */
import type { Board } from "../store/index.ts";
import { NoteReader } from "./shard-note.ts";

/** Nobody else has a page for which it has no slot, or nobody knows. */
export const NO_LEVEL = Number.NEGATIVE_INFINITY;
/** Pages that have this share of what the best page has are good enough: where workers are about even, nobody waits. */
const GOOD_ENOUGH = 1 / 2;

/** The level by the shards of others: half of what waits on the best page for which their owners have no slot. */
export function levelOf(
  { shards }: Board,
  isOurs: (shard: number) => boolean,
  notes: NoteReader = new NoteReader(),
): number {
  let backlog = NO_LEVEL;
  for (const each of shards) {
    const { shard, worker, epoch, noteEpoch } = each;
    if (worker === null || epoch !== noteEpoch || isOurs(shard)) continue;
    backlog = Math.max(backlog, notes.read(each)?.backlog ?? NO_LEVEL);
  }
  return GOOD_ENOUGH * backlog;
}
