/** Hosts at rest have no object, and nobody can tell: not the schedule's users, not the hosts of simulated crawls. */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Held, type Host } from "../../src/crawl/politeness/host.ts";
import { HostFailures } from "../../src/crawl/politeness/host-failures.ts";
import { HostSchedule } from "../../src/crawl/politeness/host-schedule.ts";
import { EffectQueue } from "../../src/crawl/machine.ts";
import type { Reply } from "../../src/fetch/index.ts";
import { cases } from "../support/cases.ts";
import { simulateJob } from "../support/simulation/cluster.ts";
import { simulateCrawl } from "../support/simulation/run.ts";

/** However few there are. */
const AT_ONCE = Number.NEGATIVE_INFINITY;
const OPTIONS = { delayMs: 100, perHost: 2, perAddress: 10 };
const COST = { milliseconds: 1, address: null };
const FAILURE: Reply = { kind: "failure", failure: "connect-timeout", message: "", ...COST };
const ANSWER = { kind: "answer", status: 200, headers: {}, ...COST } as Reply;
const NAMES = ["h0", "h1", "h2", "h3"];

const action = fc.record({
  what: fc.constantFrom(
    "hear",
    "unhear",
    "forget",
    "start",
    "finish",
    "locate",
    "pause",
    "slow",
    "bar",
    "unbar",
    "look-up",
    "looked-up",
    "fetch",
    "fetched",
    "retry",
    "retried",
    "hold",
    "release",
    "answer",
    "fail",
    "time",
  ),
  id: fc.nat(3),
  amount: fc.nat(30),
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a host at rest", () => {
  it("is to all others as it was before, whatever happens then", () => {
    let given = 0;
    const options = fc.record({
      delayMs: fc.constantFrom(0, 10),
      perHost: fc.constantFrom(1, 2),
      takenOverMs: fc.constantFrom(undefined, 5),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), options, (actions, { delayMs, perHost, takenOverMs }) => {
        const isElsewhere = (name: string): boolean => name === "h3";
        const worlds = [0, 1].map(
          () =>
            new World(
              new HostSchedule(
                { delayMs, perHost, perAddress: 2, takenOverMs, isElsewhere },
                { h1: { preference: 1, delay: 25 } },
              ),
            ),
        );
        const [resting, busy] = worlds;
        for (const act of actions) {
          for (const world of worlds) world.act(act);
          const before = [...resting.hosts.busy].length;
          resting.hosts.rest(AT_ONCE);
          given += before - [...resting.hosts.busy].length;
          expect(resting.seen()).toEqual(busy.seen());
        }
        // Nor when something is wanted of them again.
        for (const id of NAMES.keys()) for (const { hosts } of worlds) hosts.at(id);
        expect(resting.seen()).toEqual(busy.seen());
      }),
      { numRuns: cases(500) },
    );
    expect(given).toBeGreaterThan(cases(500));
  });

  it("keeps what it was found to be", () => {
    const hosts = new HostSchedule(OPTIONS);
    for (let k = 0; k < 1000; k++) {
      const host = hosts.named(`h${k}`);
      Object.assign(host, { pages: k, dead: k + 1, errors: k + 2, nameUntilMs: k + 0.25, failures: k % 9 });
      Object.assign(host, { hasAnswered: k % 2 === 0, givenUp: k % 3 === 0 });
      hosts.slowDown(host, k % 5);
      hosts.locate(host, `192.0.2.${k % 7}`);
    }
    const states = (): unknown[] => Array.from({ length: 1000 }, (_, k) => stateOf(hosts.shown(`h${k}`)));
    const before = states();
    hosts.rest(AT_ONCE);
    expect([...hosts.busy]).toEqual([]);
    expect(states()).toEqual(before);
    const counts = Array.from(hosts.active, ({ name, pages, dead, errors, address }) => {
      return [name, pages, dead, errors, address?.use.text];
    });
    expect(counts[999]).toEqual(["h999", 999, 1000, 1001, "192.0.2.5"]);
    expect(counts).toHaveLength(1000);
    for (let k = 0; k < 1000; k++) hosts.named(`h${k}`);
    expect(states()).toEqual(before);
  });

  it("ends after as many failures in a row as if it had never rested", () => {
    const effects = new EffectQueue();
    const hosts = new HostSchedule(OPTIONS);
    const failures = new HostFailures(hosts, effects);
    let nowMs = 0;
    for (let failure = 1; failure <= 8; failure++) {
      const host = hosts.named("a.example");
      expect([host.failures, host.givenUp]).toEqual([failure - 1, false]);
      failures.note(host, FAILURE, { nowMs, wallMs: nowMs });
      nowMs += 3_600_000;
      hosts.wake(nowMs, () => {});
      hosts.rest(AT_ONCE);
      expect([...hosts.busy]).toEqual([]);
    }
    const host = hosts.named("a.example");
    expect(host.givenUp).toBe(true);
    // More than end a host change nothing, however many.
    host.failures = 32;
    hosts.rest(AT_ONCE);
    failures.note(hosts.named("a.example"), FAILURE, { nowMs, wallMs: nowMs });
    expect(hosts.named("a.example").pausedUntilMs).toBe(0);
  });

  it("has given as many pages as it had", () => {
    const hosts = new HostSchedule(OPTIONS, { "ruled.example": { pages: 2 } });
    for (const name of ["a.example", "ruled.example"]) hosts.named(name).pages = 2;
    hosts.idOf("idle.example");
    hosts.rest(AT_ONCE);
    const areFull = (limits: { pagesPerHost?: number }): boolean[] =>
      ["a.example", "ruled.example", "idle.example"].map((name) => hosts.hasGivenAll(hosts.findId(name), limits));
    expect(areFull({})).toEqual([false, true, false]);
    expect(areFull({ pagesPerHost: 3 })).toEqual([false, true, false]);
    expect(areFull({ pagesPerHost: 2 })).toEqual([true, true, false]);
    expect(Array.from(hosts.busy, ({ name }) => name)).toEqual(["ruled.example"]);
  });

  it("stays so while somebody looks, and its old object cannot be changed", () => {
    const hosts = new HostSchedule(OPTIONS);
    const host = hosts.named("a.example");
    hosts.rest(AT_ONCE);
    expect(stateOf(hosts.shown("a.example"))).toEqual(stateOf(host));
    expect([...hosts.busy]).toEqual([]);
    expect(() => hosts.pause(host, 1)).toThrow(TypeError);
    expect(hosts.at(host.id)).not.toBe(host);
    expect(hosts.at(host.id)).toBe(hosts.named("a.example"));
  });

  it("serves one more request with a name that was looked up for it", () => {
    const hosts = new HostSchedule(OPTIONS);
    const host = hosts.named("a.example");
    hosts.lookUp(host);
    hosts.lookedUp(host, { nameMs: 1000, reservedMs: 30_000 });
    hosts.rest(AT_ONCE);
    const again = hosts.named("a.example");
    expect([999, 29_999, 30_000].map((nowMs) => hosts.isNameKnown(again, nowMs))).toEqual([true, true, false]);
    hosts.start(again);
    expect([999, 1000].map((nowMs) => hosts.isNameKnown(again, nowMs))).toEqual([true, false]);
  });
});

