/** A first-in, first-out queue of non-negative integers below 2^32: a ring that doubles when it is full. */
export class IntQueue {
  #ring = new Uint32Array(1024);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(value: number): void {
    if (this.#size === this.#ring.length) this.#double();
    this.#ring[(this.#head + this.#size++) & (this.#ring.length - 1)] = value;
  }

  /** Takes out the value that has waited longest; -1 when the queue is empty. */
  shift(): number {
    if (this.#size === 0) return -1;
    const value = this.#ring[this.#head];
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#size--;
    return value;
  }

  #double(): void {
    const larger = new Uint32Array(2 * this.#ring.length);
    larger.set(this.#ring.subarray(this.#head));
    larger.set(this.#ring.subarray(0, this.#head), this.#ring.length - this.#head);
    this.#ring = larger;
    this.#head = 0;
  }
}

/**
 * Values that become due at a time: a binary min-heap, made for thousands of entries. Equal times leave in order of
 * arrival, so that every run is deterministic.
 */
export class TimedQueue<Value> {
  readonly #entries: Entry<Value>[] = [];
  #arrived = 0;

  /** The earliest time; Infinity when nothing waits. */
  get nextMs(): number {
    return this.#entries[0]?.timeMs ?? Number.POSITIVE_INFINITY;
  }

  push(timeMs: number, value: Value): void {
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

  /** Takes out the earliest value that is due; undefined when none is. */
  popDue(nowMs: number): Value | undefined {
    const top = this.#entries[0];
    if (top === undefined || top.timeMs > nowMs) return undefined;
    const last = this.#entries.pop()!;
    if (this.#entries.length > 0) this.#sink(last);
    return top.value;
  }

  #sink(entry: Entry<Value>): void {
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

interface Entry<Value> {
  readonly timeMs: number;
  readonly value: Value;
  readonly arrival: number;
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.arrival < b.arrival);
}
