/**
 * The order's best page among the hosts that may be asked now.
 *
 * The order hands out pages best first, whatever their hosts. A page whose host cannot be asked yet is held, and put back into the order
 * the moment its host can be, so that it then competes again with what has become known since. It looks ahead in this way only while some
 * host that may be asked has a page waiting, and so far that putting pages back stays cheap: a page held for a host that rests a second
 * is put back once a second at most, so many more may be held for it than for one that is asked all the time.
 *
 * Pages beyond a limit of the user's (depth, pages a host) are parked: they are no longer asked for, and wait for a wider limit.
 */
import { TimedQueue } from "../base/index.ts";
import type { Address, Held, Host } from "./politeness/hosts.ts";
import type { CrawlRecord } from "./record.ts";
import type { Limits } from "./settings/settings.ts";
import { UrlState } from "./url-table.ts";

/** What all pages held may cost: as many thousandths of a page held for a host that never rests. */
const LOOKAHEAD = 1_000_000;
/** A host that rests as long costs half, ten times as long a tenth. */
const HALF_REST_MS = 10;
/** Hosts at one address take turns. */
const HALF_REST_OF_ADDRESS_MS = 100;
/** A pause is at least this long, but for the first. */
const PAUSE_MS = 10_000;

export class Frontier {
  /** Pages too deep, and pages of hosts that gave as many as they may. */
  tooDeep = 0;
  overHostLimit = 0;
  readonly #record: CrawlRecord;
  #limits: Limits;
  readonly #retries = new TimedQueue();
  #heldCost = 0;

  constructor(record: CrawlRecord, limits: Limits) {
    this.#record = record;
    this.#limits = limits;
  }

  /** Other limits from now on: what was parked and is within them waits again. */
  limit(limits: Limits): void {
    this.#limits = limits;
    const { hosts, urls } = this.#record;
    for (const host of hosts.all) this.#barIfFull(host);
    if (this.tooDeep + this.overHostLimit === 0) return;
    for (let url = 0; url < urls.size; url++) this.#unpark(url);
  }

  /** When the next attempt at a page is due, or Infinity. */
  get nextMs(): number {
    return this.#retries.nextMs;
  }

  /** The best page whose host may be asked now, or -1. It is under way from here on. */
  next(): number {
    const { hosts, order } = this.#record;
    while (hosts.askable > 0 && this.#heldCost < LOOKAHEAD) {
      const url = order.next();
      if (url < 0) return -1;
      this.#record.setState(url, UrlState.UnderWay);
      const host = this.#record.hostOf(url);
      if (this.#isParked(url, host)) continue;
      if (hosts.mayAsk(host)) return url;
      this.hold(url, host);
    }
    return -1;
  }

  /** Keeps a page that is under way until its host can be asked. */
  hold(url: number, host: Host): void {
    const { hosts } = this.#record;
    const restMs = host.pausedUntilMs > 0 ? PAUSE_MS : host.delayMs;
    const { address } = host;
    if (address !== undefined && hosts.isBusy(address)) {
      this.#keep(url, address.held, Math.ceil(1000 / (1 + restMs / HALF_REST_OF_ADDRESS_MS)));
    } else this.#keep(url, host.held, Math.ceil(1000 / (1 + restMs / HALF_REST_MS)));
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
    const { pagesPerHost = Number.POSITIVE_INFINITY } = this.#limits;
    const isFull = host.pages < pagesPerHost && host.pages + host.fetching >= pagesPerHost;
    if (isFull === host.isFull) return;
    host.isFull = isFull;
    this.#record.hosts.bar(host, isFull ? 1 : -1);
    if (!isFull) this.awake(host);
  }

  /** The page waits again. */
  putBack(url: number): void {
    this.#record.setState(url, UrlState.Waiting);
    this.#record.order.putBack(url);
  }

  retryAt(url: number, timeMs: number): void {
    this.#retries.push(timeMs, url);
  }

  /** A host, or its address, has perhaps become free. */
  awake(host: Host): void {
    const { hosts } = this.#record;
    if (!hosts.isAddressBusy(host)) {
      if (hosts.isFree(host)) this.#release(host.held);
      if (host.address !== undefined) this.#release(host.address.held);
    } else if (host.address !== undefined && hosts.isFree(host)) {
      // From now on it is the address that they wait for.
      const { held } = host.address;
      for (const url of host.held.urls) held.urls.push(url);
      held.cost += host.held.cost;
      host.held.urls = [];
      host.held.cost = 0;
    }
  }

  /** A host has left an address; others may perhaps be asked there. */
  vacated(address: Address): void {
    if (!this.#record.hosts.isBusy(address)) this.#release(address.held);
  }

  /** Attempts whose time has come, and parked pages to which a shorter way was found. */
  wake(nowMs: number): void {
    for (let url = this.#retries.popDue(nowMs); url >= 0; url = this.#retries.popDue(nowMs))
      this.putBack(url);
    const { nearer } = this.#record;
    for (const url of nearer) this.#unpark(url);
    nearer.length = 0;
  }

  #release(held: Held): void {
    const { urls, cost } = held;
    this.#heldCost -= cost;
    held.urls = [];
    held.cost = 0;
    for (const url of urls) this.putBack(url);
  }

  #isParked(url: number, host: Host): boolean {
    if (this.#isTooDeep(url)) {
      this.#record.setState(url, UrlState.TooDeep);
      this.tooDeep++;
    } else if (this.#gaveAll(host)) {
      this.#record.setState(url, UrlState.OverHostLimit);
      this.overHostLimit++;
    } else return false;
    return true;
  }

  /** Of a page that was parked for one limit another may hold; whoever takes it from the order finds out. */
  #unpark(url: number): void {
    const state = this.#record.urls.stateOf(url);
    if (state === UrlState.TooDeep && !this.#isTooDeep(url)) this.tooDeep--;
    else if (state === UrlState.OverHostLimit && !this.#gaveAll(this.#record.hostOf(url)))
      this.overHostLimit--;
    else return;
    this.putBack(url);
  }

  #isTooDeep(url: number): boolean {
    const { depth } = this.#limits;
    return depth !== undefined && this.#record.urls.depthOf(url) > depth;
  }

  #gaveAll(host: Host): boolean {
    const { pagesPerHost } = this.#limits;
    return pagesPerHost !== undefined && host.pages >= pagesPerHost;
  }
}
