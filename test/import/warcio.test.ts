/** Archives drawn at random are read as warcio reads them, a reader that is not ours. */
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WARCParser } from "warcio";
import { warcPages } from "../../src/import/warc-pages.ts";
import { cases } from "../support/cases.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { rawRecord, warcRecord } from "./importing.ts";

/** Brotli it leaves as it is. */
const packers = { gzip: gzipSync, deflate: deflateSync } as const;

interface Drawn {
  readonly status: number;
  readonly body: Uint8Array;
  readonly encoding: keyof typeof packers | undefined;
  readonly chunks: readonly number[] | undefined;
  readonly isRequest: boolean;
}

const drawn = fc.array(
  fc.record<Drawn>({
    status: fc.constantFrom(200, 404, 301, 500),
    body: fc.uint8Array({ maxLength: 3000 }),
    encoding: fc.constantFrom(undefined, "gzip", "deflate"),
    chunks: fc.option(fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 4 }), { nil: undefined }),
    isRequest: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);
const containers = fc.constantFrom("plain", "members", "whole");

describe("an archive drawn at random", () => {
  it("has the URLs, statuses and bodies that warcio finds in it", async () => {
    const folder = temporaryDirectory();
    const path = join(folder, "a.warc.gz");
    await fc.assert(
      fc.asyncProperty(drawn, containers, async (responses, container) => {
        const records = [
          rawRecord({ "WARC-Type": "warcinfo" }, Buffer.from("software: x\r\n")),
          ...responses.flatMap((each, n) => [
            ...(each.isRequest ? [warcRecord({ type: "request", url: `https://a.example/${n}` })] : []),
            recordOf(each, n),
          ]),
        ];
        writeFileSync(path, contained(records, container));
        expect(await byUs(path)).toEqual(await byWarcio(path));
      }),
      { numRuns: cases(60) },
    );
  });
});

function recordOf({ status, body, encoding, chunks }: Drawn, n: number): Buffer {
  const packed = encoding === undefined ? body : packers[encoding](body);
  const headers = {
    "Content-Type": "text/html",
    ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    ...(chunks === undefined ? {} : { "Transfer-Encoding": "chunked" }),
  };
  return warcRecord({ url: `https://a.example/${n}`, status, headers, body: inChunks(packed, chunks) });
}

function inChunks(bytes: Uint8Array, sizes: readonly number[] | undefined): Uint8Array {
  if (sizes === undefined) return bytes;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    const part = bytes.subarray(at, at + size);
    if (part.length > 0) parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
    at += size;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

function contained(records: readonly Buffer[], container: string): Buffer {
  if (container === "members") return Buffer.concat(records.map((record) => gzipSync(record)));
  return container === "whole" ? gzipSync(Buffer.concat(records)) : Buffer.concat(records);
}

type Seen = readonly [url: string, status: number, body: string];

async function byUs(path: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  const damaged = ({ message }: { readonly message: string }): void => expect.fail(message);
  const options = { progress: () => {}, damaged, addressless: () => {}, linksLacking: () => {}, nowMs: 0 };
  for await (const { url, answer } of warcPages([{ path, kind: "warc" }], options)) {
    seen.push([url, answer.status, Buffer.from(answer.body).toString("base64")]);
  }
  return seen;
}

async function byWarcio(path: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const record of new WARCParser(createReadStream(path))) {
    const body = Buffer.from(await record.readFully(true)).toString("base64");
    if (record.warcType !== "response") continue;
    seen.push([record.warcTargetURI ?? "", Number(record.httpHeaders?.statusCode), body]);
  }
  return seen;
}
