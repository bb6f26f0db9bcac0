/** How a crawl uses the network: who it says it is, and which hosts, addresses and proxies it uses. */
import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { counted, fileMistake, messageOf, UsageError } from "../../base/index.ts";
import {
  parseProxies,
  type ProxySettings,
  proxySettings,
  withoutCredentials,
  createRefusals,
  parseResolveRule,
  type Refusal,
} from "../../fetch/index.ts";
import { NONE } from "./kinds.ts";
import {
  type CrawlOptions,
  type NetworkSettings,
  defaultUserAgent,
  type Seed,
  type StoredSettings,
} from "./settings.ts";

/** `plain` has each setting on its own: as given, as before, or by default. Here they are made to agree. */
export function networkSettings(
  options: CrawlOptions,
  before: NetworkSettings | undefined,
  plain: NetworkSettings,
): NetworkSettings {
  const { userAgent, contact, proxy } = options;
  if (userAgent !== undefined && contact !== undefined) {
    throw new UsageError("--contact becomes part of the user agent; with --user-agent write it there");
  }
  const { proxy: plainProxy, proxyFile } = proxiesOf(options, plain);
  const keptProxy = plainProxy === null ? null : withoutCredentials(plainProxy);
  const hadUser = proxy == null && keptProxy !== null && before?.proxyHasUser === true;
  const { proxyHasUser: _, ...others } = plain;
  const usesProxies = proxyFile !== null || (keptProxy !== null && keptProxy !== NONE);
  if (usesProxies && plain.resolve.length > 0) {
    throw new UsageError(
      `${proxyFile === null ? "--proxy" : "--proxy-file"} and --resolve cannot be used together: a proxy resolves ` +
        `names itself${whichWas(options)}`,
    );
  }
  return {
    ...others,
    userAgent: userAgent ?? (contact === undefined ? before?.userAgent : undefined) ?? defaultUserAgent(contact),
    allowPrivate: privateHosts(options) ?? before?.allowPrivate ?? false,
    proxy: keptProxy,
    proxyFile,
    ...(hadUser || keptProxy !== plainProxy ? { proxyHasUser: true } : {}),
  };
}

/** One proxy or a file of them: what is given now replaces what was given before. */
function proxiesOf(options: CrawlOptions, plain: NetworkSettings): Pick<NetworkSettings, "proxy" | "proxyFile"> {
  const given = options.proxyFile ?? null;
  if (given !== null && given !== NONE && options.proxy != null) {
    throw new UsageError(
      "--proxy and --proxy-file cannot be used together: add the proxy to the file, or leave one out",
    );
  }
  const proxyFile = plain.proxyFile === NONE || options.proxy != null ? null : plain.proxyFile;
  return { proxy: given === null || given === NONE ? plain.proxy : null, proxyFile };
}

function whichWas({ proxy, proxyFile, resolve = [] }: CrawlOptions): string {
  if (proxy == null && proxyFile == null)
    return "; the crawl started with --proxy or --proxy-file, which --proxy none removes";
  return resolve.length > 0 ? "" : "; the crawl started with --resolve, which --resolve none removes";
}

/** All hosts, or only those named. */
function privateHosts({ allowPrivate, allowPrivateHost = [] }: CrawlOptions): boolean | readonly string[] | undefined {
  if (allowPrivate === true || allowPrivateHost.length === 0) return allowPrivate;
  return allowPrivateHost.map(canonicalHost);
}

