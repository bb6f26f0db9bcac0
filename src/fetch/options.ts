/** The options of the HTTP fetcher, its defaults and bounds. */
import type { LookupAddress } from "node:dns";
import type { Socket, TcpNetConnectOpts } from "node:net";
import type { Clock } from "../base/index.ts";
import { ROBOTS_BYTES_KEPT, SITEMAP_BYTES_MAX } from "../web/index.ts";
import type { FetchRequest } from "./contract.ts";
import type { SessionOptions } from "./sessions.ts";

/**
 * Looks up all addresses of a host name; errors have the codes of `dns.lookup`. `ttlMs` is how long the addresses may
 * be used (default: ten minutes).
 */
export type Lookup = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[], ttlMs?: number) => void,
) => void;

/** Options of `createHttpFetcher`. */
export interface HttpFetcherOptions {
  readonly userAgent: string;
  /** Hosts that may have private addresses: all, or these names; "*.example.org" means all below it (default: none). */
  readonly allowPrivate?: boolean | readonly string[];
  /** Addresses to use instead of those of the resolver, checked like any other. The first rule that matches counts. */
  readonly resolve?: readonly ResolveRule[];
  /** Certificates to trust besides those of Node, as PEM texts. */
  readonly certificates?: readonly string[];
  readonly proxy?: ProxySettings;
  /** Headers, cookies and credentials for some origins. */
  readonly sessions?: SessionOptions;
  /** Connections to one origin at the same time (default: 1); further requests wait. */
  readonly connections?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** How many bytes of a body are read, over the wire and after decompression; the rest is cut off. */
  readonly bytesMax?: Partial<Readonly<Record<Purpose, number>>>;
  /** How long an idle connection is kept open (default: 10 s), whatever the server offers. */
  readonly keepAliveMs?: number;
  readonly clock?: Clock;
  /** Who looks names up: "direct" (default), "system", or the address of a name server, as `--dns` has it. */
  readonly dns?: string;
  /** Looks names up instead; for tests. */
  readonly lookup?: Lookup;
  /** Opens a TCP connection; for tests that must observe connections. */
  readonly openSocket?: (options: TcpNetConnectOpts) => Socket;
}

export type Purpose = FetchRequest["purpose"];

/** An address to use for a host, as `parseResolveRule` reads it. */
export interface ResolveRule {
  readonly host: string;
  /** Only for URLs of this port; null for all. */
  readonly port: number | null;
  readonly address: string;
  /** The port to connect to; null for that of the URL. */
  readonly toPort: number | null;
}

/** Time limits. Headers and body are timed by a coarse clock, up to a second late; the total is exact. */
export interface Timeouts {
  /** For TCP and TLS together. */
  readonly connectMs: number;
  /** From the request to the end of the headers. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /**
   * For everything: resolving, connecting, a retry on a fresh connection, reading. Above its default of a minute it
   * raises the default of each part by as much, so that a server may be slow at any of them.
   */
  readonly totalMs: number;
}

/** Which proxies to use. */
export interface ProxySettings {
  /** For http and for https URLs; null for none. */
  readonly http: string | null;
  readonly https: string | null;
  /** As NO_PROXY: host names (with all below them), with or without a port, separated by commas; "*" for all. */
  readonly except: string;
  /** Several proxies to choose from, one per host, instead of `http` and `https`. */
  readonly pool?: readonly string[];
  /** How long a proxy rests after its first failure (default: 10 s); longer each time. */
  readonly restMs?: number;
}

const defaultTimeouts: Timeouts = { connectMs: 10_000, headersMs: 20_000, bodyMs: 15_000, totalMs: 60_000 };

/** All limits, of which some are given. */
export function timeoutsOf(given: Partial<Timeouts> = {}): Timeouts {
  const { connectMs, headersMs, bodyMs, totalMs } = defaultTimeouts;
  const moreMs = Math.max(0, (given.totalMs ?? totalMs) - totalMs);
  return { connectMs: connectMs + moreMs, headersMs: headersMs + moreMs, bodyMs: bodyMs + moreMs, totalMs, ...given };
}

export const defaultBytesMax: Readonly<Record<Purpose, number>> = {
  page: 8 * 1024 * 1024,
  robots: ROBOTS_BYTES_KEPT,
  sitemap: SITEMAP_BYTES_MAX,
  requisite: 32 * 1024 * 1024,
};

/** All headers of a response, names and values; curl stops at 300 KiB. */
export const HEADERS_BYTES_MAX = 256 * 1024;
/** How many idle origins are kept: an idle TLS connection takes about 110 KB. */
export const IDLE_CLIENTS_MAX = 1_000;
export const KEEP_ALIVE_MS = 10_000;
