/** No more than so many requests at one address at once, for all the hosts that it serves; others wait in line. */
export class AddressGates {
  readonly #most: number;
  readonly #inside = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(most: number) {
    this.#most = most;
  }

  async enter(address: string): Promise<void> {
    const inside = this.#inside.get(address) ?? 0;
    if (inside < this.#most) {
      this.#inside.set(address, inside + 1);
      return;
    }
    await new Promise<void>((resolve) => {
      const line = this.#waiting.get(address);
      if (line === undefined) this.#waiting.set(address, [resolve]);
      else line.push(resolve);
    });
  }

  /** Hands the place on to who waits longest. */
  leave(address: string): void {
    const next = this.#waiting.get(address)?.shift();
    if (next !== undefined) next();
    else this.#inside.set(address, (this.#inside.get(address) ?? 1) - 1);
  }
}
