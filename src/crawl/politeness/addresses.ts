/**
 * How many connections each address has, whoever has opened them. Several host schedules may share a table: then they
 * share the connections of every address, and each learns when another has made an address busy or free.
 */
export class AddressUse {
  readonly text: string;
  taken = 0;
  /** As many connections as it may have. */
  #limit: number;
  readonly #sharers = new Set<(isBusy: boolean) => void>();

  constructor(text: string, limit: number, turned: () => void) {
    this.text = text;
    this.#limit = limit;
    this.#sharers.add(turned);
  }

  get isBusy(): boolean {
    return this.taken >= this.#limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** `turned` is called when the address becomes busy or free, until the function that is returned is. */
  onTurn(turned: (isBusy: boolean) => void): () => void {
    this.#sharers.add(turned);
    return () => void this.#sharers.delete(turned);
  }

  take(connections: number): void {
    this.#change(() => {
      this.taken += connections;
    });
  }

  setLimit(limit: number): void {
    this.#change(() => {
      this.#limit = limit;
    });
  }

  #change(change: () => void): void {
    const wasBusy = this.isBusy;
    change();
    if (wasBusy !== this.isBusy) for (const turned of this.#sharers) turned(this.isBusy);
  }
}

export class AddressTable {
  /** How often an address has become busy or free. */
  turns = 0;
  readonly #uses = new Map<string, AddressUse>();
  readonly #limitOf: (address: string) => number;

  /** `limitOf` says how many connections an address may have, when it is first met. */
  constructor(limitOf: (address: string) => number) {
    this.#limitOf = limitOf;
  }

  of(address: string): AddressUse {
    let use = this.#uses.get(address);
    if (use !== undefined) return use;
    use = new AddressUse(address, this.#limitOf(address), () => this.turns++);
    this.#uses.set(address, use);
    return use;
  }

  all(): Iterable<AddressUse> {
    return this.#uses.values();
  }
}
