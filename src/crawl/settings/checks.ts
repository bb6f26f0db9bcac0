/** Checks that a kind of value cannot make: known orders, the syntax of patterns, addresses and proxies. */
import { quoted, UsageError } from "../../base/index.ts";
import { parseResolveRule, proxySettings } from "../../fetch/index.ts";
import { checkOrder } from "../../order/index.ts";
import { Scope } from "../../web/index.ts";
import { type Kind, NONE } from "./kinds.ts";
import { canonicalHost, productToken } from "./network.ts";
import type { Setting } from "./setting.ts";
import type { CrawlOptions, Limits } from "./settings.ts";
import { settingsTable } from "./table.ts";

type Checks = { readonly [Name in keyof CrawlOptions]?: (value: NonNullable<CrawlOptions[Name]>) => void };

const CHECKS: Checks = {
  order: (order) => {
    if (order === "optimal") {
      throw new UsageError("the order optimal knows the true ranks, which only a simulation can; use rankmass");
    }
    checkOrder(order, { hasHosts: true });
  },
  include: (include) => void new Scope({ kind: "any", seeds: [], include }),
  exclude: (exclude) => void new Scope({ kind: "any", seeds: [], exclude }),
  userAgent: productToken,
  allowPrivateHost: (names) => names.forEach(canonicalHost),
  resolve: (rules) => rules.forEach(parseResolveRule),
  proxy: (proxy) => {
    if (proxy !== NONE) proxySettings(proxy, {});
  },
};

/** Of a value that its kind has read. Throws a `UsageError` that says what is wrong. */
export function checkValue(name: string, value: unknown): void {
  const check = (CHECKS as Readonly<Record<string, ((value: unknown) => void) | undefined>>)[name];
  check?.(value);
}

const LIMITS = new Map(
  Object.values<Setting>(settingsTable).flatMap(({ kind, stored = "" }) => {
    const [part, name = ""] = stored.split(".");
    return part === "limits" ? [[name, kind] as const] : [];
  }),
);

export const limitNames = [...LIMITS.keys()] as readonly (keyof Limits)[];

/** New limits of a running crawl, without those that are undefined. Throws a `UsageError` if one makes no sense. */
export function checkedLimits(limits: Limits): Limits {
  const checked: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value === undefined) continue;
    const kind = LIMITS.get(name);
    if (kind === undefined) {
      throw new UsageError(`there is no limit ${quoted(name)}, expected ${limitNames.join(", ")}`);
    }
    if (typeof value !== "number" || !accepts(kind, value)) {
      const expected = kind.unit === undefined ? kind.expected : `${kind.unit} above 0`;
      throw new UsageError(`the limit ${name} is ${quoted(String(value))}, expected ${expected}, or leave it out`);
    }
    checked[name] = value;
  }
  return checked;
}

/** Infinity is refused: here, leaving out a limit means none. */
function accepts(kind: Kind<unknown>, value: number): boolean {
  try {
    return kind.read(value) !== Number.POSITIVE_INFINITY;
  } catch {
    return false;
  }
}
