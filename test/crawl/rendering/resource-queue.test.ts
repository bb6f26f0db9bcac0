/** What rendered pages want, one reply at a time. */
import { describe, expect, it } from "vitest";
import { type Effect, EffectQueue } from "../../../src/crawl/machine.ts";
import { HostSchedule } from "../../../src/crawl/politeness/host-schedule.ts";
import { ResourceQueue, type ResourceRequest } from "../../../src/crawl/rendering/resource-queue.ts";
import type { PageTask } from "../../../src/crawl/dispatcher.ts";
import { replyOf, type Served } from "../../support/inline-web.ts";

const NOW = { nowMs: 1, wallMs: 1 };

class Trial {
  readonly incomplete: number[] = [];
  readonly queue: ResourceQueue;
  readonly #effects = new EffectQueue();

  constructor(pageHost = "a.example", wanted: Partial<ResourceRequest> = {}) {
    const hosts = new HostSchedule({ delayMs: 0, perHost: 1, perAddress: 10 });
    this.queue = new ResourceQueue({
      hosts,
      effects: this.#effects,
      originOf: () => 0,
      hostOfOrigin: () => hosts.named("a.example"),
      received: () => {},
      incomplete: (render) => void this.incomplete.push(render),
    });
    this.queue.want({ render: 7, resource: 3, url: "http://a.example/data", use: "data", ...wanted }, pageHost);
  }

  next(): PageTask {
    const task = this.queue.next();
    if (task === undefined) throw new Error("nothing may be requested");
    this.queue.requestFor(task);
    return task;
  }

  reply(served: Served): Extract<Effect, { kind: "supply" }>[] {
    this.queue.replied(this.next(), replyOf(served), NOW);
    return this.#effects.take().filter((effect) => effect.kind === "supply");
  }
}

describe("a resource that a page wants", () => {
  it("is supplied under its number", () => {
    const trial = new Trial();
    expect(trial.reply("text")).toEqual([expect.objectContaining({ resource: 3 })]);
    expect(trial.incomplete).toEqual([]);
    expect(trial.queue.next()).toBeUndefined();
  });

  it("is not supplied when the crawl has cut it off: its page must not end without it", () => {
    const trial = new Trial();
    expect(trial.reply({ failure: "aborted" })).toEqual([]);
  });

  it("comes without the session of the user for pages of other sites", () => {
    const requestOf = (pageHost: string): unknown => {
      const { queue } = new Trial(pageHost);
      return queue.requestFor(queue.next() as PageTask);
    };
    const request = { url: "http://a.example/data", purpose: "requisite" };
    expect(requestOf("a.example")).toEqual(request);
    expect(requestOf("www.a.example")).toEqual(request);
    expect(requestOf("b.example")).toEqual({ ...request, isAnonymous: true });
  });

  it("comes by the headers of its script, also after a redirect of its own server", () => {
    const headers = { "x-requested-with": "XMLHttpRequest" };
    const trial = new Trial("a.example", { headers });
    trial.reply({ redirect: "/moved" });
    const request = { url: "http://a.example/moved", purpose: "requisite", headers };
    expect(trial.queue.requestFor(trial.queue.next() as PageTask)).toEqual(request);
  });

  it("does not take the headers of its script to another origin: what would have come is not known", () => {
    const trial = new Trial("a.example", { headers: { "x-token": "1" } });
    expect(trial.reply({ redirect: "http://b.example/" })).toEqual([{ kind: "supply", resource: 3, answer: null }]);
    expect(trial.incomplete).toEqual([7]);
    const simple = new Trial("a.example", { headers: { accept: "application/json" } });
    expect(simple.reply({ redirect: "http://b.example/" })).toEqual([]);
    expect(simple.incomplete).toEqual([]);
  });

  it("follows ten redirects and no more", () => {
    const trial = new Trial();
    for (let hop = 1; hop <= 10; hop++) expect(trial.reply({ redirect: `/${hop}` })).toEqual([]);
    expect(trial.reply({ redirect: "/11" })).toEqual([{ kind: "supply", resource: 3, answer: null }]);
    expect(trial.incomplete).toEqual([7]);
  });

  it("is requested three times when it fails", () => {
    const trial = new Trial();
    expect(trial.reply({ status: 500 })).toEqual([]);
    expect(trial.reply({ failure: "body-timeout" })).toEqual([]);
    expect(trial.reply({ status: 502 })).toHaveLength(1);
    expect(trial.incomplete).toEqual([7]);
  });

  it("is not requested any more for a page that has ended", () => {
    const trial = new Trial();
    trial.queue.drop(6);
    trial.queue.drop(7);
    expect(trial.queue.next()).toBeUndefined();
  });

  it("waits for the rules of its host, but not for more than a minute", () => {
    const trial = new Trial();
    trial.queue.hold(trial.queue.next() as PageTask);
    expect(trial.queue.next()).toBeUndefined();
    for (const nowMs of [1_000, 61_000]) trial.queue.wake(nowMs);
    expect(trial.incomplete).toEqual([]);
    trial.queue.wake(61_001);
    expect(trial.incomplete).toEqual([7]);
  });
});
