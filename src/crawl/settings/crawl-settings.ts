/**
 * From the options of a user to all settings of a crawl, for the command and the library. A new crawl has the defaults
 * of the table. A resumed crawl keeps its settings, except for those that are given again.
 */
import { didYouMean, gotInWords, messageOf, quoted, systemSeed, UsageError } from "../../base/index.ts";
import { parseHeader, parseResolveRule, proxySettings } from "../../fetch/index.ts";
import { checkOrder } from "../../order/index.ts";
import { defaultTrapLimits, Scope, canonicalUrl, type UrlRules } from "../../web/index.ts";
import { canonicalRules, checkHostRules, patternsOf, withoutPatterns } from "./host-rules.ts";
import { type Kind, NONE } from "./kinds.ts";
import { networkSettings, productToken, canonicalHost } from "./network.ts";
import { flagOf, givenNames, isFixed, keyOf, type Setting, type SettingsTable } from "./setting.ts";
import {
  type CommandOptions,
  type CrawlOptions,
  type Limits,
  type NetworkSettings,
  type Plain,
  setAt,
  type Seed,
  type SessionPart,
  sessionParts,
  type StoredSettings,
  valueAt,
} from "./settings.ts";
import { settingsTable } from "./table.ts";

/** What else `crawlSettings` may be given. */
export interface SettingsContext {
  /** Default: the URLs of the options, all with the same trust; of a resumed crawl without URLs, its seeds. */
  readonly seeds?: readonly Seed[];
  /** How many of these the user named, if not all. */
  readonly namedSeeds?: number | undefined;
  /** The settings of the crawl that is resumed. */
  readonly before?: StoredSettings | undefined;
  /** That crawl has fetched nothing: it may be about another web, and is then started anew (default: false). */
  readonly mayChangeWeb?: boolean;
  /** What this run is given of a session, which is not stored: only the fact is. */
  readonly session?: readonly SessionPart[];
  /** The seed for the fingerprints of a new crawl; default: one that nobody can guess. */
  readonly newSeed?: () => number;
}

/** Throws a `UsageError` if an option makes no sense. */
export function crawlSettings(
  options: CrawlOptions,
  context: SettingsContext = {},
  table: SettingsTable = settingsTable,
): StoredSettings {
  const { seeds: trusted, before, mayChangeWeb = false, session = [], newSeed = systemSeed } = context;
  const given = withPatternsApart(readOptions(options, table));
  const { urls, perAddress, userAgent, robotsAgent } = given as CrawlOptions;
  const document: Plain = structuredClone({ ...before });
  for (const [name, { stored, default: usual }] of Object.entries(table)) {
    if (stored === undefined) continue;
    const value = given[name] ?? valueAt(document, stored) ?? usual;
    setAt(document, stored, value === Number.POSITIVE_INFINITY ? undefined : value);
  }
  // Its types are those of the table.
  const { web, politeness, namedSeeds: namedBefore, ...others } = document as unknown as StoredSettings;
  const network = withSession(networkSettings(given as CrawlOptions, before?.network, others.network), session);
  const isLoggedIn = network.cookies || network.session?.some((part) => part !== "headers") === true;
  const named = () => urls && evenSeeds(urls.map((url) => seedUrl(url, web.urlRules)));
  const seeds = trusted ?? named() ?? before?.seeds ?? [];
  const namedSeeds = seeds === before?.seeds ? namedBefore : context.namedSeeds;
  const settings = {
    ...others,
    web: {
      ...web,
      scope: {
        ...web.scope,
        seeds: (mayChangeWeb ? undefined : before?.web.scope.seeds) ?? seeds.map(({ url }) => url),
      },
      traps: before?.web.traps ?? defaultTrapLimits,
      hashSeed: before?.web.hashSeed ?? newSeed(),
      ...(before === undefined ? { digestSeed: 0 } : {}),
    },
    seeds,
    ...(namedSeeds === undefined ? {} : { namedSeeds }),
    sitemap: (others.sitemap ?? []).map((url) => seedUrl(url, web.urlRules)),
    // An address that serves a single host may get as many requests as that host.
    politeness: {
      ...politeness,
      perAddress: perAddress ?? Math.max(politeness.perAddress, politeness.perHost),
    },
    network,
    productToken:
      robotsAgent ?? (userAgent === undefined ? before?.productToken : undefined) ?? productToken(network.userAgent),
    ...(isLoggedIn ? { skipsLogout: true } : {}),
  };
  if (before !== undefined && !mayChangeWeb) expectSameWeb(before, settings, table);
  expectInScope(settings);
  expectTarget(settings);
  expectDice(settings, before);
  return settings;
}

