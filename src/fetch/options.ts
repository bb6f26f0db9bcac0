/** The options of the HTTP fetcher. */
import type { LookupAddress } from "node:dns";
import type { Socket, TcpNetConnectOpts } from "node:net";
import type { Clock } from "../base/index.ts";
import type { Purpose, Timeouts } from "./limits.ts";
import type { ProxySettings } from "./proxies.ts";
import type { ResolveRule } from "./resolve-rules.ts";

/** Looks up all addresses of a host name; errors have the codes of `dns.lookup`. */
export type Lookup = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Options of `createHttpFetcher`. */
export interface HttpFetcherOptions {
  readonly userAgent: string;
  /**
   * Hosts that may have private addresses: all, or these names; "*.example.org" means all below example.org (default:
   * none).
   */
  readonly allowPrivate?: boolean | readonly string[];
  /**
   * Addresses to use instead of those of the resolver. They are checked like any other. The first rule that matches
   * counts.
   */
  readonly resolve?: readonly ResolveRule[];
  /** Certificates to trust besides those of Node, as PEM texts. */
  readonly certificates?: readonly string[];
  readonly proxy?: ProxySettings;
  /** Connections to one origin at the same time (default: 1); further requests wait. */
  readonly connections?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** How many bytes of a body are read, over the wire and after decompression; the rest is cut off. */
  readonly bytesMax?: Partial<Readonly<Record<Purpose, number>>>;
  /** How long an idle connection is kept open (default: 10 s), whatever the server offers. */
  readonly keepAliveMs?: number;
  readonly clock?: Clock;
  readonly lookup?: Lookup;
  /** Opens a TCP connection; for tests that must observe connections. */
  readonly openSocket?: (options: TcpNetConnectOpts) => Socket;
}
