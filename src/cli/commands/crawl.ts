/** `tidemark crawl`: its options are rows of the table of settings. */
import { type Command, Option } from "commander";
import { shellWord, UsageError } from "../../base/index.ts";
import type { CommandOptions } from "../../crawl/index.ts";
import { flagOf, type Setting, settingsTable } from "../../crawl/settings/index.ts";
import { configured } from "../crawl/configured.ts";
import { examples, notes, perform } from "../options/command.ts";
import { declareSettings, expectOneVolume, expectServed, givenSettings } from "../options/settings.ts";
import { Interruption } from "../terminal/interrupts.ts";
import { writeJsonLine, writeOut } from "../terminal/terminal.ts";

export function declare(command: Command): void {
  command.argument("[urls...]", settingsTable.urls.help);
  declareSettings(command, settingsTable, { isGrouped: true });
  command.addHelpOption(new Option("-h, --help", "show this help").helpGroup("Help:"));
  command.action(async (urls: string[]) => {
    const { options, notes } = await configured({ ...givenSettings(command), ...(urls.length > 0 ? { urls } : {}) });
    await crawl(options, notes);
  });
  notes(command, NOTES);
  examples(command, [
    "tidemark crawl https://www.example.com/ --coverage 0.95 --contact you@example.com",
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark crawl --dir demo --coverage 0.9 --dry-run",
  ]);
}

const NOTES = [
  "Leaving out a limit means no limit; none removes a limit that the crawl had before. Ctrl-C stops cleanly. To " +
    "resume, run tidemark crawl --dir DIR: the crawl keeps its settings, except for those that you give again.",
  "Exit codes: 0 done (also at a limit or after Ctrl-C), 1 failed, or nothing is left to fetch and no page was " +
    "fetched, 2 wrong usage, 130 forced to stop.",
];

/** The plan has these `notes` as well. */
async function crawl(options: CommandOptions, notes: readonly string[]): Promise<void> {
  expectServed(options);
  expectOneVolume(options);
  // Before the plan: for a list it fetches sitemaps.
  if (options.forever === true) await (await import("../crawl/forever.ts")).checkForever(options);
  else expectNoForever(options);
  const { planCrawl } = await import("../crawl/plan.ts");
  const { readSecrets } = await import("../crawl/session.ts");
  const secrets = await readSecrets(options);
  const plan = await planCrawl(options, { notes, secrets });
  if (options.requisites === true && !plan.settings.network.warc) {
    throw new UsageError("--requisites completes an archive: give --warc as well");
  }
  if (options.dryRun === true) {
    const { dryRun } = await import("../crawl/dry-run.ts");
    return dryRun(plan, options);
  }
  const { closingText, expectSuccess, summary } = await import("../crawl/messages.ts");
  const { crawlAndShow } = await import("../crawl/show.ts");
  const { StoreError } = await import("../../store/index.ts");
  const shown = await crawlAndShow(plan, options).catch((error: unknown) => {
    const { dir, isResumed: resumed } = plan;
    const isInterrupted = error instanceof Interruption;
    const reason = isInterrupted ? "interrupted" : error instanceof StoreError ? error.kind : undefined;
    if (options.json === true && reason !== undefined) writeJsonLine({ type: "done", reason, dir, resumed });
    if (!isInterrupted) throw error;
    if (options.json !== true) writeOut(`Interrupted${error.message.replace(/^interrupted/, "")}.\n`);
  });
  if (shown === undefined) return;
  const { result, finish, leave } = shown;
  const goesOn = options.forever === true && result.end.error === undefined && result.end.reason !== "interrupted";
  const runFlags = flagsOfRun(options);
  if (options.json === true) writeJsonLine({ type: goesOn ? "crawled" : "done", ...summary(plan, result) });
  else if (result.end.error === undefined) writeOut(await closingText(plan, result, { goesOn, runFlags }));
  if (!goesOn) await finish();
  const serving = goesOn ? await leave() : {};
  expectSuccess(plan, result, runFlags);
  if (!goesOn) return;
  const { urls: _, seedFile: _file, trust: _trust, normaliseTrust: _weights, sitemap: _list, ...others } = options;
  const again = await planCrawl({ ...others, dir: plan.dir }, { keepsCrawl: true, secrets });
  const { goOnForever } = await import("../crawl/forever.ts");
  await perform(options, (terminal) => goOnForever(again, { ...options, ...serving }, terminal));
}

/** What is meant for `--forever` alone. */
const OF_FOREVER = ["budget", "budgetPerHost", "rate", "quietHours", "timeZone", "keepVisits"] as const;

/** Whoever resumes the crawl must give them again. */
function flagsOfRun(options: CommandOptions): string {
  const { workers = 1, forever = false } = options;
  const names = [
    ...(workers > 1 ? (["workers"] as const) : []),
    ...(forever ? (["forever", ...OF_FOREVER, "serve"] as const) : []),
  ];
  return names
    .filter((name) => options[name] !== undefined && options[name] !== false)
    .map((name) => {
      const setting: Setting = settingsTable[name];
      const value = setting.kind.type === "boolean" ? "" : ` ${shellWord(setting.kind.write(options[name]))}`;
      return ` ${flagOf(name, setting)}${value}`;
    })
    .join("");
}

function expectNoForever(given: CommandOptions): void {
  const name = OF_FOREVER.find((each) => given[each] !== undefined);
  if (name === undefined) return;
  throw new UsageError(`${flagOf(name, settingsTable[name])} is for --forever: give that as well, or leave it out`);
}
