/**
 * From a host to the addresses that may be asked, or to the reason why none may: the guard at the door.
 *
 * A public crawl must not be led into private networks, be it by an address in a URL, by a name that resolves to one, or by a name that
 * resolves to another address the second time (rebinding). So the name is resolved here, once; if any of its addresses is special the host is
 * refused, and connections are made to exactly the addresses that were judged. Every request passes here, each hop of a redirect
 * too.
 *
 * Names are kept for ten minutes, failures for half a minute, at most 100,000 names: the oldest goes first. One lookup a name is under
 * way at a time, whoever else asks meanwhile waits for it.
 */
import dns from "node:dns";
import { isIPv6 } from "node:net";
import { type Clock, quoted } from "../base/index.ts";
import { isLocalName, literalAddress, specialAddressIn } from "../web/index.ts";
import { NamedFailure, resolveFailureOf } from "./named-failure.ts";
import type { HttpFetcherOptions, Lookup } from "./options.ts";
import { hostMatches, type ResolveRule, ruleFor } from "./resolve-rules.ts";

const NAMES_MAX = 100_000;
const FOUND_MS = 600_000;
const FAILED_MS = 30_000;
/** Of these a connection tries one after the other; some names have dozens. */
const ADDRESSES_MAX = 4;

/** `dns.lookup`, so that /etc/hosts and the like hold. It works in Node's thread pool: UV_THREADPOOL_SIZE bounds how many at once. */
export const systemLookup: Lookup = (host, done) => {
  dns.lookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []));
};

/** The port that a URL means. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Where to connect: the addresses judged, in the resolver's order. */
export interface Place {
  readonly addresses: readonly string[];
  readonly port: number;
}

export type Resolved = (place: Place | NamedFailure) => void;

interface Name {
  outcome: readonly string[] | NamedFailure | null;
  validUntilMs: number;
  waiting: ((outcome: readonly string[] | NamedFailure) => void)[];
}

export class Resolver {
  readonly #names = new Map<string, Name>();
  readonly #lookup: Lookup;
  readonly #clock: Clock;
  readonly #rules: readonly ResolveRule[];
  readonly #allowPrivate: boolean | readonly string[];
  readonly #namesMax: number;

  constructor(
    lookup: Lookup,
    clock: Clock,
    { resolve = [], allowPrivate = false }: Pick<HttpFetcherOptions, "resolve" | "allowPrivate">,
    namesMax = NAMES_MAX,
  ) {
    this.#lookup = lookup;
    this.#clock = clock;
    this.#rules = resolve;
    this.#allowPrivate = allowPrivate;
    this.#namesMax = namesMax;
  }

  /** How many names are kept. */
  get size(): number {
    return this.#names.size;
  }

  /** Calls back at once where the answer is known. */
  resolve(host: string, port: number, done: Resolved): void {
    const rule = ruleFor(this.#rules, host, port);
    if (rule !== undefined) return done(this.#judged(host, [rule.address], rule.toPort ?? port));
    const literal = literalAddress(host);
    if (literal !== null) return done(this.#judged(host, [literal], port));
    if (isLocalName(host) && !this.#mayBePrivate(host)) return done(refused(host, host));
    this.#addressesOf(host, (outcome) => {
      done(outcome instanceof NamedFailure ? outcome : this.#judged(host, outcome, port));
    });
  }

  /** For a proxy, which resolves names by itself: what can be judged without asking for an address. */
  refusal(host: string): NamedFailure | null {
    const literal = literalAddress(host);
    const local = literal === null ? isLocalName(host) : specialAddressIn([literal]) !== null;
    return local && !this.#mayBePrivate(host) ? refused(host, literal ?? host) : null;
  }

  #judged(host: string, addresses: readonly string[], port: number): Place | NamedFailure {
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

  #addressesOf(host: string, done: (outcome: readonly string[] | NamedFailure) => void): void {
    const known = this.#names.get(host);
    if (known !== undefined && known.outcome === null) return void known.waiting.push(done);
    if (known?.outcome != null && known.validUntilMs > this.#clock.nowMs()) return done(known.outcome);
    const name: Name = { outcome: null, validUntilMs: 0, waiting: [done] };
    this.#names.delete(host);
    this.#names.set(host, name);
    this.#forgetOldest();
    this.#ask(host, (outcome) => {
      if (name.outcome !== null) return;
      name.outcome = outcome;
      name.validUntilMs = this.#clock.nowMs() + (outcome instanceof NamedFailure ? FAILED_MS : FOUND_MS);
      const { waiting } = name;
      name.waiting = [];
      for (const waiter of waiting) waiter(outcome);
    });
  }

  #ask(host: string, done: (outcome: readonly string[] | NamedFailure) => void): void {
    try {
      this.#lookup(host, (error, found) => {
        if (error !== null) done(resolveFailureOf(error));
        else if (found.length === 0)
          done(new NamedFailure("host-not-found", `${quoted(host)} has no address`));
        else done(found.map(({ address }) => address));
      });
    } catch (error) {
      done(resolveFailureOf(error instanceof Error ? error : new Error(String(error))));
    }
  }

  /** A lookup under way that is forgotten still answers those who wait for it. */
  #forgetOldest(): void {
    for (const host of this.#names.keys()) {
      if (this.#names.size <= this.#namesMax) return;
      this.#names.delete(host);
    }
  }
}

/** As many addresses as a connection tries, families in turn left to the resolver's order. */
export function familyList(addresses: readonly string[]): { address: string; family: 4 | 6 }[] {
  return addresses.slice(0, ADDRESSES_MAX).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

function refused(host: string, address: string): NamedFailure {
  const leads = address === host ? "is no public address" : `leads to ${address}, which is no public address`;
  return new NamedFailure("address-refused", `${host} ${leads}; for hosts of one's own: --allow-private`);
}
