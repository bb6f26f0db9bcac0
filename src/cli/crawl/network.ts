/** How a crawl uses the network: who it says it is, which addresses, certificates and proxies it uses. Kept with the crawl. */
import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { resolve as absolute } from "node:path";
import { VERSION, UsageError } from "../../base/index.ts";
import type { CrawlSettings } from "../../crawl/index.ts";
import {
  createHttpFetcher,
  createRefusals,
  type Fetcher,
  parseResolveRule,
  type ProxySettings,
  proxySettings,
  type Refusal,
  systemCertificates,
  withoutCredentials,
} from "../../fetch/index.ts";
import { withFile } from "../terminal/endings.ts";
import type { CrawlOptions } from "./options.ts";

export interface NetworkSettings {
  readonly userAgent: string;
  /** For all hosts, or only for these. */
  readonly allowPrivate: boolean | readonly string[];
  /** As `--resolve` has them. */
  readonly resolve: readonly string[];
  /** The path of a file of certificates. */
  readonly ca: string | null;
  /** Without user name and password, which are never written down; NONE: none; null: as the environment says. */
  readonly proxy: string | null;
  /** It was given with a user name, so it is of no use without. */
  readonly proxyHasUser?: boolean;
  /** Whether bodies are kept. */
  readonly warc: boolean;
}

/** Takes away what the crawl was begun with. */
const NONE = "none";

export function networkSettings(options: CrawlOptions, before: NetworkSettings | undefined): NetworkSettings {
  const { userAgent, contact, ca } = options;
  if (userAgent !== undefined && contact !== undefined) {
    throw new UsageError("--contact becomes part of the user agent; with --user-agent write it there");
  }
  checkHeader("--user-agent", userAgent);
  checkHeader("--contact", contact);
  const own = `tidemark/${VERSION}${contact === undefined ? "" : ` (+${contact})`}`;
  const proxy = options.proxy ?? before?.proxy ?? null;
  const plainProxy = proxy === null ? null : withoutCredentials(proxy);
  const hasUser = proxy !== plainProxy || (options.proxy === undefined && before?.proxyHasUser === true);
  const settings = {
    userAgent: userAgent ?? (contact === undefined ? before?.userAgent : undefined) ?? own,
    allowPrivate: privateHosts(options) ?? before?.allowPrivate ?? false,
    resolve: resolveRules(options.resolve) ?? before?.resolve ?? [],
    ca: ca === undefined ? (before?.ca ?? null) : absolute(ca),
    proxy: plainProxy,
    ...(hasUser ? { proxyHasUser: true } : {}),
    warc: options.warc ?? before?.warc ?? false,
  };
  for (const rule of settings.resolve) parseResolveRule(rule);
  if (plainProxy !== null && plainProxy !== NONE && settings.resolve.length > 0) {
    throw new UsageError(
      `--proxy and --resolve cannot be used together: a proxy resolves names itself${whichWas(options)}`,
    );
  }
  return settings;
}

function whichWas({ proxy, resolve = [] }: CrawlOptions): string {
  if (proxy === undefined) return "; the crawl was begun with --proxy, which --proxy none takes away";
  return resolve.length > 0 ? "" : "; the crawl was begun with --resolve, which --resolve none takes away";
}

function resolveRules(given: readonly string[] = []): readonly string[] | undefined {
  if (given.length === 0) return undefined;
  return given.length === 1 && given[0] === NONE ? [] : given;
}

