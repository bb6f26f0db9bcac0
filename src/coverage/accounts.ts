/** What the ledger adds up with: sums that lose nothing, and totals received from other processes. */

/** An accurate sum of many numbers of very different size: Neumaier's compensated summation. */
export class RunningSum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  copyFrom(other: RunningSum): void {
    this.#sum = other.#sum;
    this.#lost = other.#lost;
  }

  get value(): number {
    return this.#sum + this.#lost;
  }
}

/**
 * What other processes have sent to pages of this one. Each message names a running total, and per sender and page the
 * greatest total counts; so messages may be late, repeated or reordered, and nothing is counted twice (C5).
 */
export class ReceivedTotals {
  readonly #bySender = new Map<number, Map<number, number>>();

  /** Takes a total and returns by how much it exceeds what was known: 0 for an old message. */
  raise(page: number, sender: number, total: number): number {
    let totals = this.#bySender.get(sender);
    if (totals === undefined) this.#bySender.set(sender, (totals = new Map()));
    const before = totals.get(page) ?? 0;
    if (!(total > before)) return 0;
    totals.set(page, total);
    return total - before;
  }

  copyFrom(other: ReceivedTotals): void {
    this.#bySender.clear();
    for (const [sender, totals] of other.#bySender) this.#bySender.set(sender, new Map(totals));
  }
}
