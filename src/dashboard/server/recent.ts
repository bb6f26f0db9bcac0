/** The last few things computed, each under a key, bounded by their number and by their size together. What was used longest ago goes first. */
export interface RecentLimits {
  readonly entries: number;
  /** In the unit of `sizeOf`. */
  readonly size: number;
}

export class Recent<Value> {
  readonly #limits: RecentLimits;
  readonly #sizeOf: (value: Value) => number;
  /** In the order of use: a map keeps the order in which keys were set. */
  readonly #values = new Map<string, Value>();

  constructor(limits: RecentLimits, sizeOf: (value: Value) => number) {
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

  /** All that the new value does not leave room for; the new one stays, whatever its size. */
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
