/** Reads the archive of a crawl again, by its index: which URLs it has, and the bodies of its pages. */
import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { type IndexEntry, LineReader, readMember } from "./cdxj.ts";

/** An archived response. */
export interface ArchivedBody {
  readonly url: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

export class WarcReader {
  readonly #dir: string;

  /** `dir` is that of a crawl whose archive is closed. */
  constructor(dir: string) {
    this.#dir = join(dir, "warc");
  }

  /** In the order of their keys, so those of a host together. */
  *entries(): Generator<IndexEntry> {
    const path = join(this.#dir, "index.cdxj");
    if (!existsSync(path)) return;
    const reader = new LineReader(path);
    try {
      for (; reader.line !== undefined; reader.next()) yield entryOfLine(reader.line);
    } finally {
      reader.close();
    }
  }

  body({ url, filename, offset }: Pick<IndexEntry, "url" | "filename" | "offset">): ArchivedBody {
    const path = join(this.#dir, filename);
    const file = openSync(path, "r");
    try {
      const { record } = readMember(file, path, offset, fstatSync(file).size);
      const head = record.indexOf("\r\n\r\n") + 4;
      const start = record.indexOf("\r\n\r\n", head) + 4;
      const headers = record.toString("latin1", head, start);
      // A record ends with two line breaks.
      return { url, contentType: lastContentType(headers), body: record.subarray(start, record.length - 4) };
    } finally {
      closeSync(file);
    }
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
