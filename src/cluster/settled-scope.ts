/**
 * The scope of a job, settled before its workers begin: the places belong to it where its seeds turn out to lead. A
 * single crawler finds that out while its first pages wait; the workers of a job must agree on it from the start.
 */
import { checkSeeds, type CrawlSettings } from "../crawl/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import { Scope } from "../web/index.ts";

/** Where the seeds lead, outside the scope. */
export async function widenedBy(settings: CrawlSettings, fetcher: Fetcher): Promise<string[]> {
  const { scope } = settings.web;
  // In a list every seed stands for its own page, and its shard admits where it leads; where everything is in the
  // scope nothing widens it.
  if (scope.kind === "any" || scope.kind === "page") return [];
  const known = new Scope(scope);
  const checks = await checkSeeds({ settings, seeds: settings.seeds, fetcher });
  const places = checks
    .filter(({ status = 0 }) => status >= 200 && status < 300)
    .map(({ leadsTo }) => leadsTo)
    .filter((url) => url !== undefined);
  return [...new Set(places)].filter((url) => !known.contains(url));
}

export function withScopeWidened<Settings extends CrawlSettings>(
  settings: Settings,
  urls: readonly string[],
): Settings {
  if (urls.length === 0) return settings;
  const { web } = settings;
  return { ...settings, web: { ...web, scope: { ...web.scope, seeds: [...web.scope.seeds, ...urls] } } };
}
