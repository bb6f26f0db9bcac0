/** Settings that are kept, as the flags that one would type for them; what is off or left out has none. */
import { valueAt } from "./paths.ts";
import { flagOf, flagSettings, type Group, type SettingsTable } from "./setting.ts";
import type { StoredSettings } from "./settings.ts";
import { settingsTable } from "./table.ts";

export interface TypedSetting {
  readonly group: Group;
  readonly flag: string;
  /** A switch has none. */
  readonly value?: string;
  readonly isDefault: boolean;
}

export function typedSettings(settings: Partial<StoredSettings>, table: SettingsTable = settingsTable): TypedSetting[] {
  return flagSettings(table).flatMap(([name, setting]) => {
    const { group, kind, stored = "", default: usual } = setting;
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
