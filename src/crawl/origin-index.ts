/**
 * The origins of all URLs that a crawl knows, numbered in the order of their discovery, with the hosts that serve them
 * and, in an engine that has shards, the shards of these.
 *
 * Nothing is ever requested of most of them. The text of an origin is a scheme and the name of its host, and names are
 * known to the schedule of hosts: so each takes 8 bytes, twice as many at most with the room of arrays that double.
 */
import { assert, capacityFor, enlarged, IdSet, IdTable } from "../base/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import type { HostSchedule } from "./politeness/host-schedule.ts";
import type { ShardPart } from "./shard-part.ts";

interface Origin {
  readonly number: number;
  readonly text: string;
}

const SCHEMES = ["http://", "https://"] as const;

export class OriginIndex {
  readonly #hosts: HostSchedule;
  readonly #shard: Pick<ShardPart, "shardOf" | "has" | "home"> | undefined;
  #size = 0;
  /** Twice the id of its host, plus the place of its scheme. */
  #words = new Uint32Array(64);
  /** By host: the origin of it that was discovered last, plus one; 0 if it has none. */
  #lastOfHosts = new Uint32Array(64);
  /** From an origin to the one of the same host that was discovered before. */
  readonly #earlier = new IdTable();
  /** The last two that were asked for: links of a page lead to its own origin in between. */
  #recent: Origin | undefined;
  #beforeRecent: Origin | undefined;
  readonly #elsewhere = new IdSet();
  /** Of an engine that has shards. */
  readonly #shards: number[] = [];

  constructor(hosts: HostSchedule, shard?: Pick<ShardPart, "shardOf" | "has" | "home">) {
    this.#hosts = hosts;
    this.#shard = shard;
  }

  /** A new origin. Its host is known from now on. */
  add(text: string): void {
    const name = hostOfOrigin(text);
    const scheme = SCHEMES.findIndex((each) => text === each + name);
    assert(scheme >= 0, `the scheme of the origin ${text} is http or https`);
    const host = this.#hosts.idOf(name);
    const origin = this.#size++;
    this.#words = fitting(this.#words, origin);
    this.#words[origin] = 2 * host + scheme;
    this.#lastOfHosts = fitting(this.#lastOfHosts, host);
    if (this.#lastOfHosts[host] > 0) this.#earlier.set(origin, this.#lastOfHosts[host] - 1);
    this.#lastOfHosts[host] = origin + 1;
    if (this.#shard !== undefined) this.#addShard(origin, this.#shard.shardOf(name), this.#shard);
  }

  #addShard(origin: number, shard: number, { has, home }: Pick<ShardPart, "has" | "home">): void {
    const isElsewhere = !has(shard);
    if (isElsewhere) this.#elsewhere.add(origin);
    this.#shards.push(isElsewhere ? home : shard);
  }

  find(text: string): number | undefined {
    if (text === this.#recent?.text) return this.#recent.number;
    const before = this.#beforeRecent;
    if (text === before?.text) return this.#recall(before);
    const host = this.#hosts.findId(hostOfOrigin(text));
    if (host < 0 || host >= this.#lastOfHosts.length) return undefined;
    for (let origin = this.#lastOfHosts[host] - 1; origin >= 0; origin = this.#earlier.get(origin)) {
      // What is kept is not the text that was given: that may be cut from a longer one, which would stay in memory.
      const read = this.#read(origin);
      if (read.text === text) return this.#recall(read);
    }
    return undefined;
  }

  textOf(origin: number): string {
    if (origin === this.#recent?.number) return this.#recent.text;
    const before = this.#beforeRecent;
    const read = origin === before?.number ? before : this.#read(origin);
    this.#recall(read);
    return read.text;
  }

  hostIdOf(origin: number): number {
    return this.#words[origin] >>> 1;
  }

  /** Whether another shard owns its host. */
  isElsewhere(origin: number): boolean {
    return this.#elsewhere.has(origin);
  }

  /** Undefined where the engine has the crawl for itself. */
  shardOf(origin: number): number | undefined {
    return this.#shards[origin];
  }

  #read(origin: number): Origin {
    return { number: origin, text: SCHEMES[this.#words[origin] & 1] + this.#hosts.nameOf(this.hostIdOf(origin)) };
  }

  #recall(origin: Origin): number {
    this.#beforeRecent = this.#recent;
    this.#recent = origin;
    return origin.number;
  }
}

/** An array that has room for this place. */
function fitting(array: Uint32Array<ArrayBuffer>, place: number): Uint32Array<ArrayBuffer> {
  return place < array.length ? array : enlarged(array, capacityFor(place + 1, array.length));
}
