import { BLANK_VISIT } from "../../src/log/index.ts";
import { SSEStreamingApi } from "hono/streaming";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemTimers, type Timers } from "../../src/base/index.ts";
import { Events, VIEWERS_MAX } from "../../src/dashboard/server/event-stream.ts";
import { Log } from "../../src/dashboard/server/log.ts";
import { Overviews } from "../../src/dashboard/server/overview.ts";
import type { LogEntry, Overview, Tide } from "../../src/dashboard/protocol/http.ts";
import type { TidePoint } from "../../src/survey/index.ts";
import { openCrawl, openWindow } from "../../src/store/index.ts";
import { answer, ask, EventListener } from "./support/asking.ts";
import { FakeFeed, FakeSource, smallDirectory, smallSurvey, startSmall } from "./support/small-dashboard.ts";

/** Time that passes when a test says so; what waits is called then. */
class HandTimers implements Timers {
  #nowMs = 0;
  #waiting: { atMs: number; callback: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return 1_700_000_000_000 + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== entry);
    };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const due = this.#waiting.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#waiting = this.#waiting.filter((each) => each !== due);
      this.#nowMs = due.atMs;
      due.callback();
    }
    this.#nowMs = untilMs;
  }
}

async function listen(url: string, headers: Record<string, string> = {}): Promise<EventListener> {
  const listener = await EventListener.open(`${url}api/events`, headers);
  onTestFinished(() => listener.close());
  return listener;
}

