/**
 * The HTTP clients, one per origin, and how many are kept.
 *
 * A client has up to `connections` sockets, which stay open for some seconds between requests. Idle clients are closed
 * after that time, and the longest idle one at once if there are more than IDLE_CLIENTS_MAX. So there are at most that
 * many plus the requests in flight. Origins that rejected HTTP/1.1 are remembered (10,000, the oldest dropped first)
 * and use HTTP/2 from then on.
 */
import type { EventEmitter } from "node:events";
import { Client, type Dispatcher, Pool } from "undici";
import { type Clock, dropOldest } from "../base/index.ts";
import { type Connector, http1, http2 } from "./connector.ts";
import { HEADERS_BYTES_MAX, IDLE_CLIENTS_MAX, type Timeouts } from "./options.ts";
import type { Endpoint } from "./guarded-resolver.ts";

const HTTP2_ORIGINS_MAX = 10_000;

export interface OriginClient {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly http2: boolean;
  /** Where new connections are made to. */
  place: Endpoint;
  active: number;
  idleSinceMs: number;
  opened: number;
  address: string | null;
}

export interface ClientsOptions {
  readonly connector: Connector;
  readonly clock: Clock;
  readonly connections: number;
  readonly timeouts: Timeouts;
  readonly keepAliveMs: number;
  readonly idleMax?: number;
}

export class Clients {
  readonly #options: ClientsOptions;
  /** Longest idle first. */
  readonly #clients = new Map<string, OriginClient>();
  readonly #http2 = new Set<string>();
  readonly #idleMax: number;
  readonly #sweeper: NodeJS.Timeout;
  /** Replaced or evicted clients that are not closed yet. */
  readonly #closing = new Set<Dispatcher>();

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#idleMax = options.idleMax ?? IDLE_CLIENTS_MAX;
    this.#sweeper = setInterval(() => this.#sweep(), options.keepAliveMs);
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#clients.size;
  }

  /** The client for a request, which counts as in flight until `release`. */
  take(url: URL, place: Endpoint): OriginClient {
    const { origin } = url;
    let client = this.#clients.get(origin);
    if (client === undefined) {
      client = this.#create(url, place);
      this.#clients.set(origin, client);
    }
    client.place = place;
    client.active++;
    if (this.#clients.size > this.#idleMax) this.#evict();
    return client;
  }

  release(client: OriginClient): void {
    client.active--;
    client.idleSinceMs = this.#options.clock.nowMs();
    if (this.#clients.get(client.origin) !== client) return;
    this.#clients.delete(client.origin);
    this.#clients.set(client.origin, client);
    if (this.#clients.size > this.#idleMax) this.#evict();
  }

  useHttp2(client: OriginClient): void {
    this.#http2.add(client.origin);
    dropOldest(this.#http2, HTTP2_ORIGINS_MAX);
    if (this.#clients.get(client.origin) === client) this.#close(client);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const all = [...this.#closing, ...Array.from(this.#clients.values(), ({ dispatcher }) => dispatcher)];
    this.#clients.clear();
    await Promise.allSettled(all.map((dispatcher) => dispatcher.destroy()));
  }

  #create(url: URL, place: Endpoint): OriginClient {
    const { connections, connector, keepAliveMs, timeouts } = this.#options;
    const { origin, hostname } = url;
    const encrypted = url.protocol === "https:";
    const overHttp2 = encrypted && this.#http2.has(origin);
    const options: Client.Options = {
      connect: (_options, callback) => {
        client.opened++;
        const protocols = overHttp2 ? http2 : http1;
        connector.connect({ hostname, encrypted, place: client.place, protocols }, (...result) => {
          client.address = result[1]?.remoteAddress ?? null;
          callback(...result);
        });
      },
      allowH2: overHttp2,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyMs,
      maxHeaderSize: HEADERS_BYTES_MAX,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      // A second of margin to the server's own limit, so that it does not close the connection as we send a request.
      keepAliveTimeoutThreshold: 1_000,
    };
    const dispatcher = connections === 1 ? new Client(origin, options) : new Pool(origin, { ...options, connections });
    // An internal error of the library must not end the crawl: the exchange has its own time limit.
    (dispatcher as EventEmitter).on("error", () => {});
    const client: OriginClient = {
      origin,
      dispatcher,
      http2: overHttp2,
      place,
      active: 0,
      idleSinceMs: 0,
      opened: 0,
      address: null,
    };
    return client;
  }

  #sweep(): void {
    const { clock, keepAliveMs } = this.#options;
    const before = clock.nowMs() - keepAliveMs;
    for (const client of this.#clients.values()) {
      if (client.active === 0 && client.idleSinceMs <= before) this.#close(client);
    }
  }

  /** Busy clients rarely come before idle ones, so a few steps suffice; the next call continues. */
  #evict(): void {
    let steps = 32;
    for (const client of this.#clients.values()) {
      if (this.#clients.size <= this.#idleMax || steps-- === 0) return;
      if (client.active === 0) this.#close(client);
    }
  }

  #close(client: OriginClient): void {
    this.#clients.delete(client.origin);
    this.#closing.add(client.dispatcher);
    const closed = (): void => void this.#closing.delete(client.dispatcher);
    client.dispatcher.close().then(closed, closed);
  }
}
