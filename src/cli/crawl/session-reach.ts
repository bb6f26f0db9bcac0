/** Where a session goes, in words without any value; and what of it goes nowhere, because no seed is there. */
import { counted } from "../../base/index.ts";
import type { StoredSettings } from "../../crawl/index.ts";
import type { GivenCookie, OriginHeaders, SessionOptions } from "../../fetch/index.ts";
import { Scope } from "../../web/index.ts";
import { originsFor, SESSION_FLAGS } from "./session.ts";

export interface SessionReach {
  readonly described: readonly string[];
  /** What goes nowhere: to be told before the crawl begins. */
  readonly notes: readonly string[];
}

type Reached = Pick<StoredSettings, "seeds" | "sitemap" | "web">;

export function sessionReach(
  { headers = [], cookies = [], credentials = [] }: SessionOptions,
  settings: Reached,
): SessionReach {
  // Seeds may be a million.
  if (cookies.length === 0 && credentials.length === 0) return { described: headersInWords(headers), notes: [] };
  const places = new Places(settings);
  const origins = credentials.map(({ origin }) => origin);
  const reached = origins.filter((origin) => places.hasOrigin(origin));
  const unreached = origins.filter((origin) => !places.hasOrigin(origin));
  const unsent = reached.filter((origin) => places.isPlain(origin, origins));
  const sent = cookies.filter((cookie) => places.hasCookie(cookie));
  const others = cookies.length - sent.length;
  return {
    described: [
      ...headersInWords(headers),
      ...(sent.length === 0 ? [] : [cookiesInWords(sent)]),
      ...(others === 0 ? [] : [`${counted(others, "cookie")} of hosts where no seed is`]),
      ...(reached.length === 0 ? [] : [`credentials for ${some(reached)}`]),
      ...(unreached.length === 0 ? [] : [`credentials for ${some(unreached)}, where no seed is`]),
    ],
    notes: [
      ...(unreached.length === 0
        ? []
        : [
            `${SESSION_FLAGS.credentials} names ${some(unreached)}, but no seed is there: they are used only if ` +
              "one leads there",
          ]),
      ...(unsent.length === 0
        ? []
        : [
            `${SESSION_FLAGS.credentials} names ${some(unsent)}, but the seed is at http: they are used only if it ` +
              "leads to https. Begin the line with http:// to send them unencrypted",
          ]),
      // The cookies of a whole browser are given for the few that a crawl needs.
      ...(cookies.length === 0 || sent.length > 0
        ? []
        : [
            `${SESSION_FLAGS.cookies} has ${cookiesInWords(cookies)}, but no seed is there: they are used only ` +
              "if one leads there",
          ]),
    ],
  };
}

/** Where requests may go: to the hosts of seeds and sitemaps, and to others of a scope that is wider than hosts. */
class Places {
  readonly #seeds: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  /** The hosts, and the domains above them. */
  readonly #domains: ReadonlySet<string>;
  readonly #wide: Scope | undefined;

  constructor({ seeds, sitemap = [], web }: Reached) {
    // Where seeds have led in earlier runs is part of the scope.
    const urls = [...seeds.map(({ url }) => url), ...sitemap, ...web.scope.seeds];
    this.#seeds = new Set(urls.map((url) => new URL(url).origin));
    this.#origins = new Set(urls.flatMap(originsFor));
    this.#hosts = new Set(urls.map((url) => new URL(url).hostname));
    this.#domains = new Set([...this.#hosts].flatMap(withDomains));
    const { kind } = web.scope;
    this.#wide = kind === "domain" || kind === "any" ? new Scope({ kind, seeds: web.scope.seeds }) : undefined;
  }

  hasOrigin(origin: string): boolean {
    return this.#origins.has(origin) || this.#wide?.contains(`${origin}/`) === true;
  }

  /** Whether seeds are at the host of this origin, all of them with http, and credentials are for its https alone. */
  isPlain(origin: string, origins: readonly string[]): boolean {
    const plain = origin.replace(/^https:/, "http:");
    return this.#seeds.has(plain) && !this.#seeds.has(origin) && !origins.includes(plain);
  }

  hasCookie({ domain, hostOnly }: GivenCookie): boolean {
    const isSeed = (hostOnly ? this.#hosts : this.#domains).has(domain);
    return isSeed || this.#wide?.contains(`https://${domain}/`) === true;
  }
}

/** "www.a.example", "a.example", "example". */
function withDomains(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, k) => labels.slice(k).join("."));
}

function cookiesInWords(cookies: readonly GivenCookie[]): string {
  return `${counted(cookies.length, "cookie")} of ${some([...new Set(cookies.map(({ domain }) => domain))])}`;
}

/** Origins that get the same are named together. */
function headersInWords(headers: readonly OriginHeaders[]): string[] {
  const origins = new Map<string, string[]>();
  for (const { origin, headers: given } of headers) {
    const names = [...new Set(given.map(([name]) => name))].join(", ");
    origins.set(names, [...(origins.get(names) ?? []), origin]);
  }
  return Array.from(origins, ([names, which]) => `headers ${names} to ${some(which)}`);
}

const NAMED_MAX = 3;

function some(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
