/**
 * Drives a machine in the real world or a simulated one: hands it inputs one at a time, carries out its effects, and
 * commits what was written.
 *
 * Facts are committed once a second, and only committed facts are reported. When the machine is to stop, what is under
 * way may finish for a moment; then it is cut off and left to the next run.
 */
import { FailureError, type Timers } from "../base/index.ts";
import type { Answer, Fetcher } from "../fetch/index.ts";
import type { Renderer, RenderJob } from "../render/index.ts";
import { type CrawlStore, StoreError } from "../store/index.ts";
import type { CrawlEvent, DownloadedPage, Effect, Input, Machine, Now } from "./machine.ts";
import type { CrawlArchive } from "./open.ts";
import type { HostPauses } from "./politeness/host-pauses.ts";
import type { StopReason } from "./stop-reasons.ts";
import type { PageReader } from "./reader/contract.ts";

export interface RunnerOptions {
  /** Left out where nothing is stored. */
  readonly store?: Pick<CrawlStore, "commit">;
  readonly fetcher: Fetcher;
  /** Left out where nothing is read. */
  readonly reader?: PageReader;
  /** Left out where nothing is rendered. */
  readonly renderer?: Renderer | undefined;
  readonly timers: Timers;
  readonly archive?: CrawlArchive | undefined;
  /** How often facts are committed while there are any; default: once a second. */
  readonly commitMs?: number | undefined;
  /**
   * Whether a timer made the machine write something since this was last called; other inputs always count. Left out,
   * timers count too.
   */
  readonly takeDirty?: () => boolean;
  /** Called before the first step, and inside the last commit of a run that ends in order. */
  readonly beforeStart?: () => void;
  readonly beforeEnd?: (reason: StopReason) => void;
  readonly committed?: () => void;
  /** Whoever requests a host next is to know this; inside the next commit. */
  readonly pauses?: HostPauses | undefined;
  /** As it happens: facts that it is about may not be committed yet. */
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined;
  readonly onPage?: ((page: DownloadedPage) => void) | undefined;
}

export interface RunnerEnd {
  readonly reason: StopReason;
  /** What ended the run against its will: the disk, or a network on which nothing can be fetched. */
  readonly error?: FailureError;
}

const COMMIT_MS = 1000;
const TIMER: Input = { kind: "timer" };

export class Runner<More extends { readonly kind: string } = never> {
  isOver = false;
  readonly #machine: Machine<More>;
  readonly #options: RunnerOptions;
  readonly #inputs: (Input | More)[] = [];
  readonly #alarm: Alarm;
  readonly #drainAlarm: Alarm;
  #cancelCommit: () => void = () => {};
  /** Who waits for what pages want, by its number. */
  readonly #supplies = new Map<number, (answer: Answer | null) => void>();
  #resources = 0;
  #isStepping = false;
  #isDirty = true;
  /** That it stops was said. */
  #isStopping = false;
  /** Why nothing can be fetched any more. */
  #down: FailureError | undefined;
  #earlyError: { readonly error: unknown } | undefined;
  #settle: { resolve: (end: RunnerEnd) => void; reject: (error: unknown) => void } | undefined;

  constructor(machine: Machine<More>, options: RunnerOptions) {
    this.#machine = machine;
    this.#options = options;
    this.#alarm = new Alarm(options.timers);
    this.#drainAlarm = new Alarm(options.timers);
  }

