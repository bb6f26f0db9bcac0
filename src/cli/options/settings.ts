/** Flags of the table of settings, for the commands that have some of them. */
import { type Command, Option } from "commander";
import {
  defaultInWords,
  flagHelp,
  flagSettings,
  flagWords,
  groupHeadings,
  type Setting,
  type SettingsTable,
  settingsTable,
} from "../../crawl/settings/index.ts";
import type { CrawlOptions } from "../../crawl/index.ts";
import { argument } from "./numbers.ts";

/** `isGrouped`: help shows the flags of each group below its heading. */
export function declareSettings(
  command: Command,
  table: SettingsTable,
  { isGrouped = false }: { readonly isGrouped?: boolean } = {},
): void {
  for (const [name, setting] of flagSettings(table)) {
    const option = new Option(flagWords(name, setting), helpOf(setting));
    if (setting.kind.type !== "boolean") option.argParser(readerOf(setting));
    if (isGrouped) option.helpGroup(`${groupHeadings[setting.group]}:`);
    command.addOption(option);
  }
}

/** Those that stand on the command line, without any default. */
export function givenSettings(command: Command, table: SettingsTable = settingsTable): CrawlOptions {
  const given = flagSettings(table).filter(([name]) => command.getOptionValueSource(name) === "cli");
  return Object.fromEntries(given.map(([name]) => [name, command.getOptionValue(name) as unknown]));
}

function helpOf(setting: Setting): string {
  const usual = defaultInWords(setting);
  return usual === undefined ? flagHelp(setting) : `${flagHelp(setting)} (default: ${usual})`;
}

function readerOf({ kind }: Setting): (text: string, previous: unknown) => unknown {
  const read = argument(kind);
  if (kind.type !== "list") return read;
  return (text, previous) => read([...(Array.isArray(previous) ? previous : []), text]);
}
