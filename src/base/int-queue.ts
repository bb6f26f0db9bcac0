/** First in, first out, for small integers: a ring that doubles when it is full. */
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

  /** The value that has waited longest, or -1 when the queue is empty. */
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
