/**
 * A crawl in the same process: what it has sent, and requests to it. The newest status counts. Events and points of the
 * tide are kept in bounded number. A crawl that does not respond keeps nobody waiting.
 */
import type { Timers } from "../../base/index.ts";
import {
  type CrawlEvent,
  type CrawlStatus,
  Estimate,
  type HostStatus,
  type Limits,
  type StopReason,
} from "../../crawl/index.ts";
import type { TidePoint } from "../../survey/index.ts";
import type { RunState } from "../../text/index.ts";
import type { Control, ControlAnswer } from "../protocol/http.ts";
import type { CrawlPort, FromCrawl } from "./server-thread.ts";
import { HttpError } from "./requests.ts";

/** An event with its key in the log: after the visit of that number. */
export interface KeyedEvent {
  readonly key: number;
  readonly event: CrawlEvent;
}

const EVENTS_MAX = 1000;
/** Points that no survey includes yet. Beyond this number, older points are thinned out. */
const POINTS_MAX = 2000;
/** The rates of an overview are measured over this time. */
export const RATE_WINDOW_MS = 60_000;
const HOSTS_WAIT_MS = 500;
const CONTROL_WAIT_MS = 3000;
/** Requests for the status of hosts that wait for a response. */
const HOST_REQUESTS_MAX = 64;

export class Live {
  status: CrawlStatus | undefined;
  limits: Limits | undefined;
  /** Undefined before the first message. */
  state: RunState | undefined;
  reason: StopReason | null = null;
  estimate: Estimate | undefined;
  /** The visit by which a host was last found to block the crawler: certificates without it are void. */
  lastBlock = 0;
  readonly #port: CrawlPort;
  readonly #timers: Timers;
  readonly #lastVisit: () => number;
  #events: KeyedEvent[] = [];
  /** The last visit, and the number of events since then. */
  #visit = -1;
  #eventsSince = 0;
  #points: TidePoint[] = [];
  #lastRequest = 0;
  readonly #hostRequests = new Map<number, (hosts: readonly (HostStatus | null)[]) => void>();
  #awaiting: ((refusal: string | undefined) => void)[] = [];

  constructor(port: CrawlPort, options: { readonly timers: Timers; readonly lastVisit: () => number }) {
    this.#port = port;
    this.#timers = options.timers;
    this.#lastVisit = options.lastVisit;
    port.onMessage((message) => this.#receive(message));
  }

  /** Whether the crawl can still be controlled. */
  get isRunning(): boolean {
    return this.state !== "ended";
  }

  /** Oldest first. */
  get events(): readonly KeyedEvent[] {
    return this.#events;
  }

  pointsFrom(pages: number): readonly TidePoint[] {
    return this.#points.filter((point) => point[0] >= pages);
  }

  /** The current status of these hosts; nulls if the crawl does not respond in time. */
  hosts(names: readonly string[]): Promise<readonly (HostStatus | null)[]> {
    const unknown = names.map(() => null);
    if (!this.isRunning || this.#hostRequests.size >= HOST_REQUESTS_MAX) return Promise.resolve(unknown);
    const request = ++this.#lastRequest;
    return new Promise((resolve) => {
      const cancel = this.#timers.after(HOSTS_WAIT_MS, () => answer(unknown));
      const answer = (hosts: readonly (HostStatus | null)[]) => {
        cancel();
        this.#hostRequests.delete(request);
        resolve(hosts);
      };
      this.#hostRequests.set(request, answer);
      this.#port.send({ type: "hosts", question: request, names });
    });
  }

  /** Resolves at the first status that shows the change: an older status may still be on its way. */
  control(control: Control): Promise<ControlAnswer> {
    if (!this.isRunning) throw new HttpError(409, "the crawl has ended: there is nothing to control any more");
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(CONTROL_WAIT_MS, () =>
        done("the crawl has not done it within three seconds: try again in a moment"),
      );
      const done = (refusal: string | undefined) => {
        if (refusal === undefined && !this.#shows(control)) return;
        cancel();
        this.#awaiting = this.#awaiting.filter((each) => each !== done);
        if (refusal !== undefined) reject(new HttpError(409, refusal));
        else resolve({ state: this.state ?? "running", limits: this.limits ?? {} });
      };
      this.#awaiting.push(done);
      this.#port.send({ type: "control", control });
    });
  }

  #receive(message: FromCrawl): void {
    switch (message.type) {
      case "hosts":
        this.#hostRequests.get(message.question)?.(message.hosts);
        return;
      case "refused":
        for (const done of this.#awaiting) done(message.problem);
        return;
      case "event":
        return this.#addEvent(message.event);
      case "ended":
        this.#setStatus(message.status);
        this.state = "ended";
        this.reason = message.reason;
        break;
      case "status":
        this.limits = message.limits;
        this.state = message.state;
        this.#setStatus(message.status);
    }
    for (const done of this.#awaiting) done(undefined);
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
    // A status that is sent again because something else has changed says nothing about the rate.
    if (isNew) this.estimate.add(status);
    const last = this.#points.at(-1);
    const shown = status.sampled?.coverage || null;
    if (last?.[0] === status.pages && last[4] === shown) return;
    // Walks may show more without another page.
    if (last?.[0] === status.pages) this.#points.pop();
    this.#points.push([status.pages, this.#timers.wallMs(), status.coverage, status.guaranteed, shown]);
    if (this.#points.length > POINTS_MAX) {
      this.#points = this.#points.filter((_, k) => k % 2 === 1 || k > POINTS_MAX / 2);
    }
  }

  /** The keys of events after visit v are v + 1/2, v + 2/3, v + 3/4, and so on: each has its own. */
  #addEvent(event: CrawlEvent): void {
    if (event.name === "host-blocked") this.lastBlock = event.visit;
    const visit = this.#lastVisit();
    this.#eventsSince = visit === this.#visit ? this.#eventsSince + 1 : 1;
    this.#visit = visit;
    this.#events.push({ key: visit + this.#eventsSince / (this.#eventsSince + 1), event });
    if (this.#events.length > EVENTS_MAX) this.#events = this.#events.slice(-EVENTS_MAX);
  }
}
