/** A crawl directory of a site that changes, which a refresh that goes on keeps: for a day and a half of simulated time. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { launchCrawl, openArchive, type StoredSettings } from "../../../src/crawl/index.ts";
import type { Answer, Reply } from "../../../src/fetch/index.ts";
import { isFinal } from "../../../src/log/index.ts";
import { createCrawl, openCrawl, type SqliteStore } from "../../../src/store/index.ts";
import { refreshTimed } from "../forever.ts";
import { replyOf, type Served } from "../inline-web.ts";
import { Kill } from "../kill.ts";
import { EPOCH_MS } from "../simulation/timers.ts";
import { temporaryDirectory } from "../temporary.ts";
import { inTime, TimedWeb } from "../timed-web.ts";
import { LivingSite, replyFrom, SEED, settingsOf } from "./site.ts";
import { expectWholeAsLeft, urlsOf, written } from "./told.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** It begins in the evening of the first day. */
const BEGIN_MS = 18 * HOUR_MS;
const END_MS = 54 * HOUR_MS;
const PAGES = 5;
const BUDGET = 16;

export class LivingService {
  dir = join(temporaryDirectory(), "crawl");
  kills = 0;
  /** Writes of the last run. */
  writes = 0;
  /** Reads whose outcomes a kill has cut off. */
  lost = 0;
  readonly #seed: number;
  readonly #settings: StoredSettings;
  readonly #web: TimedWeb;

  private constructor(seed: number) {
    this.#seed = seed;
    this.#settings = settingsOf({ maxPages: PAGES, sitemaps: false });
    this.#web = new TimedWeb({ serve: (url, _, atMs) => this.#served(url, atMs) });
  }

  /** Crawled once; the refresh has not begun. */
  static async crawled(seed: number): Promise<LivingService> {
    const service = new LivingService(seed);
    createCrawl(service.dir, JSON.stringify(service.#settings)).close();
    await service.#open(Infinity, async (parts) => {
      const crawl = await launchCrawl({ ...parts, fetcher: service.#web, timers: service.#web.timers, readers: 0 });
      await inTime(service.#web.timers, crawl.run());
    });
    return service;
  }

  copy(): LivingService {
    const copy = new LivingService(this.#seed);
    cpSync(this.dir, copy.dir, { recursive: true });
    return copy;
  }

  /** Refreshes to the end; whenever it is killed, at writes counted from each start, it is started again. */
  async run(killsAt: readonly number[]): Promise<void> {
    const { timers } = this.#web;
    timers.after(BEGIN_MS - timers.nowMs(), () => {});
    while (timers.step());
    for (const killAt of [...killsAt, Infinity]) {
      const before = written(this.dir);
      await this.#open(killAt, async (parts) => {
        const { settings, store, ...options } = parts;
        const keptVisits = () => ({ newest: 2 });
        const forMs = END_MS - timers.nowMs();
        const end = await refreshTimed(this.#web, store, settings, { ...options, budget: BUDGET, forMs, keptVisits });
        expect(end?.reason).toBe("interrupted");
      });
      this.#expectKept(before);
    }
  }

  /** Of each URL, the answer that counts: that of its visit, or of a later read that found it unchanged. */
  get counted(): ReadonlyMap<string, Reply> {
    return this.#read((store) => {
      const urls = urlsOf(store);
      const times = new Map<number, number>();
      for (const { url, atMs, outcome } of store.visits()) if (isFinal(outcome)) times.set(url, atMs);
      for (const { url, atMs, outcome } of store.rereads()) if (outcome === "unchanged") times.set(url, atMs);
      const replyAt = (url: string, atMs: number) => [url, replyOf(this.#served(new URL(url), atMs))] as const;
      const pages = Array.from(times, ([url, atMs]) => replyAt(urls[url], atMs - EPOCH_MS));
      return new Map([replyAt(`${SEED}robots.txt`, 0), ...pages]);
    });
  }

  /** In no 24 hours more than the budget was read, except for reads that were cut off. */
  expectWithinBudget(): void {
    const times = this.#reads;
    for (const fromMs of times) {
      const ofDay = times.filter((atMs) => atMs >= fromMs && atMs < fromMs + DAY_MS);
      expect(ofDay.length).toBeLessThanOrEqual(BUDGET + this.lost);
    }
    expect(times.length).toBeGreaterThan(BUDGET);
  }

  /** Times at which pages were requested. */
  get #reads(): readonly number[] {
    return this.#web.requests
      .filter(({ url, atMs }) => !url.endsWith(".txt") && atMs >= BEGIN_MS)
      .map(({ atMs }) => atMs);
  }

  /** Whatever was committed is there after a kill and a start. Counts what was not. */
  #expectKept(before: ReturnType<typeof written>): void {
    const after = written(this.dir);
    for (const [number, visit] of before.visits) expect(after.visits.get(number), `visit ${number}`).toEqual(visit);
    expect(after.rereads.slice(0, before.rereads.length)).toEqual(before.rereads);
    const beginMs = EPOCH_MS + BEGIN_MS;
    const ofRereads = new Set(after.rereads.map(({ visit }) => visit));
    const fresh = [...after.visits].filter(([number, { atMs }]) => atMs >= beginMs && !ofRereads.has(number));
    this.lost = this.#reads.length - after.rereads.length - fresh.length;
    expect(this.lost).toBeGreaterThanOrEqual(0);
  }

  async #open(killAt: number, act: (parts: Parts) => Promise<void>): Promise<void> {
    const { dir } = this;
    const settings = this.#settings;
    const kill = new Kill(dir, killAt);
    await kill.during(async () => {
      const store = openCrawl(dir, { beforeWrite: () => kill.write() });
      try {
        await act({ store, settings, archive: openArchive(dir, store, settings.network) });
      } finally {
        store.close();
      }
    });
    this.writes = kill.writes;
    if (kill.left === undefined) return;
    this.dir = kill.left;
    expectWholeAsLeft(this.dir, settings);
    this.kills++;
    this.#web.forget();
  }

  #read<Result>(act: (store: SqliteStore) => Result): Result {
    const store = openCrawl(this.dir);
    try {
      return act(store);
    } finally {
      store.close();
    }
  }

  #served({ pathname, search }: URL, atMs: number): Served {
    const site = new LivingSite(this.#seed);
    site.day = Math.floor(atMs / DAY_MS);
    const { status } = replyFrom(site.serve(pathname + search)) as Answer;
    return status === 404 ? { status } : site.serve(pathname + search);
  }
}

interface Parts {
  readonly store: SqliteStore;
  readonly settings: StoredSettings;
  readonly archive: ReturnType<typeof openArchive>;
}
