/**
 * Numbers that wait for a time: a binary min-heap. Equal times leave in the order in which they came, so that every run is
 * deterministic. O(log n) each; made for thousands, not for millions.
 */
export class TimedQueue {
  readonly #entries: Entry[] = [];
  #arrived = 0;

  get size(): number {
    return this.#entries.length;
  }

  /** The earliest time, or Infinity when nothing waits. */
  get nextMs(): number {
    return this.#entries[0]?.timeMs ?? Number.POSITIVE_INFINITY;
  }

  push(timeMs: number, value: number): void {
    const entries = this.#entries;
    const entry = { timeMs, value, arrival: this.#arrived++ };
    let place = entries.length;
    entries.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(entries[parent], entry)) break;
      entries[place] = entries[parent];
      place = parent;
    }
    entries[place] = entry;
  }

  /** Takes out the earliest value whose time has come, or answers -1. */
  popDue(nowMs: number): number {
    const top = this.#entries[0];
    if (top === undefined || top.timeMs > nowMs) return -1;
    const last = this.#entries.pop()!;
    if (this.#entries.length > 0) this.#sink(last);
    return top.value;
  }

  #sink(entry: Entry): void {
    const entries = this.#entries;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && isBefore(entries[child + 1], entries[child])) child++;
      if (isBefore(entry, entries[child])) break;
      entries[place] = entries[child];
      place = child;
    }
    entries[place] = entry;
  }
}

interface Entry {
  readonly timeMs: number;
  readonly value: number;
  readonly arrival: number;
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.arrival < b.arrival);
}
