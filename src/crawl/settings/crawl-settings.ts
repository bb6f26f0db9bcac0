/**
 * From the options of a user to all settings of a crawl. A new crawl has the defaults of the table. A resumed crawl
 * keeps its settings, except for those that are given again. The command and the library both use this, so their crawls
 * do not differ.
 */
import { didYouMean, messageOf, quoted, systemSeed, UsageError } from "../../base/index.ts";
import { defaultTrapLimits, Scope } from "../../web/index.ts";
import { checkValue } from "./checks.ts";
import { networkSettings, productToken } from "./network.ts";
import { type Plain, place, valueAt } from "./paths.ts";
import { evenSeeds } from "./seeds.ts";
import { flagOf, givenNames, type Setting, type SettingsTable } from "./setting.ts";
import type { CrawlOptions, Seed, StoredSettings } from "./settings.ts";
import { settingsTable } from "./table.ts";

/** What else `crawlSettings` may be given. */
export interface SettingsContext {
  /** Default: the URLs of the options, all with the same trust; of a resumed crawl without URLs, its seeds. */
  readonly seeds?: readonly Seed[];
  /** The settings of the crawl that is resumed. */
  readonly before?: StoredSettings | undefined;
  /** The seed for the fingerprints of a new crawl; default: one that nobody can guess. */
  readonly newSeed?: () => number;
}

/** Throws a `UsageError` if an option makes no sense. */
export function crawlSettings(
  options: CrawlOptions,
  { seeds: trusted, before, newSeed = systemSeed }: SettingsContext = {},
  table: SettingsTable = settingsTable,
): StoredSettings {
  const given = readOptions(options, table);
  const { urls, perAddress } = given as CrawlOptions;
  const document: Plain = structuredClone({ ...before });
  for (const [name, { stored, default: usual }] of Object.entries(table)) {
    if (stored === undefined) continue;
    const value = given[name] ?? valueAt(document, stored) ?? usual;
    place(document, stored, value === Number.POSITIVE_INFINITY ? undefined : value);
  }
  // Its types are those of the table.
  const { web, politeness, ...others } = document as unknown as StoredSettings;
  const network = networkSettings(given as CrawlOptions, before?.network, others.network);
  const seeds = trusted ?? (urls === undefined ? before?.seeds : evenSeeds(urls, web.urlRules)) ?? [];
  const settings = {
    ...others,
    web: {
      ...web,
      scope: { ...web.scope, seeds: before?.web.scope.seeds ?? seeds.map(({ url }) => url) },
      traps: before?.web.traps ?? defaultTrapLimits,
      hashSeed: before?.web.hashSeed ?? newSeed(),
    },
    seeds,
    // An address that serves a single host may get as many requests as that host.
    politeness: { ...politeness, perAddress: perAddress ?? Math.max(politeness.perAddress, politeness.perHost) },
    network,
    productToken: productToken(network.userAgent),
  };
  if (before !== undefined) expectSameWeb(before, settings, table);
  expectInScope(settings);
  return settings;
}

/** Settings that define the measured web cannot change when a crawl is resumed. */
function expectSameWeb(before: StoredSettings, now: StoredSettings, table: SettingsTable): void {
  const changes = Object.entries(table).flatMap(([name, setting]) => {
    if (setting.isFixed !== true) return [];
    const [then, wanted] = [before, now].map((each) => inWords(setting, each));
    const label = setting.givenBy === "nobody" ? name : flagOf(name, setting);
    return then === wanted ? [] : [`${label} ${then}, now ${wanted}`];
  });
  if (changes.length === 0) return;
  throw new UsageError(
    `this crawl was begun with ${changes.join("; ")}; ` +
      "what counts as its web cannot change: resume with the same, or begin another directory",
  );
}

function inWords({ kind, stored = "", default: usual }: Setting, settings: StoredSettings): string {
  const value = valueAt(settings, stored);
  if (kind.type === "boolean") return (value ?? false) === (usual === true) ? "off" : "on";
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
  return kind.write(value);
}

/** A seed outside the scope would never be fetched. */
function expectInScope({ web, seeds }: StoredSettings): void {
  const scope = new Scope(web.scope);
  const outside = seeds.find(({ url }) => !scope.contains(url));
  if (outside === undefined) return;
  throw new UsageError(
    `the seed ${outside.url} is outside of the scope (${scope.describe()}); ` +
      "change --scope, --include or --exclude, or leave it out",
  );
}

/** The options that are given, each read by its kind and checked. */
function readOptions(options: CrawlOptions, table: SettingsTable): Plain {
  const given: Plain = {};
  const names = givenNames(table);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!names.includes(name)) {
      throw new UsageError(`there is no setting ${quoted(name)}.${didYouMean(name, names)}`);
    }
    try {
      given[name] = table[name].kind.read(value);
    } catch (error) {
      throw new UsageError(`${name} is ${quoted(String(value))}. ${messageOf(error)}`, { cause: error });
    }
    checkValue(name, given[name]);
  }
  return given;
}
