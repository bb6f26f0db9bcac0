/**
 * The real network: HTTP/1.1 with keep-alive, over undici's `dispatch`, the leanest interface of that library.
 *
 * The parts: name-lookup.ts (addresses of names), guarded-resolver.ts (cache, guard), connector.ts (TCP, TLS),
 * lenient-http.ts (replies against the rules), clients.ts (one per origin, bounded), exchange.ts (one request and its
 * reply), decompression.ts, proxies.ts, sessions.ts (what only some servers get, such as cookies). They are joined
 * here, and exchanges that take too long are ended: all have the same time limit, so one timer for the oldest is enough
 * for any number of them.
 */
import net from "node:net";
import type { Dispatcher } from "undici";
import { type Clock, systemClock } from "../base/index.ts";
import { Connector, secureContextOf } from "./connector.ts";
import { Clients } from "./clients.ts";
import type { Fetcher, FetchRequest, Reply } from "./contract.ts";
import { Exchange, type ProxyRoute } from "./exchange.ts";
import {
  defaultBytesMax,
  type HttpFetcherOptions,
  KEEP_ALIVE_MS,
  type ProxySettings,
  type Timeouts,
  timeoutsOf,
} from "./options.ts";
import { NamedFailure } from "./named-failure.ts";
import { proxiesFor, proxyClient, withoutCredentials } from "./proxies.ts";
import { ProxyPool } from "./proxy-pool.ts";
import { portOf, Resolver } from "./guarded-resolver.ts";
import { type NameLookup, nameLookup } from "./name-lookup.ts";
import { type Sessions, sessionsOf } from "./sessions.ts";

/** Makes a fetcher for the real network. */
export function createHttpFetcher(options: HttpFetcherOptions): Fetcher {
  return new HttpFetcher(options);
}

/** The longest time that `close` waits for connections to end. */
const CLOSE_MS_MAX = 500;

class HttpFetcher implements Fetcher {
  readonly #clock: Clock;
  readonly #timeouts: Timeouts;
  readonly #connector: Connector;
  readonly #clients: Clients;
  readonly #resolver: Resolver;
  readonly #names: NameLookup;
  readonly #proxies = new Map<string, Dispatcher>();
  readonly #newProxy: (uri: string) => Dispatcher;
  readonly #proxySettings: ProxySettings | undefined;
  /** By their first proxy: one for all URLs, or those for http and https. */
  readonly #pools = new Map<string, ProxyPool>();
  #onDown: (why: string) => void = () => {};
  #onNote: (note: string) => void = () => {};
  readonly #setting: ConstructorParameters<typeof Exchange>[0];
  readonly #sessions: Sessions | undefined;
  /** In the order in which their time began. */
  readonly #live = new Set<Exchange>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: HttpFetcherOptions) {
    const { userAgent, connections = 1, clock = systemClock, keepAliveMs = KEEP_ALIVE_MS } = options;
    const timeouts = timeoutsOf(options.timeouts);
    const bytesMax = { ...defaultBytesMax, ...options.bytesMax };
    const secureContext = secureContextOf(options.certificates ?? []);
    const openSocket = options.openSocket ?? ((where) => net.connect(where));
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#proxySettings = options.proxy;
    this.#sessions = sessionsOf(options.sessions);
    this.#newProxy = (uri) => proxyClient(uri, { secureContext, connections, timeouts, keepAliveMs });
    this.#connector = new Connector({ secureContext, connectMs: timeouts.connectMs, openSocket });
    this.#clients = new Clients({ connector: this.#connector, clock, connections, timeouts, keepAliveMs });
    this.#names = nameLookup(options, clock);
    this.#resolver = new Resolver(this.#names.lookup, clock, options);
    this.#setting = {
      clock,
      resolver: this.#resolver,
      clients: this.#clients,
      userAgent,
      proxyFor: (url) => this.#proxyFor(url),
      bytesMax: (request) => bytesMax[request.purpose],
      restarted: (exchange) => {
        this.#live.delete(exchange);
        this.#live.add(exchange);
        this.#arm(timeouts.totalMs);
      },
      ended: (exchange) => void this.#live.delete(exchange),
    };
  }

  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    const url = new URL(request.url);
    const session = request.isAnonymous === true ? undefined : this.#sessions?.of(url);
    const exchange =
      session === undefined
        ? new Exchange(this.#setting, request, url, done)
        : new Exchange(this.#setting, request, url, (reply) => done(session.keep(reply)), session.headers);
    this.#live.add(exchange);
    this.#arm(this.#timeouts.totalMs);
    exchange.start(this.#closed ? stopping() : null);
  }

  lookUp(url: string, done: (validForMs: number) => void): void {
    const parsed = new URL(url);
    // A proxy resolves the name itself.
    if (proxiesFor(this.#proxySettings, parsed).length > 0) return done(Number.POSITIVE_INFINITY);
    this.#resolver.prepare(parsed.hostname, portOf(parsed), done);
  }

  onDown(listener: (why: string) => void): void {
    this.#onDown = listener;
  }

  onNote(listener: (note: string) => void): void {
    this.#onNote = listener;
  }

  cancel(owner: number): void {
    for (const exchange of this.#live) if (exchange.owner === owner) exchange.cancel(stopping());
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const exchange of this.#live) exchange.cancel(stopping());
    this.#connector.close();
    this.#names.close();
    const proxies = Array.from(this.#proxies.values(), (proxy) => proxy.destroy());
    const closed = Promise.allSettled([this.#clients.close(), ...proxies]);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS_MAX)));
    await Promise.race([closed, timeout]);
    clearTimeout(timer);
  }

  /** Null if a URL needs no proxy; if all proxies rest, how long to wait for one. */
  #proxyFor(url: URL): ProxyRoute | number | NamedFailure | null {
    const pool = this.#poolFor(url);
    if (pool === undefined) return null;
    if (pool.down !== undefined) return new NamedFailure("aborted", pool.down);
    const uri = pool.choose(url.hostname);
    if (typeof uri === "number") return uri;
    return {
      dispatcher: this.#dispatcherOf(uri),
      note: (outcome, message) => pool.note(uri, outcome, message),
    };
  }

  #poolFor(url: URL): ProxyPool | undefined {
    const uris = proxiesFor(this.#proxySettings, url);
    if (uris.length === 0) return undefined;
    const known = this.#pools.get(uris[0]);
    if (known !== undefined) return known;
    const pool = new ProxyPool(uris, {
      clock: this.#clock,
      restMs: this.#proxySettings?.restMs,
      nameOf: withoutCredentials,
      onDown: (why) => this.#onDown(why),
      onNote: (note) => this.#onNote(note),
    });
    this.#pools.set(uris[0], pool);
    return pool;
  }

  #dispatcherOf(uri: string): Dispatcher {
    const proxy = this.#proxies.get(uri) ?? this.#newProxy(uri);
    this.#proxies.set(uri, proxy);
    return proxy;
  }

  /** The timer does not keep the process alive; the exchanges do. */
  #arm(delayMs: number): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setTimeout(() => this.#expire(), delayMs).unref();
  }

  #expire(): void {
    this.#timer = null;
    const { totalMs } = this.#timeouts;
    for (const exchange of this.#live) {
      const leftMs = exchange.startedMs + totalMs - this.#clock.nowMs();
      if (leftMs > 0) return this.#arm(Math.ceil(leftMs));
      exchange.expire(totalMs);
    }
  }
}

function stopping(): NamedFailure {
  return new NamedFailure("aborted", "the crawl is stopping");
}
