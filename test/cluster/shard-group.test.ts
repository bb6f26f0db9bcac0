/**
 * Shards that share an engine: each has a log of its own that says all about it, whoever has been together with whom.
 */
import { describe, expect, it } from "vitest";
import {
  AddressTable,
  crawlSettings,
  Fingerprinter,
  InlineReader,
  Level,
  type RemoteRecord,
  Slots,
} from "../../src/crawl/index.ts";
import { shardOf, TextsInMemory } from "../../src/cluster/index.ts";
import type { ShardMessage } from "../../src/cluster/messages.ts";
import { type GroupOptions, ShardGroup } from "../../src/cluster/shard-group.ts";
import { BatchWriter, BLANK_VISIT, replayBatch, type UrlRecord, type Visit } from "../../src/log/index.ts";
import type { PageContent } from "../../src/crawl/reader/contract.ts";

const SHARDING = { shards: 3, by: "host" } as const;
/** By the shard that owns them. */
const HOSTS = Array.from({ length: 3 }, (_, shard) => {
  for (let k = 0; ; k++) if (shardOf(`h${k}.test`, SHARDING) === shard) return `h${k}.test`;
});
const url = (shard: number, path: string): string => `http://${HOSTS[shard]}/${path}`;
const NOW = { nowMs: 0, wallMs: 1000 };
const CRAWL = { urls: [url(0, "seed")], scope: "any", delay: 0 } as const;
const SETTINGS = crawlSettings(CRAWL);
/** Of each shard, as others know it: that of its first lease and its first engine. */
const EPOCH = 2 ** 20;

interface Log {
  readonly batches: Uint8Array[];
}

function logs(): Log[] {
  return HOSTS.map(() => ({ batches: [] }));
}

/** A group of shards that has replayed their logs. */
class Subject {
  readonly group: ShardGroup;
  readonly requests = new Slots(8);
  readonly level = new Level(this.requests);
  readonly #logs: readonly Log[];
  readonly #reader: InlineReader;

  static async open(shards: readonly number[], all: readonly Log[], settings = SETTINGS): Promise<Subject> {
    const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
    return new Subject(shards, all, { settings, fingerprinter, reader: await InlineReader.create(settings) });
  }

  private constructor(
    shards: readonly number[],
    all: readonly Log[],
    { settings, fingerprinter, reader }: Pick<GroupOptions, "settings" | "fingerprinter"> & { reader: InlineReader },
  ) {
    this.#logs = all;
    this.#reader = reader;
    this.group = new ShardGroup({
      id: 0,
      shards: shards.map((shard) => ({ lease: { shard, worker: "w", epoch: 1 }, incarnation: 0, nextNote: () => 1 })),
      settings,
      sharding: SHARDING,
      fingerprinter,
      means: {
        requests: this.requests,
        level: this.level,
        readings: new Slots(8),
        readingBytes: new Slots(1e9),
        addresses: new AddressTable(() => 8),
      },
      texts: new TextsInMemory(),
    });
    this.group.quota.pages = 100;
    for (const shard of shards) for (const batch of all[shard].batches) this.group.replay(shard, batch);
    this.group.open(NOW);
    this.group.leaseUntilMs = Number.POSITIVE_INFINITY;
    this.group.step({ kind: "start" }, NOW);
  }

  /** Fetches pages as long as there is one, with the links that are given; one that has a text redirects there. */
  crawl(pages: Readonly<Record<string, readonly string[] | string>>): this {
    const { group } = this;
    let inputs: Parameters<ShardGroup["step"]>[0][] = [{ kind: "timer" }];
    for (let turns = 0; turns < 100 && inputs.length > 0; turns++) {
      const next: typeof inputs = [];
      for (const effect of inputs.flatMap((input) => [...group.step(input, NOW)])) {
        if (effect.kind === "look-up") next.push({ kind: "looked-up", host: effect.host, validForMs: 1e9 });
        if (effect.kind === "read-page") {
          const { id } = effect;
          this.#reader.readPage(effect.job, (content: PageContent) => next.push({ kind: "page-read", id, content }));
        }
        if (effect.kind !== "fetch") continue;
        const page = pages[effect.request.url];
        const [links, location] = typeof page === "string" ? [[], page] : [page ?? []];
        const body = new TextEncoder().encode(links.map((link) => `<a href="${link}">x</a>`).join(""));
        const reply = {
          kind: "answer" as const,
          status: page === undefined ? 404 : location === undefined ? 200 : 301,
          headers: { "content-type": "text/html", ...(location === undefined ? {} : { location }) },
          body,
          wireBytes: body.length,
          isTruncated: false,
          address: null,
          milliseconds: 1,
        };
        next.push({ kind: "reply", id: effect.id, reply: reply as never });
      }
      inputs = next.length > 0 ? next : group.engine.mayStart ? [{ kind: "timer" }] : [];
    }
    return this;
  }

