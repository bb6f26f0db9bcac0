/**
 * One name, asked of the name servers: all of its IPv4 and IPv6 addresses, and how long they hold.
 *
 * Each try is a resolver (c-ares) of its own. One that is shared would fit its time-outs to how fast the server answers
 * on average, and forget a question once it has repeated it, so that a slow name would never be found beside quick
 * ones. Here the answer to any try counts, however late within the time limit. The library also asks again over TCP if
 * an answer was truncated, follows aliases (the TTL is the least of the chain), and appends no search domain.
 */
import { type RecordWithTtl, Resolver } from "node:dns";
import { codeOf, NO_ADDRESS } from "./named-failure.ts";

/** When a question is asked: a lost packet costs a second, and a server that is only slow is not asked much more. */
const TRIES_AT_MS: readonly number[] = [0, 1_000, 3_000];
const LOOKUP_MS = 12_000;
/** How long the addresses of one family wait for those of the other; some servers never answer for IPv6. */
const OTHER_FAMILY_MS = 500;

export interface DnsAnswer {
  readonly addresses: readonly string[];
  readonly ttlMs: number;
}

type Asked = (error: Error | null, records?: readonly RecordWithTtl[]) => void;

/** What is known about the addresses of one family; undefined while nothing is. */
type Outcome = readonly RecordWithTtl[] | Error | undefined;

export class DnsQuery {
  readonly #name: string;
  readonly #servers: readonly string[];
  readonly #done: (outcome: DnsAnswer | Error) => void;
  readonly #tries: Resolver[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #outcomes: [four: Outcome, six: Outcome] = [undefined, undefined];
  #isOver = false;

  /** `servers` as `dns.setServers` takes them; none: those of the machine. `done` is called once. */
  constructor(name: string, servers: readonly string[], done: (outcome: DnsAnswer | Error) => void) {
    this.#name = name;
    this.#servers = servers;
    this.#done = done;
  }

  start(): void {
    for (const atMs of TRIES_AT_MS) {
      if (atMs === 0) this.#try();
      else this.#after(atMs, () => this.#try());
    }
    this.#after(LOOKUP_MS, () => {
      for (const family of [0, 1] as const) this.#outcomes[family] ??= timedOut(this.#name);
      this.#finish();
    });
  }

  /** Ends it with an error, if it has not ended. */
  cancel(): void {
    this.#outcomes.fill(Object.assign(new Error("the lookup was cancelled"), { code: "ECANCELLED" }));
    this.#finish();
  }

  #try(): void {
    if (this.#isOver) return;
    const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 1 });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    this.#tries.push(resolver);
    if (this.#outcomes[0] === undefined) resolver.resolve4(this.#name, { ttl: true }, this.#asked(0));
    if (this.#outcomes[1] === undefined) resolver.resolve6(this.#name, { ttl: true }, this.#asked(1));
  }

  #asked(family: 0 | 1): Asked {
    return (error, records = []) => {
      if (this.#isOver || this.#outcomes[family] !== undefined) return;
      // Another try may still be answered.
      if (error !== null && codeOf(error) === "ETIMEOUT") return;
      this.#outcomes[family] = error ?? records;
      const other = this.#outcomes[1 - family];
      if (other !== undefined) this.#finish();
      else if (error === null) this.#after(OTHER_FAMILY_MS, () => this.#finish());
    };
  }

  #after(delayMs: number, act: () => void): void {
    this.#timers.push(setTimeout(act, delayMs));
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const resolver of this.#tries) resolver.cancel();
    this.#done(joined(this.#outcomes));
  }
}

/** Addresses of any family count; a name has none only if both families say so. */
function joined(outcomes: readonly Outcome[]): DnsAnswer | Error {
  const [four, six] = outcomes.map((outcome) => (outcome instanceof Error ? [] : (outcome ?? [])));
  const records = alternating(four, six);
  if (records.length > 0) {
    const ttlMs = 1000 * Math.min(...records.map(({ ttl }) => ttl));
    return { addresses: records.map(({ address }) => address), ttlMs };
  }
  const errors = outcomes.filter((outcome) => outcome instanceof Error);
  return errors.find((error) => !NO_ADDRESS.has(codeOf(error))) ?? errors[0] ?? new Error("no answer");
}

/** Only the first few addresses are tried, so both families must be among them. IPv4 first: every server has it. */
function alternating<T>(first: readonly T[], second: readonly T[]): T[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, k) => [first[k], second[k]].filter((each) => each !== undefined)).flat() as T[];
}

function timedOut(name: string): Error {
  return Object.assign(new Error(`no name server answered for ${name} within ${LOOKUP_MS} ms`), { code: "ETIMEOUT" });
}
