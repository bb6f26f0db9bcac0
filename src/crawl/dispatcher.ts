/**
 * Starts requests: auxiliary ones (robots.txt, sitemaps) before pages, and pages only after their robots.txt. Which
 * page comes next, and what replies mean, is up to the work: of a crawl (crawl-work.ts, frontier.ts), of a refresh
 * (refresh-work.ts) or of a dry run (seed-check.ts).
 */
import type { FetchRequest, Reply } from "../fetch/index.ts";
import type { UsagePreferences } from "../web/index.ts";
import type { EffectQueue, Now } from "./machine.ts";
import { type AuxiliaryRequest, fetchRequestOf } from "./politeness/auxiliary-requests.ts";
import type { Host } from "./politeness/host.ts";
import type { Politeness } from "./politeness/politeness.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import type { Slots } from "./shard-part.ts";

/** A page that is to be requested. */
export interface PageTask {
  /** Number of the URL, by the work's own count. */
  readonly url: number;
  readonly text: string;
  readonly origin: number;
  readonly host: Host;
  /** What its robots.txt says about its use, where it says anything. */
  readonly usage?: UsagePreferences;
}

/** Pages to request, and what becomes of them. */
export interface Work {
  /** Too much is being read: neither pages nor sitemaps may be requested, only what pages under way need. */
  readonly isFull: boolean;
  /** The best page whose host may be requested now, or undefined. It is under way from here on. */
  next(): PageTask | undefined;
  /** Its robots.txt or the name of its host is not known yet: the page waits until its host is awake. */
  hold(task: PageTask): void;
  /** The page is not to be requested: its host is dead or given up, or its robots.txt forbids it. */
  excluded(task: PageTask, why: Exclusion, now: Now): void;
  /** The page is requested now, in this way. */
  requestFor(task: PageTask): FetchRequest;
  replied(task: PageTask, reply: Reply, now: Now): void;
}

type InFlight = { readonly host: Host } & ({ readonly task: PageTask } | { readonly auxiliary: AuxiliaryRequest });

export interface DispatcherOptions {
  readonly politeness: Politeness;
  readonly work: Work;
  readonly effects: EffectQueue;
  readonly slots: Slots;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #inFlight = new Map<number, InFlight>();
  #numbered = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  get requests(): number {
    return this.#inFlight.size;
  }

  /** Requests in flight are not awaited any more. */
  abandon(): void {
    for (const { host } of this.#inFlight.values()) if (!host.isElsewhere) this.#options.slots.taken--;
    this.#inFlight.clear();
  }

  /** Starts one request or lookups, or rules one page out; false where nothing can be started now. */
  startNext(now: Now): boolean {
    const { politeness, work, slots } = this.#options;
    if (slots.isFull) return false;
    const { lookups } = politeness;
    const next = politeness.nextAuxiliary({ sitemaps: !work.isFull, now });
    if (next !== undefined) {
      const { request: auxiliary, host } = next;
      this.#fetch(fetchRequestOf(auxiliary), { host, auxiliary });
      return true;
    }
    // A name may be known at once; then the request that waits for it goes before any page.
    if (politeness.lookups > lookups) return true;
    const task = work.next();
    if (task === undefined) return false;
    this.#consider(task, now);
    return true;
  }

  replied(id: number, given: Reply, now: Now): void {
    const { politeness, work, effects, slots } = this.#options;
    const request = this.#inFlight.get(id);
    if (request === undefined) return;
    this.#inFlight.delete(id);
    const { host } = request;
    if (!host.isElsewhere) slots.taken--;
    const reply = politeness.replied(host, given, now);
    if ("task" in request) work.replied(request.task, reply, now);
    else {
      // Pages are archived by the work, which knows when one was read. This comes first, because the body of a sitemap
      // goes to the thread that reads it. What is delegated is archived there.
      if (reply.kind === "answer" && !host.isElsewhere) {
        const archived = fetchRequestOf(request.auxiliary);
        effects.push({ kind: "archive", request: archived, dateMs: now.wallMs, answer: reply });
      }
      politeness.auxiliaryReplied(request.auxiliary, reply, now);
    }
    politeness.finished(host, now);
  }

  #consider(task: PageTask, now: Now): void {
    const { politeness, work } = this.#options;
    const { host } = task;
    const judgement = politeness.judge(task.origin, task.text, host, now);
    if (judgement.kind === "allowed") {
      const { usage } = judgement;
      this.#fetch(work.requestFor(task), { host, task: usage === undefined ? task : { ...task, usage } });
    } else if (judgement.kind === "later") work.hold(task);
    else work.excluded(task, judgement, now);
  }

  #fetch(request: FetchRequest, inFlight: InFlight): void {
    const { politeness, effects, slots } = this.#options;
    const id = this.#numbered++;
    const { host } = inFlight;
    politeness.started(host);
    this.#inFlight.set(id, inFlight);
    if (!host.isElsewhere) slots.taken++;
    effects.push({ kind: host.isElsewhere ? "delegate" : "fetch", id, request });
  }
}