  /** What was learnt goes into the logs, except those of shards that are lost. */
  store(lost: readonly number[] = []): this {
    this.group.appraise(0, { nowMs: () => 1e6 });
    for (const [shard, member] of this.group.shards) {
      const batch = member.takeBatch();
      if (batch === undefined || lost.includes(shard)) continue;
      this.#logs[shard].batches.push(batch.slice());
      member.exchange.batchStored();
    }
    return this;
  }

  notes() {
    this.group.appraise(0, { nowMs: () => 2e6 });
    return new Map([...this.group.shards].map(([shard, member]) => [shard, member.note()]));
  }
}

/** What the log of a shard says, in texts. */
function said({ batches }: Log): { urls: string[]; visits: string[]; heard: Record<string, string> } {
  const origins: string[] = [];
  const urls: UrlRecord[] = [];
  const visits: Visit[] = [];
  const heard: Record<string, string> = {};
  const text = (id: number): string => `${origins[urls[id].origin]}${urls[id].path}`;
  for (const batch of batches) {
    replayBatch(batch, {
      addOrigin: (_, origin) => void origins.push(origin),
      addUrl: (record) => void urls.push(record),
      addVisit: (visit) => void visits.push(visit),
      putMeta: (key, value) => void (key.startsWith("heard") && (heard[key] = value ?? "")),
      addAnchors() {},
      addTexts() {},
      replaceTrust() {},
      putRobots() {},
      putSitemap() {},
    });
  }
  return {
    urls: urls.map(({ id, source, reason }) => `${text(id)} ${source}${reason === null ? "" : ` ${reason}`}`),
    visits: visits.map(({ url: id, outcome, links }) =>
      `${text(id)} ${outcome} ${[...(links ?? [])].map(text).join(" ")}`.trim(),
    ),
    heard,
  };
}

const PAGES = {
  [url(0, "seed")]: [url(0, "a"), url(1, "b"), url(2, "c")],
  [url(0, "a")]: [url(1, "b")],
  [url(1, "b")]: [url(0, "a"), url(2, "c")],
};

