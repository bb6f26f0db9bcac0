/** The seeds of a crawl that fetches exactly what sitemaps list: `--scope page --sitemap URL`. */
import { FailureError, UsageError } from "../../base/index.ts";
import {
  checkSeedHosts,
  type CommandOptions,
  crawlSettings,
  evenSeeds,
  listSitemaps,
  liveProxy,
  seedUrl,
  type StoredSettings,
} from "../../crawl/index.ts";
import type { Fetcher, ProxySettings } from "../../fetch/index.ts";
import { sitemapFailureInWords } from "../../text/index.ts";
import { Scope } from "../../web/index.ts";
import { settingsFor } from "../options/settings.ts";
import { openTerminal, report } from "../terminal/terminal.ts";

/** Reads the sitemaps of the options now, as politely as the crawl would. Patterns of the user leave URLs out. */
export async function urlsOfSitemaps(
  options: CommandOptions,
  fetcherFor: (settings: StoredSettings, proxy: ProxySettings) => Promise<Fetcher>,
): Promise<readonly string[]> {
  const { include = [], exclude = [], trust, quiet = false, ...others } = options;
  if (trust !== undefined) {
    throw new UsageError(
      `with --scope page the URLs of --sitemap are the seeds, and --trust ${trust} names others: leave out one of them`,
    );
  }
  const sitemaps = (options.sitemap ?? []).map((url) => seedUrl(url, {}));
  const settings = crawlSettings(settingsFor(others), { seeds: evenSeeds(sitemaps) });
  const proxy = liveProxy(settings.network, options.proxy ?? undefined, process.env);
  const fetcher = await fetcherFor(settings, proxy);
  const terminal = openTerminal({ quiet });
  try {
    await checkSeedHosts(settings, proxy);
    const onRead = (done: number): void => terminal.progress({ task: "reading sitemaps", done, unit: "sitemaps" });
    const list = await listSitemaps({ settings, sitemaps, fetcher, onRead });
    const { unread } = list;
    const urls = [...new Set(list.sitemaps.flatMap(({ modified }) => [...modified.keys()]))];
    terminal.clear();
    const messages = unread.map(({ url, reason }) => ({ url, message: notRead(url, reason) }));
    const given = messages.find(({ url }) => sitemaps.includes(url));
    if (given !== undefined) throw new FailureError(given.message);
    for (const { message } of messages) report(message);
    const scope = new Scope({ kind: "any", seeds: [], include, exclude });
    const kept = urls.filter((url) => scope.contains(url));
    if (kept.length > 0) return kept;
    throw new FailureError(
      urls.length === 0
        ? `nothing to crawl: ${sitemaps.join(", ")} lists no URL`
        : `nothing to crawl: --include and --exclude leave out all ${urls.length} URLs of ${sitemaps.join(", ")}`,
    );
  } finally {
    terminal.clear();
    await fetcher.close();
  }
}

function notRead(url: string, reason: string): string {
  return `the sitemap ${url} is not read: ${sitemapFailureInWords(reason)}`;
}