describe("a host", () => {
  it.each<[string, (hosts: HostSchedule, host: Host) => void]>([
    ["its connection is in use", (hosts, host) => hosts.start(host)],
    [
      "its connection rests",
      (hosts, host) => {
        hosts.start(host);
        hosts.finish(host, 1000);
      },
    ],
    ["it is paused", (hosts, host) => hosts.pause(host, 1)],
    ["its robots.txt is awaited", (hosts, host) => hosts.bar(host, 1)],
    ["its name is looked up", (hosts, host) => hosts.lookUp(host)],
    ["a page of it is being read", (_, host) => void host.fetching++],
    ["a page of it is to be retried", (_, host) => void host.retrying++],
    ["pages of it are held", (_, host) => void (host.held = new Held())],
  ])("is busy while %s", (_, keep) => {
    const hosts = new HostSchedule(OPTIONS);
    const host = hosts.named("a.example");
    keep(hosts, host);
    hosts.rest(AT_ONCE);
    expect([...hosts.busy]).toEqual([host]);
    expect(hosts.named("a.example")).toBe(host);
  });

  it("with a rule of its own is never at rest", () => {
    const hosts = new HostSchedule(OPTIONS, { "*.example": { preference: 1 } });
    const host = hosts.named("a.example");
    hosts.addWaiting(host.id, 1);
    hosts.rest(AT_ONCE);
    expect([...hosts.busy]).toEqual([host]);
    hosts.addWaiting(host.id, -1);
    expect(hosts.readyPreference).toBe(0);
  });

  it("gives its object up as soon as more may be at rest than are busy, and a thousand", () => {
    const hosts = new HostSchedule(OPTIONS);
    const count = (): number => [...hosts.busy].length;
    for (let k = 0; k < 1024; k++) hosts.named(`h${k}`);
    hosts.rest();
    expect(count()).toBe(1024);
    for (let k = 0; k < 10; k++) hosts.start(hosts.named(`h${k}`));
    hosts.named("one more");
    hosts.rest();
    expect(count()).toBe(10);
    for (let k = 0; k < 1034; k++) hosts.named(`h${k}`);
    hosts.rest();
    expect(count()).toBe(1034);
    for (let k = 1034; k < 1045; k++) hosts.named(`h${k}`);
    hosts.rest();
    expect(count()).toBe(10);
  });
});

