/**
 * A crawl as one HTML file that people can send: coverage and how it rose, what is missing, what is broken, the
 * settings, and how to reproduce it. Every list is bounded, so a crawl of ten million URLs has a report of the same
 * size as one of ten thousand.
 */
import { counted, formatBytes, formatCount, formatSeconds } from "../../base/index.ts";
import { type CrawlSettings, ruleInWords, wholeRules } from "../../crawl/index.ts";
import { shortened, targetInWords, universeInWords } from "../../text/index.ts";
import { Scope } from "../../web/index.ts";
import { renderReport } from "../pieces/html.ts";
import { commandsSection, type Fact, listSection, type ReportSection } from "../pieces/sections.ts";
import type { CrawlContents } from "./contents.ts";
import { findingsSections } from "./findings.ts";
import { deadSection, hostsSection, rereadsSection, topPagesSection } from "./lists.ts";
import { missingSection, outsideSection, refusedSection } from "./missing.ts";
import { summarySection } from "./summary.ts";
import { tideSection } from "./tide.ts";

/** Options of `crawlReport`. */
export interface CrawlReportOptions {
  readonly title: string;
  readonly subtitle: string;
  /** Commands that reproduce the report and resume the crawl. */
  readonly commands: readonly { readonly purpose: string; readonly command: string }[];
}

/** A report of a crawl as one self-contained HTML page. */
export function crawlReport(contents: CrawlContents, options: CrawlReportOptions): string {
  const { title, subtitle, commands } = options;
  return renderReport({
    title,
    subtitle,
    hasContents: true,
    sections: [
      summarySection(contents),
      tideSection(contents),
      missingSection(contents),
      ...outsideSection(contents),
      topPagesSection(contents),
      hostsSection(contents),
      deadSection(contents),
      ...findingsSections(contents),
      refusedSection(contents),
      ...rereadsSection(contents),
      settingsSection(contents.settings),
      commandsSection(
        "How to reproduce this",
        "A new crawl may get different responses. The certificate and this report depend only on what is stored.",
        commands,
      ),
    ],
  });
}

export const SEEDS_MAX = 10;
const URL_LENGTH_MAX = 120;
const PATTERNS_LENGTH_MAX = 200;
const HOST_RULES_MAX = 20;

function settingsSection(settings: CrawlContents["settings"]): ReportSection {
  const { web, politeness, productToken, sitemap = [] } = settings;
  const session = settings.network?.session ?? [];
  return listSection({ heading: "Settings" }, [
    [
      "Seeds",
      urlsInWords(
        settings.seeds.map(({ url }) => url),
        "seed",
      ),
    ],
    ["Scope", scopeInWords(settings)],
    ["Coverage is measured over", universeInWords(web.universe)],
    ["Order", settings.order],
    ["Damping", String(settings.damping)],
    ...limitsOf(settings),
    ["Delay per host", formatSeconds(politeness.delayMs / 1000)],
    ["Connections per host", formatCount(politeness.perHost)],
    ...Object.entries(wholeRules(settings))
      .slice(0, HOST_RULES_MAX)
      .map(([host, rule]): Fact => [`Rules for ${host}`, shortened(ruleInWords(rule), PATTERNS_LENGTH_MAX)]),
    ["Concurrent requests", formatCount(politeness.concurrency)],
    ["Name for robots.txt", productToken],
    ...(web.purpose === "none" ? [] : [["Purpose", web.purpose] satisfies Fact]),
    ["Sitemaps", web.sitemaps ? "read" : "not read"],
    ...(sitemap.length === 0 ? [] : [["Sitemaps of yours", urlsInWords(sitemap, "sitemap")] satisfies Fact]),
    ...(session.length === 0 ? [] : [["Session", `with given ${session.join(", ")}`] satisfies Fact]),
    ["Links marked nofollow", web.followNofollow ? "followed" : "not followed"],
    ["Canonical links", web.honourCanonical ? "count as redirects" : "ignored"],
  ]);
}

function urlsInWords(urls: readonly string[], noun: string): string {
  const shown = urls.slice(0, SEEDS_MAX).map((url) => shortened(url, URL_LENGTH_MAX));
  const more = urls.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${counted(more, `more ${noun}`)}` : ""}`;
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
  if (pages !== undefined) facts.push(["Page limit", formatCount(pages)]);
  if (depth !== undefined) facts.push(["Depth limit", formatCount(depth)]);
  if (timeMs !== undefined) facts.push(["Time limit per run", formatSeconds(timeMs / 1000)]);
  if (bytes !== undefined) facts.push(["Byte limit", formatBytes(bytes)]);
  if (pagesPerHost !== undefined) facts.push(["Pages per host", formatCount(pagesPerHost)]);
  return facts;
}
