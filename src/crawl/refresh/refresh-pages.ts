/**
 * Fetches pages of a finished crawl again, politely: the same politeness, dispatcher and runner as a crawl's, with
 * other work (refresh-work.ts).
 */
import { systemTimers, type Timers } from "../../base/index.ts";
import type { Fetcher } from "../../fetch/index.ts";
import type { Reread } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { Dispatcher } from "../dispatcher.ts";
import { Fingerprinter } from "../fingerprint.ts";
import { type Effect, EffectQueue, type Input, type Machine, type Now } from "../machine.ts";
import { Hosts } from "../politeness/hosts.ts";
import { Politeness } from "../politeness/politeness.ts";
import { Runner } from "../runner.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import type { StopReason } from "../machine.ts";
import { readIndex } from "../url-index.ts";
import type { RefreshPage } from "./refresh-facts.ts";
import { INTERRUPTED, type RefreshResult, RefreshWork } from "./refresh-work.ts";

export interface RefreshOptions {
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly settings: CrawlSettings;
  readonly timers?: Timers;
  /** Downloaded before; the first of a host is read first. */
  readonly pages: readonly RefreshPage[];
  /** Ends the refresh: what is under way may finish for a moment. */
  readonly signal?: AbortSignal;
  readonly onReread?: (reread: Reread, text: string) => void;
}

export async function refreshPages(options: RefreshOptions): Promise<RefreshResult> {
  const { store, fetcher, settings, timers = systemTimers, signal, onReread } = options;
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const engine = new RefreshEngine({ store, settings, fingerprinter, pages: options.pages, onReread });
  const runner = new Runner(engine, { store, fetcher, timers });
  const stop = (): void => runner.input({ kind: "stop", reason: "interrupted" });
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  try {
    const { error } = await runner.run();
    if (error !== undefined) throw error;
    return engine.result;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

interface RefreshEngineOptions extends Pick<RefreshOptions, "store" | "settings" | "pages"> {
  readonly fingerprinter: Fingerprinter;
  readonly onReread: RefreshOptions["onReread"];
}

class RefreshEngine implements Machine {
  readonly #effects = new EffectQueue();
  readonly #politeness: Politeness;
  readonly #work: RefreshWork;
  readonly #dispatcher: Dispatcher;
  #mayStart = false;
  #stopping: StopReason | undefined;

  constructor({ store, settings, fingerprinter, pages, onReread }: RefreshEngineOptions) {
    const effects = this.#effects;
    const hosts = new Hosts(settings.politeness);
    const { index } = readIndex(store, hosts, fingerprinter);
    const planned = pages.map((page) => {
      return { ...page, origin: index.table.originOf(page.url), text: index.textOf(page.url) };
    });
    // The index counts the URLs that the crawl left waiting; here only the planned pages wait.
    for (const host of hosts.all) hosts.addWaiting(host, -host.waiting);
    const work = new RefreshWork({ store, fingerprinter, hosts, origins: index, pages: planned, onReread });
    const origins = index;
    this.#work = work;
    this.#politeness = new Politeness({ settings, hosts, origins, store, effects, followsSitemaps: false }, work);
    this.#politeness.restore(new Set());
    const { concurrency } = settings.politeness;
    this.#dispatcher = new Dispatcher({ politeness: this.#politeness, work, effects, concurrency });
  }

  get result(): RefreshResult {
    return this.#work.result;
  }

  get mayStart(): boolean {
    return this.#mayStart;
  }

  get nextMs(): number {
    return this.#politeness.nextMs;
  }

  get ended(): StopReason | undefined {
    return this.#work.isDone ? (this.#stopping ?? "frontier-empty") : undefined;
  }

  step(input: Input, now: Now): readonly Effect[] {
    if (input.kind === "reply") this.#dispatcher.replied(input.id, input.reply, now);
    if (input.kind === "stop") this.#stop(input.reason);
    this.#politeness.wake(now.nowMs);
    this.#mayStart = this.#stopping === undefined && !this.#work.isDone && this.#dispatcher.startNext(now);
    return this.#effects.take();
  }

  #stop(reason: StopReason): void {
    this.#stopping = reason;
    this.#work.leaveAll(INTERRUPTED);
    if (!this.#work.isDone) this.#effects.push({ kind: "drain", withinMs: DRAIN_MS });
  }
}

/** How long what is under way may take once a refresh is interrupted. */
const DRAIN_MS = 500;
