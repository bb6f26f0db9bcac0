/** Bounds of one exchange, and of what is kept between exchanges. */
import { ROBOTS_BYTES_KEPT, SITEMAP_BYTES_MAX } from "../web/index.ts";
import type { FetchRequest } from "./contract.ts";

export type Purpose = FetchRequest["purpose"];

/** Time limits. Headers and body are timed by a coarse clock, up to a second late; the total is exact. */
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

export const defaultBytesMax: Readonly<Record<Purpose, number>> = {
  page: 8 * 1024 * 1024,
  robots: ROBOTS_BYTES_KEPT,
  sitemap: SITEMAP_BYTES_MAX,
};

/** All headers of a response, names and values; curl stops at 300 KiB. */
export const HEADERS_BYTES_MAX = 256 * 1024;
/** How many idle origins are kept: an idle TLS connection takes about 110 KB. */
export const IDLE_CLIENTS_MAX = 1_000;
export const KEEP_ALIVE_MS = 10_000;
