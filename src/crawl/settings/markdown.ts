/** The table of settings as the docs show it. */
import {
  defaultInWords,
  flagHelp,
  flagSettings,
  flagWords,
  type Group,
  groupHeadings,
  type SettingsTable,
} from "./setting.ts";
import { settingsTable } from "./table.ts";

export function settingsMarkdown(table: SettingsTable = settingsTable): string {
  const groups = Object.keys(groupHeadings) as Group[];
  return groups
    .map((group) => [`### ${groupHeadings[group]}`, ...rowsOf(group, table)].join("\n"))
    .join("\n\n");
}

/** An empty line before, as Markdown wants it. */
function rowsOf(group: Group, table: SettingsTable): string[] {
  const rows = flagSettings(table).filter(([, setting]) => setting.group === group);
  return [
    "",
    "| setting | default | meaning |",
    "|---|---|---|",
    ...rows.map(([name, setting]) => {
      const meaning = `${flagHelp(setting)}${setting.isFixed === true ? " (fixed)" : ""}`;
      return `| \`${flagWords(name, setting)}\` | ${defaultInWords(setting) ?? ""} | ${meaning} |`;
    }),
  ];
}
