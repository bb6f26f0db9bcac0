/**
 * What a shard has mentioned of the shards that have the same engine, and what it has heard from them: only how many
 * URLs. By the number of the other shard, in typed arrays, because there may be millions of pairs.
 */
export class InsideCounts {
  /** URLs of the other shard that this one has discovered; of these, on the way to the log, and there. */
  readonly mentioned: Uint32Array;
  readonly taken: Uint32Array;
  readonly stored: Uint32Array;
  /** URLs of this shard that the other has mentioned, and how many of them are certainly noted in our log. */
  readonly heard: Uint32Array;
  readonly noted: Uint32Array;

  constructor(shards: number) {
    this.mentioned = new Uint32Array(shards);
    this.taken = new Uint32Array(shards);
    this.stored = new Uint32Array(shards);
    this.heard = new Uint32Array(shards);
    this.noted = new Uint32Array(shards);
  }

  get totals(): { readonly sent: number; readonly heard: number } {
    let sent = 0;
    let heard = 0;
    for (let shard = 0; shard < this.heard.length; shard++) {
      sent += this.mentioned[shard];
      heard += this.heard[shard];
    }
    return { sent, heard };
  }
}
