/**
 * The two ends of what one shard tells another: URLs in the order of the log, and totals of credit. Each message has a
 * number in its stream, and is acknowledged; if that does not come, a new stream begins.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import type { Acknowledgement, Answer, Credit, Errand, HeardUrl, Place, ShardMessage } from "./messages.ts";

/** What the sender needs to know of its URLs. */
export interface OutgoingOptions {
  /** The shard that speaks. */
  readonly shard: number;
  /** Grows with each engine that speaks for the shard. */
  readonly epoch: number;
  /** Redirects in a row beyond which nothing is handed on: they go round in a circle. */
  readonly hopsMax: number;
  readonly index: {
    textOf(url: number): string;
    depthOf(url: number): number;
    hopsTo(url: number): number;
    /** The halves of the fingerprint of a URL. */
    fingerprintOf(url: number): readonly [high: number, low: number];
  };
  readonly ledger: {
    /** What waits on a URL of another shard. */
    waitingOn(url: number): number;
  };
}

/** URLs in one message; the others follow in the next. */
const URLS_MAX = 4000;
/** So often there was something to say, and no acknowledgement came though one is due: something is lost. */
const PATIENCE = 8;

/** Room for the first URLs: there are many pairs of shards, and to make arrays takes longer than to fill them. */
const CAPACITY_LEAST = 16;
/** Until there is one: many pairs of shards never have any. */
const NO_IDS = new Uint32Array(0);
const NOTHING_SENT = new Float64Array(0);

export class Outgoing {
  /** URLs of the other shard that this one has discovered. */
  count = 0;
  /** How many of them are in the log, and how many are on the way there. */
  stored = 0;
  taken = 0;
  /** Those on which more waits than was sent, at the last look. */
  unsent = 0;
  errands: Errand[] = [];
  answers: Answer[] = [];
  readonly #options: OutgoingOptions;
  /** In the order of the log, and what was sent to each. */
  #ids = NO_IDS;
  #sent = NOTHING_SENT;
  /** The first of them that was not told in this stream, and how many were certainly heard of. */
  #next = 0;
  #heard = 0;
  /** Of the owner of the other shard. */
  #epoch = 0;
  /** Whether it has said how many it has heard of. */
  #isKnown = false;
  #stream = 1;
  #number = 0;
  #acknowledged = 0;
  #waited = 0;

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  add(url: number): void {
    if (this.count === this.#ids.length) {
      const capacity = capacityFor(CAPACITY_LEAST, this.count);
      this.#ids = enlarged(this.#ids, capacity);
      this.#sent = enlarged(this.#sent, capacity);
    }
    this.#ids[this.count++] = url;
  }

  /** What was discovered so far goes into the log. */
  take(): void {
    this.taken = this.count;
  }

  /** What was taken is there. */
  store(): void {
    this.stored = this.taken;
  }

