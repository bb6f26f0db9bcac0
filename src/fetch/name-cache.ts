/**
 * The addresses of names, kept as long as their TTL says, an hour at most; failures for half a minute; at most 100,000
 * names, the oldest dropped first. There is one lookup per name at a time; whoever wants the name meanwhile waits for
 * it.
 *
 * A name may be looked up ahead of a request (`reserve`), so that the request need not wait. The outcome then serves
 * this one request even if its TTL, which may be 0, has passed.
 */
import { type Clock, dropOldest, quoted } from "../base/index.ts";
import { specialAddressIn } from "../web/index.ts";
import { NamedFailure, resolveFailureOf } from "./named-failure.ts";
import type { Lookup } from "./options.ts";

const NAMES_MAX = 100_000;
/** How many addresses a connection tries, one after another; some names have dozens. */
export const ADDRESSES_MAX = 4;
/** Where the lookup does not say. */
const FOUND_MS = 600_000;
const FOUND_MS_MAX = 3_600_000;
const FAILED_MS = 30_000;
/** How late the request may be for which a name was looked up. */
const RESERVED_MS = 60_000;

export type Addresses = readonly string[] | NamedFailure;

type Found = (addresses: Addresses, name: Name) => void;

interface Name {
  /** Null while it is looked up. */
  addresses: Addresses | null;
  validUntilMs: number;
  reservedUntilMs: number;
  waiting: Found[];
}

export class NameCache {
  readonly #names = new Map<string, Name>();
  readonly #lookup: Lookup;
  readonly #clock: Clock;
  readonly #namesMax: number;

  constructor(lookup: Lookup, clock: Clock, namesMax: number = NAMES_MAX) {
    this.#lookup = lookup;
    this.#clock = clock;
    this.#namesMax = namesMax;
  }

  get size(): number {
    return this.#names.size;
  }

  /** The addresses for a request that is made now; calls back immediately if they are known. */
  use(host: string, done: (addresses: Addresses) => void): void {
    const name = this.#names.get(host);
    const isReserved = name !== undefined && name.reservedUntilMs > this.#clock.nowMs();
    if (!isReserved || name.addresses === null) return this.#find(host, done);
    name.reservedUntilMs = 0;
    done(name.addresses);
  }

  /** Looks a name up for the next request. Calls back with how long the outcome may be used, be it a failure. */
  reserve(host: string, done: (validForMs: number) => void): void {
    this.#find(host, (_, name) => {
      const nowMs = this.#clock.nowMs();
      name.reservedUntilMs = nowMs + RESERVED_MS;
      done(Math.max(0, name.validUntilMs - nowMs));
    });
  }

  #find(host: string, done: Found): void {
    const known = this.#names.get(host);
    if (known !== undefined && known.addresses === null) return void known.waiting.push(done);
    if (known?.addresses != null && known.validUntilMs > this.#clock.nowMs()) return done(known.addresses, known);
    const name: Name = { addresses: null, validUntilMs: 0, reservedUntilMs: 0, waiting: [done] };
    this.#names.delete(host);
    this.#names.set(host, name);
    // A dropped lookup that is still running serves those who wait for it.
    dropOldest(this.#names, this.#namesMax);
    this.#look(host, (addresses, forMs) => {
      if (name.addresses !== null) return;
      name.addresses = addresses;
      name.validUntilMs = this.#clock.nowMs() + forMs;
      const { waiting } = name;
      name.waiting = [];
      for (const waiter of waiting) waiter(addresses, name);
    });
  }

  #look(host: string, done: (addresses: Addresses, forMs: number) => void): void {
    const fail = (failure: NamedFailure): void => done(failure, FAILED_MS);
    try {
      this.#lookup(host, (error, found, ttlMs = FOUND_MS) => {
        if (error !== null) fail(resolveFailureOf(error));
        else if (found.length === 0) fail(new NamedFailure("host-not-found", `${quoted(host)} has no address`));
        else done(kept(found.map(({ address }) => address)), Math.min(FOUND_MS_MAX, ttlMs));
      });
    } catch (error) {
      fail(resolveFailureOf(error instanceof Error ? error : new Error(String(error))));
    }
  }
}

/** Those that will be tried, and one that forbids the host, if there is one: a name may have hundreds. */
function kept(addresses: readonly string[]): readonly string[] {
  const special = specialAddressIn(addresses);
  const first = addresses.slice(0, ADDRESSES_MAX);
  return special === null || first.includes(special) ? first : [...first, special];
}
