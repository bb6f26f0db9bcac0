/**
 * Records of WARC 1.1 (https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/), each a gzip
 * member of its own.
 *
 * Heads are stored as they came, except that bodies are stored decompressed: headers about the wire which are not true
 * of the stored body are renamed where they stand, as in other archives. `Content-Encoding`, `Transfer-Encoding` and a
 * `Content-Length` that differs become `X-Archive-Orig-...`; then a last line states the length of the body as stored.
 * Digests are SHA-1 in base 32, which archive tools expect. The id of a record is derived from what it says and where
 * it stands, so the same crawl makes the same bytes.
 *
 * Headers of a session are secrets. A request lacks them, `Set-Cookie` of its response is blank, and a field of our
 * own, `WARC-Tidemark-Withheld`, names them in both records.
 */
import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { isIP } from "node:net";
import { gzipSync } from "node:zlib";
import type { HttpExchange } from "./contract.ts";

const REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const ENCODINGS = new Set(["content-encoding", "transfer-encoding"]);
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** An earlier response with the same body. */
export interface Original {
  readonly recordId: string;
  readonly url: string;
  readonly dateMs: number;
}

/** Where a record will stand: makes its number unlike any other. */
export interface Place {
  readonly file: string;
  readonly offset: number;
}

type Fields = readonly (readonly [name: string, value: string | null])[];
type Header = readonly [name: string, value: string];

export function warcinfo(software: string, dateMs: number, place: Place): Buffer {
  const block = Buffer.from(
    `software: ${oneLine(software)}\r\nformat: WARC File Format 1.1\r\n` +
      `conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n`,
  );
  return record(
    [
      ["WARC-Type", "warcinfo"],
      ["WARC-Date", isoDate(dateMs)],
      ["WARC-Filename", place.file],
      ["WARC-Record-ID", recordId("warcinfo", String(dateMs), place)],
      ["Content-Type", "application/warc-fields"],
    ],
    block,
  );
}

export function payloadDigest(body: Uint8Array): string {
  return `sha1:${base32(createHash("sha1").update(body).digest())}`;
}

export function responseId(exchange: HttpExchange, place: Place): string {
  return recordId("response", `${exchange.dateMs} ${exchange.url}`, place);
}

/** The response, or where `original` has the same body a revisit of it, which has headers only. */
export function response(exchange: HttpExchange, place: Place, digest: string, original: Original | undefined): Buffer {
  const { status, head } = exchange;
  const reason = head?.reason ?? STATUS_CODES[status] ?? "";
  const headers = httpBytes(`HTTP/1.1 ${status} ${reason}`, keptHeaders(exchange));
  const block = original === undefined ? Buffer.concat([headers, exchange.body]) : headers;
  return record(
    [
      ["WARC-Type", original === undefined ? "response" : "revisit"],
      ["WARC-Record-ID", responseId(exchange, place)],
      ["WARC-Date", isoDate(exchange.dateMs)],
      ["WARC-Target-URI", exchange.url],
      ["WARC-IP-Address", address(exchange)],
      ["WARC-Profile", original === undefined ? null : REVISIT_PROFILE],
      ["WARC-Refers-To", original?.recordId ?? null],
      ["WARC-Refers-To-Target-URI", original?.url ?? null],
      ["WARC-Refers-To-Date", original === undefined ? null : isoDate(original.dateMs)],
      ["WARC-Truncated", truncation(exchange)],
      ["WARC-Payload-Digest", digest],
      ["WARC-Tidemark-Withheld", named(exchange.withheld?.response)],
      ["Content-Type", "application/http; msgtype=response"],
    ],
    block,
  );
}

export function request(exchange: HttpExchange, place: Place, concurrentTo: string): Buffer {
  const { pathname, search } = new URL(exchange.url);
  const block = httpBytes(`GET ${pathname}${search} HTTP/1.1`, exchange.requestHeaders);
  return record(
    [
      ["WARC-Type", "request"],
      ["WARC-Record-ID", recordId("request", `${exchange.dateMs} ${exchange.url}`, place)],
      ["WARC-Date", isoDate(exchange.dateMs)],
      ["WARC-Target-URI", exchange.url],
      ["WARC-IP-Address", address(exchange)],
      ["WARC-Concurrent-To", concurrentTo],
      ["WARC-Tidemark-Withheld", named(exchange.withheld?.request)],
      ["Content-Type", "application/http; msgtype=request"],
    ],
    block,
  );
}

function record(fields: Fields, block: Buffer): Buffer {
  const blockDigest = payloadDigest(block);
  const head = ["WARC/1.1"];
  for (const [name, value] of fields) if (value !== null) head.push(`${name}: ${oneLine(value)}`);
  head.push(`WARC-Block-Digest: ${blockDigest}`, `Content-Length: ${block.length}`, "", "");
  return gzipSync(Buffer.concat([Buffer.from(head.join("\r\n")), block, Buffer.from("\r\n\r\n")]));
}

function named(headers: readonly string[] = []): string | null {
  return headers.length === 0 ? null : [...new Set(headers)].join(", ");
}

/** Of several the last counts, also for who reads the records again (cdxj.ts). */
export function contentTypeOf(exchange: HttpExchange): string | undefined {
  return headersOf(exchange).findLast(([name]) => name.toLowerCase() === "content-type")?.[1];
}

function headersOf({ head, headers }: HttpExchange): Header[] {
  if (head === undefined) return Object.entries(headers);
  return head.headers.flatMap((name, i) => (i % 2 === 0 ? [[name, head.headers[i + 1]] as const] : []));
}

function keptHeaders(exchange: HttpExchange): Header[] {
  const stored = String(exchange.body.length);
  let isRenamed = false;
  const kept = headersOf(exchange).map(([name, value]): Header => {
    const lower = name.toLowerCase();
    if (!ENCODINGS.has(lower) && (lower !== "content-length" || value === stored)) return [name, value];
    isRenamed = true;
    return [`X-Archive-Orig-${name}`, value];
  });
  const isStated = kept.some(([name]) => name.toLowerCase() === "content-length");
  return isRenamed && !isStated ? [...kept, ["Content-Length", stored]] : kept;
}

/** Where nothing is known of the wire, a body that is cut off is so for unknown reasons. */
function truncation({ head, truncated, truncatedBy }: HttpExchange): string | null {
  return truncatedBy ?? (head === undefined && truncated ? "unspecified" : null);
}

/** A header is bytes; ours come as one character a byte, or as text where somebody has decoded it. Reasons are text. */
function httpBytes(firstLine: string, headers: readonly Header[]): Buffer {
  const lines = headers.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}\r\n`);
  const text = `${lines.join("")}\r\n`;
  const encoding = /[^\0-\xff]/.test(text) ? "utf8" : "latin1";
  return Buffer.concat([Buffer.from(`${oneLine(firstLine)}\r\n`), Buffer.from(text, encoding)]);
}

/** A header that breaks its line could forge others. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, " ");
}

function address({ address }: HttpExchange): string | null {
  return address !== null && isIP(address) !== 0 ? address : null;
}

function isoDate(dateMs: number): string {
  return new Date(dateMs).toISOString();
}

/** A name-based UUID (RFC 9562, version 5 in form). */
function recordId(type: string, what: string, { file, offset }: Place): string {
  const hash = createHash("sha1").update(`${type} ${what} ${file} ${offset}`).digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `<urn:uuid:${parts.join("-")}>`;
}

/** RFC 4648; the 20 bytes of a SHA-1 need no padding. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text;
}
