/**
 * Where the addresses of names come from (`--dns`).
 *
 *     direct      the name servers of the machine, asked without the system's library: hundreds of names at once
 *     HOST:PORT   this name server instead
 *     system      the system's own look-up, which also knows names of mDNS, VPNs and other sources, four at a time
 *
 * In the first two, the hosts file goes first; `localhost` is this machine and nothing below `invalid` exists (RFC
 * 6761), whatever a name server says.
 */
import dns, { type LookupAddress } from "node:dns";
import { isIPv6 } from "node:net";
import type { Clock } from "../base/index.ts";
import { DnsQuery } from "./dns-query.ts";
import { HostsFile, systemHostsPath } from "./hosts-file.ts";
import type { HttpFetcherOptions, Lookup } from "./options.ts";

/** Names that are asked for at the same time; further ones wait. */
const AT_ONCE_MAX = 500;
const HOSTS_FILE_MS = 10_000;
const LOOPBACK: readonly string[] = ["127.0.0.1", "::1"];

/** A source of addresses. */
export interface NameLookup {
  readonly lookup: Lookup;
  /** Ends everything under way with an error. */
  close(): void;
}

export function nameLookup(
  { dns: source = "direct", lookup }: Pick<HttpFetcherOptions, "dns" | "lookup">,
  clock: Clock,
): NameLookup {
  if (lookup !== undefined || source === "system") return { lookup: lookup ?? systemLookup, close: () => {} };
  const servers = source === "direct" ? [] : [source];
  return new DnsLookup({ servers, hosts: new HostsFile(systemHostsPath(), clock) });
}

/** `dns.lookup` runs in Node's thread pool, whose size UV_THREADPOOL_SIZE sets. */
const systemLookup: Lookup = (host, done) => {
  dns.lookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []));
};

export interface DnsLookupOptions {
  readonly servers: readonly string[];
  readonly hosts: HostsFile;
  readonly atOnceMax?: number;
}

export class DnsLookup implements NameLookup {
  readonly #options: DnsLookupOptions;
  readonly #atOnceMax: number;
  readonly #underWay = new Set<DnsQuery>();
  readonly #waiting = new Set<DnsQuery>();

  constructor(options: DnsLookupOptions) {
    this.#options = options;
    this.#atOnceMax = options.atOnceMax ?? AT_ONCE_MAX;
  }

  readonly lookup: Lookup = (host, done) => {
    const name = host.replace(/\.$/, "").toLowerCase();
    const own = this.#options.hosts.addressesOf(name);
    if (own.length > 0) return done(null, own.map(withFamily), HOSTS_FILE_MS);
    if (/^(?:.+\.)?localhost$/.test(name)) return done(null, LOOPBACK.map(withFamily));
    if (/^(?:.+\.)?invalid$/.test(name)) return done(notFound(name), []);
    const query = new DnsQuery(name, this.#options.servers, (outcome) => {
      this.#underWay.delete(query);
      this.#waiting.delete(query);
      this.#startNext();
      if (outcome instanceof Error) done(outcome, []);
      else done(null, outcome.addresses.map(withFamily), outcome.ttlMs);
    });
    this.#waiting.add(query);
    this.#startNext();
  };

  close(): void {
    for (const query of [...this.#waiting, ...this.#underWay]) query.cancel();
  }

  #startNext(): void {
    for (const query of this.#waiting) {
      if (this.#underWay.size >= this.#atOnceMax) return;
      this.#waiting.delete(query);
      this.#underWay.add(query);
      query.start();
    }
  }
}

function withFamily(address: string): LookupAddress {
  return { address, family: isIPv6(address) ? 6 : 4 };
}

function notFound(name: string): Error {
  return Object.assign(new Error(`there is no ${name}`), { code: "ENOTFOUND" });
}
