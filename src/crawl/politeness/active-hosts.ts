/**
 * Hosts of which something was ever wanted, in the order in which that began.
 *
 * Life of a host: idle, then busy and at rest in turn. A busy host has a `Host`. It is at rest when nothing is under
 * way or planned there (`Host.isAtRest`): then it may give its object up, what lasts is kept in columns, and it gets an
 * object again when something is wanted of it.
 *
 * Two objects of one host would each know half of what is under way there. So objects are given up only between the
 * steps of an engine, when nobody has one in hand, and whoever waits for a host meanwhile keeps its id. What was given
 * up is frozen: to write to it is an error.
 *
 * Cost: a host at rest takes some 45 bytes (host-columns.ts), and every host that is known 4 for its place. Those at
 * rest are looked for when there may be as many as busy ones, so each object costs a constant on average.
 */
import { capacityFor, enlarged } from "../../base/index.ts";
import { type Address, Host, type HostNames, type HostOptions } from "./host.ts";
import { HostColumns } from "./host-columns.ts";

/** What others see of a host, be it busy or at rest. */
export type SeenHost = Readonly<Pick<Host, "name" | "pages" | "dead" | "errors" | "address">>;

/** So many objects more than there are busy hosts are no waste. */
const SPARE = 1024;

export class ActiveHosts implements Iterable<SeenHost> {
  readonly #names: HostNames;
  readonly #options: HostOptions;
  readonly #columns = new HostColumns();
  /** Places in the columns, plus one, by id; 0 if the host is idle. */
  #places = new Uint32Array(64);
  /** Those with an object, by id. */
  readonly #busy = new Map<number, Host>();
  /** As many objects as were left when those at rest were last looked for. */
  #left = 0;

  constructor(names: HostNames, options: HostOptions) {
    this.#names = names;
    this.#options = options;
  }

  get size(): number {
    return this.#columns.size;
  }

  has(id: number): boolean {
    return id < this.#places.length && this.#places[id] !== 0;
  }

  /** From now on it is active, and busy. */
  add(host: Host): void {
    const { id } = host;
    if (id >= this.#places.length) this.#places = enlarged(this.#places, capacityFor(id + 1, this.#places.length));
    this.#places[id] = this.#columns.add(id) + 1;
    this.#busy.set(id, host);
  }

  /** Undefined if it is idle or at rest. */
  busyAt(id: number): Host | undefined {
    return this.#busy.get(id);
  }

  /** It is busy from now on. Undefined if it is idle. */
  at(id: number): Host | undefined {
    let host = this.#busy.get(id);
    if (host === undefined && this.has(id)) this.#busy.set(id, (host = this.copyOf(id)));
    return host;
  }

  /** An object of a host at rest for those who only look. */
  copyOf(id: number): Host {
    const host = new Host(id, this.#names, this.#options);
    this.#columns.read(this.#placeOf(id), host);
    return host;
  }

  pagesOf(id: number): number {
    return this.#busy.get(id)?.pages ?? (this.has(id) ? this.#columns.pagesOf(this.#placeOf(id)) : 0);
  }

  addressOf(id: number): Address | undefined {
    const host = this.#busy.get(id);
    if (host !== undefined) return host.address;
    return this.has(id) ? this.#columns.addressOf(this.#placeOf(id)) : undefined;
  }

  /** Those with an object. */
  *busy(): Iterable<Host> {
    for (let place = 0; place < this.size; place++) {
      const host = this.#busy.get(this.#columns.idOf(place));
      if (host !== undefined) yield host;
    }
  }

  *[Symbol.iterator](): Iterator<SeenHost> {
    for (let place = 0; place < this.size; place++) {
      const host = this.#busy.get(this.#columns.idOf(place));
      yield host ?? this.#seen(place);
    }
  }

  /** Most are counted only: the name is made when somebody asks for it. */
  #seen(place: number): SeenHost {
    const columns = this.#columns;
    const names = this.#names;
    return {
      get name() {
        return names.nameOf(columns.idOf(place));
      },
      pages: columns.pagesOf(place),
      dead: columns.deadOf(place),
      errors: columns.errorsOf(place),
      address: columns.addressOf(place),
    };
  }

  /** Hosts at rest give their objects up, unless these are few. To be called when nobody has one in hand. */
  rest(spare = SPARE): void {
    if (this.#busy.size <= 2 * this.#left + spare) return;
    for (const [id, host] of this.#busy) {
      if (!host.isAtRest) continue;
      this.#columns.write(this.#placeOf(id), host);
      this.#busy.delete(id);
      Object.freeze(host);
    }
    this.#left = this.#busy.size;
  }

  #placeOf(id: number): number {
    return this.#places[id] - 1;
  }
}
