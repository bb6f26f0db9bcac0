/**
 * The order's best page among the hosts that may be requested now.
 *
 * The order hands out pages best first, whatever their hosts. A page whose host cannot be requested yet is held, and
 * put back into the order as soon as its host can be, to compete with what was discovered since. The frontier looks
 * ahead in this way only while a host that may be requested has a page waiting, and only so far that putting pages back
 * stays cheap: a page of a host with a long delay is put back rarely, so more of them may be held.
 *
 * Pages beyond a limit of the user (depth, pages per host) are parked until the limit is widened.
 */
import { TimedQueue } from "../base/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import type { CrawlModel } from "./model.ts";
import { type Address, Held, type Host, pagesMaxOf } from "./politeness/host.ts";
import type { HostSchedule } from "./politeness/host-schedule.ts";
import type { Level } from "./shard-part.ts";
import { type UrlIndex, UrlState } from "./url-index.ts";

/** What all pages held may cost: as many thousandths of a page held for a host that never rests. */
const LOOKAHEAD = 1_000_000;
/** A host that rests as long costs half, ten times as long a tenth. */
const HALF_REST_MS = 10;
/** So many pages may be better than the one that is taken instead, because its host is preferred. */
const PASSED_OVER_MAX = 1000;
/** Hosts at one address take turns. */
const HALF_REST_OF_ADDRESS_MS = 100;
/** A host that has not answered yet waits once for its name and its robots.txt, for as long as this. */
const FIRST_ANSWER_MS = 500;
/** A pause is at least this long, but for the first. */
const PAUSE_MS = 10_000;

export class CrawlFrontier {
  /** Pages too deep, and pages of hosts that gave as many as they may. */
  tooDeep = 0;
  overHostLimit = 0;
  readonly #model: CrawlModel;
  readonly #index: UrlIndex;
  readonly #hosts: HostSchedule;
  readonly #order: CrawlOrder;
  readonly #retries = new TimedQueue<number>();
  /** Pages that were taken out of turn: the order does not know yet that they are under way. */
  readonly #taken = new Set<number>();
  readonly #level: Level | undefined;
  #heldCost = 0;

  /** Below the level, if there is one, pages are handed out only while little is under way. */
  constructor(model: CrawlModel, level?: Level) {
    this.#model = model;
    this.#level = level;
    this.#index = model.index;
    this.#hosts = model.hosts;
    this.#order = model.order;
  }