/** The patterns of single hosts define the measured web; what else is said about these hosts does not. */
function withPatternsApart(given: Plain): Plain {
  const { hosts } = given as CrawlOptions;
  if (hosts === undefined) return given;
  const rules = canonicalRules(hosts);
  const named = Object.entries(rules).find(([, { header }]) => header !== undefined);
  if (named !== undefined) {
    throw new UsageError(
      `header of ${named[0]} is for the command tidemark crawl alone, and never stored: leave it out`,
    );
  }
  return { ...given, hosts: withoutPatterns(rules), hostPatterns: patternsOf(rules) };
}

function withSession(network: NetworkSettings, given: readonly SessionPart[]): NetworkSettings {
  const known = sessionParts.filter((part) => given.includes(part) || network.session?.includes(part));
  return known.length === 0 ? network : { ...network, session: known };
}

/** Settings that define the measured web cannot change when a crawl is resumed. */
function expectSameWeb(before: StoredSettings, now: StoredSettings, table: SettingsTable): void {
  const changes = Object.entries(table).flatMap(([name, setting]) => {
    if (!isFixed(setting)) return [];
    const [had, wanted] = [before, now].map((each) => inWords(setting, each));
    const flag = setting.givenBy === "nobody" ? name : flagOf(name, setting);
    const { label, given } = name === "hostPatterns" ? HOST_PATTERNS : { label: flag, given: flag };
    if (had === wanted) return [];
    if (setting.kind.type !== "boolean") {
      return [{ given, said: `with ${label} ${had}, which cannot be changed to ${wanted}` }];
    }
    const written = `${keyOf(name)}: ${String(valueAt(now, setting.stored ?? ""))}`;
    // No flag takes a switch back; a config file or the library can.
    return had === ON ? [{ given: written, said: `with ${label}` }] : [{ given, said: `without ${label}` }];
  });
  if (changes.length === 0) return;
  throw new UsageError(
    `this crawl started ${changes.map(({ said }) => said).join("; ")}; resume without ` +
      `${changes.map(({ given }) => given).join(", ")}, or start a new crawl in another directory`,
  );
}

/** People give them as part of another setting. */
const HOST_PATTERNS = { label: "patterns of hosts", given: "hosts (or with the same patterns there)" };

const ON = "on";

/** Of a switch, whether its flag was given. */
function inWords({ kind, stored = "", default: usual }: Setting, settings: StoredSettings): string {
  const value = valueAt(settings, stored);
  if (kind.type === "boolean") return (value ?? false) === (usual === true) ? "off" : ON;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
  return kind.write(value);
}

/** Sampling says when a target is reached. */
function expectTarget({ confidence, limits }: StoredSettings): void {
  if (confidence === undefined || limits.coverage !== undefined) return;
  throw new UsageError("--confidence says how sure you want to be that a target is reached: give --coverage as well");
}

/** A seed of dice that are never thrown would be ignored; one that is stored already does no harm. */
function expectDice({ confidence, seed }: StoredSettings, before: StoredSettings | undefined): void {
  if (seed === undefined || confidence !== undefined || seed === before?.seed) return;
  throw new UsageError(
    "--seed is for sampling: give --confidence and --coverage as well, " +
      "such as --coverage 0.95 --confidence 0.999 (a page to start from needs no option)",
  );
}

/** A seed outside the scope would never be fetched. */
function expectInScope({ web, seeds }: StoredSettings): void {
  const scope = new Scope(web.scope);
  const outside = seeds.find(({ url }) => !scope.contains(url));
  if (outside === undefined) return;
  throw new UsageError(
    `the seed ${outside.url} is outside the scope (${scope.describe()}); ` +
      "change --scope, --include or --exclude, or leave it out",
  );
}

