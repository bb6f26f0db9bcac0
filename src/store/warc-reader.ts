/** Reads the archive of a crawl again, by its index: which URLs it has, and the bodies of its pages. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { messageOf } from "../base/index.ts";
import { type IndexEntry, LineReader, REVISIT } from "./cdxj.ts";
import { StoreError } from "./contract.ts";

/** An archived response. */
export interface ArchivedBody {
  readonly url: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

export class WarcReader {
  readonly #dir: string;
  /** By the digests of their bodies. */
  #originals: ReadonlyMap<string, IndexEntry> | undefined;

  /** `dir` is that of a crawl whose archive is closed. */
  constructor(dir: string) {
    this.#dir = join(dir, "warc");
  }

  /** Changes whenever the index is written; empty where there is no archive. */
  get stamp(): string {
    const file = statSync(this.#indexPath, { throwIfNoEntry: false });
    return file === undefined ? "" : `${file.size} ${file.mtimeMs}`;
  }

  /** In the order of their keys, so those of a host together. */
  *entries(): Generator<IndexEntry> {
    if (!existsSync(this.#indexPath)) return;
    const reader = new LineReader(this.#indexPath);
    try {
      for (; reader.line !== undefined; reader.next()) yield this.#entryOf(reader.line);
    } finally {
      reader.close();
    }
  }

  /**
   * A revisit has headers of its own, and the body of the response that was stored first. Undefined if that is in a
   * file which the archive does not have.
   */
  body(entry: IndexEntry): ArchivedBody | undefined {
    const { headers, body } = this.#record(entry);
    const { url, mime, digest } = entry;
    const contentType = lastContentType(headers);
    if (mime !== REVISIT) return { url, contentType, body };
    const original = this.#original(digest);
    return original && { url, contentType, body: this.#record(original).body };
  }

  get #indexPath(): string {
    return join(this.#dir, "index.cdxj");
  }

  #original(digest: string): IndexEntry | undefined {
    this.#originals ??= this.#originalsOfRevisits();
    return this.#originals.get(digest);
  }

  #originalsOfRevisits(): ReadonlyMap<string, IndexEntry> {
    const wanted = new Set<string>();
    const originals = new Map<string, IndexEntry>();
    for (const { mime, digest } of this.entries()) if (mime === REVISIT) wanted.add(digest);
    for (const entry of this.entries()) {
      if (entry.mime !== REVISIT && wanted.has(entry.digest)) originals.set(entry.digest, entry);
    }
    return originals;
  }

  #entryOf(line: string): IndexEntry {
    try {
      return entryOfLine(line);
    } catch (error) {
      throw new StoreError(
        "failed",
        `${this.#indexPath} is damaged (${messageOf(error)}): restore it from a copy, or delete it and resume the ` +
          "crawl, which makes it again",
        { cause: error },
      );
    }
  }

  #record(entry: IndexEntry): { readonly headers: string; readonly body: Uint8Array } {
    const record = this.#inflated(entry);
    const head = record.indexOf("\r\n\r\n") + 4;
    const start = record.indexOf("\r\n\r\n", head) + 4;
    // A record ends with two line breaks.
    return { headers: record.toString("latin1", head, start), body: record.subarray(start, record.length - 4) };
  }

  /** The checksum of the member is compared, so that a damaged page is not taken for another. */
  #inflated({ filename, offset, length, url }: IndexEntry): Buffer {
    const path = join(this.#dir, filename);
    try {
      return gunzipSync(bytesAt(path, offset, length));
    } catch (error) {
      throw new StoreError(
        "failed",
        `${path} does not have ${url} at byte ${offset}, where ${this.#indexPath} says (${messageOf(error)}): ` +
          "the file is missing, cut or damaged; restore it from a copy",
        { cause: error },
      );
    }
  }
}

function bytesAt(path: string, offset: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    const read = readSync(file, bytes, 0, length, offset);
    if (read < length) throw new Error(`got ${read} of ${length} bytes`);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function entryOfLine(line: string): IndexEntry {
  const [, timestamp] = line.split(" ", 2);
  const fields = JSON.parse(line.slice(line.indexOf("{"))) as Record<string, string>;
  const [, year, month, day, ...time] = /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(timestamp) ?? [];
  return {
    url: fields["url"],
    dateMs: Date.parse(`${year}-${month}-${day}T${time.join(":")}Z`),
    mime: fields["mime"],
    status: Number(fields["status"]),
    digest: fields["digest"],
    length: Number(fields["length"]),
    offset: Number(fields["offset"]),
    filename: fields["filename"],
  };
}

function lastContentType(headers: string): string | null {
  return [...headers.matchAll(/^content-type: *(.*?)\r$/gim)].at(-1)?.[1] ?? null;
}
