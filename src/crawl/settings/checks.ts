/** Checks of values that need more than their kind knows: the orders there are, the syntax of patterns, addresses and proxies. */
import { UsageError } from "../../base/index.ts";
import { parseResolveRule, proxySettings } from "../../fetch/index.ts";
import { checkOrder } from "../../order/index.ts";
import { Scope } from "../../web/index.ts";
import { NONE } from "./kinds.ts";
import { canonicalHost, productToken } from "./network.ts";
import type { CrawlOptions } from "./settings.ts";

type Checks = { readonly [Name in keyof CrawlOptions]?: (value: NonNullable<CrawlOptions[Name]>) => void };

const CHECKS: Checks = {
  order: (order) => {
    if (order === "optimal") {
      throw new UsageError(
        "the order optimal knows the true ranks, which only a simulation can; use rankmass",
      );
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

/** Of a value that was read by its kind. Throws a `UsageError` that names the setting. */
export function checkValue(name: string, value: unknown): void {
  const check = (CHECKS as Readonly<Record<string, ((value: unknown) => void) | undefined>>)[name];
  check?.(value);
}
