/**
 * What a shard has to say to the others, and what it hears from them (messages.ts). Shards that have the same engine
 * say nothing to each other: what one discovers the other knows. Only how many URLs that were is counted, for the time
 * when they part.
 *
 * URLs of other shards are numbered, per shard, in the order of the log in which they were discovered. So a new owner
 * knows the same order, and each side needs only a count. What is not in the log yet is not told: it might be lost, and
 * something else might take its number. Credit is what waits on such a URL in the ledger: it only
 * grows, and nothing else leaves the ledger. It is not stored anywhere: a new owner computes it again.
 */
import type { FetchRequest, Reply } from "../fetch/index.ts";
import type { Input, RemoteRecord } from "../crawl/index.ts";
import { hostOfUrl } from "../web/index.ts";
import { InsideCounts } from "./inside-counts.ts";
import type { ShardMessage } from "./messages.ts";
import { type Sharding, shardOf } from "./sharding.ts";
import { Incoming, Outgoing, type OutgoingOptions } from "./stream.ts";

/** What an exchange needs to know of its shard. */
export interface ExchangeOptions extends OutgoingOptions {
  readonly sharding: Sharding;
  /** Whether another shard has the same engine. */
  readonly isInside: (shard: number) => boolean;
  /** Notes of the log. */
  readonly log: { meta(key: string): string | undefined; putMeta(key: string, value: string | undefined): void };
}

/** An errand that is not answered within this time has failed. */
const ERRAND_MS = 120_000;

/** Who wants it, and how that owner calls it. */
interface ErrandOfOther {
  readonly sender: number;
  readonly epoch: number;
  readonly id: number;
}

