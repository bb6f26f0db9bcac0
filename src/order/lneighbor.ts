/**
 * L-neighbor (Cho, Schonfeld: RankMass Crawler, Figure 2): breadth first from the trusted pages, level by level.
 *
 * Guarantee: 1 - d^(L+1) once every page of the levels 0 to L is downloaded (Theorem 2). The theorem needs all trust to
 * be seeded at the start, and every page of those levels to be downloaded with all its links before the next level
 * begins. Otherwise (and with Theorem 3's partial trust, which is no bound if dangling pages restart) the guarantee is
 * that of the ledger, (C7).
 */
import { enlarged, IntQueue } from "../base/index.ts";
import { PageState } from "../coverage/index.ts";
import { LedgerOrder } from "./ledger-order.ts";

export class LNeighborOrder extends LedgerOrder {
  readonly name = "lneighbor";
  /** Levels begun so far. */
  rounds = 0;
  readonly #queue = new IntQueue();
  /** Pages that were given back, to be handed out first. */
  readonly #returned = new IntQueue();
  /** 1 for pages that were ever queued. */
  #seen = new Uint8Array(0);
  #leftInLevel = 0;
  #theoremHolds = true;
  #guaranteed = 0;

  next(): number {
    while (this.#returned.size > 0) {
      const page = this.#returned.shift();
      if (this.isWaiting(page)) return this.handOut(page);
    }
    for (;;) {
      if (this.#leftInLevel === 0) this.#startLevel();
      const page = this.#queue.shift();
      if (page < 0) return -1;
      this.#leftInLevel--;
      if (this.isWaiting(page)) return this.handOut(page);
    }
  }

  override guaranteed(): number {
    return this.#guaranteed;
  }

  override trusted(page: number, weight: number): void {
    if (this.rounds > 0) this.#theoremHolds = false;
    super.trusted(page, weight);
  }

  protected override deviated(): void {
    this.#theoremHolds = false;
  }

  protected override returned(page: number): void {
    this.#returned.push(page);
  }

  protected override opened(page: number): void {
    if (page >= this.#seen.length) this.#seen = enlarged(this.#seen, this.ledger.pages);
    if (this.#seen[page] === 1) return;
    this.#seen[page] = 1;
    this.#queue.push(page);
  }

  protected override closed(): void {}

  protected override fetched(page: number): void {
    if (this.ledger.state[page] !== PageState.Downloaded) return;
    const { targets, start, end } = this.ledger.links.row(page);
    for (let k = start; k < end; k++) this.known(targets[k]);
  }

  /** The pages that wait now were all found on pages of earlier levels. */
  #startLevel(): void {
    if (this.rounds > 0) this.#endLevel();
    if (this.#queue.size > 0) this.rounds++;
    this.#leftInLevel = this.#queue.size;
  }

  #endLevel(): void {
    if (this.isAnyInFlight) this.#theoremHolds = false;
    this.#guaranteed = Math.max(this.#guaranteed, this.#theorem() ?? this.#bound());
  }

  #theorem(): number | undefined {
    const { damping, delta } = this.ledger;
    return this.#theoremHolds && delta === 0 ? 1 - damping ** this.rounds : undefined;
  }

  #bound(): number {
    this.propagateOnce();
    return this.ledger.bound();
  }
}
