/**
 * Resolves a host to the addresses that may be used, or to the reason why none may: the guard.
 *
 * A public crawl must not be led into private networks, be it by an address in a URL, by a name that resolves to one,
 * or by a name that resolves to another address the second time (rebinding). So the name is resolved here, once. If any
 * of its addresses is special, the host is forbidden, and connections are made to exactly the addresses that were
 * checked. Every request passes here, and so does each hop of a redirect.
 */
import { isIPv6, isIP } from "node:net";
import { type Clock, systemClock, UsageError } from "../base/index.ts";
import { isLocalName, literalAddress, specialAddressIn } from "../web/index.ts";
import type { FailureName } from "./contract.ts";
import { ADDRESSES_MAX, NameCache } from "./name-cache.ts";
import { nameLookup } from "./name-lookup.ts";
import { NamedFailure } from "./named-failure.ts";
import type { HttpFetcherOptions, Lookup, ResolveRule } from "./options.ts";
import { proxiesFor } from "./proxies.ts";

/** The port of a URL. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Where to connect: the checked addresses, in the order of the resolver. */
export interface Endpoint {
  readonly addresses: readonly string[];
  readonly port: number;
}

export type Resolved = (place: Endpoint | NamedFailure) => void;

export class Resolver {
  readonly #names: NameCache;
  readonly #rules: readonly ResolveRule[];
  readonly #allowPrivate: boolean | readonly string[];

  constructor(
    lookup: Lookup,
    clock: Clock,
    { resolve = [], allowPrivate = false }: Pick<HttpFetcherOptions, "resolve" | "allowPrivate">,
    namesMax?: number,
  ) {
    this.#names = new NameCache(lookup, clock, namesMax);
    this.#rules = resolve;
    this.#allowPrivate = allowPrivate;
  }

  /** How many names are cached. */
  get size(): number {
    return this.#names.size;
  }

  /** Calls back immediately if the result is known. */
  resolve(host: string, port: number, done: Resolved): void {
    const rule = ruleFor(this.#rules, host, port);
    if (rule !== undefined) return done(this.#checked(host, [rule.address], rule.toPort ?? port));
    const literal = literalAddress(host);
    if (literal !== null) return done(this.#checked(host, [literal], port));
    if (isLocalName(host) && !this.#mayBePrivate(host)) return done(refused(host, host));
    // What is cached is checked like anything else: at every use.
    this.#names.use(host, (found) => {
      done(found instanceof NamedFailure ? found : this.#checked(host, found, port));
    });
  }

  /** Looks up a host for the request to come. Calls back with how long the outcome may be used, whatever it is. */
  prepare(host: string, port: number, done: (validForMs: number) => void): void {
    const isLocal = isLocalName(host) && !this.#mayBePrivate(host);
    if (isLocal || literalAddress(host) !== null || ruleFor(this.#rules, host, port) !== undefined) {
      return done(Number.POSITIVE_INFINITY);
    }
    this.#names.reserve(host, done);
  }

  /** For a proxy, which resolves names itself: checks what can be checked without an address. */
  refusal(host: string): NamedFailure | null {
    const literal = literalAddress(host);
    const local = literal === null ? isLocalName(host) : specialAddressIn([literal]) !== null;
    return local && !this.#mayBePrivate(host) ? refused(host, literal ?? host) : null;
  }

  #checked(host: string, addresses: readonly string[], port: number): Endpoint | NamedFailure {
    const special = specialAddressIn(addresses);
    if (special !== null && !this.#mayBePrivate(host)) return refused(host, special);
    return { addresses, port };
  }

  #mayBePrivate(host: string): boolean {
    const allowed = this.#allowPrivate;
    if (typeof allowed === "boolean") return allowed;
    const plain = host.replace(/^\[(.*)\]$/, "$1");
    return allowed.some((pattern) => hostMatches(pattern, host) || pattern === plain);
  }
}

export interface Refusal {
  readonly failure: FailureName;
  /** A message for people. */
  readonly message: string;
}

/**
 * Returns a function that tells why a URL would be refused, by the rules, proxies and guard of the fetcher; else null.
 */
export function createRefusals(
  options: Pick<HttpFetcherOptions, "allowPrivate" | "resolve" | "proxy" | "dns" | "lookup" | "clock">,
): (url: URL) => Promise<Refusal | null> {
  const { clock = systemClock } = options;
  const resolver = new Resolver(nameLookup(options, clock).lookup, clock, options);
  return (url) => {
    // A proxy resolves the name itself.
    if (proxiesFor(options.proxy, url).length > 0) return Promise.resolve(resolver.refusal(url.hostname));
    return new Promise((resolve) => {
      resolver.resolve(url.hostname, portOf(url), (place) => {
        resolve(place instanceof NamedFailure ? place : null);
      });
    });
  };
}

/** The addresses that a connection tries, in the order of the resolver. */
export function familyList(addresses: readonly string[]): { address: string; family: 4 | 6 }[] {
  return addresses.slice(0, ADDRESSES_MAX).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

function refused(host: string, address: string): NamedFailure {
  const what = address === host ? "is not a public address" : `resolves to ${address}, which is not a public address`;
  return new NamedFailure("address-refused", `${host} ${what}; for your own hosts use --allow-private`);
}

/**
 * `--resolve`: addresses by hand, like curl's --resolve and --connect-to in one.
 *
 *     HOST:ADDRESS              every port of HOST at ADDRESS
 *     HOST:ADDRESS:TOPORT       every port of HOST at one port of ADDRESS
 *     HOST:PORT:ADDRESS         only PORT of HOST (curl's form)
 *     HOST:PORT:ADDRESS:TOPORT
 *
 * IPv6 addresses are in brackets; HOST may be "*", or "*.example.org" for all names below it. Host header, SNI and the
 * name in the certificate stay those of the URL.
 */
export function parseResolveRule(text: string): ResolveRule {
  const match = /^([^:[\]]+)(?::(\d+))?:(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text);
  const [, host = "", port, bracketed, plain = "", toPort] = match ?? [];
  const address = bracketed ?? plain;
  const family = bracketed === undefined ? 4 : 6;
  const ports = [port, toPort].map((digits) => (digits === undefined ? null : Number(digits)));
  if (isIP(address) !== family || ports.some((number) => number !== null && (number < 1 || number > 65535))) {
    throw new UsageError(
      `--resolve ${text}: expected HOST:ADDRESS, HOST:ADDRESS:PORT or HOST:PORT:ADDRESS, with an IP address ` +
        "(IPv6 in brackets), for instance www.example.org:127.0.0.1:8080",
    );
  }
  return { host: host.toLowerCase(), port: ports[0] ?? null, address, toPort: ports[1] ?? null };
}

export function ruleFor(rules: readonly ResolveRule[], host: string, port: number): ResolveRule | undefined {
  return rules.find((rule) => (rule.port === null || rule.port === port) && hostMatches(rule.host, host));
}

/** Whether a pattern (a name, "*", or "*.below.this") matches a host. */
function hostMatches(pattern: string, host: string): boolean {
  if (pattern === "*" || pattern === host) return true;
  return pattern.startsWith("*.") && host.endsWith(pattern.slice(1));
}
