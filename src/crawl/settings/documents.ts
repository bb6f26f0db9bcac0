/** The settings described: the JSON schema of the config file, the tables in the docs, and the flags to type. */
import {
  defaultInWords,
  flagHelp,
  flagOf,
  flagSettings,
  flagWords,
  givenNames,
  type Group,
  groupHeadings,
  isFixed,
  keyOf,
  type Setting,
  type SettingsTable,
} from "./setting.ts";
import { valueAt, type StoredSettings } from "./settings.ts";
import { settingsTable } from "./table.ts";

export function configSchema(table: SettingsTable = settingsTable): object {
  const properties: Record<string, object> = {};
  for (const name of givenNames(table)) {
    if (name === "config") continue;
    properties[keyOf(name)] = described(table[name]);
    // Both spellings are accepted.
    if (keyOf(name) !== name) properties[name] = { $ref: `#/properties/${keyOf(name)}` };
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of a crawl (tidemark crawl --config FILE)",
    type: "object",
    minProperties: 1,
    properties,
    additionalProperties: false,
  };
}

function described({ kind, help, default: usual, defaultInWords: words }: Setting): object {
  const isPlain = usual !== undefined && usual !== null && words === undefined;
  // Times, sizes and addresses as people write them.
  const isWritten = kind.unit !== undefined || (typeof usual === "object" && !Array.isArray(usual));
  return {
    description: words === undefined ? help : `${help} (default: ${words})`,
    ...kind.schema,
    ...(isPlain ? { default: isWritten ? kind.write(usual) : usual } : {}),
  };
}

export function settingsMarkdown(table: SettingsTable = settingsTable): string {
  const groups = Object.keys(groupHeadings) as Group[];
  return groups.map((group) => tableOf(group, table)).join("\n\n");
}

function tableOf(group: Group, table: SettingsTable): string {
  const lines = [`### ${groupHeadings[group]}`, "", "| setting | default | meaning |", "|---|---|---|"];
  for (const [name, setting] of flagSettings(table)) {
    if (setting.group !== group) continue;
    const meaning = `${flagHelp(setting)}${isFixed(setting) ? " (fixed)" : ""}`;
    const cells = [`\`${flagWords(name, setting)}\``, defaultInWords(setting) ?? "", meaning];
    // A bar would end the cell, also in code.
    lines.push(`| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`);
  }
  return lines.join("\n");
}

/** A stored setting as the flag that one would type for it. */
export interface TypedSetting {
  readonly group: Group;
  readonly flag: string;
  /** A switch has none. */
  readonly value?: string;
  readonly isDefault: boolean;
}

/** What is off or left out has no flag, nor has what means nothing without a switch that is off. */
export function typedSettings(settings: Partial<StoredSettings>, table: SettingsTable = settingsTable): TypedSetting[] {
  return flagSettings(table).flatMap(([name, setting]) => {
    const { group, kind, stored = "", default: usual, onlyWith } = setting;
    if (onlyWith !== undefined && valueAt(settings, table[onlyWith].stored ?? "") !== true) return [];
    const value = valueAt(settings, stored);
    const isDefault = JSON.stringify(value) === JSON.stringify(usual);
    const described = { group, flag: flagOf(name, setting), isDefault };
    // Where two settings share a place, the value is of the type of one of them.
    if (kind.type === "boolean") return typeof value === "boolean" && value !== (usual === true) ? [described] : [];
    if (kind.type === "list") {
      return Array.isArray(value) ? value.map((each) => ({ ...described, value: String(each) })) : [];
    }
    return value === undefined || value === null ? [] : [{ ...described, value: kind.write(value) }];
  });
}
