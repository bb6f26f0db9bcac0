/**
 * The index entries of a WARC file of ours, read back from its records: for an index that was lost. Members are found
 * by inflating them one after another; our gzip headers have ten bytes, no names.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { StoreError } from "./contract.ts";
import { type IndexEntry, mimeOf } from "./cdxj.ts";

const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;
const WINDOW_BYTES = 4 << 20;

/** One entry for each response and revisit. `filename` is what the index calls the file. */
export function* scanWarc(path: string, filename: string): Generator<IndexEntry> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    for (let offset = 0; offset < size; ) {
      const { record, length } = readMember(file, path, offset, size);
      const entry = entryOf(record.toString("latin1"), { offset, length, filename });
      if (entry !== undefined) yield entry;
      offset += length;
    }
  } finally {
    closeSync(file);
  }
}

function readMember(file: number, path: string, offset: number, size: number): { record: Buffer; length: number } {
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 4) {
    const window = Buffer.alloc(Math.min(windowBytes, size - offset));
    readSync(file, window, 0, window.length, offset);
    try {
      // The types of Node leave out what `info` changes.
      const { buffer, engine } = inflateRawSync(window.subarray(GZIP_HEADER_BYTES), { info: true }) as unknown as {
        buffer: Buffer;
        engine: { bytesWritten: number };
      };
      return { record: buffer, length: GZIP_HEADER_BYTES + engine.bytesWritten + GZIP_TRAILER_BYTES };
    } catch (error) {
      if (windowBytes < size - offset) continue;
      throw new StoreError("failed", `${path} is damaged at byte ${offset}: no index can be made of it`, {
        cause: error,
      });
    }
  }
}

function entryOf(
  record: string,
  where: { readonly offset: number; readonly length: number; readonly filename: string },
): IndexEntry | undefined {
  const headEnd = record.indexOf("\r\n\r\n");
  const warc = fieldsOf(record.slice(0, headEnd));
  const type = warc.get("warc-type");
  if (type !== "response" && type !== "revisit") return undefined;
  const http = record.slice(headEnd + 4, record.indexOf("\r\n\r\n", headEnd + 4));
  return {
    url: warc.get("warc-target-uri") ?? "",
    dateMs: Date.parse(warc.get("warc-date") ?? ""),
    mime: type === "revisit" ? "warc/revisit" : mimeOf(fieldsOf(http).get("content-type")),
    status: Number(/^HTTP\/\S+ (\d+)/.exec(http)?.[1]),
    digest: warc.get("warc-payload-digest") ?? "",
    ...where,
  };
}

/** Names in lower case. */
function fieldsOf(head: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2));
  }
  return fields;
}
