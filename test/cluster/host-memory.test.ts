/** What hosts have asked of a worker, and of whoever has their shards next. */
import { describe, expect, it } from "vitest";
import { HostMemory } from "../../src/cluster/host-memory.ts";
import { TextsInMemory } from "../../src/cluster/index.ts";
import { ShardGroup } from "../../src/cluster/shard-group.ts";
import {
  AddressTable,
  crawlSettings,
  type Effect,
  Fingerprinter,
  HostSchedule,
  Level,
  Slots,
} from "../../src/crawl/index.ts";
import type { FetchRequest, Reply } from "../../src/fetch/index.ts";

const DELAY_MS = 1000;

function schedule(): HostSchedule {
  return new HostSchedule({ delayMs: DELAY_MS, perHost: 2, perAddress: 10 });
}

describe("what a worker remembers of hosts", () => {
  it("is until when they are not to be requested: paused, or resting when their group ends", () => {
    const hosts = schedule();
    hosts.pause(hosts.named("paused.test"), 60_000);
    hosts.start(hosts.named("busy.test"));
    const resting = hosts.named("resting.test");
    hosts.start(resting);
    hosts.finish(resting, 4500);
    hosts.named("idle.test");
    const memory = new HostMemory();
    memory.learn(hosts, 5000);
    expect([...memory.waits]).toEqual([
      ["paused.test", 60_000],
      ["busy.test", 5000 + DELAY_MS],
      ["resting.test", 5000 + DELAY_MS],
    ]);
  });

  it("is nothing of hosts that others have", () => {
    const hosts = new HostSchedule({ delayMs: DELAY_MS, perHost: 1, perAddress: 1, isElsewhere: () => true });
    hosts.pause(hosts.named("theirs.test"), 60_000);
    const memory = new HostMemory();
    memory.learn(hosts, 5000);
    expect(memory.waits.size).toBe(0);
  });

  it("never becomes shorter, and ends with the wait", () => {
    const memory = new HostMemory();
    const [first, second] = [schedule(), schedule()];
    first.pause(first.named("a.test"), 60_000);
    second.pause(second.named("a.test"), 9000);
    memory.learn(first, 5000);
    memory.learn(second, 6000);
    expect([...memory.waits]).toEqual([["a.test", 60_000]]);
    memory.learn(schedule(), 60_000);
    expect(memory.waits.size).toBe(0);
  });

  it("has a bound, and forgets what it learnt first", () => {
    const memory = new HostMemory(2);
    for (const name of ["a.test", "b.test", "c.test"]) {
      const hosts = schedule();
      hosts.pause(hosts.named(name), 60_000);
      hosts.locate(hosts.named(name), `address of ${name}`);
      memory.learn(hosts, 5000);
    }
    expect([...memory.waits.keys()]).toEqual(["b.test", "c.test"]);
    expect([...memory.addresses]).toEqual([
      ["b.test", "address of b.test"],
      ["c.test", "address of c.test"],
    ]);
  });
});

const SHARDING = { shards: 1, by: "host" } as const;
const HOST = "a.test";
const WEB = { scope: "any", sitemaps: false } as const;
const WALL_MS = 1_000_000;
const now = (nowMs: number) => ({ nowMs, wallMs: WALL_MS + nowMs });

/** A group of the one shard, which has taken it over at this time. */
class Subject {
  readonly group: ShardGroup;

  static async open(nowMs: number, log: readonly Uint8Array[], memory = new HostMemory()): Promise<Subject> {
    const settings = crawlSettings({
      urls: [`http://${HOST}/`, `http://${HOST}/b`],
      delay: DELAY_MS,
      perHost: 2,
      ...WEB,
    });
    const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
    const requests = new Slots(8);
    const group = new ShardGroup({
      id: 0,
      shards: [{ lease: { shard: 0, worker: "w", epoch: 1 }, incarnation: 0, nextNote: () => 1 }],
      settings,
      sharding: SHARDING,
      fingerprinter,
      means: {
        requests,
        level: new Level(requests),
        readings: new Slots(8),
        readingBytes: new Slots(1e9),
        addresses: new AddressTable(() => 8),
      },
      texts: new TextsInMemory(),
      takenOverMs: nowMs,
      memory,
    });
    group.quota.pages = 100;
    for (const batch of log) group.replay(0, batch);
    group.open(now(nowMs));
    group.leaseUntilMs = Number.POSITIVE_INFINITY;
    group.step({ kind: "start" }, now(nowMs));
    return new Subject(group);
  }

