/**
 * One request and its reply: resolving -> requesting -> reading -> over. `requesting` may start again, once for each
 * reason: on a fresh connection if the server closed an idle one just then, and over HTTP/2 if the host rejected
 * HTTP/1.1. `done` is called exactly once, and never from inside the call that started the exchange.
 *
 * It is the handler of the library's `dispatch`, in the raw form (header bytes, no stream, no controller). It has no
 * timer: the fetcher ends exchanges that have used up their time.
 */
import type { Dispatcher } from "undici";
import type { Clock } from "../base/index.ts";
import type { Clients, OriginClient } from "./clients.ts";
import type { FetchRequest, Reply, ResponseHead, Truncation } from "./contract.ts";
import { encodingsOf, unpack } from "./decompression.ts";
import { failureOf, NamedFailure, proxyFailureOf, proxyOutcomeOf } from "./named-failure.ts";
import { headerList, headerRecord, sentHeaders } from "./headers.ts";
import { type Endpoint, portOf, type Resolver } from "./guarded-resolver.ts";
import type { ProxyOutcome } from "./proxy-pool.ts";
import { SWITCHING_PROTOCOLS } from "./response-head.ts";

export interface ExchangeSetting {
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly clients: Clients;
  readonly userAgent: string;
  /** Null if a URL needs no proxy; a number of milliseconds if all proxies rest; a failure if none works. */
  proxyFor(url: URL): ProxyRoute | number | NamedFailure | null;
  bytesMax(request: FetchRequest): number;
  /** Its time begins again. */
  restarted(exchange: Exchange): void;
  ended(exchange: Exchange): void;
}

/** The way through a proxy. */
export interface ProxyRoute {
  readonly dispatcher: Dispatcher;
  /** Takes note of how the proxy fares; another may take its place. */
  readonly note: (outcome: ProxyOutcome, message: string) => void;
}

export class Exchange implements Dispatcher.DispatchHandler {
  /** Without the time that it waited for a proxy. */
  startedMs: number;
  readonly #setting: ExchangeSetting;
  readonly #request: FetchRequest;
  readonly #url: URL;
  readonly #done: (reply: Reply) => void;
  /** Headers to send besides our own, names and values alternating. */
  readonly #ofSession: readonly string[];
  #starting = true;
  #over = false;
  /** Further calls of the library about the request are ignored. */
  #ignoring = false;
  #place: Endpoint | null = null;
  #client: OriginClient | null = null;
  #viaProxy = false;
  #route: ProxyRoute | null = null;
  /** Set while all proxies rest: that is no time of the page. */
  #proxyWait: NodeJS.Timeout | undefined;
  #abort: ((error?: Error) => void) | null = null;
  #address: string | null = null;
  #openedBefore = 0;
  #retried = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #head: ResponseHead = { reason: "", headers: [] };
  #isTooLong = false;
  #chunks: Buffer[] = [];
  #wireBytes = 0;

  constructor(
    setting: ExchangeSetting,
    request: FetchRequest,
    url: URL,
    done: (reply: Reply) => void,
    ofSession: readonly string[] = [],
  ) {
    this.#setting = setting;
    this.#ofSession = ofSession;
    this.#request = request;
    this.#url = url;
    this.#done = done;
    this.startedMs = setting.clock.nowMs();
  }

  /** With a `refusal` nothing is requested, and the exchange fails with it. */
  start(refusal: NamedFailure | null): void {
    if (refusal === null) this.#begin();
    else this.#fail(refusal);
    this.#starting = false;
  }

