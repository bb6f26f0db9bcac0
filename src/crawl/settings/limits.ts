/** Limits that came from somewhere while a crawl runs: whether they make sense. */
import { quoted, UsageError } from "../../base/index.ts";
import type { Kind } from "./kinds.ts";
import type { Setting } from "./setting.ts";
import type { Limits } from "./settings.ts";
import { settingsTable } from "./table.ts";

const KINDS = new Map(
  Object.values<Setting>(settingsTable).flatMap(({ kind, stored = "" }) => {
    const [part, name = ""] = stored.split(".");
    return part === "limits" ? [[name, kind] as const] : [];
  }),
);

export const limitNames = [...KINDS.keys()] as readonly (keyof Limits)[];

/** Without those that are undefined; the user is told of what is wrong with them. */
export function checkedLimits(limits: Limits): Limits {
  const checked: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value === undefined) continue;
    const kind = KINDS.get(name);
    if (kind === undefined) {
      throw new UsageError(`there is no limit ${quoted(name)}, expected ${limitNames.join(", ")}`);
    }
    if (typeof value !== "number" || !accepts(kind, value)) {
      const expected = kind.unit === undefined ? kind.expected : `${kind.unit} above 0`;
      throw new UsageError(
        `the limit ${name} is ${quoted(String(value))}, expected ${expected}, or leave it out`,
      );
    }
    checked[name] = value;
  }
  return checked;
}

/** None is said here by leaving a limit out. */
function accepts(kind: Kind<unknown>, value: number): boolean {
  try {
    return kind.read(value) !== Number.POSITIVE_INFINITY;
  } catch {
    return false;
  }
}
