/**
 * From the options of the user to a plan: the directory of a crawl, its seeds, all its settings. Nothing is created.
 */
import { existsSync } from "node:fs";
import { quoted, UsageError } from "../../base/index.ts";
import {
  type CommandOptions,
  crawlSettings,
  liveProxy,
  mostConnections,
  openFetcher,
  parseSettings,
  type Seed,
  evenSeeds,
  seedUrl,
  type SitemapUrls,
  type StoredSettings,
  viewOfLog,
  withoutHeaders,
} from "../../crawl/index.ts";
import type { Fetcher, ProxySettings } from "../../fetch/index.ts";
import { type CrawlLog, LoginPages } from "../../log/index.ts";
import { isCrawl, isSqliteJob, reading, type SqliteStore } from "../../store/index.ts";
import { hostOfOrigin, splitUrl, type UrlRules } from "../../web/index.ts";
import { fileName, forEachEntry, wrongLine } from "../input/files.ts";
import { TrustSum } from "../input/page-list.ts";
import { settingsFor } from "../options/settings.ts";
import { withFile } from "../terminal/endings.ts";
import { report } from "../terminal/terminal.ts";
import type { ListedUrls } from "./sitemap-seeds.ts";
import { missingSession, openSecret, readSecrets, type RunSession, type Secrets, sessionOf } from "./session.ts";
import { sessionReach } from "./session-reach.ts";

export interface CrawlPlan {
  readonly dir: string;
  readonly isResumed: boolean;
  /** The directory has a crawl that has fetched nothing and had other settings: it starts anew. */
  readonly isRestarted: boolean;
  /** The settings of the crawl that is resumed, as they were. */
  readonly before?: StoredSettings;
  readonly settings: StoredSettings;
  /** With user name and password, which are never stored. */
  readonly proxy: ProxySettings;
  /** What is sent to some servers only, which is never stored either. */
  readonly session: RunSession;
  /** What of it goes where: never a value. */
  readonly described: readonly string[];
  /** Of a crawl of a list: what was read for it. */
  readonly sitemaps?: readonly SitemapUrls[];
}

export interface PlanContext {
  /** A crawl that has fetched nothing does not start anew, whatever it is given (default: false). */
  readonly keepsCrawl?: boolean;
  /** To be told before the crawl begins, besides what the plan finds. */
  readonly notes?: readonly string[];
  /** Default: read now. */
  readonly secrets?: Secrets;
}

export async function planCrawl(options: CommandOptions, context: PlanContext = {}): Promise<CrawlPlan> {
  const { keepsCrawl = false, secrets = await readSecrets(options) } = context;
  const inDir = options.dir === undefined ? undefined : await settingsIn(options.dir);
  const stripParameters = options.stripParameters ?? inDir?.web.urlRules.stripParameters ?? false;
  const named = await readSeeds(options, { stripParameters });
  const listed = (await isList(options, inDir)) ? await readList(options, secrets) : undefined;
  const given = listed === undefined ? named : evenSeeds([...named.map(({ url }) => url), ...listed.urls]);
  const dir = options.dir ?? directoryFor(given, options);
  const before = inDir ?? (await settingsIn(dir));
  if (options.dir === undefined && before !== undefined) expectSameSeeds(dir, given, before);
  const seeds = given.length === 0 ? before?.seeds : given;
  if (seeds === undefined) {
    if (options.sitemap !== undefined) throw withoutSeeds();
    throw new UsageError(
      `there is no crawl in ${dir} to resume; give URLs to start one: ` +
        // A directory that exists may hold other files: a crawl would refuse it.
        `tidemark crawl https://www.example.com/${existsSync(dir) ? "" : ` --dir ${dir}`}`,
    );
  }
  const isEmpty = before !== undefined && (await hasNothing(dir, hasSeenNothing));
  const namedSeeds = seeds === before?.seeds ? before.namedSeeds : listed && named.length;
  const user = seedsOfUser(seeds, namedSeeds, options.sitemap ?? before?.sitemap);
  const session = sessionOf(options, secrets, user);
  const about = { seeds, namedSeeds, before, mayChangeWeb: isEmpty, session: session.parts };
  const { hosts } = options;
  const stored = hosts === undefined ? options : { ...options, hosts: withoutHeaders(hosts) };
  const settings = crawlSettings(settingsFor(stored), about);
  if ((options.workers ?? 1) > 1) (await import("../../cluster/index.ts")).expectSharable(settings);
  const isOtherWeb = isEmpty && JSON.stringify(settings.web) !== JSON.stringify(before.web);
  // Who was turned away without a session wants to be let in with one.
  const isOtherUser = session.parts.length > 0 || settings.network.cookies !== before?.network.cookies;
  const isRestarted = isOtherWeb || (isEmpty && isOtherUser && !keepsCrawl);
  const isResumed = before !== undefined && !isRestarted;
  const givenProxy = options.proxy ?? before?.network.proxy ?? undefined;
  const proxy = liveProxy(settings.network, givenProxy, process.env, secrets.proxies);
  const reach = sessionReach(session.options, settings);
  const notes = [
    ...(context.notes ?? []),
    ...session.notes,
    ...reach.notes,
    missingSession(before?.network, session),
    openProxies(settings.network.proxyFile, proxy),
  ];
  return {
    dir,
    isResumed,
    isRestarted,
    ...(isResumed ? { before } : {}),
    settings,
    proxy,
    session: { ...session, notes: notes.filter((note) => note !== undefined) },
    described: reach.described,
    ...(listed === undefined ? {} : { sitemaps: listed.sitemaps }),
  };
}

