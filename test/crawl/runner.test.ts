import { expect, it } from "vitest";
import { Runner } from "../../src/crawl/runner.ts";
import type { CrawlEvent, Input, Machine } from "../../src/crawl/index.ts";
import type { Fetcher } from "../../src/fetch/index.ts";
import { StoreError } from "../../src/store/index.ts";
import { replyOf } from "../support/inline-web.ts";
import { SimulatedTimers } from "../support/simulation/timers.ts";
import { inTime } from "../support/timed-web.ts";

it("hands inputs to the machine one at a time, in the order in which they came", async () => {
  const taken: string[] = [];
  let isInside = false;
  const machine: Machine = {
    mayStart: false,
    nextMs: Number.POSITIVE_INFINITY,
    get ended() {
      return taken.length === 4 ? ("frontier-empty" as const) : undefined;
    },
    step(input: Input) {
      expect(isInside).toBe(false);
      isInside = true;
      taken.push(input.kind === "reply" ? `reply ${input.id}` : input.kind);
      isInside = false;
      if (input.kind !== "start") return [];
      return [0, 1, 2].map((id) => ({
        kind: "fetch",
        id,
        request: { url: "http://a.example/", purpose: "page" },
      }));
    },
  };
  const atOnce: Fetcher = { fetch: (_, done) => done(replyOf("page")), close: async () => {} };
  const end = await new Runner(machine, { fetcher: atOnce, timers: new SimulatedTimers() }).run();
  expect(taken).toEqual(["start", "reply 0", "reply 1", "reply 2"]);
  expect(end).toEqual({ reason: "frontier-empty" });
});

it("says once that a run is stopping, even if the disk fails while it does", async () => {
  const events: CrawlEvent[] = [];
  const stopping: CrawlEvent = { name: "stopping", atMs: 1, reason: "page-limit" };
  const machine: Machine = {
    mayStart: false,
    nextMs: Number.POSITIVE_INFINITY,
    ended: undefined,
    step: ({ kind }) => (kind === "start" ? [{ kind: "emit", event: stopping }] : []),
  };
  const store = {
    commit: () => {
      throw new StoreError("disk-full", "as planned");
    },
  };
  const timers = new SimulatedTimers();
  const fetcher: Fetcher = { fetch: () => {}, close: async () => {} };
  const runner = new Runner(machine, { fetcher, timers, store, onEvent: (event) => events.push(event) });
  expect(await inTime(timers, runner.run())).toMatchObject({ reason: "disk-full" });
  expect(events).toEqual([stopping]);
});

it("takes in nothing that the fetcher aborts after the disk has failed", async () => {
  const taken: string[] = [];
  const machine: Machine = {
    mayStart: false,
    nextMs: Number.POSITIVE_INFINITY,
    ended: undefined,
    step({ kind }) {
      taken.push(kind);
      if (kind !== "start") return [];
      return [{ kind: "fetch", id: 0, request: { url: "http://a.example/", purpose: "page" } }];
    },
  };
  const store = {
    commit: () => {
      throw new StoreError("disk-full", "as planned");
    },
  };
  let abort = (): void => {};
  const fetcher: Fetcher = {
    fetch: (_, done) => (abort = () => done(replyOf("aborted"))),
    close: async () => abort(),
  };
  const timers = new SimulatedTimers();
  expect(await inTime(timers, new Runner(machine, { fetcher, timers, store }).run())).toMatchObject({
    reason: "disk-full",
  });
  expect(taken).toEqual(["start"]);
});
