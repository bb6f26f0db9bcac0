/** The fetcher for the settings of a crawl, and whether it would fetch from the hosts of the seeds at all. */
import { readFileSync } from "node:fs";
import { UsageError } from "../../base/index.ts";
import {
  createHttpFetcher,
  createRefusals,
  type Fetcher,
  parseResolveRule,
  type ProxySettings,
  type Refusal,
  systemCertificates,
} from "../../fetch/index.ts";
import { liveProxy } from "./network.ts";
import type { NetworkSettings, StoredSettings } from "./settings.ts";

/**
 * `connections` is the number per origin. `proxy` comes from `liveProxy`; by default its password comes from the
 * environment. Throws the error of `readFileSync` if the file of certificates cannot be read.
 */
export function openFetcher(
  network: NetworkSettings,
  connections: number,
  proxy: ProxySettings = liveProxy(network, undefined, process.env),
): Fetcher {
  const { userAgent, allowPrivate, ca } = network;
  const resolve = network.resolve.map(parseResolveRule);
  const certificates = [...systemCertificates(process.env), ...(ca === null ? [] : [readFileSync(ca, "utf8")])];
  const timeouts = { totalMs: network.timeoutMs };
  return createHttpFetcher({ userAgent, allowPrivate, resolve, proxy, connections, certificates, timeouts });
}

/** A longer list always has dead hosts; the crawl reports them. */
const HOSTS_CHECKED_MAX = 100;
const LOOKUPS_AT_ONCE = 8;

/** Throws if the fetcher would refuse the host of a seed, or if the host has no address. Nothing is created by then. */
export async function checkSeedHosts(
  { seeds, network }: Pick<StoredSettings, "seeds" | "network">,
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
  const why = failure === "host-not-found" ? "there is no such host" : `the name server does not answer (${message})`;
  return `the seed host ${host} cannot be found: ${why}; is it spelled right, is there a network?`;
}
