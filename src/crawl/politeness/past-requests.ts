/**
 * What a process knows of its requests when it goes on by another schedule of hosts: where hosts live, so that hosts at
 * one address share its connections from their first requests on, and until when connections rest.
 */
import { dropOldest } from "../../base/index.ts";

/** Hosts that are remembered. */
const HOSTS_MAX = 100_000;

export class PastRequests {
  /** Until then connections of some host rest, by the clock that never jumps. */
  restUntilMs = Number.NEGATIVE_INFINITY;
  readonly #addresses = new Map<string, string>();
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

  /** A connection rests until then. */
  rests(untilMs: number): void {
    this.restUntilMs = Math.max(this.restUntilMs, untilMs);
  }
}
