/**
 * The WARC files of all workers of a simulated job: what was kept, and what of it is on disk. Who dies leaves files of
 * which only the log says how much counts.
 */
import type { Timers } from "../../../src/base/index.ts";
import { markIn, type ShardArchive } from "../../../src/cluster/worker-archive.ts";
import type { ArchivedAnswer } from "../../../src/crawl/index.ts";
import { verdictOf } from "../../../src/fetch/index.ts";
import { type LogSink, replayBatch, SILENT_SINK } from "../../../src/log/index.ts";
import type { Append, JobState, Lease } from "../../../src/store/index.ts";

/** Records are counted as bytes. */
interface File {
  readonly records: ArchivedAnswer[];
  onDisk: number;
}

export class SimulatedFiles {
  readonly #files = new Map<string, File>();

  make(name: string): File {
    if (this.#files.has(name)) throw new Error(`${name} is there already`);
    const file: File = { records: [], onDisk: 0 };
    this.#files.set(name, file);
    return file;
  }

  /** What a log is to say must be on disk. */
  check(appends: readonly Append[]): void {
    for (const { batch } of appends) {
      for (const [name, bytes] of marksOf([batch])) {
        const onDisk = this.#files.get(name)?.onDisk ?? 0;
        if (onDisk < bytes) throw new Error(`${name} has ${onDisk} records on disk, and the log is to count ${bytes}`);
      }
    }
  }

  /** The pages in those parts of the files that the log of a shard counts: of each, its URL and its ETag. */
  pagesOf(state: JobState, shard: number): string[] {
    const batches = state.read(shard, 0, Number.POSITIVE_INFINITY).map(({ batch }) => batch);
    return [...marksOf(batches)].flatMap(([name, bytes]) =>
      (this.#files.get(name)?.records.slice(0, bytes) ?? [])
        .filter(({ request, answer }) => request.purpose === "page" && verdictOf(answer).meaning === "page")
        .map(({ request, answer }) => `${request.url} ${answer.headers["etag"] ?? null}`),
    );
  }
}

export class SimulatedArchive implements ShardArchive {
  readonly #options: { readonly worker: string; readonly files: SimulatedFiles; readonly timers: Timers };
  readonly #open = new Map<
    number,
    { readonly lease: Lease; readonly name: string; readonly file: File; noted: number }
  >();
  #made = 0;

  constructor(options: { readonly worker: string; readonly files: SimulatedFiles; readonly timers: Timers }) {
    this.#options = options;
  }

  begin(lease: Lease): void {
    if (this.#open.get(lease.shard)?.lease.epoch === lease.epoch) return;
    const name = `${this.#options.worker} ${lease.shard} ${this.#made++}`;
    this.#open.set(lease.shard, { lease, name, file: this.#options.files.make(name), noted: 0 });
  }

  end(shard: number): void {
    this.#open.delete(shard);
  }

  keep(archived: ArchivedAnswer): void {
    const { lease } = archived;
    const open = lease && this.#open.get(lease.shard);
    if (open?.lease.epoch === lease?.epoch) open?.file.records.push(archived);
  }

  takeNotes(shard: number): (readonly [key: string, value: string])[] {
    const open = this.#open.get(shard);
    if (open === undefined || !this.hasNotes(shard)) return [];
    open.noted = open.file.records.length;
    return [[`warc ${open.name}`, JSON.stringify({ bytes: open.noted, lines: open.noted })]];
  }

  hasNotes(shard: number): boolean {
    const open = this.#open.get(shard);
    return open !== undefined && open.noted < open.file.records.length;
  }

  async sync(): Promise<void> {
    const files = Array.from(this.#open.values(), ({ file }) => ({ file, records: file.records.length }));
    await new Promise<void>((resolve) => void this.#options.timers.after(5, resolve));
    for (const { file, records } of files) file.onDisk = Math.max(file.onDisk, records);
  }
}

/** Of each file, how much batches of a log say that counts in the end. */
function marksOf(batches: readonly Uint8Array[]): Map<string, number> {
  const marks = new Map<string, number>();
  const sink: LogSink = {
    ...SILENT_SINK,
    putMeta: (key, value) => {
      const [name, mark] = markIn(key, value) ?? [];
      if (name !== undefined && mark !== undefined) marks.set(name, mark.bytes);
    },
  };
  for (const batch of batches) replayBatch(batch, sink);
  return marks;
}
