/**
 * How many connections each address has, whoever has opened them. Several host schedules may share a table: then they
 * share the connections of every address, and each learns when another has made an address busy or free.
 *
 * Most addresses serve one host, so what they take counts: whoever wants to know of turns listens to all of a table.
 */
export class AddressUse {
  readonly text: string;
  taken = 0;
  /** As many connections as it may have. */
  #limit: number;
  readonly #turned: (use: AddressUse) => void;

  constructor(text: string, limit: number, turned: (use: AddressUse) => void) {
    this.text = text;
    this.#limit = limit;
    this.#turned = turned;
  }

  get isBusy(): boolean {
    return this.taken >= this.#limit;
  }

  get limit(): number {
    return this.#limit;
  }

  take(connections: number): void {
    const wasBusy = this.isBusy;
    this.taken += connections;
    if (wasBusy !== this.isBusy) this.#turned(this);
  }

  setLimit(limit: number): void {
    const wasBusy = this.isBusy;
    this.#limit = limit;
    if (wasBusy !== this.isBusy) this.#turned(this);
  }
}

export class AddressTable {
  /** How often an address has become busy or free. */
  turns = 0;
  readonly #uses = new Map<string, AddressUse>();
  readonly #limitOf: (address: string) => number;
  readonly #sharers = new Set<(use: AddressUse) => void>();
  readonly #turned = (use: AddressUse): void => {
    this.turns++;
    for (const turned of this.#sharers) turned(use);
  };

  /** `limitOf` says how many connections an address may have, when it is first met. */
  constructor(limitOf: (address: string) => number) {
    this.#limitOf = limitOf;
  }

  of(address: string): AddressUse {
    let use = this.#uses.get(address);
    if (use !== undefined) return use;
    use = new AddressUse(address, this.#limitOf(address), this.#turned);
    this.#uses.set(address, use);
    return use;
  }

  all(): Iterable<AddressUse> {
    return this.#uses.values();
  }

  /** `turned` is called when an address becomes busy or free, until the function that is returned is. */
  onTurn(turned: (use: AddressUse) => void): () => void {
    this.#sharers.add(turned);
    return () => void this.#sharers.delete(turned);
  }
}
