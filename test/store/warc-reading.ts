/** Exchanges to archive, and archives as warcio reads them, a reader that is not ours. */
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { CDXIndexer, WARCParser } from "warcio";
import type { HttpExchange } from "../../src/store/index.ts";

export function exchange(number: number, change: Partial<HttpExchange> = {}): HttpExchange {
  return {
    url: `https://www.example.com/page/${number}?b=${number}&a`,
    dateMs: 1_700_000_000_123 + 1000 * number,
    address: "192.0.2.7",
    requestHeaders: [
      ["host", "www.example.com"],
      ["user-agent", "tidemark"],
    ],
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-encoding": "gzip",
      "content-length": "17",
    },
    body: new TextEncoder().encode(`<title>Ünïcode ${number}</title>${"x".repeat(number % 3000)}`),
    truncated: false,
    ...change,
  };
}

interface Read {
  readonly type: string;
  readonly url: string;
  readonly header: (name: string) => string | null;
  readonly http: (name: string) => string | null;
  readonly status: number;
  readonly payload: Buffer;
}

/** Everything in the archive of a crawl, by warcio; fails on a record whose digest does not fit. */
export async function readAll(dir: string): Promise<Read[]> {
  const records: Read[] = [];
  for (const name of readdirSync(join(dir, "warc"))
    .filter((name) => name.endsWith(".warc.gz"))
    .sort()) {
    for await (const record of new WARCParser(createReadStream(join(dir, "warc", name)))) {
      const payload = Buffer.from(await record.readFully(false));
      records.push({
        type: record.warcType ?? "",
        url: record.warcTargetURI ?? "",
        header: (name) => record.warcHeader(name) ?? null,
        http: (name) => record.httpHeaders?.headers.get(name) ?? null,
        status: Number(record.httpHeaders?.statusCode ?? 0),
        payload,
      });
    }
  }
  return records;
}

interface RawRecord {
  readonly head: string;
  readonly block: Buffer;
}

/** The responses of an archive by our index alone, without warcio, byte by byte. */
export function indexedRecords(dir: string): RawRecord[] {
  const lines = readFileSync(join(dir, "warc", "index.cdxj"), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => {
    const entry = JSON.parse(line.slice(line.indexOf("{"))) as Record<string, string>;
    const file = readFileSync(join(dir, "warc", entry["filename"]));
    const offset = Number(entry["offset"]);
    const [record, ...others] = plainRecords(gunzipSync(file.subarray(offset, offset + Number(entry["length"]))));
    expect(others).toEqual([]);
    return record;
  });
}

/** The records of a WARC file that is not compressed, by the lengths that they state. */
export function plainRecords(file: Buffer): RawRecord[] {
  const records: RawRecord[] = [];
  for (let at = 0; at < file.length; ) {
    const headEnd = file.indexOf("\r\n\r\n", at);
    const head = file.toString("latin1", at, headEnd);
    const blockEnd = headEnd + 4 + Number(/^Content-Length: (\d+)$/m.exec(head)?.[1]);
    records.push({ head, block: file.subarray(headEnd + 4, blockEnd) });
    at = blockEnd + 4;
    expect(file.toString("latin1", blockEnd, at)).toBe("\r\n\r\n");
  }
  return records;
}

/**
 * Our index, line by line, against what warcio finds in the files. Keys of warcio have a slash at their end where those
 * of `surt` have none: for URLs of directories they are left out.
 */
export async function expectIndexOfWarcio(dir: string, { hasKeys = true } = {}): Promise<void> {
  const names = readdirSync(join(dir, "warc")).filter((name) => name.endsWith(".warc.gz"));
  const files = names.map((filename) => ({
    filename,
    reader: createReadStream(join(dir, "warc", filename)),
  }));
  const expected: unknown[] = [];
  for await (const entry of new CDXIndexer({ format: "cdxj" }).iterIndex(files)) {
    // It leaves out the type of a response that names none.
    expected.push({ mime: "unk", ...entry });
  }
  const lines = readFileSync(join(dir, "warc", "index.cdxj"), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines).toEqual([...lines].sort());
  const ours = lines.map((line) => {
    const [key, timestamp, ...json] = line.split(" ");
    return { urlkey: key, timestamp, ...(JSON.parse(json.join(" ")) as object) };
  });
  // warcio keeps numbers as numbers, and digests without their algorithm.
  const order = (entry: unknown) =>
    JSON.stringify(
      Object.entries(entry as object)
        .filter(([name]) => hasKeys || name !== "urlkey")
        .map(([name, value]) => [name, String(value).replace(/^sha1:/, "")])
        .sort(),
    );
  expect(ours.map(order).sort()).toEqual(expected.map(order).sort());
}
