/**
 * Server-sent events. One ticker serves all viewers, and stops when there are none. News are computed once and sent to
 * everybody; an overview is sent only when it has changed. A viewer that no longer reads is disconnected: browsers
 * reconnect by themselves, and say which entry of the log they saw last.
 */
import type { SSEStreamingApi } from "hono/streaming";
import { messageOf, type Timers } from "../../base/index.ts";
import type { NumberedSurvey, SurveySource, TidePoint } from "../../survey/index.ts";
import type { Log } from "./log.ts";
import { type Overviews, surveyedOf } from "./overview.ts";

export const VIEWERS_MAX = 64;
const TICK_MS = 1000;
/** Something is sent at least this often, or proxies and browsers consider the connection dead. */
const HEARTBEAT_MS = 15_000;
/** Messages that a viewer has not read yet. */
const PENDING_MAX = 32;

interface Viewer {
  readonly stream: SSEStreamingApi;
  pending: number;
  end(): void;
}

interface EventsOptions {
  readonly overviews: Overviews;
  readonly log: Log;
  readonly source: SurveySource;
  readonly timers: Timers;
  /** Asks for a newer survey if there is anything new. */
  readonly update: () => void;
  /** Called once per error that keeps viewers from getting news. */
  readonly onError: (error: unknown) => void;
}

export class Events {
  readonly #options: EventsOptions;
  readonly #viewers = new Set<Viewer>();
  #stopTicking: (() => void) | undefined;
  #overview = "";
  #logKey = 0;
  /** The last point of the tide that viewers have. */
  #point: TidePoint | undefined;
  #sentMs = 0;
  #lastError: string | undefined;
  #isClosed = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    options.source.onSurveyed((surveyed) => this.#safely(() => this.#surveyed(surveyed)));
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  get isFull(): boolean {
    return this.#isClosed || this.#viewers.size >= VIEWERS_MAX;
  }

  /** Until the viewer leaves, or the server ends. */
  async stream(stream: SSEStreamingApi, lastKey: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const viewer: Viewer = { stream, pending: 0, end: resolve };
      stream.onAbort(() => this.#leave(viewer));
      if (!this.isFull) this.#safely(() => this.#welcome(viewer, lastKey));
      if (!this.#viewers.has(viewer)) resolve();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const viewer of this.#viewers) this.#leave(viewer);
  }

  #welcome(viewer: Viewer, lastKey: number | undefined): void {
    const { overviews, log } = this.#options;
    // The other viewers do not get this overview; the next tick decides whether it is new to them.
    const overview = JSON.stringify(overviews.now());
    const missed = lastKey === undefined ? [] : log.since(lastKey);
    this.#start();
    this.#viewers.add(viewer);
    this.#write(viewer, message("overview", overview));
    if (missed.length > 0) this.#write(viewer, message("log", JSON.stringify(missed), this.#logKey));
  }

  #start(): void {
    if (this.#stopTicking !== undefined) return;
    this.#overview = JSON.stringify(this.#options.overviews.now());
    this.#logKey = this.#options.log.last();
    this.#point = this.#options.overviews.tide().points.at(-1);
    this.#sentMs = this.#options.timers.nowMs();
    this.#schedule();
  }

  #schedule(): void {
    this.#stopTicking = this.#options.timers.after(TICK_MS, () => {
      this.#safely(() => this.#tick());
      if (this.#stopTicking !== undefined) this.#schedule();
    });
  }

  /** A directory that was removed, or a disk that fails, must not end the dashboard. */
  #safely(act: () => void): void {
    try {
      act();
      this.#lastError = undefined;
    } catch (error) {
      if (messageOf(error) !== this.#lastError) this.#options.onError(error);
      this.#lastError = messageOf(error);
    }
  }

  #tick(): void {
    const { overviews, log, update, timers } = this.#options;
    update();
    const overview = JSON.stringify(overviews.now());
    if (overview !== this.#overview) this.#send(message("overview", overview));
    this.#overview = overview;
    this.#sendTide();
    if (log.last() > this.#logKey) {
      const entries = log.since(this.#logKey);
      this.#logKey = log.last();
      this.#send(message("log", JSON.stringify(entries), this.#logKey));
    }
    if (timers.nowMs() - this.#sentMs >= HEARTBEAT_MS) this.#send(": heartbeat\n\n");
  }

  #surveyed(surveyed: NumberedSurvey): void {
    if (this.#viewers.size === 0) return;
    this.#sendTide();
    this.#send(message("surveyed", JSON.stringify(surveyedOf(surveyed))));
  }

  /** The points after the last one, and that one again if sampling shows something else by now. */
  #sendTide(): void {
    const last = this.#point;
    const isNew = ([pages, , , , sampled]: TidePoint) =>
      last === undefined || pages > last[0] || (pages === last[0] && sampled !== last[4]);
    const points = this.#options.overviews.tide().points.filter(isNew);
    if (points.length === 0) return;
    this.#point = points.at(-1);
    this.#send(message("tide", JSON.stringify(points)));
  }

  #send(text: string): void {
    this.#sentMs = this.#options.timers.nowMs();
    for (const viewer of this.#viewers) this.#write(viewer, text);
  }

  #write(viewer: Viewer, text: string): void {
    if (viewer.pending >= PENDING_MAX) return this.#leave(viewer);
    viewer.pending++;
    void viewer.stream.write(text).then(() => {
      viewer.pending--;
    });
  }

  #leave(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    if (this.#viewers.size === 0) {
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    }
    if (!viewer.stream.aborted) viewer.stream.abort();
    viewer.end();
  }
}

/** JSON contains no line breaks, so one `data` line holds it. */
function message(event: string, json: string, id?: number): string {
  return `event: ${event}\ndata: ${json}\n${id === undefined ? "" : `id: ${id}\n`}\n`;
}
