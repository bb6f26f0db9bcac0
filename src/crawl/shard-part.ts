/**
 * What makes an engine one of several that share a crawl: it has the hosts of some shards, and shares the means of its
 * process with the engines beside it. What is discovered on hosts of other shards, and what flows there, is handed to
 * them (cluster/).
 */
import type { AddressTable } from "./politeness/addresses.ts";

/** Counts what is under way in a process, up to a limit. */
export class Slots {
  taken = 0;
  readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  get isFull(): boolean {
    return this.taken >= this.max;
  }
}

/** Below the level, a page starts only while fewer than this share of the slots is taken. */
const SHARE_BELOW = 1 / 2;

/**
 * Keeps a process from going deep while others have better pages than they have slots for. It limits how much is under
 * way and stops nothing: while no request is, any page may start.
 */
export class Level {
  /** -Infinity where there is none. */
  mass = Number.NEGATIVE_INFINITY;
  /** How far it may look ahead for pages of hosts that rest, as a share of what a crawl alone may. */
  lookahead = 1;
  readonly #requests: Slots;

  constructor(requests: Slots) {
    this.#requests = requests;
  }

  /** Whether pages on which no more than this waits are to wait. */
  holdsBack(mass: number): boolean {
    return mass < this.mass && this.#requests.taken >= this.#requests.max * SHARE_BELOW;
  }
}

/** Shared by the engines of one process. */
export interface SharedMeans {
  readonly requests: Slots;
  readonly level: Level;
  /** Pages and sitemaps that are being read, and their bytes. */
  readonly readings: Slots;
  readonly readingBytes: Slots;
  readonly addresses: AddressTable;
}

/** Whether nothing can start now, because as much is under way as may be. */
export function areTaken({ requests, readings, readingBytes }: SharedMeans): boolean {
  return requests.isFull || readings.isFull || readingBytes.isFull;
}

export interface ShardPart {
  readonly means: SharedMeans;
  /** How many shards the crawl has, and to which of them a host belongs. */
  readonly shards: number;
  readonly shardOf: (host: string) => number;
  /** Whether the engine has the hosts of a shard. */
  readonly has: (shard: number) => boolean;
  /** One that it has, to which belongs what is nobody's: a sitemap on a host of others that the user gave. */
  readonly home: number;
  /** Until then another process may have requested the hosts of these shards; left out if nobody has. */
  readonly takenOverMs?: number | undefined;
  /** How many pages the engine may fetch in all; changes while it runs. */
  readonly quota: { pages: number };
}