/** Until the server has noticed what a listener did. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("events", () => {
  it("begin with the overview, which is sent again only when it has changed", async () => {
    const timers = new HandTimers();
    const feed = new FakeFeed();
    const { url } = await startSmall({ timers, feed });
    feed.status("running");
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    timers.pass(5000);
    feed.status("paused");
    timers.pass(1000);
    await listener.until(({ data }) => (data as Overview).state === "paused");
    const states = listener.events.map(({ event, data }) => [event, (data as Overview).state]);
    expect(states).toEqual([
      ["overview", "running"],
      ["overview", "paused"],
    ]);
  });

  it("send a change to earlier listeners even if a new one saw it first", async () => {
    const timers = new HandTimers();
    const feed = new FakeFeed();
    const { url } = await startSmall({ timers, feed });
    feed.status("running");
    const early = await listen(url);
    await early.until(({ event }) => event === "overview");
    feed.status("paused");
    const late = await listen(url);
    await late.until(({ data }) => (data as Overview).state === "paused");
    timers.pass(1000);
    await early.until(({ data }) => (data as Overview).state === "paused");
  });

  it("send new points of the tide once, new surveys, and new entries of the log", async () => {
    const dir = smallDirectory();
    const timers = new HandTimers();
    const feed = new FakeFeed();
    const survey = new FakeSource();
    const { url } = await startSmall({ dir, timers, feed, survey });
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    feed.status("running", { pages: 3, coverage: 0.75 });
    timers.pass(1000);
    feed.status("running", { pages: 4, coverage: 0.8 });
    timers.pass(2000);
    const store = openCrawl(dir);
    store.addVisit({ ...VISIT, number: 9 });
    store.close();
    feed.tell({ type: "event", event: { name: "paused", atMs: 5 } });
    timers.pass(1000);
    survey.take(smallSurvey());
    await listener.until(({ event }) => event === "surveyed");
    const points = listener.events.filter(({ event }) => event === "tide").flatMap(({ data }) => data as TidePoint[]);
    expect(points.map(([pages, , certified]) => [pages, certified])).toEqual([
      [3, 0.75],
      [4, 0.8],
    ]);
    const logs = listener.events.filter(({ event }) => event === "log");
    expect(logs).toHaveLength(1);
    expect((logs[0].data as LogEntry[]).map(({ key, event }) => [key, event])).toEqual([
      [9, "dead"],
      [9.5, "paused"],
    ]);
    expect(logs[0].id).toBe("9.5");
    expect(listener.events.at(-1)?.data).toMatchObject({ survey: 2, visits: 8 });
    expect(survey.refreshes).toBeGreaterThan(0);
  });

  it("send the last point of the tide again when sampling shows more without another page", async () => {
    const timers = new HandTimers();
    const feed = new FakeFeed();
    const { url } = await startSmall({ timers, feed });
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    const shows = (coverage: number) => ({ coverage, confidence: 0.99, walks: 9, fetched: 4 });
    const points = () =>
      listener.events.filter(({ event }) => event === "tide").map(({ data }) => (data as TidePoint[]).map(brief));
    const brief = ([pages, , , , sampled]: TidePoint) => [pages, sampled];
    feed.status("running", { pages: 3, sampled: shows(0) });
    timers.pass(1000);
    feed.status("running", { pages: 3, sampled: shows(0.5) });
    timers.pass(2000);
    feed.status("running", { pages: 3, sampled: shows(0.8) });
    feed.status("running", { pages: 4, sampled: shows(0.8) });
    timers.pass(2000);
    await listener.until(({ event, data }) => event === "tide" && (data as TidePoint[]).at(-1)?.[0] === 4);
    expect(points()).toEqual([
      [[3, null]],
      [[3, 0.5]],
      [
        [3, 0.8],
        [4, 0.8],
      ],
    ]);
    const { points: all } = await answer<Tide>(`${url}api/tide`);
    expect(all.map(brief)).toEqual([
      [1, null],
      [2, null],
      [3, 0.8],
      [4, 0.8],
    ]);
  });

  it("send the points of a survey that no crawl in this process has sent", async () => {
    const timers = new HandTimers();
    const survey = new FakeSource();
    const { url } = await startSmall({ timers, survey });
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    const small = smallSurvey();
    const tide: TidePoint[] = [...small.facts.tide.slice(0, 1), [2, 5, 0.7, 0.6, 0.9], [6, 9, 0.8, 0.6, 0.95]];
    survey.take({ ...small, facts: { ...small.facts, tide } });
    const { data } = await listener.until(({ event }) => event === "tide");
    expect(data).toEqual(tide.slice(1));
  });

  it("go on after a lost connection where they were left", async () => {
    const { url } = await startSmall();
    const listener = await listen(url, { "last-event-id": "6" });
    const { data, id } = await listener.until(({ event }) => event === "log");
    expect((data as LogEntry[]).map(({ key }) => key)).toEqual([7, 8]);
    expect(id).toBe("8");
    const fresh = await listen(url, { "last-event-id": "nonsense" });
    await fresh.until(({ event }) => event === "overview");
    expect(fresh.events).toHaveLength(1);
  });

  it("are found again on a server that was started anew", async () => {
    const first = await startSmall();
    const listener = await listen(first.url);
    await listener.until(({ event }) => event === "overview");
    await first.close();
    await listener.ended();
    const again = await startSmall({ port: Number(new URL(first.url).port) });
    const next = await listen(again.url);
    await next.until(({ event }) => event === "overview");
  });

  it("say now and then that they are still there, without anything new", async () => {
    const timers = new HandTimers();
    const { url } = await startSmall({ timers });
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    timers.pass(14_000);
    timers.pass(1000);
    await until(() => listener.comments.length > 0);
    expect(listener.comments).toEqual([": heartbeat"]);
    expect(listener.events).toHaveLength(1);
  });

  it("cost nothing while nobody listens", async () => {
    const timers = new HandTimers();
    const survey = new FakeSource(null);
    const { url } = await startSmall({ timers, survey });
    const asked = survey.refreshes;
    expect(timers.waiting).toBe(0);
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    expect(timers.waiting).toBe(1);
    timers.pass(1000);
    expect(survey.refreshes).toBe(asked + 1);
    listener.close();
    await until(() => timers.waiting === 0);
    timers.pass(60_000);
    expect(survey.refreshes).toBe(asked + 1);
  });

  it("are sent to 64 viewers and not to one more, until one of them goes", async () => {
    const timers = new HandTimers();
    const { url } = await startSmall({ timers });
    const listeners = await Promise.all(Array.from({ length: VIEWERS_MAX }, () => listen(url)));
    expect(VIEWERS_MAX).toBe(64);
    const refused = await ask(`${url}api/events`);
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text)).toEqual({
      problem: "64 pages are connected already: close one of them",
    });
    listeners[0].close();
    let taken = await listen(url);
    while (taken.status === 503) taken = await listen(url);
    await taken.until(({ event }) => event === "overview");
    expect((await ask(`${url}api/overview`)).status).toBe(200);
  });

  it("let a listener go who takes nothing any more", async () => {
    const dir = smallDirectory();
    const timers = new HandTimers();
    const window = openWindow(dir);
    onTestFinished(() => window.close());
    const source = new FakeSource();
    const overviews = new Overviews({ dir, window, source, live: undefined, isRefreshed: () => false });
    const log = new Log(window, undefined);
    const onError = (error: unknown) => {
      throw error;
    };
    const events = new Events({ overviews, log, source, timers, update: () => {}, onError });
    const { readable, writable } = new TransformStream();
    const listening = events.stream(new SSEStreamingApi(writable, readable), undefined);
    // The overview is the first of 32 messages that may wait.
    for (let k = 0; k < 31; k++) source.take(smallSurvey());
    expect(events.viewers).toBe(1);
    source.take(smallSurvey());
    expect(events.viewers).toBe(0);
    await listening;
  });

  it("continue when the crawl's file cannot be read for a while, which is reported once", async () => {
    const dir = smallDirectory();
    const timers = new HandTimers();
    const errors: unknown[] = [];
    const { url } = await startSmall({ dir, timers, onError: (error) => errors.push(error) });
    const listener = await listen(url);
    await listener.until(({ event }) => event === "overview");
    const change = (json: (before: string) => string) => {
      const store = openCrawl(dir);
      store.replaceSettings(json(store.settings()));
      store.close();
    };
    let before = "";
    change((json) => {
      before = json;
      return "{";
    });
    timers.pass(3000);
    expect(errors.map(String)).toEqual([expect.stringContaining("damaged")]);
    change(() => before.replace('"damping":0.8', '"damping":0.7'));
    timers.pass(1000);
    await listener.until(({ data }) => (data as Overview).damping === 0.7);
    expect(errors.length).toBe(1);
  });

  it("end at once when the server is closed", async () => {
    const server = await startSmall({ timers: systemTimers });
    const listeners = await Promise.all([listen(server.url), listen(server.url)]);
    const beganMs = performance.now();
    await server.close();
    await Promise.all(listeners.map((listener) => listener.ended()));
    // Listeners that are left to themselves stay for as long as they like.
    expect(performance.now() - beganMs).toBeLessThan(10_000);
  });
});

const VISIT = {
  ...BLANK_VISIT,
  url: 5,
  atMs: 1_700_000_001_000,
  outcome: "dead",
  status: 410,
  milliseconds: 1,
} as const;
