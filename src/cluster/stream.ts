/**
 * The two ends of what one shard tells another: URLs in the order of the log, and totals of credit. Each message has a
 * number in its stream, and is acknowledged; if that does not come, a new stream begins.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import type { FetchRequest } from "../fetch/index.ts";
import type { Acknowledgement, Answer, Credit, HeardUrl, ShardMessage } from "./messages.ts";

/** What the sender needs to know of its URLs. */
export interface OutgoingOptions {
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
  errands: { readonly id: number; readonly request: FetchRequest }[] = [];
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
      const capacity = capacityFor(this.count + 1, this.count);
      this.#ids = enlarged(this.#ids, capacity);
      this.#sent = enlarged(this.#sent, capacity);
    }
    this.#ids[this.count++] = url;
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

  takeErrands(): Pick<ShardMessage, "errands" | "answers"> {
    const { errands, answers } = this;
    if (errands.length > 0) this.errands = [];
    if (answers.length > 0) this.answers = [];
    return { ...(errands.length === 0 ? {} : { errands }), ...(answers.length === 0 ? {} : { answers }) };
  }

  /** What is to be said next. Credit of less than `creditMin` waits, and all of it if that is undefined. */
  next(creditMin: number | undefined): Pick<ShardMessage, "place" | "urls" | "credits"> {
    if (this.stored === 0) return {};
    if (this.#number > this.#acknowledged && ++this.#waited > PATIENCE) this.#repeat();
    // Until it is known how many were heard of, that is asked for.
    if (!this.#isKnown) return this.#number === 0 ? { place: this.#place() } : {};
    const urls = this.#urls();
    const credits = creditMin === undefined ? [] : this.#credits(creditMin);
    // The first message of a stream is sent even if it is empty: it says that the acknowledgement came.
    if (urls === undefined && credits.length === 0 && this.#number > 0) return {};
    return { place: this.#place(), ...(urls === undefined ? {} : { urls }), credits };
  }

  #repeat(): void {
    if (this.#isKnown) this.#beginAnew();
    else this.#number = 0;
    this.#waited = 0;
  }

  #place(): { readonly stream: number; readonly number: number } {
    return { stream: this.#stream, number: ++this.#number };
  }

  #urls(): ShardMessage["urls"] {
    const { index } = this.#options;
    const first = this.#next;
    const end = Math.min(this.stored, first + URLS_MAX);
    if (first >= end) return undefined;
    const list: HeardUrl[] = [];
    for (let k = first; k < end; k++) {
      const url = this.#ids[k];
      list.push({ url: index.textOf(url), depth: index.depthOf(url), hops: index.hopsTo(url) });
    }
    this.#next = end;
    return { first, list };
  }

  #credits(creditMin: number): Credit[] {
    const { index, ledger, hopsMax } = this.#options;
    const ids = this.#ids;
    const sent = this.#sent;
    const credits: Credit[] = [];
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
      credits.push({ high, low, total, hops });
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

  /** Whether the message is of the stream that counts, and the one after the last. */
  came({ stream, number }: { readonly stream: number; readonly number: number }, epoch: number): boolean {
    if (epoch < this.#epoch || (epoch === this.#epoch && stream < this.#stream)) return false;
    if (epoch > this.#epoch || stream > this.#stream) this.#number = 0;
    this.#epoch = epoch;
    this.#stream = stream;
    this.isAckDue = true;
    if (number !== this.#number + 1) return false;
    this.#number = number;
    return true;
  }

  /** What a new owner says to begin with may be lost, and who has told all URLs would never say its credit again. */
  takeAck(): Pick<ShardMessage, "ack"> {
    if (this.heard > 0 && this.#number === 0 && ++this.#waited % PATIENCE === 0) this.isAckDue = true;
    if (!this.isAckDue) return {};
    this.isAckDue = false;
    return { ack: { epoch: this.#epoch, stream: this.#stream, number: this.#number, heard: this.heard } };
  }
}
