/**
 * What a crawl opens by its settings: the fetcher that gets pages, the browser that renders them, and the archive that
 * keeps them as they came.
 */
import { readFileSync } from "node:fs";
import { VERSION } from "../base/index.ts";
import {
  createHttpFetcher,
  type Fetcher,
  parseResolveRule,
  type ProxySettings,
  requestHeaders,
  type SessionOptions,
  systemCertificates,
  verdictOf,
} from "../fetch/index.ts";
import { type Renderer, startRenderer } from "../render/index.ts";
import { type HttpExchange, openWarc, type SqliteStore } from "../store/index.ts";
import type { ArchivedAnswer } from "./machine.ts";
import { renderModeOf } from "./rendering/render-choice.ts";
import { liveProxy } from "./settings/network.ts";
import type { NetworkSettings, StoredSettings } from "./settings/settings.ts";

/** What WARC files say of their crawler. */
export const SOFTWARE = `tidemark/${VERSION}`;

/** Where a crawl keeps answers as they came. */
export interface CrawlArchive {
  /** Is called with every answer. What was kept is durable once the `commit` of the store has returned. */
  keep(archived: ArchivedAnswer): void;
}

/**
 * `connections` is the number per origin; `sessions` what to send to some servers only, which is never stored. Throws
 * the error of `readFileSync` if the certificates cannot be read.
 */
export function openFetcher(
  network: NetworkSettings,
  connections: number,
  proxy: ProxySettings = liveProxy(network, undefined, process.env),
  sessions: SessionOptions = {},
): Fetcher {
  const { userAgent, allowPrivate, dns, ca } = network;
  const resolve = network.resolve.map(parseResolveRule);
  const certificates = [...systemCertificates(process.env), ...(ca === null ? [] : [readFileSync(ca, "utf8")])];
  const timeouts = { totalMs: network.timeoutMs };
  return createHttpFetcher({
    userAgent,
    allowPrivate,
    resolve,
    dns,
    proxy,
    connections,
    certificates,
    timeouts,
    sessions: { keepsCookies: network.cookies, ...sessions },
  });
}

/**
 * Starts the browser of a crawl; undefined if its settings want none. Throws a `UsageError` if there is no browser, or
 * if it cannot have its sandbox and the settings want it.
 */
export async function openRenderer({
  web,
  network,
}: Pick<StoredSettings, "web" | "network">): Promise<Renderer | undefined> {
  if (renderModeOf(web) === "never") return undefined;
  return startRenderer({ userAgent: network.userAgent, sandbox: network.browserSandbox });
}

/** The WARC files in the directory of a crawl; they are closed with its store. */
export function openArchive(dir: string, store: SqliteStore, network: NetworkSettings): CrawlArchive {
  const archive = openWarc(dir, store, { software: SOFTWARE });
  return {
    keep: (archived) => {
      const exchange = exchangeOf(archived, network);
      if (exchange !== undefined) archive.keep(exchange);
    },
  };
}

/** What is stored of an answer; undefined if nothing is. */
export function exchangeOf(
  { request, dateMs, answer }: ArchivedAnswer,
  { userAgent, warcRecords }: NetworkSettings,
): HttpExchange | undefined {
  const isPage = request.purpose === "page" && verdictOf(answer).meaning === "page";
  if (warcRecords === "pages" && !isPage && request.purpose !== "requisite") return undefined;
  const sent = requestHeaders(request, userAgent, answer.withheld?.request);
  return { ...answer, url: request.url, dateMs, requestHeaders: sent };
}
