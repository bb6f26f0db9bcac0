/** How a crawl uses the network: who it says it is, which addresses, certificates and proxies it uses. Kept with the crawl. */
import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { resolve as absolute } from "node:path";
import { UsageError } from "../../base/index.ts";
import type { CrawlSettings } from "../../crawl/index.ts";
import {
  createHttpFetcher,
  type Fetcher,
  parseResolveRule,
  proxySettings,
  systemCertificates,
} from "../../fetch/index.ts";
import { isLocalName, literalAddress, specialAddressIn } from "../../web/index.ts";
import { withFile } from "../endings.ts";
import { packageVersion } from "../version.ts";
import type { CrawlOptions } from "./options.ts";

export interface NetworkSettings {
  readonly userAgent: string;
  readonly allowPrivate: boolean;
  /** As `--resolve` has them. */
  readonly resolve: readonly string[];
  /** The path of a file of certificates. */
  readonly ca: string | null;
  readonly proxy: string | null;
  /** Whether bodies are kept. */
  readonly warc: boolean;
}

export function networkSettings(options: CrawlOptions, before: NetworkSettings | undefined): NetworkSettings {
  const { userAgent, contact, resolve = [], ca, proxy } = options;
  if (userAgent !== undefined && contact !== undefined) {
    throw new UsageError("--contact becomes part of the user agent; with --user-agent write it there");
  }
  if (proxy !== undefined && resolve.length > 0) {
    throw new UsageError("--proxy and --resolve cannot be used together: a proxy resolves names itself");
  }
  checkHeader("--user-agent", userAgent);
  checkHeader("--contact", contact);
  const own = `tidemark/${packageVersion()}${contact === undefined ? "" : ` (+${contact})`}`;
  const settings = {
    userAgent: userAgent ?? (contact === undefined ? before?.userAgent : undefined) ?? own,
    allowPrivate: options.allowPrivate ?? before?.allowPrivate ?? false,
    resolve: resolve.length > 0 ? resolve : (before?.resolve ?? []),
    ca: ca === undefined ? (before?.ca ?? null) : absolute(ca),
    proxy: proxy ?? before?.proxy ?? null,
    warc: options.warc ?? before?.warc ?? false,
  };
  for (const rule of settings.resolve) parseResolveRule(rule);
  return settings;
}

/** The name that robots.txt knows us by: what the user agent begins with. */
export function productToken(userAgent: string): string {
  const token = /^[A-Za-z0-9_-]+/.exec(userAgent)?.[0];
  if (token !== undefined) return token;
  throw new UsageError(
    `--user-agent ${userAgent}: expected a name first, as robots.txt calls it, such as mybot/1.0 (+https://example.com/bot)`,
  );
}

export function openFetcher(network: NetworkSettings, connections: number): Fetcher {
  const { userAgent, allowPrivate, ca, proxy } = network;
  const options = {
    userAgent,
    allowPrivate,
    resolve: network.resolve.map(parseResolveRule),
    proxy: proxySettings(proxy ?? undefined, process.env),
    connections,
  };
  const certificates = systemCertificates(process.env);
  if (ca === null) return createHttpFetcher({ ...options, certificates });
  return withFile(ca, () =>
    createHttpFetcher({ ...options, certificates: [...certificates, readFileSync(ca, "utf8")] }),
  );
}

/** Lists of more hosts always have dead ones, which the crawl itself reports. */
const HOSTS_CHECKED_MAX = 100;
const LOOKUPS_AT_ONCE = 8;

/** Refuses seeds whose hosts have no address, or one that may not be asked, before anything is created. */
export async function checkSeedHosts({ seeds }: CrawlSettings, network: NetworkSettings): Promise<void> {
  const proxies = proxySettings(network.proxy ?? undefined, process.env);
  const rules = network.resolve.map(parseResolveRule);
  const hosts = new Set<string>();
  for (const { url } of seeds) {
    const { hostname, protocol } = new URL(url);
    const isProxied = (protocol === "https:" ? proxies.https : proxies.http) !== null;
    const isRuled = rules.some(({ host }) => host === "*" || hostname.endsWith(host.replace(/^\*/, "")));
    if (!isProxied && !isRuled) hosts.add(hostname);
  }
  if (hosts.size > HOSTS_CHECKED_MAX) return;
  const names = [...hosts];
  for (let k = 0; k < names.length; k += LOOKUPS_AT_ONCE) {
    await Promise.all(
      names.slice(k, k + LOOKUPS_AT_ONCE).map((name) => checkHost(name, network.allowPrivate)),
    );
  }
}

async function checkHost(host: string, allowPrivate: boolean): Promise<void> {
  const literal = literalAddress(host);
  const isLocal = literal === null && isLocalName(host);
  const addresses = literal === null ? (isLocal && !allowPrivate ? [] : await addressesOf(host)) : [literal];
  const special = isLocal ? host : specialAddressIn(addresses);
  if (special === null || allowPrivate) return;
  const leads = special === host ? "is no public address" : `leads to ${special}, which is no public address`;
  throw new UsageError(`the seed host ${host} ${leads}; --allow-private crawls hosts of one's own`);
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const why = code === "ENOTFOUND" ? "there is no such host" : `the name server does not answer (${code})`;
    throw new UsageError(
      `the seed host ${host} cannot be found: ${why}; is it spelled right, is there a network?`,
      {
        cause: error,
      },
    );
  }
}

function checkHeader(option: string, text: string | undefined): void {
  if (text === undefined || /^[\x20-\x7e]+$/.test(text)) return;
  throw new UsageError(`${option}: expected printable ASCII characters, as HTTP headers have them`);
}
