/**
 * Pages with nearly the same words: groups of them, found by the SimHashes of their words (web/simhash.ts).
 *
 * In the order given, a page joins the first leader whose hash differs in at most 3 of 64 bits, or becomes a leader
 * itself. So all pages of a group are near its first page, but two others may differ in 6 bits.
 *
 * A hash that came before gets the same answer without a search: leaders that were added since come later.
 */
import { FingerprintTable, mix32 } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import type { LogListener, Visit } from "../log/index.ts";
import { groupsOf, HashColumn } from "./hash-column.ts";
import { distance, Leaders } from "./leaders.ts";

/** Collects the SimHashes of a log. */
export class SimHashes implements LogListener {
  readonly #hashes = new HashColumn();
  #isEmpty = true;

  /** Whether no page has one: the crawl was not to store them, or all pages have few words. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  visited({ url, outcome, simhash }: Visit): void {
    if (simhash === null || !isDownloaded(outcome)) return;
    this.#hashes.set(url, simhash);
    this.#isEmpty = false;
  }

  /** Groups come in the order of their first pages, and their pages in the order given. */
  *groups(pages: Uint32Array): Generator<Uint32Array> {
    const { high, low } = this.#hashes;
    const known = pages.filter((page) => this.#hashes.has(page));
    const seen = new FingerprintTable();
    const leaderOfSeen = new Uint32Array(known.length);
    const leaders = new Leaders(known, this.#hashes);
    const leaderOf = known.map((page) => {
      const [a, b] = [high[page], low[page]];
      // One to one: alike pages have alike hashes, which would crowd a few slots of the table.
      const scrambled = mix32(b ^ mix32(a));
      const before = seen.find(a, scrambled);
      if (before >= 0) return leaderOfSeen[before];
      const found = leaders.first(a, b);
      const leader = found < 0 ? leaders.add(a, b) : found;
      leaderOfSeen[seen.add(a, scrambled)] = leader;
      return leader;
    });
    yield* groupsOf(known, leaderOf, leaders.size);
  }

  /** In how many bits the hashes of two pages differ. */
  distance(page: number, other: number): number {
    const { high, low } = this.#hashes;
    return distance(high[page] ^ high[other], low[page] ^ low[other]);
  }
}
