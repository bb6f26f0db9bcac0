/**
 * Which proxies a URL may go through, by the rules of curl for HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
 *
 * A proxy resolves names itself, so the guard can check only addresses in URLs; the operator of the proxy must guard
 * the rest.
 */
import type { SecureContext } from "node:tls";
import { type buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from "undici";
import { UsageError } from "../base/index.ts";
import { readLeniently } from "./lenient-http.ts";
import { HEADERS_BYTES_MAX, type ProxySettings, type Timeouts } from "./options.ts";

/** `given` (--proxy) wins over the environment. Web servers may set the upper-case HTTP_PROXY (httpoxy): ignored. */
export function proxySettings(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ProxySettings {
  const all = given ?? environment["all_proxy"] ?? environment["ALL_PROXY"];
  const http = given ?? environment["http_proxy"] ?? all;
  const https = given ?? environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? all;
  const except = environment["no_proxy"] ?? environment["NO_PROXY"] ?? "";
  return { http: checked(http), https: checked(https), except };
}

/** The proxies that a URL may go through; none if it needs no proxy. */
export function proxiesFor(settings: ProxySettings | undefined, url: URL): readonly string[] {
  if (settings === undefined || isExcepted(settings.except, url)) return [];
  if (settings.pool !== undefined) return settings.pool;
  const proxy = url.protocol === "https:" ? settings.https : settings.http;
  return proxy === null ? [] : [proxy];
}

/** More would take longer to choose from than to fetch from. */
const POOL_MAX = 10_000;

/** A list of proxies, one per line; `#` starts a comment. Errors call it `name`, and repeat none of its text. */
export function parseProxies(text: string, name: string): string[] {
  const proxies = new Set<string>();
  for (const [k, line] of text.split(/\r\n|\n|\r/).entries()) {
    const trimmed = line.replace(/(^|\s)#.*/, "").trim();
    if (trimmed === "") continue;
    const proxy = canonicalProxy(trimmed);
    if (proxy === null) throw new UsageError(`${name}: line ${k + 1}: expected ${EXPECTED}`);
    proxies.add(proxy);
  }
  if (proxies.size === 0) throw new UsageError(`${name}: names no proxy; expected one per line, ${EXPECTED}`);
  if (proxies.size > POOL_MAX)
    throw new UsageError(`${name}: names ${proxies.size} proxies; expected ${POOL_MAX} at most`);
  return [...proxies];
}

export interface ProxyClientOptions {
  readonly secureContext: () => SecureContext;
  readonly connections: number;
  readonly timeouts: Timeouts;
  readonly keepAliveMs: number;
}

export function proxyClient(uri: string, options: ProxyClientOptions): ProxyAgent {
  const { secureContext, connections, timeouts, keepAliveMs } = options;
  const tls = { secureContext: secureContext(), timeout: timeouts.connectMs };
  const limits: Client.Options = {
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    maxHeaderSize: HEADERS_BYTES_MAX,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  };
  return new ProxyAgent({
    uri,
    // http URLs are requested in full, as proxies expect; https goes through a tunnel.
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
    factory: (origin, { connect }: { readonly connect: buildConnector.connector }): Dispatcher => {
      const options = { ...limits, connect: leniently(connect) };
      return connections === 1 ? new Client(origin, options) : new Pool(origin, { ...options, connections });
    },
  });
}

/** Servers behind a proxy are read like others. */
function leniently(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0] === null) readLeniently(result[1]);
      callback(...result);
    });
}

function isExcepted(except: string, url: URL): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return except
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, host = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      return (only === undefined || only === port) && (url.hostname === host || url.hostname.endsWith(`.${host}`));
    });
}

/** A proxy without user name and password, to be shown and stored. */
export function withoutCredentials(proxy: string): string {
  return proxy.replace(/^([^/]*\/\/)?.*@/s, "$1");
}

const EXPECTED =
  "http://HOST:PORT or https://HOST:PORT, without a path; a user goes before the host, USER:PASSWORD@HOST, " +
  "with %40 for @ and %2F for / in the password";

function checked(proxy: string | undefined): string | null {
  if (proxy === undefined || proxy === "") return null;
  const canonical = canonicalProxy(proxy);
  if (canonical !== null) return canonical;
  // What is no more than a scheme, a host and a port can be shown; anything else may have a password in it.
  const shown = withoutCredentials(proxy);
  const name = /^([a-z\d]+:\/\/)?[\w.-]+(:\d+)?\/?$/i.test(shown) ? `proxy ${shown}` : "proxy";
  throw new UsageError(`${name}: expected ${EXPECTED}`);
}

/** Null if it is none. A bare name, without scheme and port, is more likely a mistake than a proxy; so is a path. */
function canonicalProxy(proxy: string): string | null {
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBareWord = !proxy.includes("://") && !/:\d+\/?$/.test(proxy);
  if (url === null || isBareWord || !["http:", "https:"].includes(url.protocol)) return null;
  return url.pathname + url.search + url.hash === "/" ? url.href : null;
}
