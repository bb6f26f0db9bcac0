/**
 * From the options of the user to a plan: the directory of a crawl, its seeds, all its settings. Nothing is created.
 */
import { UsageError } from "../../base/index.ts";
import {
  type CrawlOptions,
  crawlSettings,
  liveProxy,
  openFetcher,
  parseSettings,
  type Seed,
  type StoredSettings,
} from "../../crawl/index.ts";
import type { Fetcher, ProxySettings } from "../../fetch/index.ts";
import { isCrawl, openCrawlReadOnly } from "../../store/index.ts";
import { hostOfOrigin, splitUrl } from "../../web/index.ts";
import { readSeeds } from "../input/seeds.ts";
import { withFile } from "../terminal/endings.ts";

export interface CrawlPlan {
  readonly dir: string;
  readonly isResumed: boolean;
  /** The seeds of the crawl that is resumed. */
  readonly seedsBefore?: readonly Seed[];
  readonly settings: StoredSettings;
  /** With user name and password, which are never stored. */
  readonly proxy: ProxySettings;
}

export async function planCrawl(options: CrawlOptions): Promise<CrawlPlan> {
  const named = options.dir === undefined ? undefined : settingsIn(options.dir);
  const { urls = [], seedFile, trust, normaliseTrust, stripParameters } = options;
  const urlRules = { stripParameters: stripParameters ?? named?.web.urlRules.stripParameters ?? false };
  const given = await readSeeds({ urls, seedFile, trust, normaliseTrust, urlRules });
  const dir = options.dir ?? directoryFor(given);
  const before = named ?? settingsIn(dir);
  if (options.dir === undefined && before !== undefined) expectSameSeeds(dir, given, before);
  const seeds = given.length === 0 ? before?.seeds : given;
  if (seeds === undefined) {
    throw new UsageError(
      `there is no crawl in ${dir} to resume; give URLs to start one: ` +
        `tidemark crawl https://www.example.com/ --dir ${dir}`,
    );
  }
  const settings = crawlSettings(options, { seeds, before });
  return {
    dir,
    isResumed: before !== undefined,
    ...(before === undefined ? {} : { seedsBefore: before.seeds }),
    settings,
    proxy: liveProxy(settings.network, options.proxy ?? before?.network.proxy ?? undefined, process.env),
  };
}

/** The settings of the crawl in a directory, if there is one. */
function settingsIn(dir: string): StoredSettings | undefined {
  if (!isCrawl(dir)) return undefined;
  const store = openCrawlReadOnly(dir);
  try {
    return withFile(dir, () => parseSettings(store.settings()));
  } finally {
    store.close();
  }
}

/** Without --dir, a crawl is resumed only with the seeds that it has. */
function expectSameSeeds(dir: string, given: readonly Seed[], { seeds }: StoredSettings): void {
  if (JSON.stringify(given) === JSON.stringify(seeds)) return;
  throw new UsageError(
    `${dir} has a crawl with other seeds (${seeds[0]?.url ?? "none"}); give --dir ${dir} to resume it with the new ` +
      "seeds, or another --dir to start a new crawl",
  );
}

function directoryFor(seeds: readonly Seed[]): string {
  const [first] = seeds;
  if (first === undefined) {
    throw new UsageError(
      "nothing to crawl: give URLs to start from (tidemark crawl https://www.example.com/), " +
        "or the --dir of a crawl to resume",
    );
  }
  return `crawl-${hostOfOrigin(splitUrl(first.url).origin).replace(/[^\w.-]+/g, "-")}`;
}

/** The fetcher of a crawl; errors in its file of certificates name the file. */
export function fetcherOf(
  { network }: Pick<StoredSettings, "network">,
  connections: number,
  proxy?: ProxySettings,
): Fetcher {
  const open = (): Fetcher => openFetcher(network, connections, proxy);
  return network.ca === null ? open() : withFile(network.ca, open);
}
