/** Settings in which two crawls differ, where that makes the comparison unfair, and what it makes unfair. */
import { type StoredSettings, valueAt } from "../crawl/index.ts";
import { type Setting, settingsTable } from "../crawl/settings/index.ts";

/**
 * What a setting decides: the text of URLs, by which pages are matched; which pages are fetched; how importance is
 * measured; what servers answer.
 */
export type ComparedAspect = "urls" | "pages" | "importance" | "responses";

/** Order, politeness and the like change when a page is fetched, not what is found. */
const ASPECTS: { readonly [Name in keyof typeof settingsTable]?: readonly ComparedAspect[] } = {
  scope: ["pages", "importance"],
  include: ["pages", "importance"],
  exclude: ["pages", "importance"],
  universe: ["importance"],
  stripParameters: ["urls"],
  followNofollow: ["pages", "importance"],
  honourCanonical: ["pages", "importance"],
  sitemaps: ["pages"],
  sitemap: ["pages"],
  linksPerPage: ["pages", "importance"],
  render: ["pages", "importance"],
  damping: ["importance"],
  coverage: ["pages"],
  maxPages: ["pages"],
  maxDepth: ["pages"],
  maxBytes: ["pages"],
  maxPagesPerHost: ["pages"],
  hosts: ["pages"],
  hostPatterns: ["pages", "importance"],
  robotsAgent: ["pages"],
  purpose: ["pages", "importance"],
  userAgent: ["responses"],
  cookies: ["responses"],
};

export interface SettingDifference {
  /** In the table of settings; or `seeds`, the URLs to start from with their trust; or `session`, what was given. */
  readonly setting: string;
  readonly a: string;
  readonly b: string;
  readonly aspects: readonly ComparedAspect[];
}

export function settingsDifferences(a: StoredSettings, b: StoredSettings): SettingDifference[] {
  const differences: SettingDifference[] = [];
  if (seedsKey(a) !== seedsKey(b)) {
    differences.push({ setting: "seeds", a: seedsInWords(a), b: seedsInWords(b), aspects: ["pages", "importance"] });
  }
  for (const [setting, aspects] of Object.entries(ASPECTS)) {
    const row: Setting = settingsTable[setting as keyof typeof settingsTable];
    const [inA, inB] = [a, b].map((settings) => inWords(row, settings));
    if (inA !== inB) differences.push({ setting, a: inA, b: inB, aspects });
  }
  const [sessionA, sessionB] = [a, b].map(sessionInWords);
  if (sessionA !== sessionB) {
    differences.push({ setting: "session", a: sessionA, b: sessionB, aspects: ["pages", "responses"] });
  }
  return differences;
}

/** What a crawl was given of a session: never the values, which are not stored. */
function sessionInWords({ network }: StoredSettings): string {
  return network.session?.join(" ") ?? "none";
}

function inWords({ kind, stored = "" }: Setting, settings: StoredSettings): string {
  const value = valueAt(settings, stored);
  if (kind.type === "boolean") return value === true ? "on" : "off";
  const isNone = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isNone ? "none" : kind.write(value);
}

function seedsKey({ seeds }: StoredSettings): string {
  return JSON.stringify(seeds.map(({ url, weight }) => [url, weight]).sort());
}

const SEEDS_SHOWN = 3;

function seedsInWords({ seeds }: StoredSettings): string {
  const shown = seeds.slice(0, SEEDS_SHOWN).map(({ url, weight }) => `${url} (${Number(weight.toPrecision(3))})`);
  return [...shown, ...(seeds.length > SEEDS_SHOWN ? [`${seeds.length - SEEDS_SHOWN} more`] : [])].join(", ");
}
