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