/** A file of proxies with passwords that others can read is worth a word. */
function openProxies(path: string | null, { pool = [] }: ProxySettings): string | undefined {
  const hasSecrets = pool.some((proxy) => new URL(proxy).password !== "");
  return path === null || !hasSecrets ? undefined : openSecret(path);
}

/** The settings of the crawl in a directory, if there is one. */
async function settingsIn(dir: string): Promise<StoredSettings | undefined> {
  return isCrawl(dir) ? settingsOf(dir) : undefined;
}

/** The settings of a crawl. Throws if the directory has none. */
export function settingsOf(dir: string): Promise<StoredSettings> {
  return reading(dir, (store) => withFile(dir, () => parseSettings(store.settings())));
}

/** What killed workers have left is something. */
async function hasNothing(dir: string, has: (store: SqliteStore) => boolean): Promise<boolean> {
  return !isSqliteJob(dir) && reading(dir, has);
}

/** More visits are more than a login page: a large log is not read for this. */
const LOGIN_VISITS_MAX = 1000;

/** Nothing was fetched, or nothing but a login page. */
function hasSeenNothing(store: SqliteStore): boolean {
  if (hasFetchedNothing(store)) return true;
  if (store.nextVisit > LOGIN_VISITS_MAX) return false;
  const known = {
    originText: (origin: number): string => view.urls.originText(origin),
    endOf: (url: number): number => view.urls.endOf(url),
  };
  const logins = new LoginPages(known, false);
  const view = viewOfLog(store, logins);
  return (logins.wall?.seeds ?? 0) > 0;
}

function hasFetchedNothing(store: CrawlLog): boolean {
  for (const { links } of store.visits()) if (links !== null) return false;
  return true;
}

/** Without --dir, a crawl is resumed only with the seeds that it has. */
function expectSameSeeds(dir: string, given: readonly Seed[], { seeds }: StoredSettings): void {
  if (JSON.stringify(given) === JSON.stringify(seeds)) return;
  throw new UsageError(
    `${dir} has a crawl with other seeds (${seeds[0]?.url ?? "none"}); give --dir ${dir} to resume it with the new ` +
      "seeds, or another --dir to start a new crawl",
  );
}

/** Whether the crawl is to fetch what sitemaps list. One that has fetched pages keeps its seeds. */
async function isList({ dir, scope, sitemap = [] }: CommandOptions, before?: StoredSettings): Promise<boolean> {
  if (sitemap.length === 0 || (scope ?? before?.web.scope.kind) !== "page") return false;
  return dir === undefined || before === undefined || (await hasNothing(dir, hasFetchedNothing));
}

async function readList(options: CommandOptions, secrets: Secrets): Promise<ListedUrls> {
  const { urlsOfSitemaps } = await import("./sitemap-seeds.ts");
  const fetcherFor = async (settings: StoredSettings, proxy: ProxySettings): Promise<Fetcher> =>
    fetcherOf({ settings, proxy, session: sessionOf(options, secrets, settings.seeds) });
  return urlsOfSitemaps(options, { fetcherFor, proxies: secrets.proxies });
}

