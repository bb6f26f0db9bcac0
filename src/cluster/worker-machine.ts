/**
 * The engines of all groups of shards that a worker owns, as one machine (crawl/machine.ts): the same runner drives it.
 * When something may start, the group with the best page goes first. Before a request starts, the lease of its group is
 * compared with the clock.
 */
import { assert } from "../base/index.ts";
import {
  areTaken,
  type Effect,
  type Input,
  type Level,
  type Machine,
  type Now,
  type RemoteRecord,
  type SharedMeans,
  type StopReason,
} from "../crawl/index.ts";
import { hostOfUrl } from "../web/index.ts";
import type { ShardMessage } from "./messages.ts";
import type { ShardGroup } from "./shard-group.ts";
import { type Sharding, shardOf } from "./sharding.ts";

/** What happens to the shards of a worker, besides what their fetcher and readers bring. */
export type WorkerInput =
  /** It was replayed, and belongs to the worker from now on. */
  | { readonly kind: "group-opened"; readonly group: ShardGroup }
  | { readonly kind: "group-input"; readonly group: ShardGroup; readonly input: Input }
  /** Nothing of it is under way, or a lease is lost. */
  | { readonly kind: "group-closed"; readonly group: ShardGroup }
  /** Other shards say something to these. */
  | { readonly kind: "messages"; readonly messages: readonly ShardMessage[] }
  /** By what other workers have said. */
  | { readonly kind: "level"; readonly mass: number; readonly lookahead: number }
  /** Time to look whether somebody has not answered. */
  | { readonly kind: "look-at-errands" };

/** Something that was begun for a group, with the number under which the group knows it. */
interface Call {
  readonly group: ShardGroup;
  readonly id: number;
}

/** When its next step is due, and whether it may start something: to ask all engines each time would be slow. */
interface Turn {
  nextMs: number;
  mayStart: boolean;
}

export interface WorkerMachineOptions {
  readonly sharding: Sharding;
  readonly means: SharedMeans;
}

export class WorkerMachine implements Machine<WorkerInput> {
  mayStart = false;
  ended: StopReason | undefined;
  readonly #options: WorkerMachineOptions;
  readonly #groups = new Map<ShardGroup, Turn>();
  /** What was begun for groups and has not come back, by numbers of our own. */
  readonly #calls = new Map<number, Call>();
  #called = 0;
  /** Whether requests or readings were at their limit. */
  #wasFull = false;
  #turns = 0;
  #isPaused = false;
  #isStarted = false;

