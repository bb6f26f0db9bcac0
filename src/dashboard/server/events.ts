/**
 * Server-sent events: one ticker for all who listen, and none while nobody does. What is new is computed once and written to everybody; an
 * overview is sent only when it has changed. A listener who takes nothing any more is let go: browsers come back by themselves, and
 * say which entry of the log they saw last.
 */
import type { SSEStreamingApi } from "hono/streaming";
import { messageOf, type Timers } from "../../base/index.ts";
import type { TidePoint, NumberedSurvey, SurveySource } from "../../survey/index.ts";
import type { Log } from "./log.ts";
import { type Overviews, surveyedOf } from "./overview.ts";

export const LISTENERS_MAX = 64;
const TICK_MS = 1000;
/** Something is said at least so often, or proxies and browsers think that nobody is there. */
const HEARTBEAT_MS = 15_000;
/** Messages that a listener has not taken yet. */
const PENDING_MAX = 32;

interface Listener {
  readonly stream: SSEStreamingApi;
  pending: number;
  end(): void;
}

export interface EventsOptions {
  readonly overviews: Overviews;
  readonly log: Log;
  readonly source: SurveySource;
  readonly timers: Timers;
  /** Looks whether there is anything new, and asks for what follows from it. */
  readonly look: () => void;
  /** Told what cannot be told to those who listen, once. */
  readonly onTrouble: (error: unknown) => void;
}

export class Events {
  readonly #options: EventsOptions;
  readonly #listeners = new Set<Listener>();
  #stopTicking: (() => void) | undefined;
  #overview = "";
  #logKey = 0;
  #points = 0;
  #spokenMs = 0;
  #trouble: string | undefined;
  #isClosed = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    options.source.onSurveyed((surveyed) => this.#safely(() => this.#surveyed(surveyed)));
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  get isFull(): boolean {
    return this.#isClosed || this.#listeners.size >= LISTENERS_MAX;
  }

  /** Until the listener goes, or the server ends. */
  async listen(stream: SSEStreamingApi, lastKey: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const listener: Listener = { stream, pending: 0, end: resolve };
      stream.onAbort(() => this.#leave(listener));
      if (!this.isFull) this.#safely(() => this.#welcome(listener, lastKey));
      if (!this.#listeners.has(listener)) resolve();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) this.#leave(listener);
  }

  #welcome(listener: Listener, lastKey: number | undefined): void {
    const { overviews, log } = this.#options;
    // Those who listened before have not heard this one: whether it is new to them, the next tick finds out.
    const overview = JSON.stringify(overviews.now());
    const missed = lastKey === undefined ? [] : log.since(lastKey);
    this.#start();
    this.#listeners.add(listener);
    this.#write(listener, message("overview", overview));
    if (missed.length > 0) this.#write(listener, message("log", JSON.stringify(missed), this.#logKey));
  }

  #start(): void {
    if (this.#stopTicking !== undefined) return;
    this.#overview = JSON.stringify(this.#options.overviews.now());
    this.#logKey = this.#options.log.last();
    this.#points = this.#lastPages();
    this.#spokenMs = this.#options.timers.nowMs();
    this.#plan();
  }

  #plan(): void {
    this.#stopTicking = this.#options.timers.after(TICK_MS, () => {
      this.#safely(() => this.#tick());
      if (this.#stopTicking !== undefined) this.#plan();
    });
  }

  /** Nobody can be answered: a directory that is gone, or a disk that fails, must not end the dashboard. */
  #safely(act: () => void): void {
    try {
      act();
      this.#trouble = undefined;
    } catch (error) {
      if (messageOf(error) !== this.#trouble) this.#options.onTrouble(error);
      this.#trouble = messageOf(error);
    }
  }

  #tick(): void {
    const { overviews, log, look, timers } = this.#options;
    look();
    const overview = JSON.stringify(overviews.now());
    if (overview !== this.#overview) this.#tell(message("overview", overview));
    this.#overview = overview;
    const points: readonly TidePoint[] = overviews.liveTide().filter(([pages]) => pages > this.#points);
    if (points.length > 0) this.#tell(message("tide", JSON.stringify(points)));
    this.#points = Math.max(this.#points, points.at(-1)?.[0] ?? 0);
    if (log.last() > this.#logKey) {
      const entries = log.since(this.#logKey);
      this.#logKey = log.last();
      this.#tell(message("log", JSON.stringify(entries), this.#logKey));
    }
    if (timers.nowMs() - this.#spokenMs >= HEARTBEAT_MS) this.#tell(": still here\n\n");
  }

  #surveyed(surveyed: NumberedSurvey): void {
    if (this.#listeners.size === 0) return;
    this.#points = Math.max(this.#points, this.#lastPages());
    this.#tell(message("surveyed", JSON.stringify(surveyedOf(surveyed))));
  }

  #lastPages(): number {
    return this.#options.overviews.tide().points.at(-1)?.[0] ?? 0;
  }

  #tell(text: string): void {
    this.#spokenMs = this.#options.timers.nowMs();
    for (const listener of this.#listeners) this.#write(listener, text);
  }

  #write(listener: Listener, text: string): void {
    if (listener.pending >= PENDING_MAX) return this.#leave(listener);
    listener.pending++;
    void listener.stream.write(text).then(() => {
      listener.pending--;
    });
  }

  #leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    if (this.#listeners.size === 0) {
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    }
    if (!listener.stream.aborted) listener.stream.abort();
    listener.end();
  }
}

/** JSON has no line breaks of its own, so that one line holds it. */
function message(event: string, json: string, id?: number): string {
  return `event: ${event}\ndata: ${json}\n${id === undefined ? "" : `id: ${id}\n`}\n`;
}
