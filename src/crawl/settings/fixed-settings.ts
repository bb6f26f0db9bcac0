/** Whether a crawl that is resumed is still the crawl that was begun: what defines the web that is measured cannot change. */
import { UsageError } from "../../base/index.ts";
import { valueAt } from "./paths.ts";
import { flagOf, type Setting, type SettingsTable } from "./setting.ts";
import type { StoredSettings } from "./settings.ts";

export function expectSameWeb(before: StoredSettings, now: StoredSettings, table: SettingsTable): void {
  const changes = Object.entries(table).flatMap(([name, setting]) => {
    if (setting.isFixed !== true) return [];
    const [then, wanted] = [before, now].map((each) => inWords(setting, each));
    const label = setting.givenBy === "nobody" ? name : flagOf(name, setting);
    return then === wanted ? [] : [`${label} ${then}, now ${wanted}`];
  });
  if (changes.length === 0) return;
  throw new UsageError(
    `this crawl was begun with ${changes.join("; ")}; ` +
      "what counts as its web cannot change: resume with the same, or begin another directory",
  );
}

function inWords({ kind, stored = "", default: usual }: Setting, settings: StoredSettings): string {
  const value = valueAt(settings, stored);
  if (kind.type === "boolean") return (value ?? false) === (usual === true) ? "off" : "on";
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
  return kind.write(value);
}
