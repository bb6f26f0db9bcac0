/**
 * Where hosts live, for a process that requests them by one schedule after the other: so hosts at one address share its
 * connections from their first requests on.
 */
import { dropOldest } from "../../base/index.ts";

/** Hosts that are remembered. */
const HOSTS_MAX = 100_000;

export class KnownAddresses {
  readonly #byHost = new Map<string, string>();
  readonly #hostsMax: number;

  constructor(hostsMax = HOSTS_MAX) {
    this.#hostsMax = hostsMax;
  }

  of(host: string): string | undefined {
    return this.#byHost.get(host);
  }

  /** A host lives at this address now. */
  note(host: string, address: string): void {
    this.#byHost.set(host, address);
    dropOldest(this.#byHost, this.#hostsMax);
  }
}