function privateHosts({
  allowPrivate,
  allowPrivateHost = [],
}: CrawlOptions): boolean | readonly string[] | undefined {
  if (allowPrivate === true || allowPrivateHost.length === 0) return allowPrivate;
  return allowPrivateHost.map((name) => {
    const host = name.replace(/^\*\./, "");
    const url = `http://${isIPv6(host) ? `[${host}]` : host}/`;
    const canonical = URL.canParse(url) ? new URL(url) : undefined;
    if (canonical?.href === `http://${canonical?.hostname}/` && !/[:/*]/.test(isIPv6(host) ? "" : host)) {
      return `${name === host ? "" : "*."}${canonical.hostname}`;
    }
    throw new UsageError(
      `--allow-private-host ${name}: expected the name of a host, without scheme and port, or *.NAME for all below it`,
    );
  });
}

/** The name that robots.txt knows us by: what the user agent begins with. */
export function productToken(userAgent: string): string {
  const token = /^[A-Za-z0-9_-]+/.exec(userAgent)?.[0];
  if (token !== undefined) return token;
  throw new UsageError(
    `--user-agent ${userAgent}: expected a name first, as robots.txt calls it, such as mybot/1.0 (+https://example.com/bot)`,
  );
}

/**
 * The proxy with its user name and password: as given now, or of a variable of the environment that names the same proxy. `given` is
 * `--proxy`; undefined: as `proxySettings` understands it.
 */
export function liveProxy(
  { proxy, proxyHasUser = false }: Pick<NetworkSettings, "proxy" | "proxyHasUser">,
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ProxySettings {
  if (proxy === NONE) return proxySettings("", environment);
  if (proxy === null || !proxyHasUser) return proxySettings(proxy ?? undefined, environment);
  const plain = proxySettings(proxy, {}).http;
  const { http, https } = proxySettings(undefined, environment);
  for (const candidate of [given, https, http]) {
    if (!candidate?.includes("@")) continue;
    const known = proxySettings(candidate, {}).http ?? "";
    if (proxySettings(withoutCredentials(known), {}).http === plain) return proxySettings(known, environment);
  }
  throw new UsageError(
    `the proxy ${proxy} needs a user name and password, which are not kept with the crawl: ` +
      "give --proxy http://USER:PASSWORD@HOST:PORT again, or the variable https_proxy, or --proxy none",
  );
}

/** `proxy` as `liveProxy` answers. */
export function openFetcher(
  network: NetworkSettings,
  connections: number,
  proxy: ProxySettings = liveProxy(network, undefined, process.env),
): Fetcher {
  const { userAgent, allowPrivate, ca } = network;
  const resolve = network.resolve.map(parseResolveRule);
  const options = { userAgent, allowPrivate, resolve, proxy, connections };
  const certificates = systemCertificates(process.env);
  if (ca === null) return createHttpFetcher({ ...options, certificates });
  return withFile(ca, () =>
    createHttpFetcher({ ...options, certificates: [...certificates, readFileSync(ca, "utf8")] }),
  );
}

/** Lists of more hosts always have dead ones, which the crawl itself reports. */
const HOSTS_CHECKED_MAX = 100;
const LOOKUPS_AT_ONCE = 8;

/** Refuses seeds that the fetcher would refuse, or whose hosts have no address, before anything is created. */
export async function checkSeedHosts(
  { seeds }: CrawlSettings,
  network: NetworkSettings,
  proxy: ProxySettings,
): Promise<void> {
  const origins = new Set(seeds.map(({ url }) => new URL(url).origin));
  if (origins.size > HOSTS_CHECKED_MAX) return;
  const { allowPrivate } = network;
  const refusalOf = createRefusals({ allowPrivate, resolve: network.resolve.map(parseResolveRule), proxy });
  const urls = Array.from(origins, (origin) => new URL(origin));
  for (let k = 0; k < urls.length; k += LOOKUPS_AT_ONCE) {
    const refusals = await Promise.all(urls.slice(k, k + LOOKUPS_AT_ONCE).map(refusalOf));
    for (const [i, refusal] of refusals.entries()) {
      if (refusal !== null) throw new UsageError(refusalSentence(urls[k + i].hostname, refusal));
    }
  }
}

function refusalSentence(host: string, { failure, message }: Refusal): string {
  // The message of a refused address begins with the host.
  if (failure === "address-refused") return `the seed host ${message}`;
  const why =
    failure === "host-not-found" ? "there is no such host" : `the name server does not answer (${message})`;
  return `the seed host ${host} cannot be found: ${why}; is it spelled right, is there a network?`;
}

function checkHeader(option: string, text: string | undefined): void {
  if (text === undefined || /^[\x20-\x7e]+$/.test(text)) return;
  throw new UsageError(`${option}: expected printable ASCII characters, as HTTP headers have them`);
}
