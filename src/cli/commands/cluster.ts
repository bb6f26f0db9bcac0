/** `tidemark cluster`: a crawl by workers on many machines, which share a log in PostgreSQL. */
import { type Command, Option } from "commander";
import { UsageError } from "../../base/index.ts";
import { flagOf, settingsTable, type SettingsTable } from "../../crawl/settings/index.ts";
import type { CommandOptions } from "../../crawl/index.ts";
import { configured } from "../crawl/configured.ts";
import {
  type CommonOptions,
  commonOptions,
  examples,
  integer,
  notes,
  type Output,
  perform,
  summarise,
} from "../options/command.ts";
import { declareSettings, expectNoSession, givenSettings, sessionOptions } from "../options/settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ForeverExportOptions } from "../cluster/forever.ts";
import type { JobOptions, StartOptions } from "../cluster/jobs.ts";
import type { TablesOptions } from "../cluster/tables.ts";
import type { WorkerOptions } from "../cluster/work.ts";

const LOG = "--log postgres://tidemark@db.example.com/tidemark --job news";

/** What a worker does in a beat grows with the square of it; the first one to come has all of them. */
const SHARDS_MAX = 2048;

export function declare(cluster: Command): void {
  declareStart(cluster.command("start"));
  declareWork(cluster.command("work"));
  declareStatus(cluster.command("status"));
  declareStop(cluster.command("stop"));
  declareExport(cluster.command("export"));
  declareDrop(cluster.command("drop"));
  notes(cluster, [
    "A job is a crawl that any number of workers share. Its log is in a PostgreSQL database. The password comes from " +
      "the variable PGPASSWORD, from the file that PGPASSFILE names, or from --password-file. On one machine no " +
      "database is needed: tidemark crawl --workers N.",
  ]);
}

/** What a job has no use for: it has no directory, no terminal of its own, and an end. */
const WITHOUT: ReadonlySet<string> = new Set<keyof typeof settingsTable>([
  "dir",
  "workers",
  "readers",
  "forever",
  "budget",
  "budgetPerHost",
  "rate",
  "quietHours",
  "timeZone",
  "keepVisits",
  "serve",
  "listen",
  "token",
  "dryRun",
  "verbose",
  "json",
  "quiet",
  "requisites",
]);

function jobSettings(): SettingsTable {
  const table: SettingsTable = settingsTable;
  return Object.fromEntries(Object.entries(table).filter(([name]) => !WITHOUT.has(name)));
}

function jobOptions(command: Command): Command {
  return command
    .requiredOption("--log <url>", "the database of the job: postgres://user@host:5432/database")
    .option("--job <name>", "name of the job", "crawl")
    .option("--password-file <file>", "a file with the password of the database");
}

function declareStart(command: Command): void {
  summarise(command, "define a job, or start a job again that was stopped, with other limits");
  command.argument("[urls...]", settingsTable.urls.help);
  jobOptions(command)
    .option(
      "--shards <n>",
      "parts of the job, each crawled by one worker at a time (default: 64)",
      integer(1, SHARDS_MAX),
    )
    .addOption(new Option("--shard-by <what>", "what is kept together (default: host)").choices(["host", "domain"]));
  declareSettings(command, jobSettings(), { isGrouped: true });
  commonOptions(command).action((urls: string[], options: StartOptions & CommonOptions) =>
    perform(options, async (terminal) => {
      const { startJob } = await import("../cluster/start.ts");
      const flags: CommandOptions = givenSettings(command, jobSettings());
      const given = await configured({ ...flags, ...(urls.length > 0 ? { urls } : {}) }, jobSettings());
      given.notes.forEach(terminal.note);
      return startJob(given.options, options, terminal);
    }),
  );
  examples(command, [`tidemark cluster start https://www.example.com/ --coverage 0.95 ${LOG}`]);
}

function declareWork(command: Command): void {
  summarise(command, "join a job as one more worker, until the job ends or Ctrl-C");
  jobOptions(command)
    .option("--name <name>", "name of the worker (default: made of the machine and the process)")
    .option("--warc-dir <dir>", "folder for the WARC files of this worker, of a job that was started with --warc");
  sessionOptions(command, "where the job was started with it");
  commonOptions(command).action(async (options: WorkerOptions & CommonOptions) => {
    const { workOnJob } = await import("../cluster/work.ts");
    return workOnJob({ ...options, ...givenSettings(command) });
  });
  examples(command, [`tidemark cluster work ${LOG}`, `tidemark cluster work --warc-dir /var/lib/tidemark/warc ${LOG}`]);
}

