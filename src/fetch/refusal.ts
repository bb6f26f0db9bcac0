/**
 * Whether a URL would be asked at all, found out without asking it: by the rules, proxies, names and guard of the fetcher itself. What
 * is refused here would be refused there.
 */
import { systemClock } from "../base/index.ts";
import type { FailureName } from "./failures.ts";
import { NamedFailure } from "./named-failure.ts";
import type { HttpFetcherOptions } from "./options.ts";
import { proxyFor } from "./proxies.ts";
import { portOf, Resolver, systemLookup } from "./resolver.ts";

export interface Refusal {
  readonly failure: FailureName;
  /** For people. */
  readonly message: string;
}

export type RefusalOptions = Pick<
  HttpFetcherOptions,
  "allowPrivate" | "resolve" | "proxy" | "lookup" | "clock"
>;

/** Answers what tells why a URL would not be asked; null: it would be. Names are looked up once. */
export function createRefusals(options: RefusalOptions): (url: URL) => Promise<Refusal | null> {
  const { lookup = systemLookup, clock = systemClock } = options;
  const resolver = new Resolver(lookup, clock, options);
  return (url) => {
    // A proxy finds the address by itself.
    if (proxyFor(options.proxy, url) !== null) return Promise.resolve(resolver.refusal(url.hostname));
    return new Promise((resolve) => {
      resolver.resolve(url.hostname, portOf(url), (place) => {
        resolve(place instanceof NamedFailure ? place : null);
      });
    });
  };
}
