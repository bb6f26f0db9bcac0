/**
 * The settings of a crawl: a plain JSON document, stored with the crawl. Its types come from the table of settings,
 * which says what each setting means.
 *
 * `web` defines the web that is measured, so it is fixed for a directory: for example, links that were dropped because
 * they left the scope cannot be brought back. The rest may change from run to run; everything derived is computed again
 * on resume.
 */
import { systemSeed } from "../../base/index.ts";
import { defaultTrapLimits, type ScopeOptions, type TrapLimits, type UrlRules } from "../../web/index.ts";
import type { Kind } from "./kinds.ts";
import { type Plain, place, valueAt } from "./paths.ts";
import type { SettingsTable } from "./setting.ts";
import { settingsTable } from "./table.ts";

type Table = typeof settingsTable;
type ValueOf<Row> = Row extends { readonly kind: Kind<infer T> } ? T : never;
/** The field that a row has in the part of the stored settings below a path. */
type FieldOf<Row, Path extends string> = Row extends { readonly stored: `${Path}.${infer Field}` }
  ? Field extends `${string}.${string}`
    ? never
    : Field
  : never;
type Stored<Path extends string> = {
  readonly [Name in keyof Table as FieldOf<Table[Name], Path>]: ValueOf<Table[Name]>;
};

/** Options of a crawl, by their names in the table. Infinity removes a limit that the crawl had before. */
export type CrawlOptions = {
  readonly [Name in keyof Table as Table[Name] extends { readonly givenBy: "nobody" } ? never : Name]?: ValueOf<
    Table[Name]
  >;
};

export interface WebSettings extends Stored<"web"> {
  readonly scope: ScopeOptions;
  readonly urlRules: UrlRules;
  readonly traps: TrapLimits;
}

export type Politeness = Stored<"politeness">;

/** When to stop; a limit left out does not apply. */
export type Limits = Partial<Stored<"limits">>;

export interface NetworkSettings extends Stored<"network"> {
  /** The proxy needs a user name and password, which are never stored. */
  readonly proxyHasUser?: boolean;
}

/** A page where a crawl starts. */
export interface Seed {
  readonly url: string;
  /** How much it is trusted; the weights of all seeds sum to at most 1. */
  readonly weight: number;
}

/** All settings of a crawl that the engine needs; `crawlSettings` makes them. */
export interface CrawlSettings {
  readonly web: WebSettings;
  readonly seeds: readonly Seed[];
  readonly order: string;
  readonly damping: number;
  readonly politeness: Politeness;
  readonly limits: Limits;
  /** Our name in robots.txt. */
  readonly productToken: string;
}

/** All settings that a directory stores, so that whoever resumes uses the network in the same way. */
export interface StoredSettings extends CrawlSettings {
  readonly network: NetworkSettings;
}

export const defaultPoliteness = defaultsIn("politeness") as Politeness;

export function defaultWebSettings(scope: ScopeOptions, hashSeed: number = systemSeed()): WebSettings {
  return { ...(defaultsIn("web") as WebSettings), scope, traps: defaultTrapLimits, hashSeed };
}

/** The defaults of one part of the stored settings. */
function defaultsIn(part: string, table: SettingsTable = settingsTable): unknown {
  const document: Plain = {};
  for (const { stored, default: usual } of Object.values(table)) {
    if (stored?.startsWith(`${part}.`) === true) place(document, stored, usual);
  }
  return valueAt(document, part);
}
