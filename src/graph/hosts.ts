/**
 * Finds the host, or the site, of every page from a list of URLs: line i is the URL of page i.
 *
 * A host is what the WHATWG parser calls `URL.host`: lower case, without user info, with a port unless it is the
 * scheme's default. The parser takes about a microsecond, but what comes after `http://host/` cannot change the host,
 * and ten million URLs have few such prefixes. So results are cached by prefix, and neighbours, which mostly share
 * theirs, cost one comparison. Prefixes with blanks or control characters (which the parser skips) or beyond ASCII, and
 * other schemes, are parsed each time.
 *
 * Real collections hold a few URLs that the parser rejects, such as `http://www.example.org>`. Their host is the text
 * between `//` and the path, in lower case. A line without even that is an error.
 */
import { quoted, UsageError } from "../base/index.ts";
import { ChunkedList } from "./chunked-list.ts";
import { sharedUint32 } from "./graph.ts";
import { LineCutter, nextLine } from "./lines.ts";

/** The host of every page. */
export interface Hosts {
  /** In order of first appearance. */
  readonly names: readonly string[];
  /** Index into `names` for every page, in shared memory. */
  readonly hostOf: Uint32Array;
}

/** Options of `hostsOf`. */
export interface HostsOptions {
  /** The expected number of URLs; any other number is an error. */
  readonly pages?: number;
  /** Hosts of one site count as one. `registrableDomain` of `tidemark/web` names sites (default: each is its own). */
  readonly siteOf?: ((host: string) => string) | undefined;
}

const SCHEMES = ["http://", "https://"].map((scheme) => new TextEncoder().encode(scheme));
/** Longer prefixes, which no real host has, are parsed each time. */
const BEGINNING_BYTES_MAX = 300;
const SPACE = 0x20;
const DELETE = 0x7f;
/** 1 for `/`, `\`, `?` and `#`. */
const ENDS_HOST = Uint8Array.from({ length: 256 }, (_, byte) => ("/\\?#".includes(String.fromCharCode(byte)) ? 1 : 0));

/** The hosts of URLs in memory; the first URL is that of page 0. */
export function hostsOf(urls: Iterable<string>, options: HostsOptions = {}): Hosts {
  const decoder = new HostsDecoder(options);
  const encoder = new TextEncoder();
  // The WHATWG parser ignores line endings inside a URL, too.
  for (const url of urls) decoder.push(encoder.encode(`${url.replace(/[\r\n]/g, "")}\n`));
  return decoder.finish();
}

/** Reads a text file with one URL per line, pushed in chunks. */
export class HostsDecoder {
  readonly #options: HostsOptions;
  readonly #cutter = new LineCutter((bytes, from, to) => this.#read(bytes, from, to));
  readonly #text = new TextDecoder();
  readonly #names: string[] = [];
  readonly #idOfName = new Map<string, number>();
  readonly #hostOfBeginning = new Map<string, number>();
  readonly #hostOf = new ChunkedList();
  readonly #beginning = new Uint8Array(BEGINNING_BYTES_MAX);
  #beginningLength = 0;
  #host = 0;

  constructor(options: HostsOptions = {}) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    this.#cutter.push(chunk);
  }

  finish(): Hosts {
    this.#cutter.finish();
    const { length } = this.#hostOf;
    const { pages = length } = this.#options;
    if (length !== pages) {
      throw new UsageError(`got ${length} URLs for ${pages} pages; expected one URL per line, line i for page i`);
    }
    return { names: this.#names, hostOf: this.#hostOf.copyTo(sharedUint32(pages)) };
  }

  #read(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at = nextLine(bytes, at)) {
      if (!startsWith(bytes, at, this.#beginning, this.#beginningLength)) this.#lookUp(bytes, at);
      this.#hostOf.push(this.#host);
    }
  }

  /** Sets `#host` to the host of the line, and `#beginning` to the prefix that other lines of that host share. */
  #lookUp(bytes: Uint8Array, from: number): void {
    const end = endOfPlainHost(bytes, from);
    this.#beginningLength = end - from;
    for (let i = 0; i < this.#beginningLength; i++) this.#beginning[i] = bytes[from + i];
    const beginning = this.#text.decode(bytes.subarray(from, end));
    let host = this.#hostOfBeginning.get(beginning);
    if (host === undefined) {
      host = this.#parse(this.#text.decode(bytes.subarray(from, nextLine(bytes, from))).trim());
      if (beginning !== "") this.#hostOfBeginning.set(beginning, host);
    }
    this.#host = host;
  }

  #parse(url: string): number {
    const host = parsed(url) ?? authority(url) ?? this.#refuse(url);
    const { siteOf } = this.#options;
    const name = siteOf === undefined ? host : siteOf(host);
    let id = this.#idOfName.get(name);
    if (id === undefined) {
      id = this.#names.length;
      this.#names.push(name);
      this.#idOfName.set(name, id);
    }
    return id;
  }

  #refuse(url: string): never {
    throw new UsageError(
      `line ${this.#hostOf.length + 1}: ${quoted(url)} has no host; expected an absolute URL such as http://host/path`,
    );
  }
}

function parsed(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return host === "" ? undefined : host;
}

function authority(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/\\?#]+)/i.exec(url)?.[1]?.toLowerCase();
}

/**
 * The position after the `/`, `\`, `?` or `#` that ends the host, for a line that starts with `http://` or `https://`
 * and continues in printable ASCII; `from` for any other line.
 */
function endOfPlainHost(bytes: Uint8Array, from: number): number {
  const scheme = SCHEMES.find((scheme) => startsWith(bytes, from, scheme, scheme.length));
  if (scheme === undefined) return from;
  const start = from + scheme.length;
  const last = from + BEGINNING_BYTES_MAX - 1;
  let at = start;
  while (at < last && bytes[at] > SPACE && bytes[at] < DELETE && ENDS_HOST[bytes[at]] === 0) at++;
  return at > start && ENDS_HOST[bytes[at]] === 1 ? at + 1 : from;
}

/** An empty prefix never matches. */
function startsWith(bytes: Uint8Array, from: number, beginning: Uint8Array, length: number): boolean {
  let i = 0;
  while (i < length && bytes[from + i] === beginning[i]) i++;
  return i > 0 && i === length;
}
