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
import type { CrawlLog, LogFeed, LookRecord, RoundRecord, TrustRecord } from "../../log/index.ts";
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
  /** URLs that count as lost. */
  readonly cuts: Set<number>;
}

export interface ReplayOptions {
  /** Those of the feed. */
  readonly links: GrowingLinks;
  readonly ledger: Pick<LedgerOptions, "damping" | "universe">;
  /** What became of each URL, by what the feed has read. */
  readonly arrivalOf: ArrivalOf;
}

export class LooksOfLog {
  readonly looks: LookUnderWay[] = [];
  readonly ledger: RoundLedger;
  /** Looks in the log, also those that are void. */
  count = 0;
  readonly #options: ReplayOptions;
  readonly #cuts = new Map<number, Set<number>>();
  /** Looks of the log that have not begun here. */
  readonly #toReplay = new Map<number, LookRecord>();
  #rounds: readonly RoundRecord[] = [];
  /** How many of the rounds have begun here, or were left out. */
  #replayed = 0;
  #isReplaying = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.ledger = new RoundLedger({ ...options.ledger, links: options.links, pages: 1024 });
  }

  /** Hears of the facts and visits of a log from the one feed that reads it, and then follows it. */
  listenTo(feed: LogFeed): void {
    feed.add(this.ledger, {
      visited: ({ number }) => {
        if (!this.#isReplaying) return;
        // A walk goes on once the visit that it waited for has ended, as it did in the crawl.
        this.advance();
        this.#replayDue(number);
      },
      hostBlocked: () => this.hostBlocked(),
    });
  }

  /** Takes in the looks of a log that the feed is about to read, or to read further than this visit. */
  open(log: CrawlLog, visit = 0): void {
    const digest = trustDigest(log.trust(), this.#options.ledger.damping);
    for (const look of log.looks()) {
      if (look.number <= this.count) continue;
      this.count = look.number;
      if (look.trustDigest === digest) this.#toReplay.set(look.number, look);
    }
    this.#isReplaying = true;
    this.#rounds = [...log.rounds()];
    // A look is about facts that did not change meanwhile.
    for (const { look, afterVisit } of this.#rounds) if (afterVisit < log.generation) this.#toReplay.delete(look);
    for (const { look, url } of log.cuts()) this.#cutsOf(look).add(url);
    if (visit > 0) this.#replayDue(visit);
  }

  /** What the feed tells from now on is new: whoever looks begins the rounds. */
  finish(): void {
    this.#isReplaying = false;
  }

  /** A look that is about to begin. Until it is `written`, another may take its place. */
  begin(record: LookRecord): LookUnderWay {
    const { number, seed, confidence, target } = record;
    if (this.looks.at(-1)?.record.number === number) this.looks.pop();
    const alpha = alphaOfLook(1 - confidence, number);
    const walks = new WalksUnderWay(new Look({ alpha, levels: levelsUpTo(target), seed }));
    const look = { record, walks, cuts: this.#cutsOf(number) };
    this.looks.push(look);
    return look;
  }

  /** The last look is in the log. */
  written(): void {
    this.count = this.looks.at(-1)?.record.number ?? this.count;
  }

  /**
   * A host was found to block the crawler. Pages that it had forbidden count from now on, so what was shown about other
   * pages alone is void.
   */
  hostBlocked(): void {
    for (const { walks } of this.looks.splice(0)) walks.end();
    this.ledger.release();
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
    const { cuts } = this.looks[this.looks.length - 1];
    walks.advance((url) => (cuts.has(url) ? { kind: "lost" } : this.#options.arrivalOf(url)));
    if (walks.isRoundOver) this.ledger.release();
  }

  /** The greatest coverage that a look of at least this confidence shows. */
  claim(confidence = 0): SampledClaim | undefined {
    let best: SampledClaim | undefined;
    for (const { record, walks } of this.looks) {
      const claim = claimOf(record, walks.look);
      if (claim.walks > 0 && record.confidence >= confidence && (best === undefined || claim.coverage > best.coverage))
        best = claim;
    }
    return best;
  }

  /** The rounds that began after this visit or before. */
  #replayDue(visit: number): void {
    const rounds = this.#rounds;
    for (; this.#replayed < rounds.length && rounds[this.#replayed].afterVisit <= visit; this.#replayed++) {
      this.#replay(rounds[this.#replayed]);
    }
  }

  #replay(round: RoundRecord): void {
    const last = this.looks.at(-1);
    if (last?.record.number !== round.look) {
      const record = this.#toReplay.get(round.look);
      if (record === undefined) return;
      last?.walks.end();
      this.begin(record);
    } else if (!last.walks.isRoundOver) {
      // It cannot be followed again as it was, so it shows no more than this.
      return;
    }
    // A look that is voided does not begin again.
    this.#toReplay.delete(round.look);
    this.beginRound(round);
  }

  #cutsOf(look: number): Set<number> {
    let cuts = this.#cuts.get(look);
    if (cuts === undefined) this.#cuts.set(look, (cuts = new Set()));
    return cuts;
  }
}

/** What a look is about besides the pages: a look made with other trust or damping is void. */
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
  return { coverage: look.shown, confidence, walks: look.entered.length, fetched: look.fetched };
}
