/**
 * From what the user said to all the settings of a crawl, before anything is created.
 *
 * Of a crawl that is resumed the settings are those it has, but for what is said anew; its seeds too, where none are given. A new
 * crawl has the defaults.
 */
import { randomInt } from "node:crypto";
import { UsageError } from "../../base/index.ts";
import {
  agreedSettings,
  type CrawlSettings,
  defaultPoliteness,
  defaultWebSettings,
  type Limits,
  parseSettings,
  type Politeness,
  type Seed,
  type WebSettings,
} from "../../crawl/index.ts";
import { checkOrder } from "../../order/index.ts";
import { isCrawl, openCrawlReadOnly } from "../../store/index.ts";
import { hostOfOrigin, Scope, splitUrl } from "../../web/index.ts";
import { withFile } from "../terminal/endings.ts";
import { readSeeds } from "../input/seeds.ts";
import type { ProxySettings } from "../../fetch/index.ts";
import { liveProxy, type NetworkSettings, networkSettings, productToken } from "./network.ts";
import type { CrawlOptions } from "./options.ts";

/** As they are stored with a crawl: how the network is used is part of what is resumed. */
export interface StoredSettings extends CrawlSettings {
  readonly network: NetworkSettings;
}

export interface CrawlPlan {
  readonly dir: string;
  readonly isResumed: boolean;
  /** The seeds of the crawl that is resumed. */
  readonly seedsBefore?: readonly Seed[];
  readonly settings: StoredSettings;
  /** With user name and password, so it is no part of the settings. */
  readonly proxy: ProxySettings;
}

export async function planCrawl(options: CrawlOptions): Promise<CrawlPlan> {
  checkCrawlOrder(options.order);
  const named = options.dir === undefined ? undefined : storedIn(options.dir);
  const { urls = [], seedFile, trust, normaliseTrust } = options;
  const stripParameters = options.stripParameters ?? named?.settings.web.urlRules.stripParameters ?? false;
  const given = await readSeeds({ urls, seedFile, trust, normaliseTrust, urlRules: { stripParameters } });
  const dir = options.dir ?? directoryFor(given);
  const stored = named ?? storedIn(dir);
  if (options.dir === undefined && stored !== undefined) expectSameSeeds(dir, given, stored.settings);
  const seeds = given.length === 0 ? stored?.settings.seeds : given;
  if (seeds === undefined) {
    throw new UsageError(
      `there is no crawl in ${dir} to go on with; give URLs to begin one: tidemark crawl https://www.example.com/ --dir ${dir}`,
    );
  }
  const before = stored?.settings;
  const network = networkSettings(options, before?.network);
  const wanted: CrawlSettings = {
    web: webSettings(options, seeds, before?.web),
    seeds,
    order: options.order ?? before?.order ?? "rankmass",
    damping: options.damping ?? before?.damping ?? 0.85,
    politeness: politeness(options, before?.politeness),
    limits: limits(options, before?.limits),
    productToken: productToken(network.userAgent),
  };
  const settings = stored === undefined ? wanted : agreedSettings(stored.json, wanted);
  checkScope(settings);
  const proxy = liveProxy(network, options.proxy ?? before?.network?.proxy ?? undefined, process.env);
  return {
    dir,
    isResumed: stored !== undefined,
    ...(before === undefined ? {} : { seedsBefore: before.seeds }),
    settings: { ...settings, network },
    proxy,
  };
}

interface Stored {
  readonly json: string;
  readonly settings: CrawlSettings & Partial<StoredSettings>;
}

/** What the crawl in a directory was begun with, if there is one. */
function storedIn(dir: string): Stored | undefined {
  if (!isCrawl(dir)) return undefined;
  const store = openCrawlReadOnly(dir);
  try {
    const json = store.settings();
    return { json, settings: withFile(dir, () => parsedSettings(json)) };
  } finally {
    store.close();
  }
}

