/** `tidemark cluster start`: everything is checked before the job is made. */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import {
  expectSharable,
  holderOf,
  JOB_VERSION,
  jobOf,
  type JobSettings,
  secretHostsOf,
  SHARDS_DEFAULT,
  widenedBy,
  withScopeWidened,
} from "../../cluster/index.ts";
import { checkSeedHosts, type CommandOptions, crawlSettings } from "../../crawl/index.ts";
import { flagOf, keyOf, type SettingsTable, settingsTable } from "../../crawl/settings/index.ts";
import { createPostgresJob, type FactLog } from "../../store/index.ts";
import { fetcherOf, planCrawl } from "../crawl/plan.ts";
import type { Output } from "../options/command.ts";
import { settingsFor } from "../options/settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { heldInWords, jobInWords, locationOf, type StartOptions, withJob } from "./jobs.ts";

export async function startJob(given: CommandOptions, options: StartOptions, { note }: Terminal): Promise<Output> {
  const isNamed = given.urls !== undefined || given.seedFile !== undefined || given.trust !== undefined;
  if (!isNamed && given.sitemap === undefined) return withJob(options, (log) => startAgain(log, given, options));
  // Before any host is looked up: throws if the address of the database makes no sense.
  const job = jobInWords(options);
  // A job has no directory; this one never exists.
  const plan = await planCrawl({ ...given, dir: join(tmpdir(), `tidemark-${randomUUID()}`) });
  expectSharable(plan.settings);
  plan.session.notes.forEach(note);
  const fetcher = fetcherOf(plan);
  try {
    const refused = await checkSeedHosts(plan.settings, plan.proxy);
    if (refused !== undefined) note(refused);
    const settings = withScopeWidened(plan.settings, await widenedBy(plan.settings, fetcher));
    const { shards = SHARDS_DEFAULT, shardBy = "host" } = options;
    const secretHosts = secretHostsOf(plan.session.options);
    const add = `tidemark cluster work${settings.network.warc ? " --warc-dir DIR" : ""}`;
    const jobSettings: JobSettings = { crawl: settings, shardBy, secretHosts };
    const log = await createPostgresJob(locationOf(options), {
      name: options.job,
      version: JOB_VERSION,
      shards,
      settings: JSON.stringify(jobSettings),
    });
    await log.close();
    return {
      document: { job: options.job, shards, shardBy, seeds: settings.seeds.length, secretHosts, started: true },
      text: () => `${job} is ready: add workers with ${add}\n`,
    };
  } finally {
    await fetcher.close();
  }
}

/** Its limits may change, and nothing else: workers agree on what they measure. */
export async function startAgain(log: FactLog, given: CommandOptions, options: StartOptions): Promise<Output> {
  if (options.shards !== undefined || options.shardBy !== undefined) {
    throw new UsageError(`${jobInWords(options)} has its shards already: leave out --shards and --shard-by`);
  }
  expectLimits(given, options);
  const board = await log.board();
  const holder = holderOf(board);
  if (holder !== undefined) throw new UsageError(heldInWords(options, holder));
  const record = board.job;
  const { settings } = jobOf(record);
  const before = settings.crawl;
  const crawl = crawlSettings(settingsFor(given), { seeds: before.seeds, namedSeeds: before.namedSeeds, before });
  await log.restart(JSON.stringify({ ...settings, crawl: { ...before, limits: crawl.limits } }));
  // A refresh may have begun to hold it meanwhile; it looks whether the job is stopped when it has.
  const later = holderOf(await log.board());
  if (later !== undefined) {
    await log.restart(record.settings);
    await log.stop(record.stopped ?? "interrupted");
    throw new UsageError(heldInWords(options, later));
  }
  return {
    document: { job: record.name, shards: record.shards, limits: crawl.limits, started: true },
    text: () => `${jobInWords(options)} goes on: add workers with tidemark cluster work\n`,
  };
}

/** An option that would be ignored is a mistake. */
function expectLimits(given: CommandOptions, options: StartOptions): void {
  const table: SettingsTable = settingsTable;
  const other = Object.keys(given).find((name) => name !== "config" && !table[name].stored?.startsWith("limits."));
  if (other === undefined) return;
  const flag = table[other].givenBy === "document" ? keyOf(other) : flagOf(other, table[other]);
  throw new UsageError(
    `${jobInWords(options)} has its settings already, and only its limits can change: leave out ${flag}, or start ` +
      "another job with --job NAME and the URLs to start from",
  );
}
