/**
 * The WARC files of a worker: a series for each of its shards (store/shard-warc.ts).
 *
 * A file belongs to one shard and to one owner of it, like a batch of its log. How much of it counts is a note in the
 * log of the shard, appended in the batch with the visits. So what an owner could not append any more is beyond the
 * last note, and no other shard is concerned when it is cut off.
 */
import { randomBytes } from "node:crypto";
import { type ArchivedAnswer, type CrawlArchive, exchangeOf, SOFTWARE, type StoredSettings } from "../crawl/index.ts";
import { type Lease, REMEMBERED_MAX, ShardWarc, StoreError, type WarcMark } from "../store/index.ts";

/** Keeps answers of the shards of a worker as they came. */
export interface ShardArchive extends CrawlArchive {
  /** Its answers are kept from now on; those of a lease that has gone on since the last group, in the same files. */
  begin(lease: Lease): void;
  /** Nothing more is kept of it, and what is not in its log by now will never be. */
  end(shard: number): void;
  /** Notes for the log of a shard, about what was kept since this was last called; true once `sync` has returned. */
  takeNotes(shard: number): Iterable<readonly [key: string, value: string]>;
  /** Whether there are any. */
  hasNotes(shard: number): boolean;
  /** What was kept before is durable when this is fulfilled. Rejected if anything ever could not be kept. */
  sync(): Promise<void>;
}

const NOTE = "warc ";
const SOURCE_NOTE = "warcFrom ";
/** So many bodies of a shard are remembered at least. */
const REMEMBERED_MIN = 1024;

interface Open {
  readonly lease: Lease;
  readonly files: ShardWarc;
}

/** Where a file was written: whoever looks for it on another machine is told. */
export interface WarcSource {
  /** The name of the worker. */
  readonly worker: string;
  /** Its machine or process. */
  readonly place: string;
  /** There, as an absolute path. */
  readonly dir: string;
}

export interface WorkerArchiveOptions {
  /** `dir` exists. */
  readonly source: WarcSource;
  /** Of the job. */
  readonly shards: number;
  readonly network: StoredSettings["network"];
  readonly fileBytesMax?: number;
}

export class WorkerArchive implements ShardArchive {
  readonly #options: WorkerArchiveOptions;
  readonly #writer = randomBytes(6).toString("hex");
  readonly #open = new Map<number, Open>();
  /** How many files of each shard there are. */
  readonly #files = new Map<number, number>();
  /** Files of which a log knows where they are. */
  readonly #placed = new Set<string>();
  #failure: unknown;

  constructor(options: WorkerArchiveOptions) {
    this.#options = options;
  }

  begin(lease: Lease): void {
    if (this.#open.get(lease.shard)?.lease.epoch === lease.epoch) return;
    this.end(lease.shard);
    const { source, shards, fileBytesMax } = this.#options;
    const files = new ShardWarc({
      dir: source.dir,
      writer: this.#writer,
      shard: lease.shard,
      files: this.#files.get(lease.shard) ?? 0,
      software: SOFTWARE,
      rememberedMax: Math.max(REMEMBERED_MIN, Math.floor(REMEMBERED_MAX / shards)),
      ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
    });
    this.#open.set(lease.shard, { lease, files });
  }

  end(shard: number): void {
    const open = this.#open.get(shard);
    if (open === undefined) return;
    this.#open.delete(shard);
    this.#files.set(shard, open.files.files);
    open.files.close();
  }

  /** Whoever has lost a shard may still hear answers of it. */
  keep(archived: ArchivedAnswer): void {
    const { lease } = archived;
    const open = lease && this.#open.get(lease.shard);
    if (open === undefined || open.lease.epoch !== lease?.epoch) return;
    const exchange = exchangeOf(archived, this.#options.network);
    if (exchange === undefined) return;
    try {
      open.files.keep(exchange);
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  takeNotes(shard: number): (readonly [key: string, value: string])[] {
    const marks = this.#open.get(shard)?.files.takeMarks() ?? [];
    return [...marks].flatMap(([name, mark]) => [...this.#place(name), [NOTE + name, JSON.stringify(mark)] as const]);
  }

  /** With the first mark of a file, in the same batch. */
  #place(name: string): (readonly [key: string, value: string])[] {
    if (this.#placed.has(name)) return [];
    this.#placed.add(name);
    return [[SOURCE_NOTE + name, JSON.stringify(this.#options.source)]];
  }

  hasNotes(shard: number): boolean {
    return this.#open.get(shard)?.files.hasNew ?? false;
  }

  async sync(): Promise<void> {
    try {
      await Promise.all(Array.from(this.#open.values(), ({ files }) => files.sync()));
    } catch (error) {
      this.#failure ??= error;
    }
    // Whatever was appended now would name records that are not there.
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#failure ??= new StoreError("failed", `the files in ${this.#options.source.dir} are closed`);
    for (const shard of this.#open.keys()) this.end(shard);
  }
}

/** What a note of a shard says about a file; undefined if it is about something else. */
export function markIn(key: string, value: string | undefined): readonly [name: string, mark: WarcMark] | undefined {
  if (!key.startsWith(NOTE) || value === undefined) return undefined;
  return [key.slice(NOTE.length), JSON.parse(value) as WarcMark];
}

/** What a note of a shard says about where a file was written; undefined if it is about something else. */
export function sourceIn(
  key: string,
  value: string | undefined,
): readonly [name: string, from: WarcSource] | undefined {
  if (!key.startsWith(SOURCE_NOTE) || value === undefined) return undefined;
  return [key.slice(SOURCE_NOTE.length), JSON.parse(value) as WarcSource];
}
