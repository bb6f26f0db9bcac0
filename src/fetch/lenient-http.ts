/**
 * Reads what curl reads: corrects the responses on a connection before the strict parser of the HTTP library sees them.
 *
 * The bytes of a socket pass `ResponseCorrector` on their way into the stream. A response by the rules goes through
 * untouched and uncopied. Others are written again (response-head.ts, chunk-framing.ts), and after one of them the
 * connection seems to have ended: it is never used again, so that nothing a server smuggles behind such a response can
 * be taken for the response to another request. 1xx responses are left out, also an unsolicited 100, which is allowed
 * (RFC 9110, 15.2). What even curl does not read goes through as it is: the parser refuses and names it.
 *
 * Why so: a second request with a lenient parser would be one that nobody asked for, and would need a client of its own
 * with time limits, proxies and decompression. Here all of these stay what they are, and a response costs about three
 * microseconds more. `push` of the socket is replaced, rather than a stream put before it, because the library also
 * needs the rest of the socket: its address, its protocol, its life cycle.
 */
import type { Socket } from "node:net";
import { ChunkFraming } from "./chunk-framing.ts";
import { Edits } from "./edits.ts";
import { HEADERS_BYTES_MAX } from "./options.ts";
import { type Framing, readHead, SWITCHING_PROTOCOLS } from "./response-head.ts";

/** Corrects all responses that will arrive on a socket. Nothing may have been read from it yet. */
export function readLeniently(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  const corrector = new ResponseCorrector(push);
  socket.push = (bytes: Buffer | null): boolean => (bytes === null ? corrector.end() : corrector.push(bytes));
  return socket;
}

const LF = 10;
const PREFIX = "HTTP/";

/** Between a socket and its stream: `passOn` takes the corrected bytes, null for their end. */
export class ResponseCorrector {
  readonly #passOn: (piece: Buffer | null) => boolean;
  /** The head under way: its complete lines, the beginning of the next one, and what came in earlier pieces. */
  #lines: string[] = [];
  #line = "";
  #earlier = "";
  /** What is being read: a head, a body, or something that is none of our business. */
  #state: "head" | "body" | "passed on" | "ended" = "head";
  #framing: Framing | ChunkFraming = "close";
  #deviates = false;
  #wantsMore = true;

  constructor(passOn: (piece: Buffer | null) => boolean) {
    this.#passOn = passOn;
  }

  /** Returns whether more should be read from the socket now. */
  push(bytes: Buffer): boolean {
    if (this.#state === "ended") return false;
    this.#wantsMore = true;
    const edits = new Edits(bytes, (piece) => void (this.#wantsMore = this.#passOn(piece)));
    for (let at = 0; at < bytes.length; ) at = this.#read(edits, at);
    return this.#wantsMore;
  }

  /** The server has ended the connection. An incomplete head is no response: the connection was lost. */
  end(): boolean {
    if (this.#state === "ended") return false;
    this.#state = "ended";
    return this.#passOn(null);
  }

  /** Returns where it stopped. */
  #read(edits: Edits, at: number): number {
    const { length } = edits.bytes;
    let next = length;
    if (this.#state === "head") next = this.#head(edits, at);
    else if (this.#state === "body") next = this.#body(edits, at);
    if (this.#state !== "ended" && next === length) edits.keepTo(length);
    return this.#state === "ended" ? length : next;
  }

  /** Reads lines until the head is complete or the bytes are used up. */
  #head(edits: Edits, start: number): number {
    const { bytes } = edits;
    let at = start;
    while (at < bytes.length) {
      const lineFeed = bytes.indexOf(LF, at);
      const end = lineFeed < 0 ? bytes.length : lineFeed + 1;
      const begins = this.#lines.length === 0 && this.#line.length < PREFIX.length;
      this.#line += bytes.toString("latin1", at, end);
      at = end;
      const size = this.#earlier.length + at - start;
      if ((begins && !isPrefixed(this.#line)) || size > HEADERS_BYTES_MAX) return this.#passAllOn(edits, start);
      if (lineFeed < 0) break;
      const line = this.#line;
      this.#line = "";
      if (line.startsWith("\n") || line.startsWith("\r")) return this.#headEnd(edits, start, at, line);
      this.#lines.push(line);
    }
    this.#earlier += bytes.toString("latin1", start, at);
    edits.replace(start, at, "");
    return at;
  }

  #headEnd(edits: Edits, start: number, end: number, lastLine: string): number {
    const head = readHead(this.#lines, lastLine);
    if (head === null) return this.#passAllOn(edits, start);
    const interim = head.status < 200 && head.status !== SWITCHING_PROTOCOLS;
    if (interim) edits.replace(start, end, "");
    else if (head.rewritten !== null) edits.replace(start, end, head.rewritten);
    else if (this.#earlier !== "") edits.replace(start, start, this.#earlier);
    this.#lines = [];
    this.#earlier = "";
    if (head.deviates) this.#deviates = true;
    if (interim) return end;
    this.#state = "body";
    this.#framing = head.framing === "chunked" ? new ChunkFraming() : head.framing;
    return typeof head.framing === "object" && head.framing.bytes === 0 ? this.#responseEnd(edits, end) : end;
  }

  #body(edits: Edits, at: number): number {
    const framing = this.#framing;
    const { length } = edits.bytes;
    if (typeof framing === "string") return length;
    if (framing instanceof ChunkFraming) {
      const end = framing.read(edits, at);
      if (framing.broken) return this.#endAt(edits, end);
      if (framing.deviates) this.#deviates = true;
      return framing.done ? this.#responseEnd(edits, end) : end;
    }
    const end = Math.min(length, at + framing.bytes);
    const left = framing.bytes - (end - at);
    this.#framing = { bytes: left };
    return left === 0 ? this.#responseEnd(edits, end) : end;
  }

  /** Requests are not pipelined, so there should be nothing behind a response. */
  #responseEnd(edits: Edits, end: number): number {
    if (this.#deviates || end < edits.bytes.length) return this.#endAt(edits, end);
    this.#state = "head";
    return end;
  }

  #endAt(edits: Edits, end: number): number {
    edits.keepTo(end);
    this.#state = "ended";
    this.#passOn(null);
    this.#wantsMore = false;
    return end;
  }

  #passAllOn(edits: Edits, start: number): number {
    edits.replace(start, start, this.#earlier);
    this.#earlier = "";
    this.#state = "passed on";
    return start;
  }
}

/** Whether a status line can begin so, or does. */
function isPrefixed(line: string): boolean {
  return PREFIX.startsWith(line.slice(0, PREFIX.length).toUpperCase());
}
