/** What the HTTP fetcher can be told, and what it does where it is told nothing. */
import type { LookupAddress } from "node:dns";
import type { Socket, TcpNetConnectOpts } from "node:net";
import type { Clock } from "../base/index.ts";
import type { Purpose, Timeouts } from "./limits.ts";
import type { ProxySettings } from "./proxies.ts";
import type { ResolveRule } from "./resolve-rules.ts";

/** Asks for all addresses of a host name; errors carry the codes of `dns.lookup`. */
export type Lookup = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface HttpFetcherOptions {
  readonly userAgent: string;
  /** Hosts that may lead to private addresses: all, or these names; "*.example.org" stands for all below example.org. */
  readonly allowPrivate?: boolean | readonly string[];
  /** Addresses to use instead of those of the resolver. They are guarded like any other. The first rule that fits holds. */
  readonly resolve?: readonly ResolveRule[];
  /** Certificates to trust beside Node's own, as PEM texts (see `systemCertificates`). */
  readonly certificates?: readonly string[];
  readonly proxy?: ProxySettings;
  /** Connections to one origin at once; requests beyond wait. */
  readonly connections?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Bytes of a body that are read, on the wire and again decompressed; what is beyond is cut off. */
  readonly bytesMax?: Partial<Readonly<Record<Purpose, number>>>;
  /** How long an idle connection is kept, whatever the server offers. */
  readonly keepAliveMs?: number;
  readonly clock?: Clock;
  readonly lookup?: Lookup;
  /** Opens a TCP connection; for tests that must see that none is opened. */
  readonly openSocket?: (options: TcpNetConnectOpts) => Socket;
}
