/**
 * Names are looked up before a request, not by it: a name server may take many seconds, and a request that waits would
 * hold a connection that another host could use. While its name is looked up, nothing is requested of a host.
 *
 * What comes of it is not known here. If there is no such name, the request that follows fails at once.
 */
import type { EffectQueue, Now } from "../machine.ts";
import type { Host } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";

/** A name serves the request for which it was looked up even if its TTL, which may be 0, has passed meanwhile. */
const RESERVED_MS = 30_000;

export class NameLookups {
  underWay = 0;
  readonly #hosts: HostSchedule;
  readonly #effects: EffectQueue;

  constructor(hosts: HostSchedule, effects: EffectQueue) {
    this.#hosts = hosts;
    this.#effects = effects;
  }

  /** Whether a URL of the host may be requested as far as its name goes. If not, the name is looked up from now on. */
  isKnown(host: Host, url: string, { nowMs }: Now): boolean {
    if (this.#hosts.isNameKnown(host, nowMs) || host.isElsewhere) return true;
    this.#hosts.lookUp(host);
    this.underWay++;
    this.#effects.push({ kind: "look-up", host: host.id, url });
    return false;
  }

  /** Returns the host, which may be requested again. */
  lookedUp(id: number, validForMs: number, { nowMs }: Now): Host {
    const host = this.#hosts.at(id);
    this.underWay--;
    this.#hosts.lookedUp(host, { nameMs: nowMs + validForMs, reservedMs: nowMs + RESERVED_MS });
    return host;
  }
}
