/** What shards tell each other: only what is stored, and in the order of the log. */
import { describe, expect, it } from "vitest";
import { Exchange } from "../../src/cluster/exchange.ts";
import { type ShardMessage, decodeBundle, encodeBundles } from "../../src/cluster/messages.ts";
import { shardOf } from "../../src/cluster/index.ts";
import type { RemoteRecord } from "../../src/crawl/index.ts";
import type { FetchRequest } from "../../src/fetch/index.ts";

const SHARDING = { shards: 2, by: "host" } as const;

/** A shard whose URLs all are those of the other one. */
class Speaker {
  readonly exchange: Exchange;
  readonly #other: number;
  readonly #texts: string[] = [];
  readonly #waiting = new Float64Array(100);
  readonly #meta = new Map<string, string>();

  constructor(shard: number, { epoch = 1, heard = 0 } = {}) {
    this.#other = 1 - shard;
    this.#meta.set(`heard ${1 - shard}`, String(heard));
    this.exchange = new Exchange({
      shard,
      epoch,
      sharding: SHARDING,
      isInside: () => false,
      hopsMax: 10,
      index: {
        textOf: (url) => this.#texts[url],
        depthOf: () => 1,
        hopsTo: () => 0,
        fingerprintOf: (url) => [0, url],
      },
      ledger: { waitingOn: (url) => this.#waiting[url] },
      log: { meta: (key) => this.#meta.get(key), putMeta: (key, value) => void this.#meta.set(key, value ?? "") },
    });
    this.exchange.open();
  }

  discover(path: string, credit = 0): void {
    const id = this.#texts.push(path) - 1;
    this.#waiting[id] = credit;
    this.exchange.mentioned(this.#other, id);
  }

  credit(url: number, total: number): void {
    this.#waiting[url] = total;
  }

  store(): void {
    this.exchange.batchTaken();
    this.exchange.batchStored();
  }

  /** As it comes out of the log. */
  say(): ShardMessage[] {
    const messages = this.exchange.collect({ creditMin: 0, isOwned: () => true });
    return encodeBundles(messages).flatMap((bundle) => decodeBundle(bundle));
  }

  /** What a message means to it. */
  hear(messages: readonly ShardMessage[]): unknown[] {
    const records: RemoteRecord[] = [];
    for (const message of messages) this.exchange.take(message, records);
    return records;
  }
}

/** By the shard that owns them. */
const ORIGINS = Array.from({ length: 2 }, (_, shard) => {
  for (let k = 0; ; k++) if (shardOf(`h${k}.test`, SHARDING) === shard) return `http://h${k}.test`;
});

/** Two shards of which each knows how many URLs the other has heard of. */
function acquainted(): [Speaker, Speaker] {
  const speakers: [Speaker, Speaker] = [new Speaker(0), new Speaker(1)];
  speakers[0].hear(speakers[1].say());
  speakers[1].hear(speakers[0].say());
  return speakers;
}

const credit = (url: number, total: number) => ({ sender: 0, high: 0, low: url, total, hops: 0 });
const credited = (url: number, total: number) => ({ kind: "credited", ...credit(url, total) });
/** The URLs "a", "b", ... are numbered so. */
const heard = (url: string, total = 0) => ({ kind: "heard", ...credit(url.charCodeAt(0) - 97, total), url, depth: 1 });

describe("a shard", () => {
  it("tells another what it has found for it once that is stored, and not before", () => {
    const [sender, receiver] = acquainted();
    sender.discover("a", 0.5);
    expect(sender.say()).toEqual([]);
    sender.exchange.batchTaken();
    // Found while the batch is on its way.
    sender.discover("b");
    expect(sender.say()).toEqual([]);
    sender.exchange.batchStored();
    expect(receiver.hear(sender.say())).toEqual([heard("a", 0.5)]);
    expect(receiver.hear(sender.say())).toEqual([]);
    sender.store();
    expect(receiver.hear(sender.say())).toEqual([heard("b")]);
    expect(sender.exchange.counts).toEqual({ sent: 2, heard: 0 });
    expect(receiver.exchange.counts).toEqual({ sent: 0, heard: 2 });
  });

  it("tells the total of the credit, and nothing where nothing was added", () => {
    const [sender, receiver] = acquainted();
    sender.discover("a", 0.5);
    sender.store();
    receiver.hear(sender.say());
    expect(receiver.hear(sender.say())).toEqual([]);
    sender.credit(0, 0.75);
    expect(receiver.hear(sender.say())).toEqual([credited(0, 0.75)]);
  });

  it("hears a message once, and none whose predecessor is missing", () => {
    const [sender, receiver] = acquainted();
    sender.discover("a");
    sender.store();
    const first = sender.say();
    sender.discover("b");
    sender.store();
    const second = sender.say();
    expect(receiver.hear(second)).toEqual([]);
    expect(receiver.hear(first)).toEqual([heard("a")]);
    expect(receiver.hear(first)).toEqual([]);
    expect(receiver.hear(second)).toEqual([heard("b")]);
  });

  it("takes no URLs from a place on that it has not come to: its former owner has lost what is before", () => {
    const [sender, receiver] = acquainted();
    sender.discover("a");
    sender.store();
    receiver.hear(sender.say());
    sender.hear(receiver.say());
    sender.discover("b");
    sender.store();
    const late = sender.say();
    const successor = new Speaker(1, { epoch: 2 });
    expect(successor.hear(late.map((message) => ({ ...message, place: { owner: 2, stream: 9, number: 1 } })))).toEqual(
      [],
    );
    // It says how many it has heard of, and is told all that is missing, with all credit.
    sender.hear(successor.say());
    expect(new Speaker(1, { epoch: 2 }).hear(sender.say())).toEqual([heard("a"), heard("b")]);
  });

  it("tells nothing twice where acknowledgements come late, as long as they come; without them, all again", () => {
    const [sender, receiver] = acquainted();
    const onTheWay: ShardMessage[][] = [[], [], []];
    const told: unknown[] = [];
    for (let k = 0; k < 40; k++) {
      sender.discover(`${k}`, 0.01);
      sender.store();
      told.push(...receiver.hear(sender.say()));
      // Each acknowledgement is three messages old when it comes.
      onTheWay.push(receiver.say());
      sender.hear(onTheWay.shift() ?? []);
    }
    const all = Array.from({ length: 40 }, (_, k) => ({ kind: "heard", ...credit(k, 0.01), url: `${k}`, depth: 1 }));
    expect(told).toEqual(all);
    // What is under way now is lost, and so is all that the other says.
    const again = Array.from({ length: 10 }, () => receiver.hear(sender.say())).flat();
    expect(again).toEqual([...all.slice(37), ...Array.from({ length: 37 }, (_, k) => credited(k, 0.01))]);
  });

  it("does not believe a former owner of another", () => {
    const [sender, receiver] = acquainted();
    const successor = new Speaker(1, { epoch: 2 });
    sender.hear(successor.say());
    sender.discover("a");
    sender.store();
    successor.hear(sender.say());
    const before = sender.exchange.collect({ creditMin: 0, isOwned: () => true });
    // It says that it has heard of nothing; the successor has heard of all.
    sender.hear(receiver.say());
    sender.hear(new Speaker(1, { epoch: 1, heard: 0 }).say());
    expect(before).toEqual([]);
    expect(sender.say()).toEqual([]);
  });

  it("says again what was lost, though a message of its former owner with the same number was acknowledged", () => {
    const [former, receiver] = acquainted();
    former.discover("a");
    former.store();
    receiver.hear(former.say());
    const late = receiver.say();
    const owner = new Speaker(0, { epoch: 2 });
    owner.discover("a");
    owner.discover("b");
    owner.store();
    owner.hear(late);
    expect(owner.say()[0].urls?.list).toMatchObject([{ url: "b", depth: 1, hops: 0 }]);
    // That was lost. The acknowledgement came twice.
    owner.hear(late);
    const talk = (): unknown[] => {
      owner.hear(receiver.say());
      return receiver.hear(owner.say());
    };
    expect(Array.from({ length: 20 }, talk).flat()).toEqual([heard("b")]);
  });

  it("tells a new owner all credit, even if the first that it said was lost", () => {
    const [sender, receiver] = acquainted();
    sender.discover("a", 0.5);
    sender.store();
    receiver.hear(sender.say());
    sender.hear(receiver.say());
    const successor = new Speaker(1, { epoch: 2, heard: 1 });
    expect(successor.say()).toHaveLength(1);
    const talk = (): unknown[] => {
      sender.hear(successor.say());
      return successor.hear(sender.say());
    };
    expect(Array.from({ length: 10 }, talk).flat()).toEqual([credited(0, 0.5)]);
    // Then there is nothing more to say.
    expect(Array.from({ length: 30 }, () => [...sender.say(), ...successor.say()]).flat()).toEqual([]);
  });

  it("tells a new owner all credit, even if what a former one was told comes again and the answer to it is lost", () => {
    const [sender, receiver] = acquainted();
    sender.discover("a", 0.5);
    sender.store();
    const first = sender.say();
    receiver.hear(first);
    sender.discover("b", 0.25);
    sender.store();
    receiver.hear(sender.say());
    sender.hear(receiver.say());
    const successor = new Speaker(1, { epoch: 2, heard: 2 });
    expect(successor.say()).toHaveLength(1);
    successor.hear(first);
    expect(successor.say()).toHaveLength(1);
    // Nothing of that has come. There is nothing new to say, and what was said is acknowledged.
    const talk = (): unknown[] => {
      sender.hear(successor.say());
      return successor.hear(sender.say());
    };
    expect(Array.from({ length: 10 }, talk).flat()).toEqual([credited(0, 0.5), credited(1, 0.25)]);
    expect(Array.from({ length: 30 }, () => [...sender.say(), ...successor.say()]).flat()).toEqual([]);
  });

  it("says much in several bundles, and little in one", () => {
    const message = (k: number): ShardMessage => {
      const url = "x".repeat(600_000);
      const list = [{ kind: "heard", ...credit(k, 0.5), url, depth: 1 } as const];
      return {
        sender: 0,
        receiver: k,
        senderEpoch: 1,
        place: { owner: 1, stream: 1, number: 1 },
        urls: { first: 0, list },
      };
    };
    const messages = [message(1), message(2), message(3)];
    // A bundle takes no more from a megabyte on.
    const bundles = encodeBundles(messages);
    expect(bundles.map((bundle) => decodeBundle(bundle).map(({ receiver }) => receiver))).toEqual([[1, 2], [3]]);
    expect(bundles.flatMap((bundle) => decodeBundle(bundle))).toMatchObject(messages);
  });

  it("takes the answer to an errand of its own, and none to an errand of a former owner", () => {
    const reply = { kind: "failure", failure: "total-timeout", message: "", address: null, milliseconds: 1 } as const;
    const [former, other] = acquainted();
    former.exchange.delegate(5, { url: `${ORIGINS[1]}/robots.txt` } as FetchRequest, 0);
    for (const message of former.say()) other.exchange.take(message, []);
    other.exchange.errandDone(1, reply);
    const answers = other.say();
    const owner = new Speaker(0, { epoch: 2 });
    owner.exchange.delegate(5, { url: `${ORIGINS[1]}/sitemap.xml` } as FetchRequest, 0);
    expect(answers.flatMap((message) => owner.exchange.take(message, []))).toEqual([]);
    expect(answers.flatMap((message) => former.exchange.take(message, []))).toEqual([{ kind: "reply", id: 5, reply }]);
  });
});
