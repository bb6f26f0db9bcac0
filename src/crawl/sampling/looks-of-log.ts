/**
 * The looks of a log, computed again: the dice come from the stored seeds, and what walks met is in the visits. So
 * anybody can check a sampled claim from the log alone, and a resumed crawl continues the look that was under way.
 *
 * A claim holds with probability `confidence`. It assumes, as no proof does, that the web does not change its answers
 * because of our dice.
 */
import {
  alphaOfLook,
  type ArrivalOf,
  type LedgerOptions,
  levelsUpTo,
  Look,
  WalksUnderWay,
} from "../../coverage/index.ts";
import { mix32 } from "../../base/index.ts";
import { type CrawlLog, LogFeed, type LookRecord, type RoundRecord, type TrustRecord } from "../../log/index.ts";
import type { GrowingLinks } from "../../graph/index.ts";
import { RoundLedger } from "./round-ledger.ts";

/** What a look shows about a crawl. */
export interface SampledClaim {
  /** The coverage that is shown; 0 if none is. */
  readonly coverage: number;
  readonly confidence: number;
  readonly walks: number;
  /** Pages that had to be fetched for the walks. */
  readonly fetched: number;
}

/** A look, and how far it has come. */
export interface LookUnderWay {
  readonly record: LookRecord;
  readonly walks: WalksUnderWay;
}

export interface ReplayOptions {
  /** The links of the whole log. */
  readonly links: GrowingLinks;
  readonly hostOf: (url: number) => number;
  readonly ledger: Pick<LedgerOptions, "damping" | "universe">;
  /** What became of each URL, by the whole log. */
  readonly arrivalOf: ArrivalOf;
}

export class LooksOfLog {
  readonly looks: LookUnderWay[] = [];
  readonly ledger: RoundLedger;
  /** Looks of the log, also those about other seeds, which say nothing any more. */
  count = 0;
  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.ledger = new RoundLedger({ ...options.ledger, links: options.links, pages: 1024 });
  }

  /** Reads a whole log. Where walks of its last round wait, facts after the beginning of the round wait as well. */
  read(log: CrawlLog): this {
    const digest = trustDigest(log.trust(), this.#options.ledger.damping);
    const looks = new Map<number, LookRecord>();
    for (const look of log.looks()) {
      this.count = look.number;
      if (look.trustDigest === digest) looks.set(look.number, look);
    }
    const rounds = [...log.rounds()];
    let next = 0;
    const beginDue = (visit: number): void => {
      for (; next < rounds.length && rounds[next].afterVisit <= visit; next++) this.#replay(rounds[next], looks);
    };
    const feed = new LogFeed(this.#options.hostOf, { links: this.#options.links });
    feed.add(this.ledger, { visited: ({ number }) => beginDue(number) });
    feed.readAll(log);
    beginDue(Number.POSITIVE_INFINITY);
    return this;
  }

  /** A look that is about to begin. */
  begin(record: LookRecord): LookUnderWay {
    const { number, seed, confidence, target } = record;
    const alpha = alphaOfLook(1 - confidence, number);
    const look = { record, walks: new WalksUnderWay(new Look({ alpha, levels: levelsUpTo(target), seed })) };
    this.looks.push(look);
    this.count = Math.max(this.count, number);
    return look;
  }

  /** Begins a round of the last look. False if there is nothing to walk to. */
  beginRound({ walks }: Pick<RoundRecord, "walks">): boolean {
    const look = this.looks.at(-1);
    this.ledger.release();
    if (look?.walks.beginRound(this.ledger.ledger, walks) !== true) return false;
    this.ledger.hold();
    this.advance();
    return true;
  }

  /** Follows the walks of the last look as far as outcomes are known. */
  advance(): void {
    const walks = this.looks.at(-1)?.walks;
    if (walks === undefined || walks.isRoundOver) return;
    walks.advance(this.#options.arrivalOf);
    if (walks.isRoundOver) this.ledger.release();
  }

  /** The greatest coverage that a look of at least this confidence shows. */
  claim(confidence = 0): SampledClaim | undefined {
    let best: SampledClaim | undefined;
    for (const { record, walks } of this.looks) {
      const claim = claimOf(record, walks.look);
      if (record.confidence >= confidence && (best === undefined || claim.coverage > best.coverage)) best = claim;
    }
    return best;
  }

  #replay(round: RoundRecord, looks: ReadonlyMap<number, LookRecord>): void {
    const record = looks.get(round.look);
    if (record === undefined) return;
    const last = this.looks.at(-1);
    if (last?.record.number !== round.look) {
      last?.walks.end();
      this.begin(record);
    }
    this.beginRound(round);
  }
}

/** What a look is about besides the pages: another trust or damping makes it say nothing. */
export function trustDigest(trust: Iterable<TrustRecord>, damping: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  const mixed = (hash: number, value: number): number => {
    bits.setFloat64(0, value);
    return mix32(mix32(hash ^ bits.getUint32(0)) ^ bits.getUint32(4)) >>> 0;
  };
  let hash = mixed(0, damping);
  for (const { url, weight } of trust) hash = mixed(mixed(hash, url), weight);
  return hash;
}

function claimOf({ confidence }: LookRecord, look: Look): SampledClaim {
  const fetched = look.entered.reduce((sum, walk) => sum + walk.fetched, 0);
  return { coverage: look.shown, confidence, walks: look.entered.length, fetched };
}