  acknowledged({ epoch: ours, stream, number, heard }: Acknowledgement, epoch: number): void {
    if (epoch < this.#epoch) return;
    const isNewOwner = epoch > this.#epoch;
    this.#epoch = epoch;
    if (isNewOwner || !this.#isKnown) {
      this.#heard = heard;
      return this.#beginAnew();
    }
    this.#heard = Math.max(this.#heard, heard);
    const isOfStream = ours === this.#options.epoch && stream === this.#stream;
    if (!isOfStream || number <= this.#acknowledged) return;
    this.#acknowledged = number;
    // Where there is always more to say, the last acknowledgement is always one of an earlier message.
    this.#waited = 0;
  }

  /** The other side knows nothing of credit, and has heard of so many URLs. */
  #beginAnew(): void {
    this.#isKnown = true;
    this.#stream++;
    this.#number = 0;
    this.#acknowledged = 0;
    this.#waited = 0;
    this.#next = Math.min(this.#heard, this.count);
    this.#sent.fill(0);
  }

  takeErrands(): readonly Errand[] | undefined {
    if (this.errands.length === 0) return undefined;
    const { errands } = this;
    this.errands = [];
    return errands;
  }

  takeAnswers(): readonly Answer[] | undefined {
    if (this.answers.length === 0) return undefined;
    const { answers } = this;
    this.answers = [];
    return answers;
  }

  /**
   * What is to be said next; undefined if there is nothing. Credit of less than `creditMin` waits, and all of it if
   * that is undefined, but for that of URLs which are told.
   */
  next(creditMin: number | undefined): Pick<ShardMessage, "place" | "urls" | "credits"> | undefined {
    if (this.stored === 0) return undefined;
    if (this.#number > this.#acknowledged && ++this.#waited > PATIENCE) this.#repeat();
    // Until it is known how many were heard of, that is asked for.
    if (!this.#isKnown) return this.#number === 0 ? { place: this.#place() } : undefined;
    const credits = creditMin === undefined ? undefined : this.#credits(creditMin);
    const urls = this.#urls();
    // The first message of a stream is sent even if it is empty: it says that the acknowledgement came.
    if (urls === undefined && credits === undefined && this.#number > 0) return undefined;
    return { place: this.#place(), urls, credits };
  }

  #repeat(): void {
    if (this.#isKnown) this.#beginAnew();
    else this.#number = 0;
    this.#waited = 0;
  }

  #place(): Place {
    return { owner: this.#epoch, stream: this.#stream, number: ++this.#number };
  }

  #urls(): ShardMessage["urls"] {
    const { shard: sender, index, ledger, hopsMax } = this.#options;
    const first = this.#next;
    const end = Math.min(this.stored, first + URLS_MAX);
    if (first >= end) return undefined;
    const list: HeardUrl[] = [];
    for (let k = first; k < end; k++) {
      const url = this.#ids[k];
      const hops = index.hopsTo(url);
      const total = hops > hopsMax ? 0 : ledger.waitingOn(url);
      this.#sent[k] = total;
      const [high, low] = index.fingerprintOf(url);
      const [depth, text] = [index.depthOf(url), index.textOf(url)];
      list.push({ kind: "heard", sender, high, low, total, hops, depth, url: text });
    }
    this.#next = end;
    return { first, list };
  }

  /** Of URLs that were told before, if there is any. */
  #credits(creditMin: number): Credit[] | undefined {
    const { shard: sender, index, ledger, hopsMax } = this.#options;
    const ids = this.#ids;
    const sent = this.#sent;
    let credits: Credit[] | undefined;
    this.unsent = 0;
    for (let k = 0; k < this.#next; k++) {
      const total = ledger.waitingOn(ids[k]);
      const more = total - sent[k];
      if (more <= 0) continue;
      const hops = index.hopsTo(ids[k]);
      if (hops > hopsMax) continue;
      this.unsent++;
      // What is new to the other shard is worth knowing, however little it is.
      if (more < creditMin && sent[k] > 0) continue;
      sent[k] = total;
      const [high, low] = index.fingerprintOf(ids[k]);
      credits ??= [];
      credits.push({ kind: "credited", sender, high, low, total, hops });
    }
    return credits;
  }
}

/** What came from another shard. */
export class Incoming {
  /** URLs of ours that it has told us. */
  heard = 0;
  isAckDue = false;
  /** How often nothing was acknowledged because nothing has come. */
  #waited = 0;
  #epoch = 0;
  #stream = 0;
  #number = 0;
  readonly #owner: number;

  /** By the epoch of the shard that hears. */
  constructor(owner: number) {
    this.#owner = owner;
  }

  /** Whether the message is of the stream that counts, and the one after the last. */
  came({ owner, stream, number }: Place, epoch: number): boolean {
    if (epoch < this.#epoch || (epoch === this.#epoch && stream < this.#stream)) return false;
    // Whoever says it does not know us yet. What it has told a former owner, who has acknowledged it, follows anew.
    if (owner !== this.#owner) {
      this.isAckDue = true;
      return false;
    }
    if (epoch > this.#epoch || stream > this.#stream) this.#number = 0;
    this.#epoch = epoch;
    this.#stream = stream;
    this.isAckDue = true;
    if (number !== this.#number + 1) return false;
    this.#number = number;
    return true;
  }

  /** What a new owner says to begin with may be lost, and who has told all URLs would never say its credit again. */
  takeAck(): Acknowledgement | undefined {
    if (this.heard > 0 && this.#number === 0 && ++this.#waited % PATIENCE === 0) this.isAckDue = true;
    if (!this.isAckDue) return undefined;
    this.isAckDue = false;
    return { epoch: this.#epoch, stream: this.#stream, number: this.#number, heard: this.heard };
  }
}
