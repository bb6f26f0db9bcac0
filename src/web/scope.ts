/**
 * Which URLs belong to a crawl. The scope is the universe in which coverage is measured, so it depends only on the URL.
 *
 * `page`: the seeds themselves. `prefix`: URLs in the directory of a seed (up to the last slash of its path) or below.
 * `host`: the hosts of the seeds. `domain`: their registrable domains (for an address or an unknown suffix the host
 * itself, on any port). `any`: every URL. Ports make different hosts; http and https do not, except for `page`.
 *
 * URLs, seeds too, must also match one of the include patterns, if there are any, and none of the exclude patterns. A
 * host may have patterns of its own, which its URLs must satisfy as well.
 *
 * A scope grows only by `add`, with the place where a seed turns out to lead.
 */
import { RE2JS } from "re2js";
import { counted, messageOf, plural, quoted, UsageError } from "../base/index.ts";
import { HostTable } from "./host-table.ts";
import { canonicalUrl, hostOfOrigin, hostOfUrl, registrableDomain, splitUrl } from "./url.ts";

/** What a scope contains: the seeds, their directories, their hosts, their domains, or every URL. */
export type ScopeKind = "page" | "prefix" | "host" | "domain" | "any";

/** Patterns in RE2 syntax, not anchored. */
interface Patterns {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** By hosts, as `HostTable` has them. */
type HostPatterns = Readonly<Record<string, Patterns>>;

/** What belongs to a crawl; plain data, so that it can be sent to a worker thread. */
export interface ScopeOptions extends Patterns {
  readonly kind: ScopeKind;
  readonly seeds: readonly string[];
  readonly hosts?: HostPatterns;
}

/** Decides which URLs belong to a crawl. */
export class Scope {
  readonly #kind: ScopeKind;
  readonly #seeds = new Set<string>();
  /** Directories of the seeds by host, for `prefix`; `host` uses only the keys. */
  readonly #directoriesOf = new Map<string, string[]>();
  readonly #domains = new Set<string>();
  readonly #inDomain = new Map<string, boolean>();
  readonly #filter: Filter;
  readonly #hostFilters: HostTable<Filter>;
  readonly #filtersOf = new Map<string, readonly Filter[]>();

  constructor(options: ScopeOptions) {
    const { kind, seeds, hosts = {} } = options;
    this.#kind = kind;
    for (const seed of seeds) this.add(seed);
    this.#filter = new Filter(options);
    const filters = Object.entries(hosts).map(([host, patterns]) => [host, new Filter(patterns)] as const);
    this.#hostFilters = new HostTable(Object.fromEntries(filters));
  }

  /** Another seed: its page, directory, host or domain belongs to the scope from now on. */
  add(seed: string): void {
    const url = canonicalSeed(seed);
    const [host, directory] = placeOf(url);
    this.#seeds.add(url);
    this.#domains.add(registrableDomain(host));
    this.#inDomain.clear();
    const known = this.#directoriesOf.get(host);
    if (known === undefined) this.#directoriesOf.set(host, [directory]);
    else if (!known.includes(directory)) known.push(directory);
  }

  /** Whether a canonical URL is in the scope. */
  contains(url: string): boolean {
    return this.#reaches(url) && this.permits(url);
  }

