/**
 * HTTP responses as archives hold them, as answers of the fetcher: head parsed, body without chunks, decompressed.
 *
 * Archives differ: some store what went over the wire, some the decoded body below the headers of the wire. A body that
 * is not encoded as its headers say is taken as it is if it looks like text; otherwise nothing is known of it.
 */
import { hexDigit } from "../base/index.ts";
import { type Answer, defaultBytesMax, encodingsOf, headerRecord, unpack, type Unpacked } from "../fetch/index.ts";
import { endOfHead } from "./warc.ts";

const STATUS_LINE = /^HTTP\/\d(?:\.\d)?\s+(\d{3})(?:\s|$)/;
const CR = 13;
const LF = 10;
/** What a longer page is cut to, as in a crawl. */
export const BODY_BYTES_MAX = defaultBytesMax.page;

export interface HttpMessage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As stored. */
  readonly payload: Uint8Array;
}

/** Undefined for what is no HTTP response. */
export function parseMessage(block: Uint8Array): HttpMessage | undefined {
  const end = endOfHead(block);
  const headEnd = end < 0 ? block.length : end;
  const [first, ...lines] = Buffer.from(block.buffer, block.byteOffset, headEnd).toString("latin1").split(/\r?\n/);
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) return undefined;
  const raw: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line) && raw.length > 0) raw[raw.length - 1] += ` ${line.trim()}`;
    else if (colon > 0) raw.push(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers: headerRecord(raw), payload: block.subarray(headEnd) };
}

/** A body of which nothing is known is one of which nothing came. */
export async function answerOf(message: HttpMessage, isCut: boolean): Promise<Answer> {
  const { status, headers, payload } = message;
  const isChunked = /\bchunked\b/i.test(headers["transfer-encoding"] ?? "");
  const wire = (isChunked ? withoutChunks(payload) : undefined) ?? { body: payload, truncated: false };
  const { body, truncated } = (await decompressed(wire.body, headers["content-encoding"])) ?? NOTHING;
  const isWhole = !truncated && !wire.truncated && !isCut && status !== PARTIAL_CONTENT;
  return answerWith({ status, headers, body, truncated: !isWhole, wireBytes: payload.length });
}

const PARTIAL_CONTENT = 206;
const NOTHING: Unpacked = { body: new Uint8Array(), truncated: true };

/** An answer of which nothing is known but this. */
export function answerWith(known: Partial<Answer> & Pick<Answer, "status">): Answer {
  return {
    kind: "answer",
    headers: {},
    body: new Uint8Array(),
    truncated: false,
    wireBytes: 0,
    address: null,
    milliseconds: 0,
    ...known,
  };
}

/** Undefined if it cannot be decompressed and is no text either. */
function decompressed(body: Uint8Array, header: string | undefined): Promise<Unpacked | undefined> {
  const encodings = encodingsOf(header);
  const asStored = (): Unpacked | undefined => (looksLikeText(body) ? cut(body) : undefined);
  if (encodings instanceof Error) return Promise.resolve(asStored());
  return new Promise((resolve) => {
    unpack(body, encodings, BODY_BYTES_MAX, (outcome) => resolve(outcome instanceof Error ? asStored() : outcome));
  });
}

function cut(body: Uint8Array): Unpacked {
  return { body: body.subarray(0, BODY_BYTES_MAX), truncated: body.length > BODY_BYTES_MAX };
}

/** Begins with a tag, as HTML and XML do. Compressed data hardly ever does. */
function looksLikeText(body: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*<[a-z!?][\s!-~]{8}/i.test(Buffer.from(body.subarray(0, 64)).toString("latin1"));
}

/** RFC 9112, 7.1; undefined if the body does not begin as chunks do: then somebody has decoded it. */
function withoutChunks(payload: Uint8Array): Unpacked | undefined {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const size = sizeAt(payload, at);
    if (size === undefined) return at === 0 ? undefined : { body: Buffer.concat(parts), truncated: true };
    if (size.value === 0) return { body: Buffer.concat(parts), truncated: false };
    parts.push(payload.subarray(size.end, size.end + size.value));
    at = size.end + size.value;
    if (payload[at] === CR) at++;
    if (payload[at] === LF) at++;
  }
}

const SIZE_DIGITS_MAX = 8;

/** A size in hex up to the end of its line. */
function sizeAt(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  let at = from;
  for (let digit = hexDigit(bytes[at] ?? 0); digit >= 0; digit = hexDigit(bytes[++at] ?? 0)) {
    if (at - from >= SIZE_DIGITS_MAX) return undefined;
    value = 16 * value + digit;
  }
  const end = bytes.indexOf(LF, at);
  if (at === from || end < 0 || ![CR, LF, SEMICOLON, SPACE].includes(bytes[at])) return undefined;
  return { value, end: end + 1 };
}

const SEMICOLON = 59;
const SPACE = 32;
