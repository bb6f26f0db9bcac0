/**
 * URLs to start from, as people write them. The scheme may be left out: `www.example.com` means https. A word without a
 * dot is not a host that anybody would crawl, so it is taken for a mistake.
 */
import { quoted, UsageError } from "../../base/index.ts";
import { canonicalUrl, type UrlRules } from "../../web/index.ts";
import type { Seed } from "./settings.ts";

/** Canonical and each once, all with the same trust. */
export function evenSeeds(urls: Iterable<string>, urlRules: UrlRules): Seed[] {
  const seeds = new Set(Array.from(urls, (url) => seedUrl(url, urlRules)));
  return Array.from(seeds, (url) => ({ url, weight: 1 / seeds.size }));
}

/** In canonical form. */
export function seedUrl(text: string, urlRules: UrlRules): string {
  const trimmed = text.trim();
  const written = WITHOUT_SCHEME.test(trimmed) ? `https://${trimmed}` : trimmed;
  const url = canonicalUrl(written, undefined, urlRules);
  if (url !== null) return url;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1];
  const isHttp = scheme === undefined || /^https?$/i.test(scheme);
  throw new UsageError(
    isHttp
      ? `${quoted(trimmed)} is not the URL of a web page; expected one such as https://www.example.com/`
      : `${quoted(trimmed)} has the scheme ${scheme}; expected http or https`,
  );
}

/** "www.example.com", "localhost:8080/a": a host with a dot, or this machine, then perhaps a port and a path. */
const WITHOUT_SCHEME = /^(?:localhost|[^\s:/?#@]+\.[^\s:/?#@.]+\.?)(?::\d+)?(?:[/?#].*)?$/i;