  private constructor(group: ShardGroup) {
    this.group = group;
  }

  /** What is requested at this time, with its number. */
  requested(nowMs: number): { readonly id: number; readonly request: FetchRequest }[] {
    const requests: { readonly id: number; readonly request: FetchRequest }[] = [];
    const take = (effects: readonly Effect[]): void => {
      for (const effect of effects) {
        if (effect.kind === "fetch") requests.push(effect);
        if (effect.kind !== "look-up") continue;
        take(this.group.step({ kind: "looked-up", host: effect.host, validForMs: 1e9 }, now(nowMs)));
      }
    };
    do take(this.group.step({ kind: "timer" }, now(nowMs)));
    while (this.group.engine.mayStart);
    return requests;
  }

  reply(nowMs: number, id: number, status: number, retryAfter?: string): void {
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    const body = new Uint8Array();
    const rest = { body, truncated: false, wireBytes: 0, address: null, milliseconds: 1 };
    const reply: Reply = { kind: "answer", status, headers, ...rest };
    this.group.step({ kind: "reply", id, reply }, now(nowMs));
  }

  /** What the log has from now on. */
  batch(): Uint8Array[] {
    const batch = this.group.shards.get(0)?.takeBatch();
    return batch === undefined ? [] : [batch.slice()];
  }
}

describe("a host that asks a worker to wait", () => {
  const RETRY_MS = 60_000;

  it("is left alone by that worker, though it lost the shard before it could store that and has it again", async () => {
    const memory = new HostMemory();
    const before = await Subject.open(0, [], memory);
    const log = before.batch();
    const [robots] = before.requested(DELAY_MS);
    before.reply(2000, robots.id, 503, String(RETRY_MS / 1000));
    memory.learn(before.group.hosts, 9000);
    const again = await Subject.open(20_000, log, memory);
    expect(again.requested(2000 + RETRY_MS - 1)).toEqual([]);
    expect(again.requested(2000 + RETRY_MS)).toHaveLength(1);
    // By then, others know.
    const other = await Subject.open(30_000, [...log, ...again.batch()]);
    expect(other.batch()).toEqual([]);
    expect(other.requested(2000 + RETRY_MS - 1)).toEqual([]);
    expect(other.requested(2000 + RETRY_MS)).toHaveLength(1);
    // Who was never told waits for the delay of the host.
    const stranger = await Subject.open(20_000, log);
    expect(stranger.requested(20_000 + DELAY_MS)).toHaveLength(1);
  });

  it("is left alone though the log does not know it yet", async () => {
    const memory = new HostMemory();
    const hosts = schedule();
    hosts.pause(hosts.named(HOST), RETRY_MS);
    memory.learn(hosts, 0);
    const again = await Subject.open(1000, [], memory);
    expect(again.requested(RETRY_MS - 1)).toEqual([]);
    expect(again.requested(RETRY_MS)).toHaveLength(1);
  });

  it("costs its log no note for a wait that every new owner keeps", async () => {
    const memory = new HostMemory();
    const before = await Subject.open(0, [], memory);
    const log = before.batch();
    memory.learn(before.group.hosts, DELAY_MS / 2);
    expect(memory.waits.size).toBe(1);
    const again = await Subject.open(DELAY_MS / 2, log, memory);
    expect(again.batch()).toEqual([]);
  });

  it("is left alone by the next owner for the longest time that it has asked for", async () => {
    const first = await Subject.open(0, []);
    const [robots] = first.requested(DELAY_MS);
    first.reply(2000, robots.id, 404);
    const pages = first.requested(4000);
    expect(pages.map(({ request }) => request.url)).toEqual([`http://${HOST}/`, `http://${HOST}/b`]);
    first.reply(5000, pages[0].id, 503);
    first.reply(5001, pages[1].id, 429, "3600");
    const next = await Subject.open(30_000, first.batch());
    expect(next.requested(5001 + 3_600_000 - 1)).toEqual([]);
    expect(next.requested(5001 + 3_600_000).length).toBeGreaterThan(0);
  });
});
