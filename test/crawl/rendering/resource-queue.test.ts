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
  readonly #page: Pick<PageTask, "host" | "origin" | "text">;

  constructor(wanted: Partial<ResourceRequest> = {}) {
    const hosts = new HostSchedule({ delayMs: 0, perHost: 10, perAddress: 10 });
    const origins = ["http://a.example"];
    this.#page = { host: hosts.named("a.example"), origin: 0, text: "http://a.example/page" };
    this.queue = new ResourceQueue({
      hosts,
      effects: this.#effects,
      originOf: (url) => {
        const { origin } = new URL(url);
        return origins.includes(origin) ? origins.indexOf(origin) : origins.push(origin) - 1;
      },
      hostOfOrigin: () => hosts.named("a.example"),
      received: () => {},
      incomplete: (render) => void this.incomplete.push(render),
    });
    this.want(wanted);
  }

  want(wanted: Partial<ResourceRequest>): void {
    this.queue.want({ render: 7, resource: 3, url: "http://a.example/data", use: "data", ...wanted }, this.#page);
  }

  next(): PageTask {
    const task = this.queue.next();
    if (task === undefined) throw new Error("nothing may be requested");
    this.queue.requestFor(task);
    return task;
  }

  reply(served: Served, task = this.next()): Extract<Effect, { kind: "supply" }>[] {
    this.queue.replied(task, replyOf(served), NOW);
    return this.supplied();
  }

  /** Since the last time. */
  supplied(): Extract<Effect, { kind: "supply" }>[] {
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

  it("comes without the session of the user for pages of other origins, also when it is led back", () => {
    const requestOf = ({ queue }: Trial): unknown => queue.requestFor(queue.next() as PageTask);
    const [own, sibling, foreign] = ["http://a.example/x", "http://www.a.example/x", "http://b.example/x"];
    expect(requestOf(new Trial({ url: own }))).toEqual({ url: own, purpose: "requisite" });
    for (const url of [sibling, foreign, "https://a.example/x"]) {
      expect(requestOf(new Trial({ url }))).toEqual({ url, purpose: "requisite", isAnonymous: true });
    }
    const led = new Trial({ url: own });
    led.reply({ redirect: sibling });
    led.reply({ redirect: own });
    expect(requestOf(led)).toMatchObject({ url: own, purpose: "requisite", isAnonymous: true });
  });

  it("comes by the headers of its script, also after a redirect of its own server", () => {
    const headers = { "x-requested-with": "XMLHttpRequest" };
    const trial = new Trial({ headers });
    trial.reply({ redirect: "/moved" });
    const request = { url: "http://a.example/moved", purpose: "requisite", headers };
    expect(trial.queue.requestFor(trial.queue.next() as PageTask)).toEqual(request);
  });

  it("does not take the headers of its script to another origin: what would have come is not known", () => {
    const trial = new Trial({ headers: { "x-token": "1" } });
    expect(trial.reply({ redirect: "http://b.example/" })).toEqual([{ kind: "supply", resource: 3, answer: null }]);
    expect(trial.incomplete).toEqual([7]);
    const simple = new Trial({ headers: { accept: "application/json" } });
    expect(simple.reply({ redirect: "http://b.example/" })).toEqual([]);
    expect(simple.incomplete).toEqual([]);
  });

  it("says whose page it is for where its server has to allow that, also after redirects, as browsers do", () => {
    const originOf = ({ queue }: Trial): unknown => queue.requestFor(queue.next() as PageTask).headers?.["origin"];
    const after = (wanted: Partial<ResourceRequest>, ...redirects: readonly string[]): unknown => {
      const trial = new Trial(wanted);
      for (const redirect of redirects) trial.reply({ redirect });
      return originOf(trial);
    };
    const [a, b, c] = ["http://a.example", "http://b.example", "http://c.example"];
    expect(after({ url: `${a}/x` })).toBeUndefined();
    expect(after({ url: `${a}/x` }, "/y")).toBeUndefined();
    expect(after({ url: `${a}/x` }, `${b}/y`)).toBe(a);
    expect(after({ url: `${a}/x` }, `${b}/y`, `${b}/z`)).toBe(a);
    expect(after({ url: `${a}/x` }, `${b}/y`, `${a}/z`)).toBe("null");
    expect(after({ url: `${b}/x`, corsOrigin: a })).toBe(a);
    expect(after({ url: `${b}/x`, corsOrigin: a }, `${c}/y`)).toBe("null");
    expect(after({ url: `${b}/x.js`, use: "script" }, `${c}/y.js`)).toBeUndefined();
  });

  it("is seen by the page only where the last server allows it to whom was told as the origin", () => {
    const [a, b, c] = ["http://a.example", "http://b.example", "http://c.example"];
    const isSeen = (allowed: string | undefined, ...redirects: readonly string[]): boolean => {
      const trial = new Trial({ url: `${b}/x`, corsOrigin: a });
      for (const redirect of redirects) trial.reply({ redirect });
      const headers = allowed === undefined ? {} : { "access-control-allow-origin": allowed };
      const [supplied] = trial.reply({ body: "text", headers });
      expect(trial.incomplete).toEqual([]);
      return supplied.answer !== null;
    };
    expect([a, "*"].map((allowed) => isSeen(allowed))).toEqual([true, true]);
    expect([undefined, b, "null"].map((allowed) => isSeen(allowed))).toEqual([false, false, false]);
    expect(["null", "*"].map((allowed) => isSeen(allowed, `${c}/x`))).toEqual([true, true]);
    expect([undefined, a].map((allowed) => isSeen(allowed, `${c}/x`))).toEqual([false, false]);
  });

  it("is fetched once for pages of a host, whatever it is redirected to, and once for each origin that asks", () => {
    const [a, b, c] = ["http://a.example", "http://b.example", "http://c.example"];
    const wanted = { url: `${b}/x.js`, use: "script", corsOrigin: a } as const;
    const fetched = (trial: Trial): void => {
      trial.reply({ redirect: `${c}/y.js` });
      expect(trial.reply({ body: "x", headers: { "access-control-allow-origin": "*" } })).toHaveLength(1);
    };
    const trial = new Trial(wanted);
    fetched(trial);
    trial.want(wanted);
    expect(trial.queue.next()).toBeUndefined();
    expect(trial.supplied()).toMatchObject([{ resource: 3, answer: { status: 200 } }]);
    // What one origin may see is not known of others, nor of those that need not ask.
    for (const corsOrigin of ["null", "https://a.example"]) {
      trial.want({ ...wanted, corsOrigin });
      fetched(trial);
    }
    trial.want({ url: wanted.url, use: "script" });
    fetched(trial);
  });

  it("keeps cookies of scripts for its first server", () => {
    const cookieOf = ({ queue }: Trial): unknown => queue.requestFor(queue.next() as PageTask).headers?.["cookie"];
    const trial = new Trial({ headers: { cookie: "a=b" } });
    trial.reply({ redirect: "/moved" });
    expect(cookieOf(trial)).toBe("a=b");
    const led = new Trial({ headers: { cookie: "a=b" } });
    led.reply({ redirect: "http://b.example/" });
    expect(cookieOf(led)).toBeUndefined();
    expect(led.incomplete).toEqual([]);
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

  it("is not followed or tried again for a page that has ended meanwhile", () => {
    for (const served of [{ redirect: "/moved" }, { status: 500 }]) {
      const trial = new Trial();
      const task = trial.next();
      trial.queue.drop(7);
      expect(trial.reply(served, task)).toEqual([]);
      expect(trial.queue.next()).toBeUndefined();
    }
  });

  it("does not wait less because another page has ended while it waited", () => {
    const trial = new Trial();
    trial.queue.hold(trial.queue.next() as PageTask);
    trial.queue.wake(1_000);
    trial.queue.drop(7);
    trial.want({ render: 8 });
    trial.queue.wake(900_000);
    trial.queue.wake(900_001);
    expect(trial.incomplete).toEqual([]);
  });

  it("waits on while the crawl is paused", () => {
    const trial = new Trial();
    trial.queue.hold(trial.queue.next() as PageTask);
    trial.queue.wake(1_000);
    trial.queue.wake(2_000, { isPaused: true });
    trial.queue.wake(900_000, { isPaused: true });
    for (const nowMs of [900_001, 960_001]) trial.queue.wake(nowMs);
    expect(trial.incomplete).toEqual([]);
    trial.queue.wake(960_002);
    expect(trial.incomplete).toEqual([7]);
  });

  it("does not come for a page that has got too much already", () => {
    const trial = new Trial();
    for (const resource of [4, 5]) trial.want({ resource });
    trial.want({ resource: 6, render: 8 });
    const body = "x".repeat(32 * 2 ** 20);
    expect(trial.reply(body)).toMatchObject([{ resource: 3 }]);
    expect(trial.reply(body)).toMatchObject([{ resource: 4 }]);
    expect(trial.incomplete).toEqual([]);
    trial.want({ resource: 7 });
    expect(trial.reply("x")).toMatchObject([{ resource: 7, answer: null }, { resource: 5 }]);
    expect(trial.incomplete).toEqual([7]);
    trial.want({ resource: 8 });
    expect(trial.incomplete).toEqual([7, 7]);
    expect(trial.reply("x")).toMatchObject([
      { resource: 8, answer: null },
      { resource: 6, answer: { status: 200 } },
    ]);
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
