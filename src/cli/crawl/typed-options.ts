/** The settings of a crawl as one would type them, each an option with its value; what is as it is by default and off is left out. */
import type { CrawlSettings } from "../../crawl/index.ts";
import type { CrawlPlan } from "./plan.ts";
import { shellWord } from "../terminal/words.ts";

export function typedLimits({ limits }: Pick<CrawlSettings, "limits">): string[] {
  const { coverage, pages, depth, timeMs, bytes, pagesPerHost } = limits;
  return [
    ...valued("--coverage", coverage),
    ...valued("--max-pages", pages),
    ...valued("--max-depth", depth),
    ...valued("--max-time", timeMs === undefined ? undefined : typedTime(timeMs)),
    ...valued("--max-bytes", bytes),
    ...valued("--max-pages-per-host", pagesPerHost),
  ];
}

export function typedPoliteness({ politeness }: CrawlSettings): string[] {
  return [
    ...valued("--delay", typedTime(politeness.delayMs)),
    ...valued("--max-crawl-delay", typedTime(politeness.crawlDelayMsMax)),
    ...valued("--concurrency", politeness.concurrency),
    ...valued("--per-host", politeness.perHost),
    ...valued("--per-address", politeness.perAddress),
  ];
}

export function typedWeb({ web }: CrawlSettings): string[] {
  const { scope, universe, urlRules, followNofollow, honourCanonical, sitemaps } = web;
  return [
    ...valued("--scope", scope.kind),
    ...(scope.include ?? []).flatMap((pattern) => valued("--include", pattern)),
    ...(scope.exclude ?? []).flatMap((pattern) => valued("--exclude", pattern)),
    ...valued("--universe", universe),
    ...flag("--strip-parameters", urlRules.stripParameters ?? false),
    ...flag("--follow-nofollow", followNofollow),
    ...flag("--honour-canonical", honourCanonical),
    ...flag("--no-sitemaps", !sitemaps),
  ];
}

export function typedNetwork({ network }: CrawlPlan["settings"]): string[] {
  const { allowPrivate, resolve, ca, proxy, warc } = network;
  return [
    ...(typeof allowPrivate === "boolean"
      ? flag("--allow-private", allowPrivate)
      : allowPrivate.flatMap((host) => valued("--allow-private-host", host))),
    ...resolve.flatMap((rule) => valued("--resolve", rule)),
    ...valued("--ca", ca ?? undefined),
    ...valued("--proxy", proxy ?? undefined),
    ...flag("--warc", warc),
  ];
}

/** In the largest unit that says it exactly. */
function typedTime(ms: number): string {
  for (const [unit, size] of UNITS) if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  return `${ms}ms`;
}

const UNITS = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

function valued(option: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${option} ${shellWord(String(value))}`];
}

function flag(option: string, isOn: boolean): string[] {
  return isOn ? [option] : [];
}
