/** Pages that wait in line per host, for work that has a list of them: a refresh, a dry run. A crawl has a frontier. */
import type { Address, Host, Hosts } from "./politeness/hosts.ts";

export class HostQueues<Item> {
  readonly #hosts: Hosts;
  readonly #queues = new Map<Host, Item[]>();
  /** Hosts whose first item may perhaps be requested now. */
  readonly #ready = new Set<Host>();

  constructor(hosts: Hosts) {
    this.#hosts = hosts;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  get hosts(): Host[] {
    return [...this.#queues.keys()];
  }

  /** `first`: before all others of its host, which waits for something else than its turn. */
  add(host: Host, item: Item, place: "first" | "last" = "last"): void {
    const queue = this.#queues.get(host);
    if (queue === undefined) this.#queues.set(host, [item]);
    else if (place === "first") queue.unshift(item);
    else queue.push(item);
    this.#hosts.addWaiting(host, 1);
    if (place === "last") this.#ready.add(host);
    else this.#ready.delete(host);
  }

  /** The first item of a host that may be requested now. */
  next(): { readonly host: Host; readonly item: Item } | undefined {
    for (const host of this.#ready) {
      const item = this.#hosts.mayAsk(host) ? this.#queues.get(host)?.shift() : undefined;
      if (item !== undefined) {
        this.#hosts.addWaiting(host, -1);
        if (this.#queues.get(host)?.length === 0) this.#queues.delete(host);
        return { host, item };
      }
      // A host that waits for a connection of a shared address has no rest of its own that would wake it.
      if (!this.#hosts.isAddressBusy(host)) this.#ready.delete(host);
    }
    return undefined;
  }

  /** Takes all items of a host out of line. */
  drop(host: Host): readonly Item[] {
    const items = this.#queues.get(host) ?? [];
    this.#queues.delete(host);
    this.#ready.delete(host);
    this.#hosts.addWaiting(host, -items.length);
    return items;
  }

  awake(host: Host): void {
    if (this.#queues.has(host)) this.#ready.add(host);
  }

  vacated(address: Address): void {
    for (const host of this.#queues.keys()) if (host.address === address) this.#ready.add(host);
  }
}
