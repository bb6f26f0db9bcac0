/** The addresses of the hosts of one schedule, in a table that others may share. */
import type { AddressTable } from "./addresses.ts";
import { Address } from "./host.ts";

export class OwnAddresses {
  /** Nobody is told of turns any more. */
  readonly leave: () => void;
  readonly #table: AddressTable;
  readonly #addresses = new Map<string, Address>();
  /** Those that became free since somebody last looked here. */
  #freed: Address[] = [];

  /** `turned` is called when one of them has become busy or free, whoever has done it. */
  constructor(table: AddressTable, turned: (address: Address) => void) {
    this.#table = table;
    this.leave = table.onTurn(({ text, isBusy }) => {
      const address = this.#addresses.get(text);
      if (address === undefined) return;
      turned(address);
      if (!isBusy) this.#freed.push(address);
    });
  }

  of(text: string): Address {
    let address = this.#addresses.get(text);
    if (address === undefined) this.#addresses.set(text, (address = new Address(this.#table.of(text))));
    return address;
  }

  get hasFreed(): boolean {
    return this.#freed.length > 0;
  }

  takeFreed(): readonly Address[] {
    const freed = this.#freed;
    if (freed.length > 0) this.#freed = [];
    return freed;
  }
}
