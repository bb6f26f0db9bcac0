/**
 * From the URLs of pages, line i = page i, to the host or the registrable domain of every page.
 *
 * A host is what the WHATWG parser calls `URL.host`: lower case, without userinfo, with a port unless it is the
 * scheme's own. That parser takes about a microsecond, but what comes after `http://host/` cannot change the
 * host, and ten million URLs have few such beginnings. So the parser's answer is remembered by beginning, and
 * neighbours, which mostly share theirs, cost one comparison. Beginnings with blanks or controls (which the parser
 * skips) or beyond ASCII, and other schemes, are parsed each time.
 *
 * Real collections hold a few URLs that the parser refuses, `http://www.example.org>`: what stands between `//` and
 * the path, in lower case, is then taken as the host. A line without even that is an error.
 */
import { getDomain } from "tldts";
import { UsageError } from "../base/index.ts";
import { ChunkedList } from "./chunked-list.ts";
import { sharedUint32 } from "./graph.ts";
import { LineCutter, quoted } from "./lines.ts";

export interface Hosts {
  /** In order of first appearance. */
  readonly names: readonly string[];
  /** Index into `names` for every page, in shared memory. */
  readonly hostOf: Uint32Array;
}

export interface HostsOptions {
  /** The number of URLs expected; more or fewer are an error. */
  readonly pages?: number;
  /** `domain` joins the hosts of one registrable domain, by the Public Suffix List (default `host`). */
  readonly by?: "host" | "domain";
}

/** The hosts of URLs in memory; `HostsDecoder` reads them from a file. */
export function hostsOf(urls: Iterable<string>, options: HostsOptions = {}): Hosts {
  const collector = new HostCollector(options);
  for (const url of urls) collector.add(url);
  return collector.finish();
}

/** Reads a text file of one URL a line, pushed in chunks. */
export class HostsDecoder {
  readonly #collector: HostCollector;
  readonly #text = new TextDecoder();
  readonly #cutter = new LineCutter((bytes, from, to) => {
    const lines = this.#text.decode(bytes.subarray(from, to)).split(/\r\n|\n|\r/);
    lines.pop(); // what follows the last line ending
    for (const line of lines) this.#collector.add(line);
  });

  constructor(options: HostsOptions = {}) {
    this.#collector = new HostCollector(options);
  }

  push(chunk: Uint8Array): void {
    this.#cutter.push(chunk);
  }

  finish(): Hosts {
    this.#cutter.finish();
    return this.#collector.finish();
  }
}

const CACHEABLE_BEGINNING = /^https?:\/\/(?:(?![/\\?#])[!-~])+(?=[/\\?#])/i;

class HostCollector {
  readonly #options: HostsOptions;
  readonly #names: string[] = [];
  readonly #idOfName = new Map<string, number>();
  readonly #idOfBeginning = new Map<string, number>();
  readonly #hostOf = new ChunkedList();
  /** Beginning of the last URL including the byte that ends its host, where it is known to decide the host. */
  #last: string | undefined;
  #lastId = 0;

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  add(url: string): void {
    if (this.#last === undefined || !url.startsWith(this.#last)) this.#lookUp(url);
    this.#hostOf.push(this.#lastId);
  }

  finish(): Hosts {
    const { length } = this.#hostOf;
    const { pages = length } = this.#options;
    if (length !== pages) {
      throw new UsageError(
        `got ${length} URLs for ${pages} pages; expected one URL a line, line i for page i`,
      );
    }
    return { names: this.#names, hostOf: this.#hostOf.copyTo(sharedUint32(pages)) };
  }

  #lookUp(url: string): void {
    const beginning = CACHEABLE_BEGINNING.exec(url)?.[0];
    if (beginning === undefined) {
      this.#last = undefined;
      this.#lastId = this.#parse(url);
      return;
    }
    let id = this.#idOfBeginning.get(beginning);
    if (id === undefined) {
      id = this.#parse(url);
      this.#idOfBeginning.set(detached(beginning), id);
    }
    this.#last = url.slice(0, beginning.length + 1);
    this.#lastId = id;
  }

  #parse(url: string): number {
    const { host, hostname } = parsed(url) ?? authority(url) ?? this.#refuse(url);
    const name = this.#options.by === "domain" ? (getDomain(hostname) ?? hostname) : host;
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

interface HostParts {
  readonly host: string;
  readonly hostname: string;
}

function parsed(url: string): HostParts | undefined {
  try {
    const { host, hostname } = new URL(url);
    return host === "" ? undefined : { host, hostname };
  } catch {
    return undefined;
  }
}

function authority(url: string): HostParts | undefined {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/\\?#]+)/i.exec(url)?.[1]?.toLowerCase();
  return host === undefined ? undefined : { host, hostname: host };
}

/** A copy that does not keep alive the long string it was cut from. */
function detached(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}
