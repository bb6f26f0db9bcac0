/** Work on a list of pages, each host's in their order: a refresh or a dry run. A crawl has a frontier instead. */
import { assert } from "../base/index.ts";
import type { FetchRequest, Reply } from "../fetch/index.ts";
import { Scope } from "../web/index.ts";
import { Dispatcher, type PageTask, type Work } from "./dispatcher.ts";
import { type Effect, EffectQueue, type Input, type Machine, type Now } from "./machine.ts";
import { Runner, type RunnerOptions } from "./runner.ts";
import { type StopReason } from "./stop-reasons.ts";
import type { Address, Host } from "./politeness/host.ts";
import type { HostSchedule } from "./politeness/host-schedule.ts";
import { Politeness, type PolitenessListener, type PolitenessOptions } from "./politeness/politeness.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import { Slots } from "./shard-part.ts";

export abstract class ListWork<Item extends Omit<PageTask, "host">> implements Work, PolitenessListener {
  readonly #hosts: HostSchedule;
  readonly #queues = new Map<Host, Item[]>();
  /** Hosts whose first item may be due; `next` checks them. */
  readonly #ready = new Set<Host>();
  readonly #underWay = new Map<number, Item>();

  constructor(hosts: HostSchedule) {
    this.#hosts = hosts;
  }

  abstract excluded(task: PageTask, why: Exclusion, now: Now): void;
  abstract requestFor(task: PageTask): FetchRequest;
  abstract replied(task: PageTask, reply: Reply, now: Now): void;
  /** Nothing more is to be requested: what waits is left. Called again after each late reply. */
  abstract interrupted(): void;
  /** Nothing is under way, and nothing can be requested for so long. */
  idle?(forMs: number, now: Now): void;
  /** Every input, after a reply or a name that was looked up was taken in: a page that was read, a timer. */
  received?(input: Input, now: Now): void;
  /** When `next` may have a page though no host wakes; Infinity: never (default). */
  get nextMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  get isFull(): boolean {
    return false;
  }

  get isDone(): boolean {
    return this.#queues.size === 0 && this.#underWay.size === 0;
  }

  next(): PageTask | undefined {
    for (const host of this.#ready) {
      const item = this.#hosts.mayRequest(host) ? this.#queues.get(host)?.shift() : undefined;
      if (item !== undefined) {
        this.#hosts.addWaiting(host.id, -1);
        if (this.#queues.get(host)?.length === 0) this.#queues.delete(host);
        this.#underWay.set(item.url, item);
        return { url: item.url, text: item.text, origin: item.origin, host };
      }
      // A host that waits for a connection of a shared address has no rest of its own that would wake it.
      if (!this.#hosts.isAddressBusy(host)) this.#ready.delete(host);
    }
    return undefined;
  }

  /** The page is the first of its host again, which waits for its robots.txt. */
  hold({ url, host }: PageTask): void {
    this.#add(host, this.take(url), "first");
    this.#ready.delete(host);
  }

  awake(host: Host): void {
    if (this.#queues.has(host)) this.#ready.add(host);
  }

  vacated(address: Address): void {
    for (const host of this.#queues.keys()) if (host.address === address) this.#ready.add(host);
  }

  protected add(host: Host, item: Item): void {
    this.#add(host, item, "last");
    this.#ready.add(host);
  }

  protected underWay(url: number): Item | undefined {
    return this.#underWay.get(url);
  }

  /** An item that is under way no longer. */
  protected take(url: number): Item {
    const item = this.#underWay.get(url);
    assert(item !== undefined, `page ${url} is under way`);
    this.#underWay.delete(url);
    return item;
  }

  /** Takes all items of a host out of line. */
  protected drop(host: Host): readonly Item[] {
    const items = this.#queues.get(host) ?? [];
    this.#queues.delete(host);
    this.#ready.delete(host);
    this.#hosts.addWaiting(host.id, -items.length);
    return items;
  }

  protected waitingHosts(): Host[] {
    return [...this.#queues.keys()];
  }

  #add(host: Host, item: Item, place: "first" | "last"): void {
    const queue = this.#queues.get(host);
    if (queue === undefined) this.#queues.set(host, [item]);
    else if (place === "first") queue.unshift(item);
    else queue.push(item);
    this.#hosts.addWaiting(host.id, 1);
  }
}

/** How long what is under way may take once the work is interrupted. */
const DRAIN_MS = 500;

/** Runs work on a list, politely, until all of it is done. */
export class ListEngine implements Machine {
  mayStart = false;
  readonly #effects: EffectQueue;
  readonly #work: ListWork<Omit<PageTask, "host">>;
  readonly #politeness: Politeness;
  readonly #dispatcher: Dispatcher;
  #stopping: StopReason | undefined;

  constructor(
    options: Omit<PolitenessOptions, "effects" | "followsSitemaps" | "scope">,
    work: ListWork<Omit<PageTask, "host">>,
    effects = new EffectQueue(),
  ) {
    this.#effects = effects;
    const scope = new Scope(options.settings.web.scope);
    const { concurrency } = options.settings.politeness;
    this.#work = work;
    this.#politeness = new Politeness({ ...options, scope, effects, followsSitemaps: false }, work);
    this.#politeness.restore(new Set());
    this.#dispatcher = new Dispatcher({ politeness: this.#politeness, work, effects, slots: new Slots(concurrency) });
  }

  get nextMs(): number {
    return Math.min(this.#politeness.nextMs, this.#work.nextMs);
  }

  get ended(): StopReason | undefined {
    return this.#work.isDone ? (this.#stopping ?? "frontier-empty") : undefined;
  }

  step(input: Input, now: Now): readonly Effect[] {
    if (input.kind === "reply") this.#dispatcher.replied(input.id, input.reply, now);
    if (input.kind === "looked-up") this.#politeness.lookedUp(input.host, input.validForMs, now);
    if (input.kind === "stop") this.#stopping = input.reason;
    this.#work.received?.(input, now);
    // What a late reply leads to is not requested either.
    if (this.#stopping !== undefined) this.#work.interrupted();
    if (input.kind === "stop" && !this.#work.isDone) this.#effects.push({ kind: "drain", withinMs: DRAIN_MS });
    this.#politeness.wake(now.nowMs);
    this.mayStart = this.#stopping === undefined && !this.#work.isDone && this.#dispatcher.startNext(now);
    const isIdle = this.#dispatcher.requests + this.#politeness.lookups === 0;
    if (!this.mayStart && isIdle) this.#work.idle?.(this.nextMs - now.nowMs, now);
    return this.#effects.take();
  }
}

export interface ListRunOptions extends RunnerOptions {
  /** Ends it: what is under way may finish for a moment. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs work on a list to its end, or until it is interrupted; throws what ended it against its will. */
export async function runList(engine: ListEngine, { signal, ...options }: ListRunOptions): Promise<void> {
  const runner = new Runner(engine, options);
  const stop = (): void => runner.input({ kind: "stop", reason: "interrupted" });
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  try {
    const { error } = await runner.run();
    if (error !== undefined) throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
