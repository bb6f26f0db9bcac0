/** Bounds of one exchange and of what is held between them. */
import type { FetchRequest } from "./contract.ts";

export type Purpose = FetchRequest["purpose"];

/** Headers and body are timed by a coarse clock: up to a second late. The whole is exact. */
export interface Timeouts {
  /** For TCP and TLS together. */
  readonly connectMs: number;
  /** From the request to the end of the headers. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /** For everything: resolving, connecting, a retry on a fresh connection, reading. */
  readonly totalMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyMs: 15_000,
  totalMs: 60_000,
};

/** RFC 9309, 2.5: at least 500 KiB of a robots.txt are read. */
export const ROBOTS_BYTES_MAX = 500 * 1024;

export const defaultBytesMax: Readonly<Record<Purpose, number>> = {
  page: 8 * 1024 * 1024,
  robots: ROBOTS_BYTES_MAX,
  // sitemaps.org: at most 52,428,800 bytes uncompressed.
  sitemap: 52_428_800,
};

/** All headers of an answer together, names and values; curl stops at 300 KiB. */
export const HEADERS_BYTES_MAX = 256 * 1024;
/** Origins with an idle connection, or none, that are kept ready. */
export const IDLE_CLIENTS_MAX = 2_000;
export const KEEP_ALIVE_MS = 10_000;
