/**
 * A crawl as one HTML file that people pass on: what is certain, how it came about, where the rest is, what is broken, and how to get the
 * same again. Every list in it is bounded, so a crawl of ten million URLs has a report of the same size as one of ten thousand.
 */
import { counted, formatBytes, formatCount, formatSeconds } from "../../base/index.ts";
import type { CrawlSettings } from "../../crawl/index.ts";
import { targetInWords } from "../../text/index.ts";
import { Scope } from "../../web/index.ts";
import type { Fact, Section } from "../pieces/card.ts";
import { renderReport } from "../pieces/html.ts";
import { shortened } from "../pieces/records.ts";
import { commandsSection, listSection } from "../pieces/sections.ts";
import type { CrawlContents } from "./contents.ts";
import { hostsSection } from "./hosts.ts";
import { missingSection, refusedSection } from "./missing.ts";
import { deadSection, rereadsSection, topPagesSection } from "./pages.ts";
import { summarySection } from "./summary.ts";
import { tideSection } from "./tide.ts";

export interface CrawlReportOptions {
  readonly title: string;
  readonly subtitle: string;
  /** What a reader types to get the same again, and to go on. */
  readonly commands: readonly { readonly purpose: string; readonly command: string }[];
}

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
      topPagesSection(contents),
      hostsSection(contents),
      deadSection(contents),
      refusedSection(contents),
      ...rereadsSection(contents),
      settingsSection(contents.settings),
      commandsSection(
        {
          heading: "How to reproduce this",
          paragraphs: [
            "Another crawl of the same web meets other answers at another time; the certificate and this report are functions of what is stored alone.",
          ],
        },
        commands,
      ),
    ],
  });
}

export const SEEDS_MAX = 10;
const URL_LENGTH_MAX = 120;
const PATTERNS_LENGTH_MAX = 200;

function settingsSection(settings: CrawlSettings): Section {
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