  /** The limits of the model have changed: what was parked and is within them waits again. */
  limitsChanged(): void {
    for (const host of this.#hosts.busy) this.#barIfFull(host);
    if (this.tooDeep + this.overHostLimit === 0) return;
    for (let url = 0; url < this.#index.size; url++) this.#unpark(url);
  }

  get nextMs(): number {
    return this.#retries.nextMs;
  }

  /** What the pages that are held cost, as a share of what they may. */
  get lookedAhead(): number {
    return this.#heldCost / LOOKAHEAD;
  }

  /** The best page whose host may be requested now, or -1. It is under way from here on. */
  next(): number {
    const preference = this.#hosts.readyPreference;
    if (preference === 0) return this.#best();
    const passedOver: number[] = [];
    let url = this.#best();
    while (url >= 0 && this.#index.hostOf(url).preference < preference && passedOver.length < PASSED_OVER_MAX) {
      passedOver.push(url);
      url = this.#best();
    }
    // The first is the best that there is, whoever is preferred.
    const isFound = url >= 0 && this.#index.hostOf(url).preference >= preference;
    if (!isFound && url >= 0) this.putBack(url);
    for (const each of isFound ? passedOver : passedOver.slice(1)) this.putBack(each);
    return isFound ? url : (passedOver[0] ?? -1);
  }

  #best(): number {
    const hosts = this.#hosts;
    const costMax = LOOKAHEAD * (this.#level?.lookahead ?? 1);
    while (hosts.readyCount > 0 && this.#heldCost < costMax) {
      if (this.#level?.holdsBack(this.#order.best?.() ?? 0) === true) return -1;
      const url = this.#order.next();
      if (url < 0) return -1;
      if (this.#taken.delete(url)) continue;
      this.#index.setState(url, UrlState.UnderWay);
      const host = this.#index.hostOf(url);
      if (this.#isParked(url)) continue;
      if (hosts.mayRequest(host)) return url;
      this.hold(url, host);
    }
    return -1;
  }

  /** Takes a page out of turn, if it waits and its host may be requested now. It is under way from here on. */
  take(url: number): boolean {
    const isWaiting = this.#index.stateOf(url) === UrlState.Waiting && !this.#taken.has(url);
    if (!isWaiting || !this.#hosts.mayRequest(this.#index.hostOf(url))) return false;
    if (this.#model.isBeyondLimit(url)) return false;
    this.#taken.add(url);
    this.#index.setState(url, UrlState.UnderWay);
    return true;
  }

  /** Keeps a page that is under way until its host may be requested. */
  hold(url: number, host: Host): void {
    const hosts = this.#hosts;
    const isNew = host.isLookedUp || !host.hasAnswered;
    const restMs = host.pausedUntilMs > 0 ? PAUSE_MS : Math.max(host.delayMs, isNew ? FIRST_ANSWER_MS : 0);
    const { address } = host;
    if (address !== undefined && hosts.isBusy(address)) {
      this.#keep(url, (address.held ??= new Held()), Math.ceil(1000 / (1 + restMs / HALF_REST_OF_ADDRESS_MS)));
    } else this.#keep(url, (host.held ??= new Held()), Math.ceil(1000 / (1 + restMs / HALF_REST_MS)));
  }

  #keep(url: number, held: Held, cost: number): void {
    held.urls.push(url);
    held.cost += cost;
    this.#heldCost += cost;
  }

  /** A page is being fetched. Where a host may give only so many, it is barred while these may be the last of them. */
  started(host: Host): void {
    host.fetching++;
    this.#barIfFull(host);
  }

  /** A page was fetched and read, or it was none. */
  ended(host: Host): void {
    host.fetching--;
    this.#barIfFull(host);
  }

  #barIfFull(host: Host): void {
    const most = pagesMaxOf(host, this.#model.limits);
    const isFull = host.pages < most && host.pages + host.fetching >= most;
    if (isFull === host.isFull) return;
    host.isFull = isFull;
    this.#hosts.bar(host, isFull ? 1 : -1);
    if (!isFull) this.awake(host);
  }

  putBack(url: number): void {
    this.#index.setState(url, UrlState.Waiting);
    if (!this.#taken.delete(url)) this.#order.putBack(url);
  }

  retryAt(url: number, timeMs: number): void {
    this.#retries.push(timeMs, url);
    this.#index.hostOf(url).retrying++;
  }

  /** A host, or its address, has perhaps become free. */
  awake(host: Host): void {
    const hosts = this.#hosts;
    if (!hosts.isAddressBusy(host)) {
      if (hosts.isFree(host)) this.#releaseOf(host);
      if (host.address !== undefined) this.#releaseOf(host.address);
    } else if (host.address !== undefined && host.held !== undefined && hosts.isFree(host)) {
      // From now on it is the address that they wait for.
      const held = (host.address.held ??= new Held());
      for (const url of host.held.urls) held.urls.push(url);
      held.cost += host.held.cost;
      host.held = undefined;
    }
  }

  /** A host has left an address; now another may have its turn there. */
  vacated(address: Address): void {
    if (!this.#hosts.isBusy(address)) this.#releaseOf(address);
  }

  /** Attempts whose time has come, and parked pages to which a shorter way was found. */
  wake(nowMs: number): void {
    let url: number | undefined;
    while ((url = this.#retries.popDue(nowMs)) !== undefined) {
      this.#index.hostOf(url).retrying--;
      this.putBack(url);
    }
    for (const url of this.#index.shallower.splice(0)) this.#unpark(url);
  }

  #releaseOf(holder: Host | Address): void {
    const { held } = holder;
    if (held === undefined) return;
    holder.held = undefined;
    this.#heldCost -= held.cost;
    for (const url of held.urls) this.putBack(url);
  }

  #isParked(url: number): boolean {
    if (this.#model.isTooDeep(url)) {
      this.#index.setState(url, UrlState.TooDeep);
      this.tooDeep++;
    } else if (this.#model.hasGivenAll(url)) {
      this.#index.setState(url, UrlState.OverHostLimit);
      this.overHostLimit++;
    } else return false;
    return true;
  }

  /** Another limit may still hold for the page: that is found out when it leaves the order. */
  #unpark(url: number): void {
    const state = this.#index.stateOf(url);
    if (state === UrlState.TooDeep && !this.#model.isTooDeep(url)) this.tooDeep--;
    else if (state === UrlState.OverHostLimit && !this.#model.hasGivenAll(url)) this.overHostLimit--;
    else return;
    this.putBack(url);
  }
}
