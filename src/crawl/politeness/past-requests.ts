/**
 * What a process knows of its requests when it goes on by another schedule of hosts: where hosts live, so that hosts at
 * one address share its connections from their first requests on, until when connections rest, and which crawl-delays
 * hold until robots.txt is read again.
 */
import { dropOldest } from "../../base/index.ts";

/** Hosts that are remembered. */
const HOSTS_MAX = 100_000;
/** Each has a robots.txt of its own. */
const SCHEMES = ["http", "https"];

/** What a schedule of hosts is told of requests that were made before it. */
export interface EarlierRequests {
  /**
   * Until then others may have made requests, by the clock that never jumps: the first request of a host waits for the
   * delay of the host (default: nobody has).
   */
  readonly takenOverMs?: number | undefined;
  /** What other schedules of the process know of hosts, and this one learns (default: nothing). */
  readonly past?: PastRequests | undefined;
}

export class PastRequests {
  /** Until then connections of some host rest, by the clock that never jumps. */
  restUntilMs = Number.NEGATIVE_INFINITY;
  readonly #addresses = new Map<string, string>();
  /** By origin; those that ask for none are left out. */
  readonly #crawlDelays = new Map<string, number>();
  readonly #hostsMax: number;

  constructor(hostsMax = HOSTS_MAX) {
    this.#hostsMax = hostsMax;
  }

  addressOf(host: string): string | undefined {
    return this.#addresses.get(host);
  }

  /** A host lives at this address now. */
  located(host: string, address: string): void {
    this.#addresses.set(host, address);
    dropOldest(this.#addresses, this.#hostsMax);
  }

  /** What its robots.txt asked for when it was last read; 0 where that is nothing, or nobody has read it. */
  crawlDelayOf(host: string): number {
    const delays = SCHEMES.map((scheme) => this.#crawlDelays.get(`${scheme}://${host}`) ?? 0);
    return Math.max(...delays);
  }

  /** Some robots.txt, of which we have nothing newer, may still ask for this. */
  mayAskFor(origin: string, crawlDelayMs: number): void {
    if (!this.#crawlDelays.has(origin)) this.asksFor(origin, crawlDelayMs);
  }

  /** The robots.txt of an origin was read. */
  asksFor(origin: string, crawlDelayMs: number): void {
    this.#crawlDelays.delete(origin);
    if (crawlDelayMs > 0) this.#crawlDelays.set(origin, crawlDelayMs);
    dropOldest(this.#crawlDelays, this.#hostsMax);
  }

  /** From when on another schedule counts delays: it does not know which connections rest, and for how long. */
  restedMs(nowMs: number): number {
    return Math.max(nowMs, this.restUntilMs);
  }

  /** A connection rests until then. */
  rests(untilMs: number): void {
    this.restUntilMs = Math.max(this.restUntilMs, untilMs);
  }
}
