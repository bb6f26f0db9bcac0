/**
 * Which hosts may be requested now.
 *
 * The name of a host is looked up first; meanwhile it takes no connection, neither of the crawl nor of an address.
 * A host has a number of connections (default: one). A request takes a connection, which rests for the delay of the
 * host after the answer. Hosts that turn out to live at one address share the connections of that address. A host may
 * also be paused as a whole (429, 503, failures).
 *
 * Until something is wanted of a host it is idle, and free (known-hosts.ts). From then on it has a `Host` while it is
 * busy, and none while it is at rest (active-hosts.ts). One with a rule of its own has it at once, and always.
 *
 * `readyCount` counts the hosts that may be requested and have a URL waiting. It is kept up to date at every change,
 * because the engine reads it all the time.
 */
import { TimedQueue } from "../../base/index.ts";
import type { HostRules } from "../settings/host-rule-kind.ts";
import { RuleFinder } from "../settings/host-rules.ts";
import type { Limits } from "../settings/settings.ts";
import { ActiveHosts, type SeenHost } from "./active-hosts.ts";
import { AddressTable } from "./addresses.ts";
import { type Address, Host, type HostOptions, pagesMaxOf } from "./host.ts";
import { KnownHosts } from "./known-hosts.ts";
import { OwnAddresses } from "./own-addresses.ts";
import type { EarlierRequests } from "./past-requests.ts";

export interface HostScheduleOptions extends HostOptions, EarlierRequests {
  readonly perAddress: number;
  /** Shared with other schedules (default: a table of its own). */
  readonly addresses?: AddressTable | undefined;
}

export class HostSchedule {
  readonly #options: HostScheduleOptions;
  readonly #known = new KnownHosts();
  readonly #active: ActiveHosts;
  /** Of the hosts that have a URL waiting in the order, those that are active and may be requested; the idle ones. */
  #readyCount = 0;
  #idleCount = 0;
  /** From when on idle hosts may be requested, and the time by which hosts were last woken. */
  readonly #idleFromMs: number;
  #wokenMs = Number.NEGATIVE_INFINITY;
  readonly #rules: RuleFinder;
  /** Those of the ready hosts that are preferred, whatever their addresses are doing. */
  readonly #preferred = new Set<Host>();
  /** Until when the name of a host serves one more request, for which it was looked up. */
  readonly #reservedNames = new Map<number, number>();
  readonly #addresses: OwnAddresses;
  /** Hosts whose connections end their rest, and hosts whose pause ends. */
  readonly #rests = new TimedQueue<Host>();
  readonly #pauses = new TimedQueue<Host>();