  constructor(options: WorkerMachineOptions) {
    this.#options = options;
  }

  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const turn of this.#groups.values()) nextMs = Math.min(nextMs, turn.nextMs);
    return nextMs;
  }

  step(input: Input | WorkerInput, now: Now): readonly Effect[] {
    const effects = this.#take(input, now);
    this.#refresh(now);
    return effects;
  }

  #take(input: Input | WorkerInput, now: Now): readonly Effect[] {
    switch (input.kind) {
      case "start":
        this.#isStarted = true;
        return [];
      case "timer":
        return this.#start(now);
      case "reply":
      case "page-read":
      case "sitemap-read":
      case "rendered": {
        const call = this.#takeCall(input.id);
        return call === undefined ? [] : this.#step(call.group, { ...input, id: call.id }, now);
      }
      case "looked-up": {
        const call = this.#takeCall(input.host);
        return call === undefined ? [] : this.#step(call.group, { ...input, host: call.id }, now);
      }
      case "resource-wanted": {
        // The page goes on being rendered.
        const call = this.#calls.get(input.render);
        return call === undefined ? [] : this.#step(call.group, { ...input, render: call.id }, now);
      }
      case "pause":
      case "resume":
        this.#isPaused = input.kind === "pause";
        return this.#stepAll(input, now);
      case "change-limits":
      case "cut-off":
        return this.#stepAll(input, now);
      case "stop":
        this.ended = input.reason;
        return [];
      case "remote":
      case "errand":
        throw new Error("assertion failed: what comes from other shards is for one of them");
      case "group-opened":
        return this.#opened(input.group, now);
      case "group-closed":
        return this.#closed(input.group);
      case "group-input":
        return this.#groups.has(input.group) ? this.#step(input.group, input.input, now) : [];
      case "messages":
        return this.#hear(input.messages, now);
      case "level":
        return this.#setLevel(input);
      case "look-at-errands":
        return [...this.#groups.keys()].flatMap((group) =>
          [...group.shards.values()]
            .flatMap(({ exchange }) => exchange.overdue(now.nowMs))
            .flatMap((each) => this.#step(group, each, now)),
        );
    }
  }

  /** What was held back may start, perhaps. */
  #setLevel({ mass, lookahead }: Pick<Level, "mass" | "lookahead">): readonly Effect[] {
    const { level } = this.#options.means;
    if (Math.max(mass, level.mass) > Number.NEGATIVE_INFINITY || lookahead > level.lookahead) this.#askAll();
    level.mass = mass;
    level.lookahead = lookahead;
    return [];
  }

  /** All that a group is told of URLs is one step: messages between two shards are small, and there are many. */
  #hear(messages: readonly ShardMessage[], now: Now): readonly Effect[] {
    const effects: Effect[] = [];
    for (const group of this.#groups.keys()) {
      // What a shard hears that is given up would be lost; its next owner asks for it.
      if (group.isStopping) continue;
      const records: RemoteRecord[] = [];
      const inputs: Input[] = [];
      for (const message of messages) {
        const shard = group.shards.get(message.receiver);
        if (shard !== undefined) inputs.push(...shard.exchange.take(message, records));
      }
      if (records.length > 0) effects.push(...this.#step(group, { kind: "remote", records }, now));
      for (const each of inputs) effects.push(...this.#step(group, each, now));
    }
    return effects;
  }

  #opened(group: ShardGroup, now: Now): readonly Effect[] {
    this.#groups.set(group, { nextMs: Number.POSITIVE_INFINITY, mayStart: false });
    const effects = this.#step(group, { kind: "start" }, now);
    return this.#isPaused ? [...effects, ...this.#step(group, { kind: "pause" }, now)] : effects;
  }

  /** Whatever is in flight ends, and nobody waits for it. */
  #closed(group: ShardGroup): readonly Effect[] {
    if (!this.#groups.delete(group)) return [];
    group.engine.abandon();
    for (const [id, call] of this.#calls) if (call.group === group) this.#calls.delete(id);
    return [{ kind: "cancel", owner: group.id }];
  }

  #takeCall(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #stepAll(input: Input, now: Now): readonly Effect[] {
    return [...this.#groups.keys()].flatMap((group) => this.#step(group, input, now));
  }

  /** Wakes the groups whose time has come, and starts one request: of the group with the best page. */
  #start(now: Now): readonly Effect[] {
    const effects: Effect[] = [];
    for (const [group, { nextMs }] of this.#groups) {
      if (nextMs <= now.nowMs) effects.push(...this.#wake(group, now));
    }
    const best = effects.some(({ kind }) => kind === "fetch") ? undefined : this.#best(now);
    if (best !== undefined) effects.push(...this.#step(best, TIMER, now));
    return effects;
  }

  /** Without a valid lease it learns what time it is, and starts nothing. */
  #wake(group: ShardGroup, now: Now): readonly Effect[] {
    return this.#step(group, group.mayRequest(now) ? TIMER : NOTHING, now);
  }

  #best(now: Now): ShardGroup | undefined {
    let best: ShardGroup | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const [group, { mayStart }] of this.#groups) {
      if (!mayStart || !group.mayRequest(now)) continue;
      const level = this.#groups.size === 1 ? 0 : group.engine.best;
      // A group on which nothing waits may still want a robots.txt or a sitemap.
      if (best !== undefined && level <= most) continue;
      best = group;
      most = level;
    }
    return best;
  }

  #step(group: ShardGroup, input: Input, now: Now): readonly Effect[] {
    const effects = group.step(input, now);
    const turn = this.#groups.get(group);
    if (turn !== undefined) {
      turn.nextMs = group.engine.nextMs;
      turn.mayStart = group.engine.mayStart;
    }
    this.#wasFull ||= areTaken(this.#options.means);
    return effects.length === 0 ? effects : this.#wrapped(group, effects, now);
  }

  /** What became free is free for all groups. */
  #refresh(now: Now): void {
    const { turns } = this.#options.means.addresses;
    if (turns !== this.#turns) {
      this.#turns = turns;
      for (const [group, turn] of this.#groups) turn.nextMs = group.engine.nextMs;
    }
    if (this.#wasFull && !areTaken(this.#options.means)) {
      this.#wasFull = false;
      this.#askAll();
    }
    const isRunning = this.#isStarted && !this.#isPaused && this.ended === undefined;
    this.mayStart = isRunning && !this.#options.means.requests.isFull && this.#best(now) !== undefined;
  }

  #askAll(): void {
    for (const turn of this.#groups.values()) turn.mayStart = true;
  }

  /** Numbers of a group become numbers of the worker; what shards want of each other goes to their exchange. */
  #wrapped(group: ShardGroup, effects: readonly Effect[], now: Now): readonly Effect[] {
    const wrapped: Effect[] = [];
    for (const effect of effects) {
      switch (effect.kind) {
        case "fetch": {
          const lease = { owner: group.id, untilMs: group.leaseUntilMs };
          wrapped.push({ ...effect, id: this.#call(group, effect.id), request: { ...effect.request, lease } });
          break;
        }
        case "read-page":
        case "read-sitemap":
        case "render":
          wrapped.push({ ...effect, id: this.#call(group, effect.id) });
          break;
        case "look-up":
          wrapped.push({ ...effect, host: this.#call(group, effect.host) });
          break;
        case "delegate":
          group.delegate(effect.id, effect.request, now.nowMs);
          break;
        case "errand-done":
          group.errandDone(effect.id, effect.reply);
          break;
        case "archive": {
          const shard = group.shards.get(shardOf(hostOfUrl(effect.request.url), this.#options.sharding));
          // What others have fetched for this group is archived there.
          if (shard !== undefined) wrapped.push({ ...effect, lease: shard.lease });
          break;
        }
        // A note in the log of a shard has it.
        case "pause-host":
        // The worker says when its fetcher is closed.
        case "drain":
          break;
        case "emit":
          if (!OF_THE_CRAWL.has(effect.event.name)) wrapped.push(effect);
          break;
        default:
          assert(effect.kind === "supply" || effect.kind === "downloaded", "a known effect");
          wrapped.push(effect);
      }
    }
    return wrapped;
  }

  #call(group: ShardGroup, id: number): number {
    this.#calls.set(this.#called, { group, id });
    return this.#called++;
  }
}

/** Whoever pauses or ends all groups says so, once. */
const OF_THE_CRAWL: ReadonlySet<string> = new Set(["paused", "resumed", "limits-changed", "stopping"]);

const TIMER: Input = { kind: "timer" };
/** Ends what is due and starts nothing: only a timer does that. */
const NOTHING: Input = { kind: "remote", records: [] };