/** What a sitemap lists is no place that the user has named: it gets no headers and cookies of the user. */
function seedsOfUser(
  seeds: readonly Seed[],
  namedSeeds: number | undefined,
  sitemaps: readonly string[] = [],
): readonly Seed[] {
  if (namedSeeds === undefined) return seeds;
  return [...seeds.slice(0, namedSeeds), ...evenSeeds(sitemaps.map((url) => seedUrl(url, {})))];
}

function directoryFor(seeds: readonly Seed[], { sitemap = [] }: CommandOptions): string {
  const [first] = seeds;
  if (first === undefined && sitemap.length > 0) throw withoutSeeds();
  if (first === undefined) {
    throw new UsageError(
      "nothing to crawl: give URLs to start from (tidemark crawl https://www.example.com/), " +
        "or the --dir of a crawl to resume",
    );
  }
  return `crawl-${hostOfOrigin(splitUrl(first.url).origin).replace(/[^\w.-]+/g, "-")}`;
}

function withoutSeeds(): UsageError {
  return new UsageError(
    "--sitemap adds URLs to a crawl that starts elsewhere: give URLs to start from as well, " +
      "or --scope page to crawl exactly the URLs that the sitemap lists",
  );
}

/** The fetcher of a crawl; errors in its file of certificates name the file, and what should be mended is printed. */
export function fetcherOf({ settings, proxy, session }: Pick<CrawlPlan, "settings" | "proxy" | "session">): Fetcher {
  const { network, politeness, hosts } = settings;
  const connections = mostConnections(politeness.perHost, hosts);
  const open = (): Fetcher => openFetcher(network, connections, proxy, session.options);
  const fetcher = network.ca === null ? open() : withFile(network.ca, open);
  fetcher.onNote?.(report);
  return fetcher;
}

/** Among the URLs it stands for those that are piped in. */
const STANDARD_INPUT = "-";

/**
 * The seeds, from arguments, a file, standard input or a trust file: canonical and each once; empty where none is
 * given. Without a trust file all seeds have the same trust.
 */
async function readSeeds(options: CommandOptions, urlRules: UrlRules): Promise<Seed[]> {
  const { urls = [], seedFile, trust, normaliseTrust } = options;
  if (trust !== undefined) {
    if (urls.length > 0 || seedFile !== undefined) {
      throw new UsageError(
        `--trust ${trust} names the seeds and their weights; add the other seeds to that file, or leave it out`,
      );
    }
    return readTrustedSeeds(trust, normaliseTrust, urlRules);
  }
  if (normaliseTrust) {
    throw new UsageError("--normalise-trust is about the weights of --trust FILE: give both, or neither");
  }
  const named = urls.filter((url) => url !== STANDARD_INPUT);
  const seeds = new Set(named.map((url) => seedUrl(url, urlRules)));
  const files = new Set(named.length < urls.length ? [STANDARD_INPUT] : []);
  if (seedFile !== undefined) files.add(seedFile);
  for (const file of files) {
    await forEachEntry(file, (name, rest, line) => {
      if (rest !== "") throw wrongLine(file, line, `${quoted(rest)} after the URL; weights belong in --trust FILE`);
      seeds.add(seedAt(file, line, name, urlRules));
    });
    if (seeds.size === 0) throw new UsageError(`${fileName(file)}: names no URL; expected one per line`);
  }
  return evenSeeds(seeds);
}

async function readTrustedSeeds(path: string, normalise: boolean | undefined, urlRules: UrlRules): Promise<Seed[]> {
  const weights = new Map<string, { readonly weight: number; readonly line: number }>();
  const sum = new TrustSum(path);
  await forEachEntry(path, (name, rest, line) => {
    const url = seedAt(path, line, name, urlRules);
    const before = weights.get(url);
    if (before !== undefined) throw wrongLine(path, line, `${url} is trusted in line ${before.line} already`);
    weights.set(url, { weight: sum.add(rest, line), line });
  });
  const divisor = sum.divisor(normalise);
  return Array.from(weights, ([url, { weight }]) => ({ url, weight: weight / divisor }));
}

function seedAt(path: string, line: number, text: string, urlRules: UrlRules): string {
  try {
    return seedUrl(text, urlRules);
  } catch (error) {
    throw error instanceof UsageError ? wrongLine(path, line, error.message) : error;
  }
}