  expire(totalMs: number): void {
    if (this.#proxyWait !== undefined) return;
    const resolving = this.#place === null && !this.#viaProxy;
    const what = resolving ? "no response from the resolver" : "not finished";
    this.cancel(new NamedFailure(resolving ? "resolve-failed" : "total-timeout", `${what} within ${totalMs} ms`));
  }

  cancel(failure: NamedFailure): void {
    const abort = this.#abort;
    this.#fail(failure);
    abort?.(failure);
  }

  onConnect(abort: (error?: Error) => void): void {
    // The exchange may have ended while it waited for a connection.
    if (this.#over) return abort();
    this.#abort = abort;
    // What follows is the write: a process that slept while it connected finds out here.
    const { lease } = this.#request;
    if (lease !== undefined && this.#setting.clock.nowMs() >= lease.untilMs) {
      this.cancel(new NamedFailure("aborted", "the right to request this host has ended"));
    }
  }

  get owner(): number | undefined {
    return this.#request.lease?.owner;
  }

  /** Behind a proxy the library does not hand on the words after the status. */
  onHeaders(status: number, raw: Buffer[], _resume: () => void, reason = ""): boolean {
    // 1xx announce a response but are none, except that nothing follows on a connection that is no longer HTTP.
    if ((status < 200 && status !== SWITCHING_PROTOCOLS) || this.#over) return true;
    if (REFUSES_HTTP1.has(status) && this.#mayUseHttp2()) {
      this.#again({ http2: true });
      return true;
    }
    this.#route?.note("works", "");
    this.#status = status;
    this.#head = { reason, headers: headerList(raw, { http2: this.#client?.http2 === true }) };
    this.#headers = headerRecord(this.#head.headers);
    if (status === SWITCHING_PROTOCOLS) {
      this.#hangUp();
      this.#finish({ complete: true });
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#over || this.#ignoring || this.#status === 0) return true;
    const bytesMax = this.#setting.bytesMax(this.#request);
    const room = bytesMax - this.#wireBytes;
    this.#wireBytes += chunk.length;
    this.#chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    if (chunk.length <= room) return true;
    this.#isTooLong = true;
    this.#hangUp();
    this.#finish({ complete: false });
    return true;
  }

  onComplete(): void {
    if (this.#over || this.#ignoring || this.#status === 0) return;
    this.#finish({ complete: true });
  }

  onError(error: Error): void {
    if (this.#over || this.#ignoring) return;
    const failure = this.#viaProxy && this.#status === 0 ? proxyFailureOf(error) : failureOf(error);
    if (this.#status === 0 && this.#route !== null) {
      const outcome = proxyOutcomeOf(error, this.#url);
      if (outcome !== undefined) this.#route.note(outcome, error.message);
      const isLost = failure.failure === "connection-lost" && !this.#retried;
      if (isLost) this.#retried = true;
      if (outcome === "fails" || outcome === "asks" || isLost) return this.#viaAnother();
    }
    // What was received counts if the server ended the connection.
    if (this.#status !== 0 && !OURS.has(failure.failure)) return this.#finish({ complete: false });
    if (this.#status === 0 && refusesHttp1(error) && this.#mayUseHttp2()) return this.#again({ http2: true });
    if (this.#status === 0 && failure.failure === "connection-lost" && this.#wasReused()) {
      this.#retried = true;
      return this.#again({ http2: false });
    }
    this.#fail(failure);
  }

  #begin(): void {
    const url = this.#url;
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return this.#fail(new NamedFailure("address-refused", `${url.protocol} is neither http: nor https:`));
    }
    const proxy = this.#setting.proxyFor(url);
    if (proxy !== null) return this.#throughProxy(proxy);
    this.#setting.resolver.resolve(url.hostname, portOf(url), (place) => {
      if (this.#over) return;
      if (place instanceof NamedFailure) return this.#fail(place);
      this.#place = place;
      this.#send(place);
    });
  }

  #send(place: Endpoint): void {
    const client = this.#setting.clients.take(this.#url, place);
    this.#client = client;
    this.#openedBefore = client.opened;
    this.#dispatch(client.dispatcher, {});
  }

  #throughProxy(proxy: ProxyRoute | number | NamedFailure): void {
    this.#viaProxy = true;
    const refusal = this.#setting.resolver.refusal(this.#url.hostname);
    if (refusal !== null) return this.#fail(refusal);
    if (proxy instanceof NamedFailure) return this.#fail(proxy);
    if (typeof proxy === "number") {
      this.#proxyWait = setTimeout(() => this.#afterWait(), proxy);
      return;
    }
    this.#route = proxy;
    this.#dispatch(proxy.dispatcher, { origin: this.#url.origin });
  }

  #afterWait(): void {
    this.#proxyWait = undefined;
    this.startedMs = this.#setting.clock.nowMs();
    this.#setting.restarted(this);
    this.#begin();
  }

  /** The proxy failed, or closed the connection: the one that is chosen now takes its place. */
  #viaAnother(): void {
    this.#hangUp();
    this.#ignoring = false;
    this.#begin();
  }

  #dispatch(dispatcher: Dispatcher, where: { origin?: string }): void {
    const { pathname, search } = this.#url;
    const headers = sentHeaders(this.#request, this.#setting.userAgent, this.#ofSession);
    try {
      dispatcher.dispatch({ ...where, method: "GET", path: pathname + search, headers }, this);
    } catch (error) {
      this.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #mayUseHttp2(): boolean {
    return this.#client !== null && !this.#client.http2 && this.#url.protocol === "https:";
  }

  /** Whether an older connection was used, which the server may have closed before it saw the request. */
  #wasReused(): boolean {
    return (
      !this.#retried && this.#client !== null && this.#client.opened === this.#openedBefore && this.#openedBefore > 0
    );
  }

  #again({ http2 }: { readonly http2: boolean }): void {
    const client = this.#client;
    const place = this.#place;
    if (client === null || place === null) return;
    if (http2) this.#setting.clients.useHttp2(client);
    this.#hangUp();
    this.#release();
    this.#ignoring = false;
    this.#send(place);
  }

  /** Ends the request, and ignores what the library reports about that. */
  #hangUp(): void {
    this.#ignoring = true;
    this.#abort?.();
    this.#abort = null;
  }

