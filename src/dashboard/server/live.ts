/**
 * What a crawl in the same process has told, and what is asked of it. The newest status counts; events and points of the tide are kept in
 * bounded number. A crawl that does not answer keeps nobody waiting.
 */
import type { Timers } from "../../base/index.ts";
import {
  type CrawlEvent,
  type CrawlStatus,
  Estimate,
  type Limits,
  type StopReason,
} from "../../crawl/index.ts";
import type { FromCrawl, ToCrawl } from "../protocol/thread.ts";
import type { Control, ControlAnswer, Politeness, RunState } from "../protocol/http.ts";
import type { TidePoint } from "../../survey/index.ts";
import { Refusal } from "./questions.ts";

/** The other end of a feed. */
export interface CrawlPort {
  send(message: ToCrawl): void;
  onMessage(listener: (message: FromCrawl) => void): void;
}

/** An event with its place in the log: after the visit of that number. */
export interface PlacedEvent {
  readonly key: number;
  readonly event: CrawlEvent;
}

const EVENTS_MAX = 1000;
/** Points that no survey has taken in; the older ones are thinned beyond. */
const POINTS_MAX = 2000;
/** Over how long the speeds of an overview are measured. */
export const RATE_WINDOW_MS = 60_000;
const HOSTS_WAIT_MS = 500;
const CONTROL_WAIT_MS = 3000;
/** Questions about hosts that wait for an answer; beyond, nothing is known of them. */
const QUESTIONS_MAX = 64;

export class Live {
  status: CrawlStatus | undefined;
  limits: Limits | undefined;
  /** Undefined before the crawl has spoken. */
  state: RunState | undefined;
  reason: StopReason | null = null;
  estimate: Estimate | undefined;
  readonly #port: CrawlPort;
  readonly #timers: Timers;
  readonly #lastVisit: () => number;
  #events: PlacedEvent[] = [];
  /** The visit after which events come, and how many of them came. */
  #visit = -1;
  #eventsHere = 0;
  #points: TidePoint[] = [];
  #question = 0;
  readonly #questions = new Map<number, (hosts: readonly (Politeness | null)[]) => void>();
  #awaiting: ((refusal: string | undefined) => void)[] = [];

  constructor(port: CrawlPort, options: { readonly timers: Timers; readonly lastVisit: () => number }) {
    this.#port = port;
    this.#timers = options.timers;
    this.#lastVisit = options.lastVisit;
    port.onMessage((message) => this.#take(message));
  }

  /** Whether the crawl can still be told something. */
  get isRunning(): boolean {
    return this.state !== "ended";
  }

  /** In the order in which they happened. */
  get events(): readonly PlacedEvent[] {
    return this.#events;
  }

  /** What has risen beyond a number of pages. */
  pointsAfter(pages: number): readonly TidePoint[] {
    return this.#points.filter((point) => point[0] > pages);
  }

  /** How these hosts are treated now; nulls where the crawl does not say in time. */
  hosts(names: readonly string[]): Promise<readonly (Politeness | null)[]> {
    const nothing = names.map(() => null);
    if (!this.isRunning || this.#questions.size >= QUESTIONS_MAX) return Promise.resolve(nothing);
    const question = ++this.#question;
    return new Promise((resolve) => {
      const giveUp = this.#timers.after(HOSTS_WAIT_MS, () => answer(nothing));
      const answer = (hosts: readonly (Politeness | null)[]) => {
        giveUp();
        this.#questions.delete(question);
        resolve(hosts);
      };
      this.#questions.set(question, answer);
      this.#port.send({ type: "hosts", question, names });
    });
  }

  /** Answered by the first status that shows what was wanted: one that was told before may still be on its way. */
  control(control: Control): Promise<ControlAnswer> {
    if (!this.isRunning) throw new Refusal(409, "the crawl has ended: there is nothing to control any more");
    return new Promise((resolve, reject) => {
      const giveUp = this.#timers.after(CONTROL_WAIT_MS, () =>
        done("the crawl has not done it within three seconds: look again in a moment"),
      );
      const done = (refusal: string | undefined) => {
        if (refusal === undefined && !this.#shows(control)) return;
        giveUp();
        this.#awaiting = this.#awaiting.filter((each) => each !== done);
        if (refusal !== undefined) reject(new Refusal(409, refusal));
        else resolve({ state: this.state ?? "running", limits: this.limits ?? {} });
      };
      this.#awaiting.push(done);
      this.#port.send({ type: "control", control });
    });
  }

  #take(message: FromCrawl): void {
    if (message.type === "hosts") this.#questions.get(message.question)?.(message.hosts);
    else if (message.type === "refused") for (const done of this.#awaiting) done(message.problem);
    else if (message.type === "event") this.#addEvent(message.event);
    else if (message.type === "ended") {
      this.#setStatus(message.status);
      this.state = "ended";
      this.reason = message.reason;
      for (const done of this.#awaiting) done(undefined);
    } else {
      this.limits = message.limits;
      this.state = message.state;
      this.#setStatus(message.status);
      for (const done of this.#awaiting) done(undefined);
    }
  }

  #shows(control: Control): boolean {
    const { state, limits } = this;
    if (state === "ended" || state === "stopping") return true;
    if (control.action === "pause") return state === "paused";
    if (control.action === "resume") return state === "running";
    if (control.action !== "limits") return false;
    const wanted = Object.entries(control.limits) as [keyof Limits, number | null][];
    return wanted.every(([name, value]) => (limits?.[name] ?? null) === value);
  }

  #setStatus(status: CrawlStatus): void {
    const isNew = status.elapsedMs !== this.status?.elapsedMs;
    this.status = status;
    this.estimate ??= new Estimate(this.limits ?? {}, { windowMs: RATE_WINDOW_MS });
    this.estimate.limits = this.limits ?? {};
    // Told again when something else has changed, it says nothing about speed.
    if (isNew) this.estimate.add(status);
    const last = this.#points.at(-1);
    if (last?.[0] === status.pages) return;
    this.#points.push([status.pages, this.#timers.wallMs(), status.coverage, status.guaranteed]);
    if (this.#points.length > POINTS_MAX) {
      this.#points = this.#points.filter((_, k) => k % 2 === 1 || k > POINTS_MAX / 2);
    }
  }

  /** Events after the same visit stand at a half, two thirds, three quarters beyond it: each has a place of its own. */
  #addEvent(event: CrawlEvent): void {
    const visit = this.#lastVisit();
    this.#eventsHere = visit === this.#visit ? this.#eventsHere + 1 : 1;
    this.#visit = visit;
    this.#events.push({ key: visit + this.#eventsHere / (this.#eventsHere + 1), event });
    if (this.#events.length > EVENTS_MAX) this.#events = this.#events.slice(-EVENTS_MAX);
  }
}
