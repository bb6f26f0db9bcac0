/** The settings of a command together with those of `--config FILE`. */
import type { CommandOptions } from "../../crawl/index.ts";
import type { SettingsTable } from "../../crawl/settings/index.ts";

const SEED_SOURCES: readonly (keyof CommandOptions)[] = ["urls", "seedFile", "trust", "normaliseTrust"];

/** Flags win over the config file. Seeds come from one of the two, never from both. `table`: what the command has. */
export async function configured(
  given: CommandOptions,
  table?: SettingsTable,
): Promise<{ readonly options: CommandOptions; readonly notes: readonly string[] }> {
  if (given.config === undefined) return { options: given, notes: [] };
  const { readConfig } = await import("../input/config-file.ts");
  const config = { ...readConfig(given.config, table) };
  const notes = await notesOn(given.config, config);
  const namesSeeds = SEED_SOURCES.some((name) => given[name] !== undefined);
  if (namesSeeds) for (const name of SEED_SOURCES) delete config[name];
  return { options: { ...config, ...given }, notes };
}

/** A config file with headers, or with the user of a proxy, may have secrets, which others should not read. */
async function notesOn(path: string, { header, hosts = {}, proxy }: CommandOptions): Promise<readonly string[]> {
  const hasHeaders = header !== undefined || Object.values(hosts).some((rule) => rule.header !== undefined);
  if (!hasHeaders && proxy?.includes("@") !== true) return [];
  const { openSecret } = await import("./session.ts");
  const note = openSecret(path);
  return note === undefined ? [] : [note];
}
