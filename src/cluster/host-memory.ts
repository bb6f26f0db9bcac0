/**
 * What a worker remembers of hosts when a group that had them has ended, for groups that come after it: where they
 * live, and until when they are not to be requested. The log knows of pauses, too; but who loses a shard could perhaps
 * not write what a host has asked for, and may have the shard again before that is over.
 */
import { dropOldest } from "../base/index.ts";
import type { HostSchedule } from "../crawl/index.ts";

/** Hosts that are remembered, of each kind. */
const HOSTS_MAX = 100_000;

export class HostMemory {
  readonly #addresses = new Map<string, string>();
  readonly #waits = new Map<string, number>();
  readonly #hostsMax: number;

  constructor(hostsMax = HOSTS_MAX) {
    this.#hostsMax = hostsMax;
  }

  get addresses(): ReadonlyMap<string, string> {
    return this.#addresses;
  }

  /** By the clock of the worker. */
  get waits(): ReadonlyMap<string, number> {
    return this.#waits;
  }

  /** Where more is known, it is that: a wait never becomes shorter. */
  learn(hosts: Pick<HostSchedule, "active" | "waits">, nowMs: number): void {
    for (const { name, address } of hosts.active) {
      if (address !== undefined) this.#addresses.set(name, address.use.text);
    }
    dropOldest(this.#addresses, this.#hostsMax);
    for (const [host, untilMs] of this.#waits) if (untilMs <= nowMs) this.#waits.delete(host);
    for (const [host, untilMs] of hosts.waits(nowMs)) {
      this.#waits.set(host, Math.max(untilMs, this.#waits.get(host) ?? 0));
    }
    dropOldest(this.#waits, this.#hostsMax);
  }
}