describe("a simulated crawl requests the same at the same times, whether hosts keep their objects or not:", () => {
  it("from one process", async () => {
    const all: [seed: number, options: { isRendered?: boolean; isNarrow?: boolean }][] = [];
    for (let seed = 0; seed < cases(20); seed++) all.push([seed, {}], [seed, { isRendered: true }]);
    const run = async (): Promise<unknown[]> => {
      const ends: unknown[] = [];
      for (const [seed, options] of all) {
        const { trace, end, limits } = await simulateCrawl(seed, options);
        ends.push({ seed, trace, end, limits });
      }
      return ends;
    };
    await expectSame(run);
  });

  it("from several, which take hosts over", async () => {
    const run = async (): Promise<unknown[]> => {
      const traces: unknown[] = [];
      for (let seed = 0; seed < cases(20); seed++) traces.push((await simulateJob(seed)).trace);
      return traces;
    };
    await expectSame(run);
  });
});

async function expectSame(run: () => Promise<unknown[]>): Promise<void> {
  let given = 0;
  const { rest } = HostSchedule.prototype;
  vi.spyOn(HostSchedule.prototype, "rest").mockImplementation(() => {});
  const busy = await run();
  vi.spyOn(HostSchedule.prototype, "rest").mockImplementation(function (this: HostSchedule) {
    const before = [...this.busy].length;
    rest.call(this, AT_ONCE);
    given += before - [...this.busy].length;
  });
  expect(await run()).toEqual(busy);
  expect(given).toBeGreaterThan(busy.length);
}

interface Act {
  readonly what: string;
  readonly id: number;
  readonly amount: number;
}

/** A schedule, and who uses it: by ids, as whoever keeps a host from step to step does. */
class World {
  readonly hosts: HostSchedule;
  readonly #failures: HostFailures;
  readonly #awake: string[] = [];
  #nowMs = 1;

  constructor(hosts: HostSchedule) {
    this.hosts = hosts;
    this.#failures = new HostFailures(hosts, new EffectQueue());
    for (const name of NAMES) hosts.idOf(name);
  }

  act({ what, id, amount }: Act): void {
    const { hosts } = this;
    const now = { nowMs: this.#nowMs, wallMs: this.#nowMs };
    if (what === "hear") return hosts.addWaiting(id, 1);
    if (what === "unhear") return hosts.addWaiting(id, -Math.min(1, hosts.waitingOf({ id })));
    if (what === "forget") return amount === 0 ? hosts.forgetWaiting() : undefined;
    if (what === "time") {
      this.#nowMs += amount;
      return hosts.wake(this.#nowMs, ({ name }) => this.#awake.push(name));
    }
    const host = hosts.at(id);
    if (what === "start" && hosts.mayRequest(host)) hosts.start(host);
    else if (what === "finish" && host.taken > host.resting) hosts.finish(host, this.#nowMs);
    else if (what === "locate") hosts.locate(host, `192.0.2.${amount % 2}`);
    else if (what === "pause") hosts.pause(host, this.#nowMs + 1 + amount);
    else if (what === "slow") hosts.slowDown(host, amount);
    else if (what === "bar") hosts.bar(host, 1);
    else if (what === "unbar" && host.barred > 0) hosts.bar(host, -1);
    else if (what === "look-up" && !host.isLookedUp) hosts.lookUp(host);
    else if (what === "looked-up" && host.isLookedUp) {
      hosts.lookedUp(host, { nameMs: this.#nowMs + amount, reservedMs: this.#nowMs + 10 });
    } else if (what === "fetch") host.fetching++;
    else if (what === "fetched" && host.fetching > 0) {
      host.fetching--;
      host.pages++;
    } else if (what === "retry") host.retrying++;
    else if (what === "retried" && host.retrying > 0) host.retrying--;
    else if (what === "hold") host.held ??= new Held();
    else if (what === "release") host.held = undefined;
    else if (what === "answer") {
      this.#failures.note(host, ANSWER, now);
    } else if (what === "fail") this.#failures.note(host, FAILURE, now);
  }

  seen(): unknown {
    const { hosts } = this;
    return {
      ready: [hosts.readyCount, hosts.readyPreference, hosts.nextMs],
      awake: this.#awake,
      waits: [...hosts.waits(this.#nowMs)],
      states: NAMES.map((name, id) => {
        const host = hosts.shown(name);
        const isKnown = host !== undefined && hosts.isNameKnown(host, this.#nowMs);
        return [stateOf(host), isKnown, hosts.waitingOf({ id }), hosts.hasGivenAll(id, { pagesPerHost: 2 })];
      }),
      active: Array.from(hosts.active, ({ name, pages, errors }) => ({ name, pages, errors })),
    };
  }
}

/** All that is known of it. Addresses of different schedules are the same if their names are. */
function stateOf(host: Host | undefined): unknown {
  return host && { ...host, name: host.name, address: host.address?.use.text };
}
