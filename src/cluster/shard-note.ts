/**
 * What the owner of a shard lets everybody know: counts, sums and how far it is. Added up over all shards, they tell
 * how far the job is, and what it has proven.
 */
import type { MassSums, MissingReason } from "../coverage/index.ts";
import type { countsOf } from "../crawl/index.ts";
import type { BoardShard } from "../store/index.ts";

export type PageCounts = ReturnType<typeof countsOf>;

export interface ShardNote {
  readonly counts: PageCounts;
  /** URLs of this shard that are known, and those of them that wait. */
  readonly known: number;
  readonly frontier: number;
  readonly hosts: number;
  readonly sums: Omit<MassSums, "damping">;
  /** What is out of reach for good, in visits, with the URL that has most of it. */
  readonly losses: readonly { readonly reason: MissingReason; readonly mass: number; readonly url: string | null }[];
  /** What waits on the best page of its group, if its worker has no slot to spare for it; null if it has. */
  readonly backlog: number | null;
  /** Its part of how far its group looks ahead (crawl/frontier.ts), as a share of what a crawl alone may. */
  readonly lookedAhead: number;
  /** Nothing is under way, and nothing of it can be fetched any more unless it hears of something. */
  readonly isIdle: boolean;
  /** Of a shard that is idle: whether surfers never leave its downloaded pages but for those of other shards. */
  readonly isClosed: boolean;
  /** What keeps it from fetching what waits. */
  readonly parked: "depth-limit" | "page-limit" | null;
  /** URLs of others that it has discovered, and URLs of its own that it has heard of. */
  readonly sent: number;
  readonly heard: number;
  /** Counts up with each note of an owner. */
  readonly number: number;
}

export function parseNote(text: string | null): ShardNote | undefined {
  return text === null ? undefined : (JSON.parse(text) as ShardNote);
}

/** The notes of a board. Who looks at it again and again parses only those that are new, once each. */
export class NoteReader {
  readonly #last: { readonly text: string | null; readonly note: ShardNote | undefined }[] = [];

  read({ shard, note: text }: BoardShard): ShardNote | undefined {
    let last = this.#last[shard];
    if (last?.text !== text) {
      last = { text, note: parseNote(text) };
      this.#last[shard] = last;
    }
    return last.note;
  }
}
