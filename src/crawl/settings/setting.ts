/** A row of the table of settings, and what follows from it: flag, key in a config file, default in words. */
import type { Kind } from "./kinds.ts";

export type Group = "what" | "limits" | "politeness" | "output" | "network";

/** In the order in which help and docs show them. */
export const groupHeadings: Readonly<Record<Group, string>> = {
  what: "What to crawl",
  limits: "Limits",
  politeness: "Politeness",
  output: "Output",
  network: "Network and threads",
};

export interface Setting {
  readonly group: Group;
  readonly kind: Kind<unknown>;
  /** What it does or is, in the imperative or as a noun. */
  readonly help: string;
  readonly default?: unknown;
  /** The default in words, where it is no value of its own. */
  readonly defaultInWords?: string;
  /** Its place in the settings that a directory stores ("limits.pages"). Without one, it holds for one run only. */
  readonly stored?: string;
  /** The switch without which it means nothing. */
  readonly onlyWith?: string;
  /**
   * Who may give it. Default: the command and the library. `document`: the config file and the library, because it does
   * not fit into a flag. Else only the command, its arguments, or nobody.
   */
  readonly givenBy?: "document" | "arguments" | "command" | "nobody";
}

/** Without its group, which the table gives to many rows at once. */
export type Row = Omit<Setting, "group">;

/** Settings by their names, which are the names of the library's options. */
export type SettingsTable = Readonly<Record<string, Setting>>;

/** "--max-pages"; of a switch that is on by default, what turns it off: "--no-sitemaps". */
export function flagOf(name: string, { default: usual }: Setting): string {
  return `--${usual === true ? "no-" : ""}${keyOf(name)}`;
}

/** "--max-pages <n>". */
export function flagWords(name: string, setting: Setting): string {
  const { placeholder } = setting.kind;
  return `${flagOf(name, setting)}${placeholder === "" ? "" : ` <${placeholder}>`}`;
}

/** What a flag does; a flag that turns something off does the opposite of its setting. */
export function flagHelp({ default: usual, help }: Setting): string {
  return usual === true ? `do not ${help}` : help;
}

/** The key in a config file: "max-pages". Other spellings of it are keys too: "maxPages", "max_pages". */
export function keyOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

/** Undefined if there is nothing to say: a switch that is off, an empty list. */
export function defaultInWords({ kind, default: usual, defaultInWords: words }: Setting): string | undefined {
  if (words !== undefined) return words;
  const isSilent = usual === undefined || usual === null || ["boolean", "list", "object"].includes(kind.type);
  return isSilent ? undefined : kind.write(usual);
}

/** Whether it defines the measured web, so that it cannot change once a crawl has begun. */
export function isFixed({ stored }: Setting): boolean {
  return stored?.startsWith("web.") === true;
}

export function givenNames(table: SettingsTable): string[] {
  return Object.keys(table).filter((name) => table[name].givenBy !== "nobody");
}

export function flagSettings(table: SettingsTable): (readonly [name: string, setting: Setting])[] {
  return Object.entries(table).filter(([, { givenBy }]) => givenBy === undefined || givenBy === "command");
}