  #finish({ complete }: { readonly complete: boolean }): void {
    // Partial content is not a whole page, even though no part was requested; but all of it may have come.
    const truncatedBy = this.#truncation(complete);
    const partial = truncatedBy !== undefined || this.#status === 206;
    this.#ignoring = true;
    this.#release();
    const encodings = encodingsOf(this.#headers["content-encoding"]);
    if (encodings instanceof Error && this.#wireBytes > 0) {
      return this.#fail(new NamedFailure("bad-compression", encodings.message));
    }
    const wire = Buffer.concat(this.#chunks);
    const bytesMax = this.#setting.bytesMax(this.#request);
    unpack(wire, encodings instanceof Error ? [] : encodings, bytesMax, (outcome) => {
      if (outcome instanceof Error) return this.#fail(new NamedFailure("bad-compression", outcome.message));
      this.#settle({
        kind: "answer",
        status: this.#status,
        headers: this.#headers,
        body: outcome.body,
        truncated: partial || outcome.truncated,
        truncatedBy: truncatedBy ?? (outcome.truncated ? unpackedBy(outcome.body.length, bytesMax) : undefined),
        head: this.#head,
        wireBytes: this.#wireBytes,
        address: this.#address,
        milliseconds: this.#elapsedMs(),
      });
    });
  }

  /** What ended the transfer early. A 304 may state the length of a body that it lacks. */
  #truncation(complete: boolean): Truncation | undefined {
    if (BODILESS.has(this.#status) || (complete && !this.#isShort())) return undefined;
    return this.#isTooLong ? "length" : "disconnect";
  }

  /** Over HTTP/2 the library does not compare a body with its stated length. */
  #isShort(): boolean {
    return this.#client?.http2 === true && this.#wireBytes < Number(this.#headers["content-length"] ?? 0);
  }

  #fail({ failure, message }: NamedFailure): void {
    this.#release();
    this.#settle({ kind: "failure", failure, message, address: this.#address, milliseconds: this.#elapsedMs() });
  }

  #release(): void {
    const client = this.#client;
    if (client === null) return;
    this.#client = null;
    this.#abort = null;
    this.#address = client.address ?? client.place.addresses[0] ?? null;
    this.#setting.clients.release(client);
  }

  #settle(reply: Reply): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#proxyWait);
    this.#chunks = [];
    this.#setting.ended(this);
    if (this.#starting) queueMicrotask(() => this.#deliver(reply));
    else this.#deliver(reply);
  }

  /** An error of the caller's callback must surface; inside the library's handlers it would be lost. */
  #deliver(reply: Reply): void {
    try {
      this.#done(reply);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #elapsedMs(): number {
    return this.#setting.clock.nowMs() - this.startedMs;
  }
}

/** Why unpacking ended early although all bytes came: our limit, or compressed data that stop halfway. */
function unpackedBy(bodyBytes: number, bytesMax: number): Truncation {
  return bodyBytes >= bytesMax ? "length" : "unspecified";
}

/** Failures that we cause ourselves; what was received of the response then does not count. */
const OURS = new Set(["headers-timeout", "body-timeout", "total-timeout", "aborted", "proxy-failed"]);

const BODILESS = new Set([204, 304]);

/** HTTP Version Not Supported; Upgrade Required. */
const REFUSES_HTTP1 = new Set([505, 426]);

const SETTINGS = "\u0004\0";

/** No common protocol in the handshake, or a response that begins with an HTTP/2 SETTINGS frame. */
function refusesHttp1(error: Error): boolean {
  if (/NO_APPLICATION_PROTOCOL|alert number 120/i.test(error.message)) return true;
  if (!("data" in error) || typeof error.data !== "string") return false;
  return error.data.startsWith("\0\0") && error.data.startsWith(SETTINGS, 3);
}
