/** The shards that a worker takes. */
import { describe, expect, it, vi } from "vitest";
import { AddressTable, crawlSettings, Fingerprinter, Level, type SharedMeans, Slots } from "../../src/crawl/index.ts";
import { TextsInMemory } from "../../src/cluster/index.ts";
import { WorkerGroups } from "../../src/cluster/worker-groups.ts";
import { FactLogError, JobState, MemoryFactLog } from "../../src/store/index.ts";
import { systemTimers } from "../../src/base/index.ts";
import { ChunksInMemory } from "../support/chunk-file.ts";
import { InlineWeb } from "../support/inline-web.ts";

const SHARDS = 8;

/** Gives so many leases, then cannot be reached. */
class FailingLog extends MemoryFactLog {
  asked = 0;
  readonly #given: number;

  constructor(given: number) {
    super(new JobState({ name: "job", version: 1, shards: SHARDS, settings: "{}" }, systemTimers));
    this.#given = given;
  }

  override async lease(worker: string, shard: number, forMs: number) {
    if (++this.asked > this.#given) throw new FactLogError("unreachable", "the server is away");
    return super.lease(worker, shard, forMs);
  }
}

/** How many scratch files are open. */
class CountedTexts extends TextsInMemory {
  static open = 0;

  constructor() {
    super();
    CountedTexts.open++;
  }

  override close(): void {
    CountedTexts.open--;
  }
}

class CountedScratch extends ChunksInMemory {
  static open = 0;

  constructor() {
    super(64);
    CountedScratch.open++;
  }

  override close(): void {
    CountedScratch.open--;
  }
}

async function groupsOn(log: MemoryFactLog): Promise<WorkerGroups> {
  const crawl = crawlSettings({ urls: ["http://a.test/"] });
  const requests = new Slots(1);
  const means: SharedMeans = {
    requests,
    level: new Level(requests),
    readings: new Slots(1),
    readingBytes: new Slots(1),
    addresses: new AddressTable(() => 1),
  };
  const worker = { log, name: "w", fetcher: new InlineWeb(() => undefined), timers: systemTimers };
  return new WorkerGroups(
    { ...worker, textsOf: () => new CountedTexts(), scratchOf: () => new CountedScratch() },
    {
      job: { settings: { crawl, shardBy: "host", secretHosts: [] }, sharding: { shards: SHARDS, by: "host" } },
      means,
      fingerprinter: await Fingerprinter.create(0),
      limits: () => ({}),
      ending: () => undefined,
      isOver: () => true,
      input() {},
      failed(error) {
        throw error;
      },
    },
  );
}

const BALANCE = { leaseMs: 1000, seenUntilMs: Number.POSITIVE_INFINITY };

describe("a worker that takes shards", () => {
  it("asks for no more of them when the log cannot be reached, and keeps those that it has", async () => {
    const log = new FailingLog(3);
    const groups = await groupsOn(log);
    await groups.balance(await log.board(), BALANCE);
    expect({ asked: log.asked, leased: groups.leased }).toEqual({ asked: 4, leased: 3 });
  });

  it("says so if it could take none", async () => {
    const log = new FailingLog(0);
    const groups = await groupsOn(log);
    await expect(groups.balance(await log.board(), BALANCE)).rejects.toThrow("the server is away");
    expect({ asked: log.asked, leased: groups.leased }).toEqual({ asked: 1, leased: 0 });
  });

  it("closes the scratch file of a group whose logs could not be read to the end", async () => {
    const log = new FailingLog(SHARDS);
    const earlier = await log.lease("earlier", 0, 1);
    if (earlier === undefined) throw new Error("shard 0 is free");
    await log.append([{ lease: earlier, position: 1, batch: new Uint8Array() }]);
    await log.release([earlier]);
    vi.spyOn(log, "read").mockRejectedValue(new FactLogError("unreachable", "the server is away"));
    const groups = await groupsOn(log);
    await groups.balance(await log.board(), BALANCE);
    // All of them are tried again later.
    await expect.poll(() => groups.leased).toBe(0);
    expect([CountedTexts.open, CountedScratch.open]).toEqual([0, 0]);
  });
});
