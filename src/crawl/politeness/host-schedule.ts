/**
 * Which hosts may be requested now.
 *
 * The name of a host is looked up first; meanwhile it takes no connection, neither of the crawl nor of an address.
 * A host has a number of connections (default: one). A request takes a connection, which rests for the delay of the
 * host after the answer. Hosts that turn out to live at one address share the connections of that address. A host may
 * also be paused as a whole (429, 503, failures).
 *
 * `readyCount` counts the hosts that may be requested and have a URL waiting. It is kept up to date at every change,
 * because the engine reads it all the time.
 */
import { TimedQueue } from "../../base/index.ts";
import type { HostRule, HostRules } from "../settings/host-rule-kind.ts";
import { RuleFinder } from "../settings/host-rules.ts";
import type { Limits } from "../settings/settings.ts";
import { AddressTable, type AddressUse } from "./addresses.ts";
import type { PastRequests } from "./past-requests.ts";

/** URLs that the order handed out while their host could not be requested; `cost` bounds how far the frontier looks. */
export class Held {
  urls: number[] = [];
  cost = 0;
}

const NO_RULE: HostRule = {};

/** Some 270 bytes each: a crawl of a hundred million URLs knows a million of them. */
export class Host {
  readonly id: number;
  readonly name: string;
  /** Known URLs that wait in the order. */
  waiting = 0;
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