describe("shards that share an engine", () => {
  it("have logs of their own: what one has of another is mentioned there, and known to the other as remote", async () => {
    const all = logs();
    (await Subject.open([0, 1], all)).crawl(PAGES).store();
    expect(said(all[0])).toEqual({
      urls: [
        `${url(0, "seed")} seed`,
        `${url(0, "a")} link`,
        `${url(1, "b")} link elsewhere`,
        `${url(2, "c")} link elsewhere`,
      ],
      visits: [
        `${url(0, "seed")} downloaded ${url(0, "a")} ${url(1, "b")} ${url(2, "c")}`,
        `${url(0, "a")} downloaded ${url(1, "b")}`,
      ],
      heard: {},
    });
    expect(said(all[1])).toEqual({
      urls: [`${url(1, "b")} remote`, `${url(2, "c")} link elsewhere`, `${url(0, "a")} link elsewhere`],
      visits: [`${url(1, "b")} downloaded ${url(0, "a")} ${url(2, "c")}`],
      heard: {},
    });
  });

  it("note what they have heard of each other only once it is in the log of the other", async () => {
    const all = logs();
    const subject = (await Subject.open([0, 1], all)).crawl(PAGES);
    subject.group.step({ kind: "stop", reason: "interrupted" }, NOW);
    subject.store();
    expect(said(all[1]).heard).toEqual({});
    subject.store();
    expect([said(all[0]).heard, said(all[1]).heard]).toEqual([{ "heard 1": "1" }, { "heard 0": "1" }]);
  });

  it("prove together what they prove with an engine each, and both say how much is theirs", async () => {
    const all = logs();
    const together = (await Subject.open([0, 1], all)).crawl(PAGES).store().notes();
    const again = (await Subject.open([1, 0], all)).notes();
    const [first, second] = [0, 1].map((shard) => together.get(shard)?.sums.rankInside ?? 0);
    // Damping 0.85 and trust on the seed: x of the seed is 0.15; a has a third of it, and half of what b has; b has a
    // third of the seed's, and all of a's.
    const [seed, d] = [0.15, 0.85];
    const a = ((d * seed) / 3 + ((d / 2) * d * seed) / 3) / (1 - (d * d) / 2);
    const b = (d * seed) / 3 + d * a;
    expect([first, second]).toEqual([expect.closeTo(seed + a, 10), expect.closeTo(b, 10)]);
    for (const shard of [0, 1]) {
      expect(again.get(shard)?.sums.rankInside).toBeCloseTo(together.get(shard)?.sums.rankInside ?? 0, 10);
      expect(again.get(shard)?.counts).toEqual(together.get(shard)?.counts);
    }
    // Alone, a shard knows of no mass that has come through the other.
    const alone = (await Subject.open([0], all)).notes();
    expect(alone.get(0)?.sums.rankInside).toBeCloseTo(seed + (d * seed) / 3, 10);
  });

  it("tell others what has flowed from each of them, for each by itself", async () => {
    const all = logs();
    const subject = (await Subject.open([0, 1], all)).crawl(PAGES).store();
    subject.notes();
    const [d, seed] = [0.85, 0.15];
    const b = subject.notes().get(1)?.sums.rankInside ?? 0;
    const told = [...subject.group.shards.values()].map(({ exchange }) => {
      const collect = () => exchange.collect({ creditMin: 0, isOwned: () => true });
      for (const { place } of collect()) expect(place).toEqual({ owner: 0, stream: 1, number: 1 });
      const ack = {
        sender: 2,
        receiver: 0,
        senderEpoch: 1,
        ack: { epoch: 0, stream: 1, number: 1, heard: 0 },
      };
      expect(exchange.take(ack, [])).toEqual([]);
      return collect().flatMap(({ receiver, urls, credits = [] }) => [...(urls?.list ?? []), ...credits, receiver]);
    });
    const c = { kind: "heard", url: url(2, "c") };
    expect(told).toEqual([
      [expect.objectContaining({ ...c, sender: 0, total: expect.closeTo((d * seed) / 3, 10) }), 2],
      [expect.objectContaining({ ...c, sender: 1, total: expect.closeTo((d * b) / 2, 10) }), 2],
    ]);
    // Both name the same URL by the same fingerprint.
    const [one, other] = told.map(([each]) => typeof each === "object" && [each.high, each.low]);
    expect(one).toEqual(other);
  });

  it("ignore what was said before they came together: it would count twice", async () => {
    const subject = (await Subject.open([0, 1], logs())).crawl(PAGES);
    const before = subject.notes().get(1)?.sums;
    const credit = { high: 1, low: 2, total: 0.5, hops: 0 };
    const message = {
      sender: 0,
      receiver: 1,
      senderEpoch: 1,
      place: { owner: EPOCH, stream: 1, number: 1 },
      urls: { first: 0, list: [{ kind: "heard", sender: 0, ...credit, url: url(1, "late"), depth: 1 } as const] },
      credits: [{ kind: "credited", sender: 0, ...credit } as const],
    };
    const taken = (each: ShardMessage): readonly RemoteRecord[] => {
      const records: RemoteRecord[] = [];
      subject.group.shards.get(1)?.exchange.take(each, records);
      return records;
    };
    expect(taken(message)).toEqual([]);
    expect(taken({ ...message, sender: 2 })).toHaveLength(2);
    expect(subject.notes().get(1)?.sums).toEqual(before);
  });

  it("know what one has mentioned and the other has lost", async () => {
    const all = logs();
    (await Subject.open([0, 1], all)).crawl(PAGES).store([1]);
    expect(said(all[1]).urls).toEqual([]);
    const next = (await Subject.open([1, 0], all)).store();
    expect(said(all[1]).urls).toEqual([`${url(1, "b")} remote`]);
    next.crawl(PAGES).store();
    expect(said(all[1]).visits).toEqual([`${url(1, "b")} downloaded ${url(0, "a")} ${url(2, "c")}`]);
  });
});

