interface CacheLimits {
  readonly entries: number;
  /** In the unit of `sizeOf`. */
  readonly size: number;
}

/**
 * The most recently used values by key, bounded by their number and their total size. The least recently used go first.
 */
export class RecentCache<Value> {
  readonly #limits: CacheLimits;
  readonly #sizeOf: (value: Value) => number;
  /** In the order of use: a map keeps the order in which keys were set. */
  readonly #values = new Map<string, Value>();

  constructor(limits: CacheLimits, sizeOf: (value: Value) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  get count(): number {
    return this.#values.size;
  }

  get(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    this.#shrink();
    return value;
  }

  /** Removes old values until the limits hold. The newest value stays, even if it alone is too large. */
  #shrink(): void {
    let size = 0;
    for (const value of this.#values.values()) size += this.#sizeOf(value);
    for (const [key, value] of this.#values) {
      if (this.#values.size <= 1) return;
      if (this.#values.size <= this.#limits.entries && size <= this.#limits.size) return;
      this.#values.delete(key);
      size -= this.#sizeOf(value);
    }
  }
}
