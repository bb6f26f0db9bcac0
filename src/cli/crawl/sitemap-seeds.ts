/** The seeds of a crawl that fetches exactly what sitemaps list: `--scope page --sitemap URL`. */
import { FailureError, formatCount, quoted, UsageError } from "../../base/index.ts";
import {
  checkSeedHosts,
  type CommandOptions,
  crawlSettings,
  evenSeeds,
  listSitemaps,
  liveProxy,
  type ReadSitemap,
  seedUrl,
  type SitemapUrls,
  type StoredSettings,
} from "../../crawl/index.ts";
import type { Fetcher, ProxySettings } from "../../fetch/index.ts";
import { sitemapFailureInWords } from "../../text/index.ts";
import { type InvalidLocations, joinedInvalid, noInvalid, Scope } from "../../web/index.ts";
import { settingsFor } from "../options/settings.ts";
import { openTerminal, report } from "../terminal/terminal.ts";

export interface ListedUrls {
  readonly urls: readonly string[];
  /** What they come from, for the crawl, which need not read it again. */
  readonly sitemaps: readonly SitemapUrls[];
}

export interface SitemapAccess {
  readonly fetcherFor: (settings: StoredSettings, proxy: ProxySettings) => Promise<Fetcher>;
  /** Of a file that was read before. */
  readonly proxies: readonly string[] | undefined;
}

/** Reads the sitemaps of the options now, as politely as the crawl would. Patterns of the user leave URLs out. */
export async function urlsOfSitemaps(
  options: CommandOptions,
  { fetcherFor, proxies }: SitemapAccess,
): Promise<ListedUrls> {
  const { include = [], exclude = [], trust, quiet = false, ...others } = options;
  if (trust !== undefined) {
    throw new UsageError(
      `with --scope page the URLs of --sitemap are the seeds, and --trust ${trust} names others: leave out one of them`,
    );
  }
  const sitemaps = (options.sitemap ?? []).map((url) => seedUrl(url, {}));
  const settings = crawlSettings(settingsFor(others), { seeds: evenSeeds(sitemaps) });
  const proxy = liveProxy(settings.network, options.proxy ?? undefined, process.env, proxies);
  const fetcher = await fetcherFor(settings, proxy);
  const terminal = openTerminal({ quiet });
  try {
    await checkSeedHosts(settings, proxy);
    const onRead = (done: number): void => terminal.progress({ task: "reading sitemaps", done, unit: "sitemaps" });
    const urls = new Set<string>();
    const read: SitemapUrls[] = [];
    let invalid = noInvalid;
    const onSitemap = (sitemap: ReadSitemap): void => {
      for (const url of sitemap.modified.keys()) urls.add(url);
      invalid = joinedInvalid(invalid, sitemap.invalid);
      read.push(sitemap);
    };
    const unread = await listSitemaps({ settings, sitemaps, fetcher, onSitemap, onRead });
    terminal.clear();
    const messages = unread.map(({ url, reason }) => ({ url, message: sitemapFailureInWords({ url, reason }) }));
    const given = messages.find(({ url }) => sitemaps.includes(url));
    if (given !== undefined) throw new FailureError(given.message);
    for (const { message } of messages) report(message);
    const scope = new Scope({ kind: "any", seeds: [], include, exclude });
    const kept = [...urls].filter((url) => scope.contains(url));
    if (kept.length === 0) throw emptyList(sitemaps, urls.size, invalid);
    if (invalid.count > 0) report(`left out of ${sitemaps.join(", ")}: ${invalidInWords(invalid)}`);
    return { urls: kept, sitemaps: read };
  } finally {
    terminal.clear();
    await fetcher.close();
  }
}

function emptyList(sitemaps: readonly string[], urls: number, invalid: InvalidLocations): Error {
  const names = sitemaps.join(", ");
  if (urls > 0) {
    return new FailureError(`nothing to crawl: --include and --exclude leave out all ${urls} URLs of ${names}`);
  }
  if (invalid.count === 0) return new FailureError(`nothing to crawl: ${names} lists no URL`);
  return new UsageError(`nothing to crawl: of ${names}, ${invalidInWords(invalid)}`);
}

/** "12 entries are no URLs of web pages ("http://", "ftp://a.example/" and 10 more)" */
function invalidInWords({ count, examples }: InvalidLocations): string {
  const what =
    count === 1 ? "1 entry is no URL of a web page" : `${formatCount(count)} entries are no URLs of web pages`;
  const more = count > examples.length ? ` and ${formatCount(count - examples.length)} more` : "";
  return `${what} (${examples.map(quoted).join(", ")}${more})`;
}
