/** What was asked of the crawl. */
import { counted, formatBytes, formatCount, formatSeconds } from "../../base/index.ts";
import type { CrawlSettings } from "../../crawl/index.ts";
import { type Fact } from "../facts.ts";
import { listSection } from "../sections.ts";
import { type Section } from "../card.ts";
import { shortened } from "../records.ts";
import { Scope } from "../../web/index.ts";
import { targetInWords } from "../../text/index.ts";

export const SEEDS_MAX = 10;
const URL_LENGTH_MAX = 120;
const PATTERNS_LENGTH_MAX = 200;

export function settingsSection(settings: CrawlSettings): Section {
  return listSection({ heading: "Settings" }, [
    ["Seeds", seedsInWords(settings)],
    ["Scope", scopeInWords(settings)],
    ["Coverage is measured against", settings.web.universe === "scope" ? "the scope" : "the whole web"],
    ["Order", settings.order],
    ["Damping", String(settings.damping)],
    ...limitsOf(settings),
    ...politenessOf(settings),
    ...choicesOf(settings),
  ]);
}

function seedsInWords({ seeds }: CrawlSettings): string {
  const shown = seeds.slice(0, SEEDS_MAX).map(({ url }) => shortened(url, URL_LENGTH_MAX));
  const more = seeds.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${counted(more, "more seed")}` : ""}`;
}

function scopeInWords({ web }: CrawlSettings): string {
  const { include = [], exclude = [] } = web.scope;
  const patterns = [...include.map((each) => `+${each}`), ...exclude.map((each) => `-${each}`)].join(" ");
  const described = shortened(new Scope(web.scope).describe(), PATTERNS_LENGTH_MAX);
  return patterns === "" ? described : `${described}: ${shortened(patterns, PATTERNS_LENGTH_MAX)}`;
}

function limitsOf({ limits }: CrawlSettings): Fact[] {
  const { coverage, pages, depth, timeMs, bytes, pagesPerHost } = limits;
  const facts: Fact[] = [["Target", coverage === undefined ? "none" : targetInWords(coverage)]];
  if (pages !== undefined) facts.push(["Pages at most", formatCount(pages)]);
  if (depth !== undefined) facts.push(["Depth at most", formatCount(depth)]);
  if (timeMs !== undefined) facts.push(["Time of a run at most", formatSeconds(timeMs / 1000)]);
  if (bytes !== undefined) facts.push(["Transferred at most", formatBytes(bytes)]);
  if (pagesPerHost !== undefined) facts.push(["Pages of a host at most", formatCount(pagesPerHost)]);
  return facts;
}

function politenessOf({ politeness, productToken }: CrawlSettings): Fact[] {
  const { delayMs, perHost, concurrency } = politeness;
  return [
    ["Rest between two requests to a host", formatSeconds(delayMs / 1000)],
    ["Connections to a host", formatCount(perHost)],
    ["Requests at once", formatCount(concurrency)],
    ["Name in robots.txt", productToken],
  ];
}

function choicesOf({ web }: CrawlSettings): Fact[] {
  return [
    ["Sitemaps", web.sitemaps ? "read" : "not read"],
    ["Links marked nofollow", web.followNofollow ? "followed" : "not followed"],
    ["Canonical links", web.honourCanonical ? "count as redirects" : "not heeded"],
  ];
}
