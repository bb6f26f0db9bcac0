/** What a crawl opens by its settings: the fetcher that gets pages, and the archive that keeps them as they came. */
import { readFileSync } from "node:fs";
import { VERSION } from "../base/index.ts";
import {
  createHttpFetcher,
  type Fetcher,
  parseResolveRule,
  type ProxySettings,
  requestHeaders,
  systemCertificates,
} from "../fetch/index.ts";
import { type Archive, openWarc, type SqliteStore } from "../store/index.ts";
import { liveProxy } from "./settings/network.ts";
import type { NetworkSettings } from "./settings/settings.ts";

/** Where a crawl keeps pages as they came, with the headers of its requests. */
export interface CrawlArchive extends Archive {
  readonly requestHeaders: Readonly<Record<string, string>>;
}

/** `connections` is the number per origin. Throws the error of `readFileSync` if the certificates cannot be read. */
export function openFetcher(
  network: NetworkSettings,
  connections: number,
  proxy: ProxySettings = liveProxy(network, undefined, process.env),
): Fetcher {
  const { userAgent, allowPrivate, dns, ca } = network;
  const resolve = network.resolve.map(parseResolveRule);
  const certificates = [...systemCertificates(process.env), ...(ca === null ? [] : [readFileSync(ca, "utf8")])];
  const timeouts = { totalMs: network.timeoutMs };
  return createHttpFetcher({ userAgent, allowPrivate, resolve, dns, proxy, connections, certificates, timeouts });
}

/** The WARC files in the directory of a crawl; they are closed with its store. */
export function openArchive(dir: string, store: SqliteStore, { userAgent }: NetworkSettings): CrawlArchive {
  const archive = openWarc(dir, store, { software: `tidemark/${VERSION}` });
  const headers = requestHeaders({ url: "http://host.invalid/", purpose: "page" }, userAgent);
  return {
    keep: archive.keep.bind(archive),
    requestHeaders: Object.fromEntries(headers.filter(([name]) => name !== "host")),
  };
}
