/** A crawl directory of a site that changes, which is refreshed day by day, whatever happens on the way. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  openArchive,
  readNewPages,
  refreshFacts,
  refreshPages,
  type StoredSettings,
} from "../../../src/crawl/index.ts";
import type { Fetcher, Reply } from "../../../src/fetch/index.ts";
import { createCrawl, openCrawl, type SqliteStore, StoreError } from "../../../src/store/index.ts";
import { Kill } from "../kill.ts";
import { PassingTimers } from "../passing-timers.ts";
import { temporaryDirectory } from "../temporary.ts";
import { LivingSite, replyFrom, settingsOf, SiteFetcher, START_MS } from "./site.ts";
import { expectWholeAsLeft, urlsOf, written } from "./told.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface LivingOptions {
  readonly seed: number;
  /** Of the first day, and new ones of each day after it. */
  readonly pages: number;
  readonly newPages: number;
}

/** What happens on a day. */
export interface Trouble {
  /** The disk is full at this write. */
  readonly failsAt?: number;
  /** The process is killed at these writes, each counted from its start. */
  readonly killsAt?: readonly number[];
}

export class LivingDirectory {
  dir = join(temporaryDirectory(), "crawl");
  readonly site: LivingSite;
  readonly settings: StoredSettings;
  readonly options: LivingOptions;
  /** Of each URL, the answer that counts. */
  readonly counted = new Map<string, Reply>();
  failures = 0;
  kills = 0;
  /** Writes of the last run. */
  writes = 0;

  constructor(options: LivingOptions) {
    this.options = options;
    this.site = new LivingSite(options.seed);
    this.settings = settingsOf({ maxPages: options.pages });
    createCrawl(this.dir, JSON.stringify(this.settings)).close();
  }

  copy(): LivingDirectory {
    const copy = new LivingDirectory(this.options);
    copy.dir = join(temporaryDirectory(), "crawl");
    cpSync(this.dir, copy.dir, { recursive: true });
    copy.site.day = this.site.day;
    for (const [url, reply] of this.counted) copy.counted.set(url, reply);
    return copy;
  }

  /** Where the disk fails or the process is killed, the day is begun again; nothing that was committed is lost. */
  async nextDay({ failsAt = Infinity, killsAt = [] }: Trouble = {}): Promise<void> {
    const fetcher = new SiteFetcher(({ pathname, search }) => replyFrom(this.site.serve(pathname + search)));
    const before = this.#read((store) => ({ rereads: store.rereadCount, visit: store.nextVisit }));
    const troubles = [...killsAt.map((killAt) => ({ killAt, failsAt: Infinity })), { killAt: Infinity, failsAt }];
    for (const [attempt, { killAt, failsAt }] of [...troubles, { killAt: Infinity, failsAt: Infinity }].entries()) {
      const committed = attempt === 0 ? undefined : written(this.dir);
      const kill = new Kill(this.dir, killAt);
      const hasFailed = await this.#spendDay(fetcher, { kill, failsAt, attempt });
      if (committed !== undefined) expectKept(committed, written(this.dir));
      if (kill.left !== undefined) {
        this.dir = kill.left;
        expectWholeAsLeft(this.dir, this.settings);
        this.kills++;
      } else if (hasFailed) this.failures++;
      else if (attempt >= killsAt.length) break;
    }
    this.#count(fetcher.replies, before);
    this.site.day++;
  }

  /** Whether the disk has failed. */
  async #spendDay(
    fetcher: Fetcher,
    { kill, failsAt, attempt }: { readonly kill: Kill; readonly failsAt: number; readonly attempt: number },
  ): Promise<boolean> {
    const { dir, settings, site } = this;
    let hasFailed = false;
    await kill.during(async () => {
      const timers = new PassingTimers(START_MS + site.day * DAY_MS + attempt * HOUR_MS);
      const store = openCrawl(dir, {
        beforeWrite: (count) => {
          kill.write();
          if (count === failsAt) throw new StoreError("disk-full", "as planned");
        },
      });
      try {
        const archive = openArchive(dir, store, settings.network);
        const parts = { store, settings, fetcher, timers, archive };
        if (site.day > 0) {
          const pages = refreshFacts(store).pages.filter(({ visit }) => visit !== null);
          await refreshPages({ ...parts, pages });
        }
        const pages = site.day === 0 ? this.options.pages : this.options.newPages;
        const { end } = await readNewPages({ ...parts, pages, readers: 0 });
        if (end.error !== undefined) throw end.error;
        store.close();
      } catch (error) {
        hasFailed = error instanceof StoreError;
        closeAnyhow(store);
        if (!hasFailed) throw error;
      }
    });
    this.writes = kill.writes;
    return hasFailed;
  }

  #read<Result>(act: (store: SqliteStore) => Result): Result {
    const store = openCrawl(this.dir);
    try {
      return act(store);
    } finally {
      store.close();
    }
  }

  /** An answer counts if the log has it: a page was read for the first time, is unchanged, or its visit was replaced. */
  #count(replies: ReadonlyMap<string, Reply>, before: { readonly rereads: number; readonly visit: number }): void {
    const { known, rereads, visited } = this.#read((store) => {
      const urls = urlsOf(store);
      const fresh = [...store.visits()].filter(({ number }) => number >= before.visit);
      return {
        known: new Set(urls),
        visited: new Set(fresh.map(({ url }) => urls[url])),
        rereads: new Map(
          Array.from(store.rereads(), (reread) => [urls[reread.url], reread] as const).slice(before.rereads),
        ),
      };
    });
    for (const [url, reply] of replies) {
      const reread = rereads.get(url);
      const isKept = reread === undefined ? visited.has(url) : reread.visit !== null || reread.outcome === "unchanged";
      if (isKept || !known.has(url)) this.counted.set(url, reply);
    }
  }
}

function closeAnyhow(store: SqliteStore): void {
  try {
    store.close();
  } catch {
    // What ended the day has been thrown before.
  }
}

function expectKept(before: ReturnType<typeof written>, after: ReturnType<typeof written>): void {
  for (const [number, visit] of before.visits) expect(after.visits.get(number), `visit ${number}`).toEqual(visit);
  expect(after.rereads.slice(0, before.rereads.length)).toEqual(before.rereads);
}