  /** Whether any URL of a host may be in the scope, whatever the patterns say. */
  reachesHost(host: string): boolean {
    if (this.#kind === "any") return true;
    return this.#kind === "domain" ? this.#reachesDomain(host) : this.#directoriesOf.has(host);
  }

  /** Whether the patterns of the user let a URL pass, wherever it is. */
  permits(url: string): boolean {
    if (!this.#filter.permits(url)) return false;
    return this.#hostFilters.size === 0 || this.#filtersFor(hostOfUrl(url)).every((filter) => filter.permits(url));
  }

  #filtersFor(host: string): readonly Filter[] {
    const known = this.#filtersOf.get(host);
    if (known !== undefined) return known;
    const filters = this.#hostFilters.lookup(host);
    if (this.#filtersOf.size >= HOSTS_REMEMBERED_MAX) this.#filtersOf.clear();
    this.#filtersOf.set(host, filters);
    return filters;
  }

  /** A description for people: "the hosts a.example and b.example, URLs that match 1 include pattern". */
  describe(): string {
    const parts = [this.#describeReach()];
    const { included, excluded } = this.#filter;
    const filtered = this.#hostFilters.size;
    if (included > 0) parts.push(`URLs that match ${anyOf(included, "include pattern")}`);
    if (excluded > 0) parts.push(`but none that match ${anyOf(excluded, "exclude pattern")}`);
    if (filtered > 0) parts.push(`with patterns for ${counted(filtered, "host")}`);
    return parts.join(", ");
  }

  #reaches(url: string): boolean {
    switch (this.#kind) {
      case "any":
        return true;
      case "page":
        return this.#seeds.has(url);
      case "host":
      case "domain":
        return this.reachesHost(hostOfUrl(url));
      case "prefix":
        return this.#reachesDirectory(url);
    }
  }

  #reachesDomain(host: string): boolean {
    const known = this.#inDomain.get(host);
    if (known !== undefined) return known;
    const inside = this.#domains.has(registrableDomain(host));
    if (this.#inDomain.size >= HOSTS_REMEMBERED_MAX) this.#inDomain.clear();
    this.#inDomain.set(host, inside);
    return inside;
  }

  #reachesDirectory(url: string): boolean {
    const { origin, path } = splitUrl(url);
    const directories = this.#directoriesOf.get(hostOfOrigin(origin));
    return directories?.some((directory) => path.startsWith(directory)) ?? false;
  }

  #describeReach(): string {
    switch (this.#kind) {
      case "any":
        return "the whole web";
      case "page":
        return listed([...this.#seeds], "page");
      case "host":
        return listed([...this.#directoriesOf.keys()], "host");
      case "domain":
        return listed([...this.#domains], "domain");
      case "prefix":
        return listed(
          [...this.#directoriesOf].flatMap(([host, paths]) => paths.map((path) => host + path)),
          "directory",
        );
    }
  }
}

/** A URL passes if it matches an include pattern, or there is none, and no exclude pattern. */
class Filter {
  readonly #include: readonly RE2JS[];
  readonly #exclude: readonly RE2JS[];

  constructor({ include = [], exclude = [] }: Patterns) {
    this.#include = include.map((pattern) => compiled(pattern, "include"));
    this.#exclude = exclude.map((pattern) => compiled(pattern, "exclude"));
  }

  get included(): number {
    return this.#include.length;
  }

  get excluded(): number {
    return this.#exclude.length;
  }

  permits(url: string): boolean {
    if (this.#include.length > 0 && !matchesAny(this.#include, url)) return false;
    return !matchesAny(this.#exclude, url);
  }
}

/** RE2 matches in time linear in the URL, so no pattern together with a hostile URL can stall a crawl. Not anchored. */
function compiled(pattern: string, option: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const why = messageOf(error).replace(/^error parsing regexp: /, "");
    throw new UsageError(
      `the ${option} pattern ${quoted(pattern)} is invalid: ${why}; expected a regular expression in RE2 syntax, ` +
        "without look-around and back-references",
      { cause: error },
    );
  }
}

/** How many hosts are cached with their domain; the cache is cleared when it is full. */
export const HOSTS_REMEMBERED_MAX = 20_000;
/** Names shown in a description. */
const NAMES_SHOWN_MAX = 3;

function canonicalSeed(seed: string): string {
  const url = canonicalUrl(seed);
  if (url === null) {
    throw new UsageError(
      `the seed ${quoted(seed)} is not the URL of a web page; expected one such as https://host/path`,
    );
  }
  return url;
}

function placeOf(url: string): [host: string, directory: string] {
  const { origin, path } = splitUrl(url);
  const query = path.indexOf("?");
  const directory = path.slice(0, path.lastIndexOf("/", query === -1 ? path.length : query) + 1);
  return [hostOfOrigin(origin), directory];
}

function matchesAny(patterns: readonly RE2JS[], url: string): boolean {
  for (const pattern of patterns) if (pattern.test(url)) return true;
  return false;
}

function listed(names: readonly string[], noun: string): string {
  const more = names.length - NAMES_SHOWN_MAX;
  const shown = more > 0 ? [...names.slice(0, NAMES_SHOWN_MAX), `${more} more`] : names;
  const last = shown.at(-1) ?? "none";
  const list = shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${last}` : last;
  const nouns = noun === "directory" && names.length !== 1 ? "directories" : plural(names.length, noun);
  return `the ${nouns} ${list}`;
}

function anyOf(count: number, noun: string): string {
  return count === 1 ? `the ${noun}` : `one of ${count} ${plural(count, noun)}`;
}
