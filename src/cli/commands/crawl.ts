/** The arguments of `tidemark crawl`: all of them are rows of the table of settings. */
import { type Command, Option } from "commander";
import type { CrawlOptions } from "../../crawl/index.ts";
import { groupHeadings, settingsTable } from "../../crawl/settings/index.ts";
import { examples } from "../options/command.ts";
import { declareSettings, givenSettings } from "../options/settings.ts";

export function declare(command: Command): void {
  command.argument("[urls...]", settingsTable.urls.help);
  declareSettings(command, settingsTable, { isGrouped: true });
  command.addHelpOption(new Option("-h, --help", "show this help").helpGroup(`${groupHeadings.output}:`));
  command.action(async (urls: string[]) => {
    const { crawl } = await import("../actions/crawl.ts");
    await crawl(await configured({ ...givenSettings(command), ...(urls.length > 0 ? { urls } : {}) }));
  });
  command.addHelpText("after", NOTES);
  examples(command, [
    "tidemark crawl https://www.example.com/ --coverage 0.95 --contact you@example.com",
    "tidemark demo --coverage 0.5 --dir demo",
    "tidemark crawl --dir demo --coverage 0.9 --dry-run",
  ]);
}

const SEED_SOURCES: readonly (keyof CrawlOptions)[] = ["urls", "seedFile", "trust", "normaliseTrust"];

/** Settings of the command line before those of the file; seeds come from one of the two. */
async function configured(given: CrawlOptions): Promise<CrawlOptions> {
  if (given.config === undefined) return given;
  const { readConfig } = await import("../input/config-file.ts");
  const config = { ...readConfig(given.config) };
  const namesSeeds = SEED_SOURCES.some((name) => given[name] !== undefined);
  if (namesSeeds) for (const name of SEED_SOURCES) delete config[name];
  return { ...config, ...given };
}

const NOTES = `
A limit that is left out does not limit; none removes one that the crawl had before. Ctrl-C stops cleanly, and
tidemark crawl --dir DIR resumes, with all its settings but for those given again.

Exit codes: 0 done (also at a limit or after Ctrl-C), 1 failed, or nothing is left and not a single page was fetched,
2 wrong usage, 130 forced to stop.`;
