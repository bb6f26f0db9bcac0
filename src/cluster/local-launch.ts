/**
 * Prepares a crawl with workers on this machine: settles its scope, and divides what the directory has among shards.
 */
import { join } from "node:path";
import { systemTimers } from "../base/index.ts";
import { type Crawl, Fingerprinter, plantSeeds, sitemapWriter, SOFTWARE } from "../crawl/index.ts";
import { adoptWarc, createSqliteJob, dropSqliteJob, type FactLog, type SqliteStore } from "../store/index.ts";
import { Scope } from "../web/index.ts";
import { setGathered } from "./gathering.ts";
import { JOB_VERSION, type JobSettings } from "./job.ts";
import { LocalCrawl, type LocalCrawlOptions } from "./local-crawl.ts";
import { LOCAL_JOB_NAME } from "./local-gathering.ts";
import { widenedBy, withScopeWidened } from "./settled-scope.ts";
import type { Sharding } from "./sharding.ts";
import { type Split, splitLog } from "./splitting.ts";
import { TextsInFile } from "./url-texts.ts";

/** The more, the more evenly hosts are spread; the fewer, the less they have to tell each other. */
const SHARDS_PER_WORKER = 8;

/** Prepares a crawl with workers, or resumes one. Call `run` on the result. */
export async function launchLocalCrawl(options: LocalCrawlOptions): Promise<Crawl> {
  const { dir, store, fetcher, onEvent, sitemaps = [], timers = systemTimers } = options;
  const widened = isNew(store) ? await widenedBy(options.settings, fetcher) : [];
  const settings = withScopeWidened(options.settings, widened);
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  plantSeeds({ settings, store, fingerprinter });
  if (sitemaps.length > 0) sitemaps.forEach(sitemapWriter({ settings, store, fingerprinter, timers }));
  store.replaceSettings(JSON.stringify(settings));
  store.commit();
  // Files of a crawl that was started anew are not of this one; workers find the folder made.
  if (settings.network.warc) adoptWarc(dir, store, new Map(), { software: SOFTWARE });
  const scope = new Scope(settings.web.scope).describe();
  for (const url of widened) onEvent?.({ name: "scope-widened", atMs: timers.wallMs(), url, scope });
  // What is read already need not be read again.
  const crawl = sitemaps.length > 0 ? { ...settings, sitemap: [] } : settings;
  const job: JobSettings = { crawl, shardBy: "host", secretHosts: [] };
  const sharding = { shards: SHARDS_PER_WORKER * options.workers, by: job.shardBy };
  const log = createSqliteJob(dir, {
    name: LOCAL_JOB_NAME,
    version: JOB_VERSION,
    shards: sharding.shards,
    settings: JSON.stringify(job),
  });
  let pages = 0;
  try {
    // Shards without a log begin with their seeds.
    let positions: readonly number[] = Array.from({ length: sharding.shards }, () => 0);
    if (!isNew(store)) ({ positions, pages } = await splitStore(options, log, sharding));
    // The time that splitting took is not part of `--max-time`.
    await log.restart(JSON.stringify(job));
    setGathered(store, { job: LOCAL_JOB_NAME, visits: store.nextVisit - 1, positions });
    store.commit();
  } catch (error) {
    await log.close();
    dropSqliteJob(dir);
    throw error;
  }
  return new LocalCrawl({ ...options, settings, timers }, log, pages);
}

async function splitStore(
  { dir, store, signal }: Pick<LocalCrawlOptions, "dir" | "store" | "signal">,
  log: FactLog,
  sharding: Sharding,
): Promise<Split> {
  // Beside what the workers will write: a temporary directory may lie in memory.
  const paths = new TextsInFile(join(dir, "splitting.tmp"));
  try {
    return await splitLog({ from: store, to: log, sharding, paths, signal });
  } finally {
    paths.close();
  }
}

function isNew(store: SqliteStore): boolean {
  return store.nextVisit === 1;
}
