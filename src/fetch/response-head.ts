/**
 * The head of a response, read as curl 7.88 reads it (lib/http.c: Curl_http_readwrite_headers, Curl_http_header), and
 * written again for a strict parser.
 *
 * Allowed are lines that end in a bare line feed, folded headers, blanks before a colon, control characters, any text
 * after the three digits of the status, HTTP/2 in its status line, and lengths that are repeated, listed, too large to
 * be counted or beside a transfer encoding. Of several lengths the last one counts; a transfer encoding beats them all;
 * 204 and 304 have no body, whatever they say. Refused are other versions, a zero byte, a line without a colon and a
 * length that is no number. A header with a name that none can have is left out.
 */

/** Where the body ends. */
export type Framing = "chunked" | "close" | { readonly bytes: number };

export interface CheckedHead {
  readonly status: number;
  readonly framing: Framing;
  /** How the head is written for a strict parser; null if that is as it came. */
  readonly rewritten: string | null;
  /** Whether the server broke the rules, so that the connection must not be used again. */
  readonly deviates: boolean;
}

/** `lines` with their line ends, without the empty last one; null if the head is refused. Bytes are latin1. */
export function readHead(lines: readonly string[], lastLine: string): CheckedHead | null {
  return (lastLine === "\r\n" ? ordinaryHead(lines) : null) ?? repairedHead(lines);
}

/** The answer to an upgrade, which is never asked for. */
export const SWITCHING_PROTOCOLS = 101;

const BODILESS = new Set([SWITCHING_PROTOCOLS, 204, 304]);
const ORDINARY_STATUS = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\x20-\x7e\x80-\xff]*)?\r\n$/;
const ORDINARY_HEADER = /^[!#$%&'*+\-.^_`|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n$/;
const ORDINARY_LENGTH = /^\d{1,15}$/;

/** Nearly every head: by the rules, so that it can stay as it is. */
function ordinaryHead(lines: readonly string[]): CheckedHead | null {
  const status = Number(ORDINARY_STATUS.exec(lines[0] ?? "")?.[1] ?? 0);
  if (status === 0 || status === SWITCHING_PROTOCOLS) return null;
  let framing: Framing = "close";
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (!ORDINARY_HEADER.test(line)) return null;
    const name = framingName(line);
    if (name === null) continue;
    const value = line.slice(name.length + 1).trim();
    if (framing !== "close") return null;
    if (name === "content-length" && ORDINARY_LENGTH.test(value)) framing = { bytes: Number(value) };
    else if (name === "transfer-encoding" && value.toLowerCase() === "chunked") framing = "chunked";
    else return null;
  }
  if (!BODILESS.has(status)) return { status, framing, rewritten: null, deviates: false };
  // A 304 may state the length of the body that it lacks; the strict parser would not use the connection again.
  const rewritten = framing === "close" ? null : `${lines.filter((line) => framingName(line) === null).join("")}\r\n`;
  return { status, framing: { bytes: 0 }, rewritten, deviates: false };
}

function repairedHead(lines: readonly string[]): CheckedHead | null {
  const status = statusOf(lines[0] ?? "");
  const headers = unfolded(lines);
  if (status === null || headers === null || lines.some((line) => line.includes("\0"))) return null;
  const left = status === SWITCHING_PROTOCOLS ? isUpgradeName : isFramingName;
  const kept = headers.filter(([name]) => TOKEN.test(name) && !left(name.toLowerCase()));
  const bodiless = BODILESS.has(status);
  const codings = bodiless ? [] : listOf(headers, "transfer-encoding");
  const length = bodiless ? 0 : lengthOf(headers);
  if (length === null) return null;
  // A body that was compressed for the transfer is unpacked like any other.
  const compressions = codings.filter((coding) => coding !== "chunked" && coding !== "identity");
  if (compressions.length > 0) kept.push(["Content-Encoding", compressions.join(", ")]);
  let framing: Framing = "close";
  if (codings.includes("chunked")) {
    framing = "chunked";
    kept.push(["Transfer-Encoding", "chunked"]);
  } else if (codings.length === 0 && length !== undefined) {
    framing = { bytes: length };
    if (!bodiless) kept.push(["Content-Length", String(length)]);
  }
  const text = kept.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const rewritten = `HTTP/1.1 ${status} ${reasonOf(lines)}\r\n${text}\r\n`;
  return { status, framing, rewritten, deviates: true };
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** "HTTP/1.1 200 OK" with any number of spaces and any end; "HTTP/2 200". */
const STATUS = /^HTTP\/(?:1\.[01]|2(?:\.0)?) +([1-9]\d\d)(?!\d)/i;

function statusOf(line: string): number | null {
  const digits = STATUS.exec(line)?.[1];
  return digits === undefined ? null : Number(digits);
}

function reasonOf([line = ""]: readonly string[]): string {
  return printable(line.replace(STATUS, ""));
}

/** Names and values; null if a line has no colon. Only a line after a header can continue it. */
function unfolded(lines: readonly string[]): [name: string, value: string][] | null {
  const headers: [name: string, value: string][] = [];
  const text = lines
    .slice(1)
    .join("")
    .replace(/\r?\n[ \t]+/g, " ");
  for (const line of text.split("\n").slice(0, -1)) {
    const colon = line.indexOf(":");
    if (colon < 0) return null;
    headers.push([line.slice(0, colon).trimEnd(), printable(line.slice(colon + 1))]);
  }
  return headers;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\x80-\xff]+/g, " ").trim();
}

function listOf(headers: readonly (readonly [name: string, value: string])[], wanted: string): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** The last length that can be counted; undefined without one; null if one is no number. */
function lengthOf(headers: readonly (readonly [name: string, value: string])[]): number | null | undefined {
  let length: number | undefined;
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== "content-length") continue;
    const digits = /^\+?(\d+)/.exec(value)?.[1];
    if (digits === undefined) return null;
    if (Number.isSafeInteger(Number(digits))) length = Number(digits);
  }
  return length;
}

/** The name of a header that says where the body ends, in lower case; null for every other line. */
function framingName(line: string): string | null {
  const colon = line.indexOf(":");
  // Only these two lengths matter, and nearly no other header has them.
  if (colon !== "content-length".length && colon !== "transfer-encoding".length) return null;
  const name = line.slice(0, colon).toLowerCase();
  return isFramingName(name) ? name : null;
}

function isFramingName(name: string): boolean {
  return name === "content-length" || name === "transfer-encoding";
}

/** The strict parser would take the connection for one that has been upgraded. */
function isUpgradeName(name: string): boolean {
  return name === "upgrade" || name === "connection" || isFramingName(name);
}
