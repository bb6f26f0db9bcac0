/**
 * Opens connections: TCP to the addresses that were checked, then TLS with the host name of the URL.
 *
 * The library's own connector would resolve the name again. This one has one TLS context for all connections, keeps
 * sessions for a short handshake (at most 2,000 hosts, the oldest dropped first), names failures, and corrects what
 * servers of HTTP/1.1 send (lenient-http.ts).
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import net, { type Socket, type TcpNetConnectOpts } from "node:net";
import tls, { type ConnectionOptions, type SecureContext } from "node:tls";
import type { buildConnector } from "undici";
import { dropOldest, UsageError } from "../base/index.ts";
import { connectFailureOf, NamedFailure } from "./named-failure.ts";
import { readLeniently } from "./lenient-http.ts";
import { familyList, type Endpoint } from "./guarded-resolver.ts";

const SESSIONS_MAX = 2_000;

export interface ConnectorOptions {
  readonly secureContext: () => SecureContext;
  readonly connectMs: number;
  readonly openSocket: (options: TcpNetConnectOpts) => Socket;
}

/** "http/1.1" is offered alone first; a host that rejects it is offered both. */
export type Protocols = readonly string[];
export const http1: Protocols = ["http/1.1"];
export const http2: Protocols = ["h2", "http/1.1"];

interface Attempt {
  readonly hostname: string;
  readonly encrypted: boolean;
  readonly place: Endpoint;
  readonly protocols: Protocols;
}

export class Connector {
  readonly #options: ConnectorOptions;
  readonly #sessions = new Map<string, Buffer>();
  readonly #opening = new Set<(failure: NamedFailure) => void>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  connect(attempt: Attempt, callback: buildConnector.Callback): void {
    const { connectMs } = this.#options;
    let encrypting = false;
    let socket: Socket | null = null;
    let timer: NodeJS.Timeout | undefined;
    const fail = (error: Error): void => {
      if (!this.#opening.delete(fail)) return;
      clearTimeout(timer);
      socket?.destroy();
      callback(connectFailureOf(error, { encrypting }), null);
    };
    const succeed = (socket: Socket): void => {
      if (!this.#opening.delete(fail)) return;
      clearTimeout(timer);
      const overHttp2 = "alpnProtocol" in socket && socket.alpnProtocol === "h2";
      callback(null, overHttp2 ? socket : readLeniently(socket));
    };
    this.#opening.add(fail);
    timer = setTimeout(() => {
      fail(new NamedFailure("connect-timeout", `no connection to ${describe(attempt)} within ${connectMs} ms`));
    }, connectMs);
    try {
      const tcp = this.#openTcp(attempt.place);
      socket = tcp;
      tcp.on("error", fail);
      tcp.once("connect", () => {
        tcp.setNoDelay(true);
        if (!attempt.encrypted) return succeed(tcp);
        encrypting = true;
        socket = this.#encrypt(tcp, attempt, succeed, fail);
      });
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends every connection that is not established yet. */
  close(): void {
    for (const fail of this.#opening) fail(new NamedFailure("aborted", "the crawl is stopping"));
  }

  #openTcp({ addresses, port }: Endpoint): Socket {
    const list = familyList(addresses);
    const only = list[0];
    if (only !== undefined && list.length === 1) return this.#options.openSocket({ host: only.address, port });
    // Node tries one after another, a quarter of a second each; the lookup returns the addresses that were checked.
    return this.#options.openSocket({
      host: "pinned.invalid",
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, done) => done(null, list),
    });
  }

  #encrypt(
    tcp: Socket,
    { hostname, place, protocols }: Attempt,
    succeed: (socket: Socket) => void,
    fail: (error: Error) => void,
  ): Socket {
    const literal = net.isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
    const key = `${hostname}:${place.port}`;
    const session = this.#sessions.get(key);
    const options: ConnectionOptions = {
      socket: tcp,
      secureContext: this.#options.secureContext(),
      // An address is not a name: it is compared with the certificate as `host`, and not sent.
      ...(literal ? { host: place.addresses[0] } : { servername: hostname }),
      ...(session === undefined ? {} : { session }),
      ALPNProtocols: [...protocols],
    };
    const socket = tls.connect(options);
    socket.on("error", fail);
    // A server may close the connection during a handshake without an error.
    socket.once("close", () => fail(new Error("the connection ended during the TLS handshake")));
    socket.on("session", (session: Buffer) => this.#remember(key, session));
    socket.once("secureConnect", () => succeed(socket));
    return socket;
  }

  #remember(key: string, session: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    dropOldest(this.#sessions, SESSIONS_MAX);
  }
}

function describe({ hostname, place }: Attempt): string {
  return `${hostname} (${place.addresses.join(", ")} port ${place.port})`;
}

/** Where systems store their certificates in one file: Debian and Arch, Fedora, SUSE, macOS and BSD. */
const stores = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * Certificates of the system as PEM texts: SSL_CERT_FILE or its store, and NODE_EXTRA_CA_CERTS, as far as they exist.
 */
export function systemCertificates(environment: Readonly<Record<string, string | undefined>>): string[] {
  const named = environment["SSL_CERT_FILE"];
  const store = (named === undefined ? stores : [named]).map(readable).find((text) => text !== "") ?? "";
  const extra = readable(environment["NODE_EXTRA_CA_CERTS"] ?? "");
  return [store, extra].filter((text) => text !== "");
}

/**
 * One context for all connections, since making one takes some 50 milliseconds; a crawl that never meets https does
 * without. What is wrong with the certificates is said at once.
 */
export function secureContextOf(certificates: readonly string[]): () => SecureContext {
  for (const text of certificates) checkPem(text);
  const options = certificates.length === 0 ? {} : { ca: [...tls.rootCertificates, ...certificates] };
  let context: SecureContext | undefined;
  return () => (context ??= tls.createSecureContext(options));
}

/**
 * OpenSSL ignores what it cannot read; every connection would then fail for no visible reason. Nothing of the text is
 * repeated: it may be a file of secrets that was given for another.
 */
function checkPem(text: string): void {
  try {
    void new X509Certificate(text);
  } catch (error) {
    throw new UsageError("expected certificates in PEM form, which begin with -----BEGIN CERTIFICATE-----", {
      cause: error,
    });
  }
}

function readable(path: string): string {
  try {
    return path === "" ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