/** A crawl that was not made by this command may say nothing about the network. */
export function parsedSettings(json: string): Stored["settings"] {
  const settings: Stored["settings"] = parseSettings(json);
  const { network } = settings;
  const isSound =
    network === undefined ||
    (typeof network?.userAgent === "string" &&
      Array.isArray(network.resolve) &&
      (network.proxy === null || typeof network.proxy === "string") &&
      (network.ca === null || typeof network.ca === "string"));
  if (isSound) return settings;
  throw new UsageError(
    "the settings of this crawl are damaged (what they say about the network cannot be read); " +
      "restore them, or begin another directory",
  );
}

/** A directory that nobody named is gone on with only where the very same is asked for. */
function expectSameSeeds(dir: string, given: readonly Seed[], { seeds }: CrawlSettings): void {
  if (JSON.stringify(given) === JSON.stringify(seeds)) return;
  throw new UsageError(
    `${dir} holds a crawl that began elsewhere (${seeds[0]?.url ?? "nowhere"}); with --dir ${dir} it goes on with the new seeds, ` +
      "with another --dir a new crawl begins",
  );
}

function directoryFor(seeds: readonly Seed[]): string {
  const [first] = seeds;
  if (first === undefined) {
    throw new UsageError(
      "nothing to crawl: give URLs to begin with (tidemark crawl https://www.example.com/), or the --dir of a crawl to go on with",
    );
  }
  return `crawl-${hostOfOrigin(splitUrl(first.url).origin).replace(/[^\w.-]+/g, "-")}`;
}

function webSettings(
  options: CrawlOptions,
  seeds: readonly Seed[],
  before: WebSettings | undefined,
): WebSettings {
  const web = before ?? {
    ...defaultWebSettings({ kind: "host", seeds: seeds.map(({ url }) => url) }),
    hashSeed: randomInt(2 ** 32),
  };
  const { include = [], exclude = [] } = options;
  const { universe, followNofollow, honourCanonical, stripParameters, sitemaps } = options;
  return {
    ...web,
    scope: {
      ...web.scope,
      ...(options.scope === undefined ? {} : { kind: options.scope }),
      ...(include.length === 0 ? {} : { include }),
      ...(exclude.length === 0 ? {} : { exclude }),
    },
    ...(universe === undefined ? {} : { universe }),
    ...(followNofollow === undefined ? {} : { followNofollow }),
    ...(honourCanonical === undefined ? {} : { honourCanonical }),
    ...(stripParameters === undefined ? {} : { urlRules: { ...web.urlRules, stripParameters } }),
    ...(sitemaps === false ? { sitemaps } : {}),
  };
}

function politeness(options: CrawlOptions, before: Politeness = defaultPoliteness): Politeness {
  const {
    delay: delayMs = before.delayMs,
    concurrency = before.concurrency,
    perHost = before.perHost,
  } = options;
  const perAddress = options.perAddress ?? Math.max(before.perAddress, perHost);
  const crawlDelayMsMax = options.maxCrawlDelay ?? before.crawlDelayMsMax;
  return { ...before, delayMs, concurrency, perHost, perAddress, crawlDelayMsMax };
}

/** What is not said stays; Infinity takes a limit away. */
function limits(options: CrawlOptions, before: Limits = {}): Limits {
  const said = {
    coverage: options.coverage,
    pages: options.maxPages,
    depth: options.maxDepth,
    timeMs: options.maxTime,
    bytes: options.maxBytes,
    pagesPerHost: options.maxPagesPerHost,
  };
  const kept: Record<string, number> = { ...before };
  for (const [name, value] of Object.entries(said)) {
    if (value === Number.POSITIVE_INFINITY) delete kept[name];
    else if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function checkCrawlOrder(order: string | undefined): void {
  if (order === undefined) return;
  if (order === "optimal") {
    throw new UsageError("the order optimal knows the true ranks, which only a simulation can; use rankmass");
  }
  checkOrder(order, { hasHosts: true });
}

/** Of seeds outside the scope nothing would ever be fetched. */
function checkScope({ web, seeds }: CrawlSettings): void {
  const scope = new Scope(web.scope);
  const outside = seeds.find(({ url }) => !scope.contains(url));
  if (outside === undefined) return;
  throw new UsageError(
    `the seed ${outside.url} is outside of the scope (${scope.describe()}); change --scope, --include or --exclude, or leave it out`,
  );
}