interface CollectOptions {
  readonly creditMin: number | undefined;
  readonly isOwned: (shard: number) => boolean;
}

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #inside: InsideCounts;
  /** Shards that have another engine. */
  readonly #outside: readonly number[];
  /** By their numbers, once there is something to say or to hear. */
  readonly #outgoing: (Outgoing | undefined)[];
  readonly #incoming: (Incoming | undefined)[];
  /** URLs of other shards on which more waits than was sent, when somebody last looked. */
  unsent = 0;
  /** Errands of others that were taken on, by our number for them. */
  readonly #errands = new Map<number, ErrandOfOther>();
  #errandsTaken = 0;
  /** Requests of this shard that others are to make, and until when they may take. */
  readonly #delegated = new Map<number, { readonly request: FetchRequest; readonly untilMs: number }>();

  constructor(options: ExchangeOptions) {
    const { shard: own, sharding, isInside } = options;
    this.#options = options;
    this.#inside = new InsideCounts(sharding.shards);
    this.#outside = Array.from({ length: sharding.shards }, (_, shard) => shard).filter(
      (shard) => shard !== own && !isInside(shard),
    );
    // Where all shards have the same engine, millions of pairs need nothing.
    const length = this.#outside.length === 0 ? 0 : sharding.shards;
    this.#outgoing = Array.from({ length }, () => undefined);
    this.#incoming = Array.from({ length }, () => undefined);
  }

  #to(receiver: number): Outgoing {
    return (this.#outgoing[receiver] ??= new Outgoing(this.#options));
  }

  #from(sender: number): Incoming {
    return (this.#incoming[sender] ??= new Incoming(this.#options.epoch));
  }

  /** URLs of other shards that this one has discovered, and URLs of this one that it has heard of. */
  get counts(): { readonly sent: number; readonly heard: number } {
    let { sent, heard } = this.#inside.totals;
    for (const outgoing of this.#outgoing) sent += outgoing?.count ?? 0;
    for (const incoming of this.#incoming) heard += incoming?.heard ?? 0;
    return { sent, heard };
  }

  get hasDelegated(): boolean {
    return this.#delegated.size > 0;
  }

  /** The log mentions a URL of another shard. */
  mentioned(owner: number, url: number): void {
    if (this.#options.isInside(owner)) this.#inside.mentioned[owner]++;
    else this.#to(owner).add(url);
  }

  /** The log was replayed: others may send what is missing. */
  open(): void {
    this.batchTaken();
    this.batchStored();
    for (const sender of this.#outside) {
      const incoming = this.#from(sender);
      incoming.heard = this.#noted(sender);
      incoming.isAckDue = true;
    }
  }

  #noted(sender: number): number {
    return Number(this.#options.log.meta(heardKey(sender)) ?? 0);
  }

  /**
   * Another shard of the same engine has mentioned so many URLs of this one, which were known at once. How many of them
   * are in the log of that shard is noted in ours, behind the URLs: they need not be told again when the two part.
   */
  hearInside({ shard, exchange }: { readonly shard: number; readonly exchange: Exchange }, isNoted: boolean): void {
    const { mentioned, stored } = exchange.#inside;
    const { heard, noted } = this.#inside;
    const own = this.#options.shard;
    heard[shard] = mentioned[own];
    if (!isNoted || stored[own] <= noted[shard]) return;
    noted[shard] = stored[own];
    if (stored[own] > this.#noted(shard)) this.#options.log.putMeta(heardKey(shard), String(stored[own]));
  }

  /** What was discovered so far goes into the log; others hear of it once it is stored there. */
  batchTaken(): void {
    this.#inside.taken.set(this.#inside.mentioned);
    for (const outgoing of this.#outgoing) outgoing?.take();
  }

  batchStored(): void {
    this.#inside.stored.set(this.#inside.taken);
    for (const outgoing of this.#outgoing) outgoing?.store();
  }

  // What is heard.

  /** Takes a message: adds what it tells of URLs to the records, and returns what else it means for the engine. */
  take(message: ShardMessage, records: RemoteRecord[]): readonly Input[] {
    const { sender, senderEpoch, ack, place, urls, credits, errands = [], answers = [] } = message;
    // From before they had the same engine: what has flowed is in the ledger, and would count twice.
    if (this.#options.isInside(sender)) return [];
    if (ack !== undefined) this.#to(sender).acknowledged(ack, senderEpoch);
    const isNext = place !== undefined && this.#from(sender).came(place, senderEpoch);
    if (isNext && urls !== undefined) this.#hearUrls(sender, urls, records);
    // Totals are true whenever they come.
    if (credits !== undefined) for (const each of credits) records.push(each);
    if (errands.length + answers.length === 0) return [];
    const inputs: Input[] = [];
    for (const { id, request } of errands) inputs.push(this.#takeErrand({ sender, epoch: senderEpoch, id }, request));
    for (const { epoch, id, reply } of answers) {
      if (epoch === this.#options.epoch && this.#delegated.delete(id)) inputs.push({ kind: "reply", id, reply });
    }
    return inputs;
  }

  #hearUrls(sender: number, { first, list }: NonNullable<ShardMessage["urls"]>, records: RemoteRecord[]): void {
    const incoming = this.#from(sender);
    // A former owner of this shard may have heard of more, and lost it.
    if (first > incoming.heard) return;
    // Those that are told again come with credit that may be new.
    for (const each of list) records.push(each);
    const end = first + list.length;
    if (end <= incoming.heard) return;
    incoming.heard = end;
    this.#options.log.putMeta(heardKey(sender), String(end));
  }

  #takeErrand(errand: ErrandOfOther, request: FetchRequest): Input {
    const { shard, sharding } = this.#options;
    // Different from those of all shards that have the same engine.
    const number = this.#errandsTaken++ * sharding.shards + shard;
    this.#errands.set(number, errand);
    return { kind: "errand", id: number, request };
  }

  // What is to be said.

  /** A request of this shard that another is to make. */
  delegate(id: number, request: FetchRequest, nowMs: number): void {
    this.#delegated.set(id, { request, untilMs: nowMs + ERRAND_MS });
    this.#to(shardOf(hostOfUrl(request.url), this.#options.sharding)).errands.push({ id, request });
  }

  /** What came of an errand. */
  errandDone(number: number, reply: Reply): void {
    const errand = this.#errands.get(number);
    this.#errands.delete(number);
    if (errand === undefined) return;
    const { sender, epoch, id } = errand;
    this.#to(sender).answers.push({ epoch, id, reply });
  }

  /** Errands that take too long have failed. */
  overdue(nowMs: number): Input[] {
    const inputs: Input[] = [];
    for (const [id, { untilMs }] of this.#delegated) {
      if (untilMs > nowMs) continue;
      this.#delegated.delete(id);
      inputs.push({ kind: "reply", id, reply: UNANSWERED });
    }
    return inputs;
  }

  /**
   * What is to be said now to shards that somebody owns. Credit of less than `creditMin` waits, and all of it if that
   * is undefined.
   */
  collect({ creditMin, isOwned }: CollectOptions): ShardMessage[] {
    const { shard: sender, epoch: senderEpoch } = this.#options;
    const messages: ShardMessage[] = [];
    this.unsent = 0;
    // There are thousands of pairs of shards, and most have nothing to say: nothing is made for those.
    for (const receiver of this.#outside) {
      if (!isOwned(receiver)) continue;
      const outgoing = this.#outgoing[receiver];
      const ack = this.#incoming[receiver]?.takeAck();
      const errands = outgoing?.takeErrands();
      const answers = outgoing?.takeAnswers();
      const next = outgoing?.next(creditMin);
      this.unsent += outgoing?.unsent ?? 0;
      if (ack === undefined && errands === undefined && answers === undefined && next === undefined) continue;
      const { place, urls, credits } = next ?? NOTHING;
      messages.push({ sender, receiver, senderEpoch, ack, place, urls, credits, errands, answers });
    }
    return messages;
  }
}

const NOTHING: Pick<ShardMessage, "place" | "urls" | "credits"> = {};

export function heardKey(sender: number): string {
  return `heard ${sender}`;
}

const UNANSWERED: Reply = {
  kind: "failure",
  failure: "total-timeout",
  message: "the worker that owns this host did not answer",
  address: null,
  milliseconds: ERRAND_MS,
};