  constructor(options: HostScheduleOptions, rules: HostRules = {}) {
    this.#options = options;
    this.#rules = new RuleFinder(rules);
    this.#active = new ActiveHosts(this.#known, options);
    const { takenOverMs, delayMs } = options;
    this.#idleFromMs = takenOverMs === undefined ? Number.NEGATIVE_INFINITY : takenOverMs + delayMs;
    // An address that becomes busy takes all of its hosts out of the count, and brings them back later.
    this.#addresses = new OwnAddresses(options.addresses ?? new AddressTable(() => options.perAddress), (address) => {
      this.#readyCount += address.use.isBusy ? -address.readyCount : address.readyCount;
    });
  }

  /** How many hosts are known. Their ids count up from 0. */
  get size(): number {
    return this.#known.size;
  }

  /** Hosts of which something was ever wanted, in that order. */
  get active(): Iterable<SeenHost> {
    return this.#active;
  }

  /** Those that are not at rest, as far as is known. */
  get busy(): Iterable<Host> {
    return this.#active.busy();
  }

  /** Hosts that may be requested now and have a URL waiting in the order. */
  get readyCount(): number {
    return this.#readyCount + (this.#areIdleFree ? this.#idleCount : 0);
  }

  get #areIdleFree(): boolean {
    return this.#wokenMs >= this.#idleFromMs;
  }

  /** A host of which something is wanted, if it is known. */
  find(name: string): Host | undefined {
    const id = this.findId(name);
    return id < 0 ? undefined : this.at(id);
  }

  /** The id of a host; -1 if it is not known. */
  findId(name: string): number {
    return this.#known.find(name);
  }

  /** A host of which something is wanted, known from now on. */
  named(name: string): Host {
    return this.at(this.idOf(name));
  }

  /** The id of a host, known from now on. */
  idOf(name: string): number {
    const { size } = this;
    const id = this.#known.add(name);
    if (id === size && this.#rules.hasRule(name)) this.at(id);
    return id;
  }

  nameOf(id: number): string {
    return this.#known.nameOf(id);
  }

  /** A host of which something is wanted: it is busy from now on. */
  at(id: number): Host {
    return this.#active.at(id) ?? this.#activated(id);
  }

  /** For those who only look: a host that is idle or at rest stays so. Undefined if it is not known. */
  shown(name: string): Host | undefined {
    const id = this.findId(name);
    if (id < 0) return undefined;
    return this.#active.busyAt(id) ?? (this.#active.has(id) ? this.#active.copyOf(id) : this.#made(id));
  }

  /** Whether a host has given as many pages as it may. */
  hasGivenAll(id: number, limits: Limits): boolean {
    return this.#active.pagesOf(id) >= pagesMaxOf(this.#active.busyAt(id), limits);
  }

  /** Hosts at rest give their objects up. To be called when nobody has a `Host` in hand: between two steps. */
  rest(spare?: number): void {
    this.#active.rest(spare);
  }

  #made(id: number): Host {
    return new Host(id, this.#known, this.#options, this.#rules.ruleOf(this.nameOf(id)));
  }

  #activated(id: number): Host {
    const host = this.#made(id);
    const { name } = host;
    this.#active.add(host);
    if (this.waitingOf(host) > 0) this.#idleCount--;
    if (this.#counts(host)) this.#count(host, 1);
    const { past } = this.#options;
    const address = past?.addressOf(name);
    if (address !== undefined) this.locate(host, address);
    if (past !== undefined) this.slowDown(host, past.crawlDelayOf(name));
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
    if (this.#addresses.hasFreed) return Number.NEGATIVE_INFINITY;
    const idleMs = this.#idleCount === 0 || this.#areIdleFree ? Number.POSITIVE_INFINITY : this.#idleFromMs;
    return Math.min(this.#rests.nextMs, this.#pauses.nextMs, idleMs);
  }

  /** Known URLs of a host that wait in the order. */
  waitingOf({ id }: Pick<Host, "id">): number {
    return this.#known.waitingOf(id);
  }

  addWaiting(id: number, change: number): void {
    const before = this.#known.waitingOf(id);
    const after = before + change;
    this.#known.setWaiting(id, after);
    if (before > 0 === after > 0) return;
    const host = this.#active.busyAt(id);
    const one = after > 0 ? 1 : -1;
    if (host !== undefined) {
      if (this.isFree(host)) this.#count(host, one);
    } else if (this.#active.has(id)) this.#countAt(this.#active.addressOf(id), one);
    else this.#idleCount += one;
  }

  /** None of the URLs that wait is to be requested. */
  forgetWaiting(): void {
    for (let id = 0; id < this.size; id++) this.addWaiting(id, -this.#known.waitingOf(id));
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
    this.#reservedNames.set(host.id, until.reservedMs);
  }

  isNameKnown(host: Host, nowMs: number): boolean {
    return host.nameUntilMs > nowMs || (this.#reservedNames.get(host.id) ?? 0) > nowMs;
  }

  /** A request starts: it takes a connection of the host and of its address. */
  start(host: Host): void {
    this.#reservedNames.delete(host.id);
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
    const group = this.#addresses.of(address);
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

  /** Addresses that may have a connection to spare since this was last called. */
  takeFreed(): readonly Address[] {
    return this.#addresses.takeFreed();
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

  /** The robots.txt of an origin was read: what it asks for holds in other schedules, until they read it. */
  remember(origin: string, crawlDelayMs: number): void {
    this.#options.past?.asksFor(origin, crawlDelayMs);
  }

  #restAfterOthers(host: Host): void {
    const { takenOverMs } = this.#options;
    if (takenOverMs === undefined || host.isElsewhere) return;
    const untilMs = takenOverMs + host.delayMs;
    if (untilMs > this.#wokenMs) this.pause(host, untilMs);
  }

  /** Hosts that are not to be requested before a time after `nowMs`, if whatever is under way there ends now. */
  *waits(nowMs: number): Iterable<readonly [host: string, untilMs: number]> {
    for (const { name, isElsewhere, pausedUntilMs, taken, delayMs } of this.busy) {
      const untilMs = Math.max(pausedUntilMs, taken > 0 ? nowMs + delayMs : 0);
      if (!isElsewhere && untilMs > nowMs) yield [name, untilMs];
    }
    if (this.#idleFromMs <= nowMs) return;
    for (let id = 0; id < this.size; id++) {
      const name = this.nameOf(id);
      const isElsewhere = this.#options.isElsewhere?.(name) === true;
      if (!isElsewhere && !this.#active.has(id)) yield [name, this.#idleFromMs];
    }
  }

  bar(host: Host, change: number): void {
    this.#changing(host, () => {
      host.barred += change;
    });
  }

  /** Ends rests and pauses that are due; calls back for each host that may be requested again. */
  wake(nowMs: number, awake: (host: Host) => void): void {
    this.#wokenMs = nowMs;
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
    this.#addresses.leave();
    for (const { address, taken } of this.busy) address?.use.take(-taken);
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
    return this.waitingOf(host) > 0 && this.isFree(host);
  }

  #count(host: Host, change: number): void {
    if (host.preference > 0) {
      if (change > 0) this.#preferred.add(host);
      else this.#preferred.delete(host);
    }
    this.#countAt(host.address, change);
  }

  #countAt(address: Address | undefined, change: number): void {
    if (address !== undefined) {
      address.readyCount += change;
      if (this.isBusy(address)) return;
    }
    this.#readyCount += change;
  }
}

function hasConnection(host: Host): boolean {
  return host.taken < host.connections && host.pausedUntilMs === 0 && !host.isLookedUp;
}

/** Whether the robots.txt of an origin of the host is not known: not only its limit of pages bars it. */
function lacksRules(host: Host): boolean {
  return host.barred > (host.isFull ? 1 : 0);
}