describe("a group that is idle", () => {
  const isClosed = (subject: Subject): boolean | undefined => subject.notes().get(0)?.isClosed;

  it.each([
    ["allowed", true],
    ["scope", false],
  ] as const)(
    "does not know whether redirects come back to it, a loop that is dead: %s",
    async (universe, expected) => {
      const settings = crawlSettings({ ...CRAWL, universe });
      const moved = { [url(0, "seed")]: [url(0, "a")], [url(0, "a")]: url(1, "b") };
      expect(isClosed((await Subject.open([0], logs(), settings)).crawl(moved))).toBe(expected);
      const linked = { [url(0, "seed")]: [url(0, "a"), url(1, "b")], [url(0, "a")]: [url(1, "b")] };
      expect(isClosed((await Subject.open([0], logs(), settings)).crawl(linked))).toBe(true);
    },
  );

  it("may be led by others to any URL that it knows, also before anything has flowed there", async () => {
    const logOf = (source: "sitemap" | "remote") => {
      const batch = new BatchWriter();
      batch.addOrigin(0, `http://${HOSTS[0]}`);
      const known = { origin: 0, depth: 0, discoveredAt: 0, reason: null } as const;
      batch.addUrl({ ...known, id: 0, path: "/seed", source: "seed" });
      batch.replaceTrust([{ url: 0, weight: 1 }]);
      batch.addUrl({ ...known, id: 1, path: "/x", source });
      batch.addVisit({ ...BLANK_VISIT, number: 1, links: new Uint32Array(0) });
      batch.addVisit({ ...BLANK_VISIT, number: 2, url: 1, outcome: "refused", reason: "failed" });
      return [{ batches: [batch.take() ?? new Uint8Array()] }];
    };
    for (const source of ["remote", "sitemap"] as const) {
      const subject = (await Subject.open([0], logOf(source))).crawl({});
      expect([isClosed(subject), subject.notes().get(0)?.isIdle]).toEqual([false, true]);
    }
  });
});

describe("a group and the level of the job", () => {
  const SEED_MASS = 0.15;

  it("says what waits on its best page while all slots of its worker are taken, and nothing otherwise", async () => {
    const subject = await Subject.open([0, 1], logs());
    const backlogs = () => [...subject.notes().values()].map(({ backlog }) => backlog);
    expect(backlogs()).toEqual([null, null]);
    subject.requests.taken = 8;
    expect(backlogs()).toEqual([expect.closeTo(SEED_MASS, 10), expect.closeTo(SEED_MASS, 10)]);
    subject.group.quota.pages = 0;
    expect(backlogs()).toEqual([null, null]);
  });

  it("says nothing when no page waits, or when it is to end", async () => {
    const subject = (await Subject.open([0, 1], logs())).crawl(PAGES);
    subject.requests.taken = 8;
    expect(subject.notes().get(0)?.backlog).toBe(null);
    const ending = await Subject.open([0], logs());
    ending.requests.taken = 8;
    ending.group.step({ kind: "stop", reason: "interrupted" }, NOW);
    expect(ending.notes().get(0)?.backlog).toBe(null);
  });

  it("starts pages below the level only while few slots are taken, those above it always", async () => {
    const subject = await Subject.open([0], logs());
    subject.level.mass = 1;
    subject.requests.taken = 4;
    expect(subject.crawl(PAGES).group.pages).toBe(0);
    subject.level.mass = SEED_MASS / 2;
    expect(subject.crawl({ [url(0, "seed")]: [url(0, "a")] }).group.pages).toBe(1);
    const free = await Subject.open([0], logs());
    free.level.mass = 1;
    expect(free.crawl(PAGES).group.pages).toBe(2);
  });
});
