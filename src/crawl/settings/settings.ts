/**
 * The settings of a crawl: a plain JSON document, stored with the crawl. Its types come from the table of settings,
 * which says what each setting means.
 *
 * `web` defines the web that is measured, so it is fixed for a directory: for example, links that were dropped because
 * they left the scope cannot be brought back. The rest may change from run to run; everything derived is computed again
 * on resume.
 */
import { systemSeed, quoted, UsageError, VERSION } from "../../base/index.ts";
import { defaultTrapLimits, type ScopeOptions, type TrapLimits, type UrlRules } from "../../web/index.ts";
import type { Universe } from "../../coverage/index.ts";
import type { TextForm } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import type { HostRules } from "./host-rule-kind.ts";
import type { Kind } from "./kinds.ts";
import type { Setting, SettingsTable } from "./setting.ts";
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

type OptionsExcept<Giver extends string> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly givenBy: Giver } ? never : Name]?: ValueOf<
    Table[Name]
  >;
};

/** Options of a crawl, by their names in the table. Infinity removes a limit that the crawl had before. */
export type CrawlOptions = OptionsExcept<"nobody" | "command">;
/** Options of `tidemark crawl`. */
export type CommandOptions = OptionsExcept<"nobody">;

export interface WebSettings extends Stored<"web"> {
  readonly scope: ScopeOptions;
  readonly urlRules: UrlRules;
  readonly traps: TrapLimits;
  /**
   * Seeds the digests of bodies: 0 in every new crawl, so that two crawls can be compared. A crawl that was started
   * before there was such a seed has none, and goes on with its `hashSeed`. Whoever prepares two bodies with the same
   * digest makes only pages of his own host look alike.
   */
  readonly digestSeed?: number;
}

export type PolitenessSettings = Stored<"politeness">;

/** When to stop; a limit left out does not apply. */
export type Limits = Partial<Stored<"limits">>;

/** What a crawl may be given to be a user of a site; none of it is ever stored. */
export const sessionParts = ["headers", "cookies", "credentials"] as const;
/** A part of a session: given headers, given cookies, or user names and passwords. */
export type SessionPart = (typeof sessionParts)[number];

export interface NetworkSettings extends Stored<"network"> {
  /** What earlier runs were given of a session. Whoever resumes needs it again. */
  readonly session?: readonly SessionPart[];
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
  /** How many of the seeds the user named: the first ones. Sitemaps list the others (default: all). */
  readonly namedSeeds?: number;
  /** Sitemaps to read at the start of each run. */
  readonly sitemap?: readonly string[];
  readonly order: string;
  readonly damping: number;
  /** Coverage is sampled too, and claimed with this confidence. */
  readonly confidence?: number;
  /** Of the dice of sampling (default: random). */
  readonly seed?: number;
  readonly politeness: PolitenessSettings;
  readonly limits: Limits;
  /** What holds for single hosts; their patterns are in the scope. */
  readonly hosts?: HostRules;
  /** Store the text of links to pages that are not fetched yet (default: false). */
  readonly anchors?: boolean;
  /** Store the SimHash of each page (default: false). */
  readonly nearDuplicates?: boolean;
  /** Forms in which the text of pages is stored (default: none). */
  readonly texts?: readonly TextForm[];
  /** Our name in robots.txt. */
  readonly productToken: string;
  /** Skip URLs that look like logout: some run of the crawl had cookies or credentials (default: false). */
  readonly skipsLogout?: boolean;
}

/** Whether some run of a crawl was given headers, cookies or credentials. A simulated crawl never was. */
export function hadSession(settings: CrawlSettings | StoredSettings): boolean {
  return "network" in settings && (settings.network.session ?? []).length > 0;
}

/** All settings that a directory stores, so that whoever resumes uses the network in the same way. */
export interface StoredSettings extends CrawlSettings {
  readonly network: NetworkSettings;
}

/** Changes what a running crawl leaves to the next run; the rest stays as it was stored. */
export function changeStored(
  store: Pick<CrawlStore, "settings" | "replaceSettings">,
  change: (stored: CrawlSettings) => Partial<CrawlSettings>,
): void {
  const stored = JSON.parse(store.settings()) as CrawlSettings;
  store.replaceSettings(JSON.stringify({ ...stored, ...change(stored) }));
}