  /** Runs until the machine has ended. Called once. */
  run(): Promise<RunnerEnd> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      try {
        if (this.#earlyError !== undefined) throw this.#earlyError.error;
        this.#options.beforeStart?.();
        const down = (why: string): void => {
          this.#down = new FailureError(why);
          this.input({ kind: "stop", reason: "failed" });
        };
        this.#options.fetcher.onDown?.(down);
        this.#options.renderer?.onDown?.(down);
        this.#commitLater();
        this.input({ kind: "start" });
      } catch (error) {
        this.#failed(error);
      }
    });
  }

  /** Taken at once, or after the step at hand. Before a run only controls make sense, which the machine keeps. */
  input(input: Input | More): void {
    this.#inputs.push(input);
    if (!this.#isStepping && !this.isOver) this.#process();
  }

  #process(): void {
    this.#isStepping = true;
    try {
      // A reader or a fetcher may answer at once: its answer is taken before anything else starts.
      for (let input = this.#nextInput(); input !== undefined; input = this.#nextInput()) this.#step(input);
      if (this.#settle !== undefined) this.#proceed();
    } catch (error) {
      if (this.#settle === undefined) this.#earlyError = { error };
      else this.#failed(error);
    } finally {
      this.#isStepping = false;
    }
  }

  #nextInput(): Input | More | undefined {
    if (this.#machine.ended !== undefined) return undefined;
    return this.#inputs.shift() ?? (this.#settle !== undefined && this.#machine.mayStart ? TIMER : undefined);
  }

  #step(input: Input | More): void {
    const effects = this.#machine.step(input, this.#now());
    if (input.kind !== "timer" && input.kind !== "pause" && input.kind !== "resume") this.#isDirty = true;
    for (const effect of effects) this.#perform(effect);
  }

  /** Ends with the machine, or wakes it when its time has come. */
  #proceed(): void {
    if (this.#machine.ended !== undefined) this.#finish(this.#machine.ended);
    else this.#alarm.set(this.#machine.nextMs, () => this.input(TIMER));
  }

  #now(): Now {
    const { timers } = this.#options;
    return { nowMs: timers.nowMs(), wallMs: timers.wallMs() };
  }

  #perform(effect: Effect): void {
    const { fetcher, reader, archive, onEvent, onPage, pauses, timers } = this.#options;
    switch (effect.kind) {
      case "fetch": {
        const { id, request } = effect;
        return fetcher.fetch(request, (reply) => this.input({ kind: "reply", id, reply }));
      }
      case "cancel":
        return fetcher.cancel?.(effect.owner);
      case "look-up": {
        const { host, url } = effect;
        const lookedUp = (validForMs: number): void => this.input({ kind: "looked-up", host, validForMs });
        // A simulated web has no names to look up.
        return fetcher.lookUp === undefined ? lookedUp(Number.POSITIVE_INFINITY) : fetcher.lookUp(url, lookedUp);
      }
      case "read-page": {
        const { id, job } = effect;
        return reader?.readPage(job, (content) => this.input({ kind: "page-read", id, content }));
      }
      case "read-sitemap": {
        const { id, job } = effect;
        return reader?.readSitemap(job, (content) => this.input({ kind: "sitemap-read", id, content }));
      }
      case "render":
        return this.#render(effect.id, effect.job);
      case "supply": {
        const supply = this.#supplies.get(effect.resource);
        this.#supplies.delete(effect.resource);
        return supply?.(effect.answer);
      }
      case "archive":
        return archive?.keep(effect);
      case "downloaded":
        return onPage?.(effect);
      case "emit":
        if (effect.event.name === "stopping") this.#isStopping = true;
        return onEvent?.(effect.event);
      case "pause-host":
        return pauses?.add(effect.host, effect.untilMs);
      case "drain":
        return this.#drainAlarm.set(timers.nowMs() + effect.withinMs, () => {
          void fetcher.close();
          this.input({ kind: "cut-off" });
        });
    }
  }

  #render(id: number, job: RenderJob): void {
    const resources = new Set<number>();
    this.#options.renderer?.render(job, {
      want: (wanted, supply) => {
        const resource = this.#resources++;
        resources.add(resource);
        this.#supplies.set(resource, supply);
        this.input({ kind: "resource-wanted", render: id, resource, ...wanted });
      },
      done: (rendering) => {
        for (const resource of resources) this.#supplies.delete(resource);
        this.input({ kind: "rendered", id, rendering });
      },
    });
  }

  #finish(reason: StopReason): void {
    this.#options.beforeEnd?.(reason);
    this.#commit();
    const settle = this.#settle;
    this.#cancel();
    settle?.resolve(reason === "failed" && this.#down !== undefined ? { reason, error: this.#down } : { reason });
  }

  /** The disk ends a run, and what was committed stays. Anything else that is thrown is a bug of ours. */
  #failed(error: unknown): void {
    const { fetcher, onEvent, timers } = this.#options;
    const settle = this.#settle;
    // First, so that requests which the fetcher aborts are no longer taken in.
    this.#cancel();
    void fetcher.close();
    if (!(error instanceof StoreError)) return settle?.reject(error);
    const { kind: reason } = error;
    if (!this.#isStopping) onEvent?.({ name: "stopping", atMs: timers.wallMs(), reason });
    settle?.resolve({ reason, error });
  }

  #cancel(): void {
    this.#settle = undefined;
    this.isOver = true;
    this.#alarm.cancel();
    this.#drainAlarm.cancel();
    this.#cancelCommit();
  }

  #commit(): void {
    this.#options.pauses?.save(this.#options.timers.wallMs());
    this.#options.store?.commit();
    this.#isDirty = false;
    this.#options.committed?.();
  }

  #commitLater(): void {
    const { timers, commitMs = COMMIT_MS, takeDirty } = this.#options;
    this.#cancelCommit = timers.after(commitMs, () => {
      if (this.isOver) return;
      try {
        if (takeDirty?.() !== false || this.#isDirty) this.#commit();
        this.#commitLater();
      } catch (error) {
        return this.#failed(error);
      }
      // What was committed may be enough to stop.
      this.input(TIMER);
    });
  }
}

/** One time at which to be called; setting another replaces it. */
class Alarm {
  readonly #timers: Timers;
  #cancel: () => void = () => {};
  #atMs = Number.POSITIVE_INFINITY;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Infinity is never. The same time again changes nothing: whoever is called for it does what is due then. */
  set(atMs: number, ring: () => void): void {
    if (atMs === this.#atMs) return;
    this.cancel();
    this.#atMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#timers.after(atMs - this.#timers.nowMs(), () => {
      this.#atMs = Number.POSITIVE_INFINITY;
      ring();
    });
  }

  cancel(): void {
    this.#cancel();
    this.#atMs = Number.POSITIVE_INFINITY;
  }
}
