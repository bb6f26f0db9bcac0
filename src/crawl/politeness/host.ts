/** What is known of a host of which something was wanted, and of an address that serves hosts. */
import type { HostRule } from "../settings/host-rule-kind.ts";
import { NO_RULE } from "../settings/host-rules.ts";
import type { Limits } from "../settings/settings.ts";
import type { AddressUse } from "./addresses.ts";

/** How hosts are treated that have no rule of their own. */
export interface HostOptions {
  readonly delayMs: number;
  readonly perHost: number;
  /** Whether another shard owns a host (default: none does). */
  readonly isElsewhere?: ((host: string) => boolean) | undefined;
}

/** Knows the names of hosts by their ids. */
export interface HostNames {
  nameOf(id: number): string;
}

/** URLs that the order handed out while their host could not be requested; `cost` bounds how far the frontier looks. */
export class Held {
  readonly urls: number[] = [];
  cost = 0;
}

export class Host {
  readonly id: number;
  readonly #names: HostNames;
  /** URLs that wait for the time of another attempt. */
  retrying = 0;
  /** While there are any. */
  held: Held | undefined;
  /** Connections in use or resting, and those of them that rest. */
  taken = 0;
  resting = 0;
  delayMs: number;
  connections: number;
  readonly #rule: HostRule;
  pausedUntilMs = 0;
  /** More than 0 while the rules of its robots.txt are not known: no page may be requested, only auxiliary requests. */
  barred = 0;
  failures = 0;
  givenUp = false;
  /** Another shard owns it: whatever is wanted of it is delegated, and its manners are kept there. */
  readonly isElsewhere: boolean;
  /** In this run or an earlier one. */
  hasAnswered = false;
  address: Address | undefined;
  /** Its name is being looked up: nothing may be requested. */
  isLookedUp = false;
  /** Until when its name is known. */
  nameUntilMs = 0;
  /** Pages being fetched or read. */
  fetching = 0;
  /** Barred because those under way may be all the pages that it may give. */
  isFull = false;
  /** For people: pages downloaded, URLs that are dead, and failed requests. */
  pages = 0;
  dead = 0;
  errors = 0;

  constructor(id: number, names: HostNames, options: HostOptions, rule: HostRule = NO_RULE) {
    this.id = id;
    this.#names = names;
    this.isElsewhere = options.isElsewhere?.(this.name) === true;
    this.delayMs = this.isElsewhere ? 0 : (rule.delay ?? options.delayMs);
    this.connections = this.isElsewhere ? Number.POSITIVE_INFINITY : (rule.connections ?? options.perHost);
    this.#rule = rule;
  }

  get name(): string {
    return this.#names.nameOf(this.id);
  }

  /**
   * Whether nothing is under way or planned there, and no rule is for it: then all that lasts is a few numbers
   * (host-columns.ts). One that is full is barred.
   */
  get isAtRest(): boolean {
    const isUsed = this.taken + this.fetching + this.retrying + this.barred > 0 || this.held !== undefined;
    return !isUsed && !this.isLookedUp && this.pausedUntilMs === 0 && this.#rule === NO_RULE;
  }

  /** As many as a rule for this host gives it; 0 where there is none. */
  get ownConnections(): number {
    return this.#rule.connections ?? 0;
  }

  /** The most pages that it may give, where it has a limit of its own. */
  get pagesMax(): number | undefined {
    return this.#rule.pages;
  }

  /** Pages of hosts with a greater preference go first (default: 0). */
  get preference(): number {
    return this.#rule.preference ?? 0;
  }
}

/** The most pages that a host may give; of one at rest, which has no limit of its own, there is no object. */
export function pagesMaxOf(host: Host | undefined, { pagesPerHost = Number.POSITIVE_INFINITY }: Limits): number {
  return host?.pagesMax ?? pagesPerHost;
}

/** All hosts of a schedule that one address serves. */
export class Address {
  readonly use: AddressUse;
  /** URLs handed out while all of its connections were in use, where there are any. */
  held: Held | undefined;
  /** Its hosts that could be requested if it were not for the address. */
  readyCount = 0;

  constructor(use: AddressUse) {
    this.use = use;
  }
}