/** What the coverage of a crawl is measured against, as the certificate knows it. */
export function universeOf({ web }: Pick<CrawlSettings, "web">): Universe {
  return web.universe === "allowed" ? "allowed" : "everything";
}

export const defaultPoliteness = defaultsIn("politeness") as PolitenessSettings;

export function defaultWebSettings(scope: ScopeOptions, hashSeed: number = systemSeed()): WebSettings {
  return { ...(defaultsIn("web") as WebSettings), scope, traps: defaultTrapLimits, hashSeed };
}

function defaultsIn(part: string): unknown {
  const document: Plain = {};
  for (const { stored, default: usual } of Object.values<Setting>(settingsTable)) {
    if (stored !== undefined) setAt(document, stored, usual);
  }
  return valueAt(document, part);
}

export type Plain = { [key: string]: unknown };

/** The value at a path such as "limits.pages". */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const key of path.split(".")) value = isPlain(value) ? value[key] : undefined;
  return value;
}

/** Puts a value at a path. What lies on the way is created; undefined removes the value. */
export function setAt(document: Plain, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let inner = document;
  for (const key of keys) {
    const next = inner[key];
    inner = isPlain(next) ? next : ((inner[key] = {}) as Plain);
  }
  if (value === undefined) delete inner[last];
  else inner[last] = value;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parts that every version has written. */
const PARTS = ["web", "web.scope", "web.urlRules", "web.traps", "politeness", "limits"];

/**
 * Reads the settings that a directory stores. They may be damaged, or written by version 0.1.0, whose library stored
 * nothing about the network. A setting that is missing has its default; what this version does not know is kept.
 */
export function parseSettings(json: string, table: SettingsTable = settingsTable): StoredSettings {
  const document = parsed(json);
  const problem = problemOf(document, table);
  if (problem !== undefined || !isPlain(document)) {
    throw new UsageError(
      `the settings of this crawl are damaged (${problem}); restore them, or start a new crawl in another directory`,
    );
  }
  for (const { stored, default: usual } of Object.values(table)) {
    if (stored === undefined || usual === undefined) continue;
    if (valueAt(document, stored) === undefined) setAt(document, stored, usual);
  }
  if (valueAt(document, "network.userAgent") === undefined) setAt(document, "network.userAgent", defaultUserAgent());
  return document as unknown as StoredSettings;
}

export function defaultUserAgent(contact?: string): string {
  return `tidemark/${VERSION}${contact === undefined ? "" : ` (+${contact})`}`;
}

/** Undefined for what is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** What is missing or has another type, in words. Ranges are not checked: they may have been different. */
function problemOf(document: unknown, table: SettingsTable): string | undefined {
  if (document === undefined) return "they are not JSON";
  if (!isPlain(document)) return `they are ${quoted(JSON.stringify(document))}, expected an object`;
  const { seeds } = document;
  for (const part of [...PARTS, ...("network" in document ? ["network"] : [])]) {
    if (!isPlain(valueAt(document, part))) return wrong(part, valueAt(document, part), "an object");
  }
  for (const path of new Set(Object.values(table).map(({ stored }) => stored))) {
    const problem = path === undefined ? undefined : problemAt(document, path, table);
    if (problem !== undefined) return problem;
  }
  return Array.isArray(seeds) && seeds.every(isSeed) ? undefined : wrong("seeds", seeds, "URLs with weights");
}

/** Several rows may share a place, each with a type of its own. */
function problemAt(document: Plain, path: string, table: SettingsTable): string | undefined {
  const value = valueAt(document, path);
  const rows = Object.values(table).filter(({ stored }) => stored === path);
  const isRequired = rows.some(({ givenBy, default: usual }) => givenBy === "nobody" && usual === undefined);
  if (value === undefined && !isRequired) return undefined;
  const fits = rows.some(({ kind, default: usual }) =>
    value === null ? usual === null : typeName(value) === kind.type,
  );
  return fits ? undefined : wrong(path, value, rows.map(({ kind }) => `a ${kind.type}`).join(" or "));
}

function wrong(path: string, value: unknown, expected: string): string {
  if (value === undefined) return `${path} is missing`;
  return `${path} is ${quoted(JSON.stringify(value))}, expected ${expected}`;
}

function typeName(value: unknown): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? "list" : typeof value;
}

function isSeed(value: unknown): boolean {
  return isPlain(value) && typeof value["url"] === "string" && typeof value["weight"] === "number";
}