  constructor(id: number, name: string, options: HostScheduleOptions, rule = NO_RULE) {
    this.id = id;
    this.name = name;
    this.isElsewhere = options.isElsewhere?.(name) === true;
    this.delayMs = this.isElsewhere ? 0 : (rule.delay ?? options.delayMs);
    this.connections = this.isElsewhere ? Number.POSITIVE_INFINITY : (rule.connections ?? options.perHost);
    this.#rule = rule;
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

/** The most pages that a host may give. */
export function pagesMaxOf(host: Host, { pagesPerHost = Number.POSITIVE_INFINITY }: Limits): number {
  return host.pagesMax ?? pagesPerHost;
}

/** All hosts of a schedule that one address serves. */
export class Address {
  readonly use: AddressUse;
  /** URLs handed out while all of its connections were in use. */
  readonly held = new Held();
  /** Its hosts that could be requested if it were not for the address. */
  readyCount = 0;

  constructor(use: AddressUse) {
    this.use = use;
  }
}

export interface HostScheduleOptions {
  readonly delayMs: number;
  readonly perHost: number;
  readonly perAddress: number;
  /** Shared with other schedules (default: a table of its own). */
  readonly addresses?: AddressTable | undefined;
  /** What other schedules of the process know of hosts, and this one learns (default: nothing). */
  readonly past?: PastRequests | undefined;
  /**
   * Until then another process may have requested these hosts: the first request waits for the delay of its host
   * (default: nobody has).
   */
  readonly takenOverMs?: number | undefined;
  /** Whether another shard owns a host (default: none does). */
  readonly isElsewhere?: ((host: string) => boolean) | undefined;
}

export class HostSchedule {
  readonly all: Host[] = [];
  /** Hosts that may be requested now and have a URL waiting in the order. */
  readyCount = 0;
  readonly #options: HostScheduleOptions;
  readonly #rules: RuleFinder;
  /** Those of the ready hosts that are preferred, whatever their addresses are doing. */
  readonly #preferred = new Set<Host>();
  readonly #byName = new Map<string, Host>();
  /** Until when the name of a host serves one more request, for which it was looked up. */
  readonly #reservedNames = new Map<Host, number>();
  readonly #addresses = new Map<string, Address>();
  readonly #uses: AddressTable;
  /** Addresses that others have made free since somebody last looked here. */
  #freed: Address[] = [];
  readonly #leave: (() => void)[] = [];
  /** Hosts whose connections end their rest, and hosts whose pause ends. */
  readonly #rests = new TimedQueue<Host>();
  readonly #pauses = new TimedQueue<Host>();

  constructor(options: HostScheduleOptions, rules: HostRules = {}) {
    this.#options = options;
    this.#rules = new RuleFinder(rules);
    this.#uses = options.addresses ?? new AddressTable(() => options.perAddress);
  }

  find(name: string): Host | undefined {
    return this.#byName.get(name);
  }

  /** A host, known from now on. */
  named(name: string): Host {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const host = new Host(this.all.length, name, this.#options, this.#rules.ruleOf(name));
    this.all.push(host);
    this.#byName.set(name, host);
    const address = this.#options.past?.addressOf(name);
    if (address !== undefined) this.locate(host, address);
    this.#restAfterOthers(host);
    return host;
  }

  /** Whether a page of the host may be requested now. */
  mayRequest(host: Host): boolean {
    return this.isFree(host) && !this.isAddressBusy(host);
  }

  /** The same, whatever its address is doing. */
  isFree(host: Host): boolean {
    return hasConnection(host) && host.barred === 0;
  }

  /**
   * Whether its robots.txt or a sitemap may be requested now. While its rules are not known, one at a time: they may
   * ask for one connection, and what is on its way by then cannot be taken back.
   */
  mayRequestAuxiliary(host: Host): boolean {
    return hasConnection(host) && (host.taken === 0 || !lacksRules(host)) && !this.isAddressBusy(host);
  }

  isAddressBusy(host: Host): boolean {
    return host.address !== undefined && this.isBusy(host.address);
  }

  isBusy(address: Address): boolean {
    return address.use.isBusy;
  }

  /** The greatest preference among the hosts that may be requested and have a URL waiting. */
  get readyPreference(): number {
    let greatest = 0;
    for (const host of this.#preferred) {
      if (host.preference > greatest && !this.isAddressBusy(host)) greatest = host.preference;
    }
    return greatest;
  }

  get nextMs(): number {
    if (this.#freed.length > 0) return Number.NEGATIVE_INFINITY;
    return Math.min(this.#rests.nextMs, this.#pauses.nextMs);
  }

  addWaiting(host: Host, change: number): void {
    this.#changing(host, () => {
      host.waiting += change;
    });
  }

  /** Its name is to be looked up before it is requested. */
  lookUp(host: Host): void {
    this.#changing(host, () => {
      host.isLookedUp = true;
    });
  }

  lookedUp(host: Host, until: { readonly nameMs: number; readonly reservedMs: number }): void {
    this.#changing(host, () => {
      host.isLookedUp = false;
      host.nameUntilMs = until.nameMs;
    });
    this.#reservedNames.set(host, until.reservedMs);
  }

  isNameKnown(host: Host, nowMs: number): boolean {
    return host.nameUntilMs > nowMs || (this.#reservedNames.get(host) ?? 0) > nowMs;
  }

  /** A request starts: it takes a connection of the host and of its address. */
  start(host: Host): void {
    this.#reservedNames.delete(host);
    this.#changing(host, () => {
      host.taken++;
      host.address?.use.take(1);
    });
  }

  /** The answer is there: the connection rests. */
  finish(host: Host, nowMs: number): void {
    if (host.delayMs === 0) return this.#release(host);
    host.resting++;
    this.#rests.push(nowMs + host.delayMs, host);
    this.#options.past?.rests(nowMs + host.delayMs);
  }

  /** The address of a host is known from its first answer on. A host that moves takes its connections along. */
  locate(host: Host, address: string): void {
    const group = this.#addressOf(address);
    if (host.address === group) return;
    this.#options.past?.located(host.name, address);
    // A host with a rule of its own may have more connections than other hosts at its address.
    if (host.ownConnections > group.use.limit) group.use.setLimit(host.ownConnections);
    const isReady = this.#counts(host);
    if (isReady) this.#count(host, -1);
    host.address?.use.take(-host.taken);
    host.address = group;
    group.use.take(host.taken);
    if (isReady) this.#count(host, 1);
  }

  /** An address that becomes busy takes all of its hosts out of the count, and brings them back later. */
  #addressOf(text: string): Address {
    const known = this.#addresses.get(text);
    if (known !== undefined) return known;
    const address = new Address(this.#uses.of(text));
    this.#addresses.set(text, address);
    const leave = address.use.onTurn((isBusy) => {
      this.readyCount += isBusy ? -address.readyCount : address.readyCount;
      if (!isBusy) this.#freed.push(address);
    });
    this.#leave.push(leave);
    return address;
  }

  /** Addresses that may have a connection to spare since this was last called. */
  takeFreed(): readonly Address[] {
    const freed = this.#freed;
    if (freed.length > 0) this.#freed = [];
    return freed;
  }

  pause(host: Host, untilMs: number): void {
    this.#changing(host, () => {
      host.pausedUntilMs = Math.max(host.pausedUntilMs, untilMs);
    });
    this.#pauses.push(host.pausedUntilMs, host);
  }

  /** What robots.txt asks for: one connection at a time, and at least this rest. */
  slowDown(host: Host, crawlDelayMs: number): void {
    if (crawlDelayMs === 0 || host.isElsewhere) return;
    this.#changing(host, () => {
      host.delayMs = Math.max(host.delayMs, crawlDelayMs);
      host.connections = 1;
    });
    this.#restAfterOthers(host);
  }

  #restAfterOthers(host: Host): void {
    const { takenOverMs } = this.#options;
    if (takenOverMs !== undefined && !host.isElsewhere) this.pause(host, takenOverMs + host.delayMs);
  }

  /** Hosts that are not to be requested before a time after `nowMs`, if whatever is under way there ends now. */
  *waits(nowMs: number): Iterable<readonly [host: string, untilMs: number]> {
    for (const { name, isElsewhere, pausedUntilMs, taken, delayMs } of this.all) {
      const untilMs = Math.max(pausedUntilMs, taken > 0 ? nowMs + delayMs : 0);
      if (!isElsewhere && untilMs > nowMs) yield [name, untilMs];
    }
  }

  bar(host: Host, change: number): void {
    this.#changing(host, () => {
      host.barred += change;
    });
  }

  /** Ends rests and pauses that are due; calls back for each host that may be requested again. */
  wake(nowMs: number, awake: (host: Host) => void): void {
    for (let host = this.#rests.popDue(nowMs); host !== undefined; host = this.#rests.popDue(nowMs)) {
      host.resting--;
      this.#release(host);
      awake(host);
    }
    for (let host = this.#pauses.popDue(nowMs); host !== undefined; host = this.#pauses.popDue(nowMs)) {
      if (host.pausedUntilMs > nowMs || host.pausedUntilMs === 0) continue;
      this.#changing(host, () => {
        host.pausedUntilMs = 0;
      });
      awake(host);
    }
  }

  /** Connections of hosts that nobody uses any more are free for others at the same addresses. */
  abandon(): void {
    for (const leave of this.#leave) leave();
    for (const { address, taken } of this.all) address?.use.take(-taken);
  }

  #release(host: Host): void {
    this.#changing(host, () => {
      host.taken--;
      host.address?.use.take(-1);
    });
  }

  /** Keeps the counts of ready hosts right around any change of one host. */
  #changing(host: Host, change: () => void): void {
    const before = this.#counts(host);
    change();
    const after = this.#counts(host);
    if (before !== after) this.#count(host, after ? 1 : -1);
  }

  #counts(host: Host): boolean {
    return host.waiting > 0 && this.isFree(host);
  }

  #count(host: Host, change: number): void {
    const { address } = host;
    if (host.preference > 0) {
      if (change > 0) this.#preferred.add(host);
      else this.#preferred.delete(host);
    }
    if (address !== undefined) {
      address.readyCount += change;
      if (this.isBusy(address)) return;
    }
    this.readyCount += change;
  }
}

function hasConnection(host: Host): boolean {
  return host.taken < host.connections && host.pausedUntilMs === 0 && !host.isLookedUp;
}

/** Whether the robots.txt of an origin of the host is not known: not only its limit of pages bars it. */
function lacksRules(host: Host): boolean {
  return host.barred > (host.isFull ? 1 : 0);
}