function readOptions(options: CrawlOptions, table: SettingsTable): Plain {
  const given: Plain = {};
  const names = givenNames(table);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!names.includes(name)) {
      throw new UsageError(`there is no setting ${quoted(name)}.${didYouMean(name, names)}`);
    }
    if (table[name].givenBy === "command") {
      throw new UsageError(`${name} is an option of the command tidemark crawl, not of a crawl: leave it out`);
    }
    try {
      given[name] = table[name].kind.read(value);
    } catch (error) {
      throw new UsageError(`${name} is ${gotInWords(value)}. ${messageOf(error)}`, { cause: error });
    }
    checkValue(name, given[name]);
  }
  return given;
}

/** What a kind of value cannot check. */
type Checks = { readonly [Name in keyof CommandOptions]?: (value: NonNullable<CommandOptions[Name]>) => void };

const CHECKS: Checks = {
  order: (order) => {
    if (order === "optimal") {
      throw new UsageError("the order optimal knows the true ranks, which only a simulation can; use rankmass");
    }
    checkOrder(order, { hasHosts: true });
  },
  include: (include) => void new Scope({ kind: "any", seeds: [], include }),
  exclude: (exclude) => void new Scope({ kind: "any", seeds: [], exclude }),
  hosts: checkHostRules,
  sitemap: (urls) => urls.forEach((url) => seedUrl(url, {})),
  userAgent: productToken,
  allowPrivateHost: (names) => names.forEach(canonicalHost),
  header: (headers) => headers.forEach(parseHeader),
  resolve: (rules) => rules.forEach(parseResolveRule),
  proxy: (proxy) => {
    if (proxy !== NONE) proxySettings(proxy, {});
  },
};

/** Checks a value that its kind has read. Throws a `UsageError` that says what is wrong. */
export function checkValue(name: string, value: unknown): void {
  const check = (CHECKS as Readonly<Record<string, ((value: unknown) => void) | undefined>>)[name];
  check?.(value);
}

const LIMITS = new Map(
  Object.values<Setting>(settingsTable).flatMap(({ kind, stored = "" }) => {
    const [part, name = ""] = stored.split(".");
    return part === "limits" ? [[name, kind] as const] : [];
  }),
);

export const limitNames = [...LIMITS.keys()] as readonly (keyof Limits)[];

/** New limits of a running crawl, without those that are undefined. Throws a `UsageError` if one makes no sense. */
export function checkedLimits(limits: Limits): Limits {
  const checked: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value === undefined) continue;
    const kind = LIMITS.get(name);
    if (kind === undefined) {
      throw new UsageError(`there is no limit ${quoted(name)}, expected ${limitNames.join(", ")}`);
    }
    if (typeof value !== "number" || !accepts(kind, value)) {
      const expected = kind.unit === undefined ? kind.expected : `${kind.unit} above 0`;
      throw new UsageError(`the limit ${name} is ${gotInWords(value)}, expected ${expected}, or leave it out`);
    }
    checked[name] = value;
  }
  return checked;
}

/** Infinity is refused: here, leaving out a limit means none. */
function accepts(kind: Kind<unknown>, value: number): boolean {
  try {
    return kind.read(value) !== Number.POSITIVE_INFINITY;
  } catch {
    return false;
  }
}

/** Each once, all with the same trust. */
export function evenSeeds(urls: Iterable<string>): Seed[] {
  const seeds = new Set(urls);
  return Array.from(seeds, (url) => ({ url, weight: 1 / seeds.size }));
}

/**
 * A URL to start from, as people write it, in canonical form. Without a scheme, `www.example.com` means https. A word
 * without a dot is not a host that anybody would crawl, so it is taken for a mistake.
 */
export function seedUrl(text: string, urlRules: UrlRules): string {
  const trimmed = text.trim();
  const [, host] = WITH_CREDENTIALS.exec(trimmed) ?? [];
  if (host !== undefined) {
    throw new UsageError(
      `the URL of ${quoted(host)} has a user name or password, which others could read; ` +
        "put them into --auth-file FILE or the variable TIDEMARK_AUTH, and leave them out of the URL",
    );
  }
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

/** A user before the host; nothing of what stands there may be repeated. */
const WITH_CREDENTIALS = /^(?!mailto:)(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@([^\\/?#@]*)/i;
/** "www.example.com", "localhost:8080/a": a host with a dot, or this machine, then perhaps a port and a path. */
const WITHOUT_SCHEME = /^(?:localhost|[^\s:/?#@]+\.[^\s:/?#@.]+\.?)(?::\d+)?(?:[/?#].*)?$/i;