/** A host as URLs have it, or "*." before it. */
export function canonicalHost(name: string): string {
  const host = name.replace(/^\*\./, "");
  const url = `http://${isIPv6(host) ? `[${host}]` : host}/`;
  const canonical = URL.canParse(url) ? new URL(url) : undefined;
  if (canonical?.href === `http://${canonical?.hostname}/` && !/[:/*]/.test(isIPv6(host) ? "" : host)) {
    return `${name === host ? "" : "*."}${canonical.hostname}`;
  }
  throw new UsageError(
    `--allow-private-host ${name}: expected the name of a host, without scheme and port, or *.NAME for all below it`,
  );
}

/**
 * The name that robots.txt knows us by: what the user agent begins with. A user agent that begins as a browser's does
 * names its robot after "compatible", or among the products that no browser has.
 */
export function productToken(userAgent: string): string {
  const token = /^[A-Za-z0-9_-]+/.exec(userAgent)?.[0];
  if (token !== undefined) return token === "Mozilla" ? (robotNamed(userAgent) ?? token) : token;
  throw new UsageError(
    `--user-agent ${userAgent}: expected a name first, as robots.txt has it, ` +
      "such as mybot/1.0 (+https://example.com/bot)",
  );
}

/** What user agents of browsers name: engines, browsers, and forms of them for phones and apps. */
const BROWSER_PRODUCTS = new Set(
  (
    "Mozilla Gecko AppleWebKit KHTML Goanna Presto Trident Version Mobile Tablet Safari Chrome Chromium CriOS " +
    "HeadlessChrome Firefox FxiOS Focus Klar Iceweasel SeaMonkey PaleMoon Waterfox LibreWolf MSIE IEMobile Edge Edg " +
    "EdgA EdgiOS EdgW Opera OPR OPiOS OPT OPX Vivaldi YaBrowser Brave DuckDuckGo Ddg SamsungBrowser UCBrowser " +
    "MiuiBrowser HuaweiBrowser Silk Konqueror Epiphany Falkon Electron GSA Whale Coc_Coc_browser QQBrowser"
  )
    .split(" ")
    .map((name) => name.toLowerCase()),
);

function robotNamed(userAgent: string): string | undefined {
  const named = userAgent.matchAll(/\bcompatible;\s*([A-Za-z0-9_-]+)/g);
  const compatible = nameOfRobot(named);
  if (compatible !== undefined) return compatible;
  const products = userAgent.replace(/\([^()]*\)/g, "").matchAll(/([A-Za-z0-9_-]+)(?=\/)/g);
  return nameOfRobot(products);
}

/** The first one that is no browser's. */
function nameOfRobot(matches: Iterable<RegExpExecArray>): string | undefined {
  return Array.from(matches, ([, name]) => name).find((name) => !BROWSER_PRODUCTS.has(name.toLowerCase()));
}

/**
 * The proxy with its password, from `given` (the setting `proxy` of this run) or from the environment if it names the
 * same proxy; or those of a file: `pool`, if it was read (default: it is read now).
 */
export function liveProxy(
  { proxy, proxyFile, proxyHasUser = false }: Pick<NetworkSettings, "proxy" | "proxyFile" | "proxyHasUser">,
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  pool?: readonly string[],
): ProxySettings {
  if (proxyFile !== null) {
    const { except } = proxySettings("", environment);
    return { http: null, https: null, except, pool: pool ?? proxiesIn(proxyFile) };
  }
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
      "put http://USER:PASSWORD@HOST:PORT into the variable https_proxy or into a file for --proxy-file, " +
      "or give --proxy none",
  );
}

/** The proxies that a file names; undefined if it is not the name of a file. */
export function givenProxies(proxyFile: string | null | undefined): readonly string[] | undefined {
  return proxyFile == null || proxyFile === NONE ? undefined : proxiesIn(proxyFile);
}

function proxiesIn(path: string): readonly string[] {
  try {
    return parseProxies(readFileSync(path, "utf8"), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${fileMistake(error) ?? messageOf(error)}`, { cause: error });
  }
}

/** Up to this many seeds that the user named were typed: one that cannot be fetched is a mistake. */
const TYPED_SEEDS_MAX = 10;
/** A longer list always has dead hosts; the crawl reports them. */
const HOSTS_CHECKED_MAX = 100;
const LOOKUPS_AT_ONCE = 8;

/**
 * Throws if the fetcher would refuse the host of a seed that the user typed, or all hosts of a list; or if they have no
 * address. Nothing is created by then. Returns what is to be told of the seeds of a list that cannot be fetched: they
 * stay seeds, so that coverage counts them.
 */
export async function checkSeedHosts(
  { seeds, namedSeeds = seeds.length, network }: Pick<StoredSettings, "seeds" | "namedSeeds" | "network">,
  proxy: ProxySettings,
): Promise<string | undefined> {
  const { allowPrivate, dns } = network;
  const refusalOf = createRefusals({ allowPrivate, resolve: network.resolve.map(parseResolveRule), proxy, dns });
  const typedSeeds = namedSeeds > TYPED_SEEDS_MAX ? 0 : namedSeeds;
  for await (const { host, refusal } of refusedHosts(seeds.slice(0, typedSeeds), refusalOf)) {
    throw new UsageError(refusalSentence(host, refusal));
  }
  const listed = seeds.slice(typedSeeds);
  const refused: RefusedHost[] = [];
  for await (const each of refusedHosts(listed, refusalOf)) refused.push(each);
  if (refused.length === 0) return undefined;
  const origins = new Set(refused.map(({ origin }) => origin));
  const count = listed.filter(({ url }) => origins.has(new URL(url).origin)).length;
  const hosts = refused.slice(0, HOSTS_NAMED).map(({ host, refusal }) => refusalSentence(host, refusal));
  const more = refused.length - hosts.length;
  const why = [...hosts, ...(more > 0 ? [`and ${counted(more, "more host")}`] : [])].join("; ");
  if (count === seeds.length) throw new UsageError(`none of the listed URLs can be fetched: ${why}`);
  return `${count} of the ${counted(listed.length, "listed URL")} cannot be fetched now: ${why}`;
}

const HOSTS_NAMED = 3;

interface RefusedHost {
  readonly origin: string;
  readonly host: string;
  readonly refusal: Refusal;
}

async function* refusedHosts(
  seeds: readonly Seed[],
  refusalOf: (url: URL) => Promise<Refusal | null>,
): AsyncGenerator<RefusedHost> {
  const urls = Array.from(new Set(seeds.map(({ url }) => new URL(url).origin)), (origin) => new URL(origin));
  if (urls.length > HOSTS_CHECKED_MAX) return;
  for (let k = 0; k < urls.length; k += LOOKUPS_AT_ONCE) {
    const refusals = await Promise.all(urls.slice(k, k + LOOKUPS_AT_ONCE).map(refusalOf));
    for (const [i, refusal] of refusals.entries()) {
      const { origin, hostname } = urls[k + i];
      if (refusal !== null) yield { origin, host: hostname, refusal };
    }
  }
}

function refusalSentence(host: string, { failure, message }: Refusal): string {
  // The message of a refused address begins with the host.
  if (failure === "address-refused") return `the seed host ${message}`;
  const why = failure === "host-not-found" ? "there is no such host" : `the name server gives no address (${message})`;
  return `the seed host ${host} cannot be found: ${why}; check the spelling and the network`;
}