function declareStatus(command: Command): void {
  summarise(command, "show how far a job is: coverage, shards, workers");
  commonOptions(jobOptions(command)).action((options: JobOptions & CommonOptions) =>
    perform(options, async () => (await import("../cluster/status.ts")).statusOfJob(options)),
  );
  examples(command, [`tidemark cluster status ${LOG}`]);
}

function declareStop(command: Command): void {
  summarise(command, "stop a job: its workers store what they have and end; start goes on with it");
  commonOptions(jobOptions(command)).action((options: JobOptions & CommonOptions) =>
    perform(options, async () => (await import("../cluster/jobs.ts")).stopJob(options)),
  );
  examples(command, [`tidemark cluster stop ${LOG}`]);
}

function declareExport(command: Command): void {
  summarise(command, "gather a job in an ordinary crawl directory; later again, to add what is new");
  jobOptions(command)
    .option("--dir <dir>", "directory of the crawl")
    .option(
      "--warc-from <dir>",
      "of a job with --warc: a folder with WARC files of workers; may be repeated (default: the folder that each " +
        "worker has named, if it is on this machine)",
      (dir: string, before: readonly string[] = []) => [...before, dir],
    )
    .option("--follow", "go on until the job has ended; meanwhile tidemark serve shows the directory")
    .option(
      "--forever",
      "follow the job, and when it has ended, go on as tidemark refresh --forever does, in the same process",
    )
    .option("--out <folder>", "instead of a directory: a new folder for a table of pages per shard")
    .addOption(
      new Option("--format <format>", "of these tables (default: jsonl)").choices(["jsonl", "csv", "parquet"]),
    );
  declareSettings(command, FOREVER);
  sessionOptions(command, "with --forever");
  commonOptions(command).action((options: AnyExportOptions) =>
    perform(options, async (terminal) => exported(options, givenSettings(command, FOREVER), terminal)),
  );
  notes(command, [
    "Tables (--out) are made of the log of one shard after the other, without a crawl directory, so that a job of " +
      "any size can be exported. They have the columns of tidemark export without those that take the whole crawl: " +
      "id, rank, importance and sitemaps.",
    "--forever holds the hosts of the job from its end on, so that nobody else requests them: cluster start refuses " +
      "to start it again meanwhile. Ctrl-C stops it, and the same command goes on where it was. To refresh without " +
      "the database, run tidemark refresh DIR --forever instead.",
  ]);
  examples(command, [
    `tidemark cluster export --dir news ${LOG}`,
    "tidemark coverage news",
    `tidemark cluster export --dir news --forever --budget 5000 ${LOG}`,
    `tidemark cluster export --format parquet --out pages ${LOG}`,
  ]);
}

const { budget, budgetPerHost, rate, quietHours, timeZone, keepVisits, serve, listen, token, verbose } = settingsTable;
/** What is meant for `--forever` alone. */
const FOREVER: SettingsTable = {
  budget,
  budgetPerHost,
  rate,
  quietHours,
  timeZone,
  keepVisits,
  serve: { ...serve, help: "with --forever: show a dashboard in the browser" },
  listen,
  token,
  verbose: { ...verbose, help: `with --forever: ${verbose.help}` },
};

type AnyExportOptions = Partial<ForeverExportOptions> & TablesOptions & CommonOptions & { readonly forever?: boolean };

async function exported(options: AnyExportOptions, given: CommandOptions, terminal: Terminal): Promise<Output> {
  const { dir, out, format, follow, forever, warcFrom } = options;
  const isOfDirectory = follow !== undefined || forever !== undefined || warcFrom !== undefined;
  if ((dir === undefined) === (out === undefined) || (out === undefined ? format !== undefined : isOfDirectory)) {
    throw new UsageError(
      "expected --dir DIR for a crawl directory (with --follow or --forever, and --warc-from), or --out FOLDER for " +
        "tables of pages (with --format), not both",
    );
  }
  if (forever === true && dir !== undefined) {
    return (await import("../cluster/forever.ts")).exportForever({ ...options, dir }, terminal);
  }
  const [other] = Object.keys(given);
  if (other !== undefined) {
    throw new UsageError(`${flagOf(other, FOREVER[other])} is for --forever: give that as well, or leave it out`);
  }
  expectNoSession(options, "--forever fetches pages: give it as well");
  if (dir !== undefined) return (await import("../cluster/export.ts")).exportJob({ ...options, dir }, terminal);
  return (await import("../cluster/tables.ts")).exportTables({ ...options, out: out ?? "" }, terminal);
}

function declareDrop(command: Command): void {
  summarise(command, "delete a job with all that it has learnt");
  commonOptions(jobOptions(command)).action((options: JobOptions & CommonOptions) =>
    perform(options, async () => (await import("../cluster/jobs.ts")).dropJob(options)),
  );
  examples(command, [`tidemark cluster drop ${LOG}`]);
}
