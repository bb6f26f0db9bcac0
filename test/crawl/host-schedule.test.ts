/** Politeness, host by host: against a plain model that counts everything anew each time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressTable } from "../../src/crawl/politeness/addresses.ts";
import type { Host } from "../../src/crawl/politeness/host.ts";
import { HostSchedule } from "../../src/crawl/politeness/host-schedule.ts";
import { PastRequests } from "../../src/crawl/politeness/past-requests.ts";
import { cases } from "../support/cases.ts";

const action = fc.record({
  what: fc.constantFrom(
    "hear",
    "unhear",
    "start",
    "finish",
    "locate",
    "pause",
    "slow",
    "bar",
    "unbar",
    "look-up",
    "time",
  ),
  host: fc.nat(3),
  amount: fc.nat(30),
});

describe("hosts", () => {
  it("count those that may be asked and have a URL waiting, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), fc.constantFrom(0, 10), fc.nat(2), (actions, delayMs, more) => {
        const hosts = new HostSchedule(
          { delayMs, perHost: 1 + more, perAddress: 2 },
          { h1: { preference: 1 }, h2: { preference: 2, connections: 3 } },
        );
        const all = [0, 1, 2, 3].map((k) => hosts.named(`h${k}`));
        let now = 1;
        const underWay = all.map(() => 0);
        for (const { what, host: k, amount } of actions) {
          const host = all[k];
          if (what === "hear") hosts.addWaiting(host.id, 1);
          else if (what === "unhear" && hosts.waitingOf(host) > 0) hosts.addWaiting(host.id, -1);
          else if (what === "start" && hosts.mayRequest(host)) {
            hosts.start(host);
            underWay[k]++;
          } else if (what === "finish" && underWay[k] > 0) {
            hosts.finish(host, now);
            underWay[k]--;
          } else if (what === "locate") hosts.locate(host, `192.0.2.${amount % 2}`);
          else if (what === "pause") hosts.pause(host, now + 1 + amount);
          else if (what === "slow") hosts.slowDown(host, amount);
          else if (what === "bar") hosts.bar(host, 1);
          else if (what === "unbar" && host.barred > 0) hosts.bar(host, -1);
          else if (what === "look-up" && !host.isLookedUp) hosts.lookUp(host);
          else if (what === "look-up") hosts.lookedUp(host, { nameMs: now + amount, reservedMs: now });
          else if (what === "time") {
            now += amount;
            hosts.wake(now, () => {});
          }
          const ready = all.filter((each) => hosts.waitingOf(each) > 0 && hosts.mayRequest(each));
          expect(hosts.readyCount).toBe(ready.length);
          expect(hosts.readyPreference).toBe(Math.max(0, ...ready.map(({ preference }) => preference)));
          checkAddresses(all);
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it("let a connection rest for the delay, counted from the answer", () => {
    const hosts = new HostSchedule({ delayMs: 1000, perHost: 1, perAddress: 10 });
    const host = hosts.named("a.example");
    hosts.start(host);
    expect(hosts.mayRequest(host)).toBe(false);
    hosts.finish(host, 5000);
    const awake: string[] = [];
    hosts.wake(5999, ({ name }) => awake.push(name));
    expect(hosts.mayRequest(host)).toBe(false);
    hosts.wake(6000, ({ name }) => awake.push(name));
    expect(hosts.mayRequest(host)).toBe(true);
    expect(awake).toEqual(["a.example"]);
  });

  it("are the same to all others, whether nothing was ever wanted of them or they are busy from the start", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.constantFrom(undefined, 5, 40), (actions, takenOverMs) => {
        const names = [0, 1, 2, 3].map((k) => `h${k}`);
        const options = { delayMs: 10, perHost: 2, perAddress: 2, takenOverMs };
        const rules = { h1: { preference: 1, delay: 25 } };
        const idle = new HostSchedule(options, rules);
        const active = new HostSchedule(options, rules);
        for (const name of names) expect(idle.idOf(name)).toBe(active.named(name).id);
        expect(Array.from(idle.active, ({ name }) => name)).toEqual(["h1"]);
        let now = 0;
        for (const { what, host: id, amount } of actions) {
          if (what === "time") now += amount;
          for (const hosts of [idle, active]) actOn(hosts, { what, id, amount, now });
          expect(idle.readyCount).toBe(active.readyCount);
          expect(idle.readyPreference).toBe(active.readyPreference);
          expect(new Map(idle.waits(now))).toEqual(new Map(active.waits(now)));
        }
        expect(idle.size).toBe(names.length);
        for (const id of names.keys()) {
          expect(idle.mayRequest(idle.at(id))).toBe(active.mayRequest(active.at(id)));
          expect(idle.waitingOf(idle.at(id))).toBe(active.waitingOf(active.at(id)));
        }
        expect(idle.readyCount).toBe(active.readyCount);
      }),
      { numRuns: cases(500) },
    );
  });

  it("are free of what waits when nothing of it is to be requested", () => {
    const hosts = new HostSchedule({ delayMs: 100, perHost: 1, perAddress: 10 });
    hosts.addWaiting(hosts.idOf("idle.example"), 3);
    hosts.addWaiting(hosts.named("active.example").id, 2);
    expect(hosts.readyCount).toBe(2);
    hosts.forgetWaiting();
    expect(hosts.readyCount).toBe(0);
    expect(hosts.waitingOf(hosts.named("idle.example"))).toBe(0);
  });

  it("that were taken over are woken up when they have rested, though nothing was wanted of them", () => {
    const hosts = new HostSchedule({ delayMs: 100, perHost: 1, perAddress: 10, takenOverMs: 2000 });
    expect(hosts.nextMs).toBe(Number.POSITIVE_INFINITY);
    hosts.addWaiting(hosts.idOf("idle.example"), 1);
    expect(hosts.readyCount).toBe(0);
    expect(hosts.nextMs).toBe(2100);
    expect([...hosts.waits(2099)]).toEqual([["idle.example", 2100]]);
    hosts.wake(2099, () => {});
    expect(hosts.readyCount).toBe(0);
    hosts.wake(2100, () => {});
    expect(hosts.readyCount).toBe(1);
    expect(hosts.nextMs).toBe(Number.POSITIVE_INFINITY);
    expect([...hosts.waits(2100)]).toEqual([]);
    expect(hosts.mayRequest(hosts.named("idle.example"))).toBe(true);
  });

  it("of other shards are not left alone: who owns them sees to that", () => {
    const isElsewhere = (name: string): boolean => name === "theirs.example";
    const hosts = new HostSchedule({ delayMs: 100, perHost: 1, perAddress: 10, takenOverMs: 2000, isElsewhere });
    for (const name of ["ours.example", "theirs.example"]) hosts.idOf(name);
    expect([...hosts.waits(0)]).toEqual([["ours.example", 2100]]);
    hosts.named("theirs.example");
    expect([...hosts.waits(0)]).toEqual([["ours.example", 2100]]);
  });

  it("pause until the longest of their pauses is over, in whatever order they came", () => {
    // A host that was taken over rests after what others may have sent; another pause of it was in the log.
    const hosts = new HostSchedule({ delayMs: 100, perHost: 1, perAddress: 10, takenOverMs: 2000 });
    const host = hosts.named("a.example");
    hosts.pause(host, 5000);
    hosts.slowDown(host, 1000);
    hosts.pause(host, 4000);
    hosts.wake(4999, () => {});
    expect(hosts.mayRequest(host)).toBe(false);
    hosts.wake(5000, () => {});
    expect(hosts.mayRequest(host)).toBe(true);
  });

  it.each([
    [2000, 2000],
    [100, 100],
    [1, 100],
  ])("give one connection only to a host with a crawl-delay, however short: %i ms", (crawlDelayMs, delayMs) => {
    const hosts = new HostSchedule({ delayMs: 100, perHost: 3, perAddress: 10 });
    const host = hosts.named("a.example");
    hosts.slowDown(host, crawlDelayMs);
    expect(host.delayMs).toBe(delayMs);
    hosts.start(host);
    expect(hosts.mayRequest(host)).toBe(false);
  });

  it("share the connections of an address with those of another schedule, until it is abandoned", () => {
    const addresses = new AddressTable(() => 1);
    const [ours, theirs, gone] = [0, 1, 2].map(() => {
      const hosts = new HostSchedule({ delayMs: 0, perHost: 1, perAddress: 1, addresses });
      const host = hosts.named("a.example");
      hosts.addWaiting(host.id, 1);
      hosts.locate(host, "192.0.2.1");
      return { hosts, host };
    });
    // Nobody else knows this one.
    theirs.hosts.locate(theirs.hosts.named("b.example"), "192.0.2.2");
    theirs.hosts.start(theirs.hosts.named("b.example"));
    gone.hosts.abandon();
    const freed = (): number[] => [ours, theirs, gone].map(({ hosts }) => hosts.takeFreed().length);
    theirs.hosts.start(theirs.host);
    expect([addresses.turns, ours.hosts.readyCount, theirs.hosts.readyCount]).toEqual([2, 0, 0]);
    expect(freed()).toEqual([0, 0, 0]);
    theirs.hosts.finish(theirs.host, 0);
    expect([addresses.turns, ours.hosts.readyCount, theirs.hosts.readyCount]).toEqual([3, 1, 1]);
    expect(freed()).toEqual([1, 1, 0]);
    addresses.of("192.0.2.1").setLimit(0);
    expect([addresses.turns, ours.hosts.readyCount]).toEqual([4, 0]);
  });

  it("keep their connections where the crawl-delay is 0", () => {
    const hosts = new HostSchedule({ delayMs: 100, perHost: 3, perAddress: 10 });
    const host = hosts.named("a.example");
    hosts.slowDown(host, 0);
    expect(host).toMatchObject({ connections: 3, delayMs: 100 });
  });
});

describe("a host whose rules are not known", () => {
  it("is requested by one connection at a time: they may ask for one", () => {
    const hosts = new HostSchedule({ delayMs: 100, perHost: 2, perAddress: 10 });
    const host = hosts.named("a.example");
    hosts.bar(host, 1);
    expect(hosts.mayRequestAuxiliary(host)).toBe(true);
    hosts.start(host);
    expect(hosts.mayRequestAuxiliary(host)).toBe(false);
    hosts.finish(host, 1000);
    expect(hosts.mayRequestAuxiliary(host)).toBe(false);
    hosts.wake(1100, () => {});
    expect(hosts.mayRequestAuxiliary(host)).toBe(true);
    hosts.start(host);
    hosts.bar(host, -1);
    expect(hosts.mayRequestAuxiliary(host)).toBe(true);
  });

  it("is not one that has given all of its pages: what these need may take all connections", () => {
    const hosts = new HostSchedule({ delayMs: 100, perHost: 2, perAddress: 10 });
    const host = hosts.named("a.example");
    host.isFull = true;
    hosts.bar(host, 1);
    hosts.start(host);
    expect(hosts.mayRequestAuxiliary(host)).toBe(true);
    hosts.bar(host, 1);
    expect(hosts.mayRequestAuxiliary(host)).toBe(false);
  });
});

describe("hosts that other schedules of the process have met", () => {
  const options = { delayMs: 10, perHost: 1, perAddress: 1 };

  it("share the connections of their address from the first request on", () => {
    const past = new PastRequests();
    const before = new HostSchedule({ ...options, past });
    for (const name of ["a", "b"]) before.locate(before.named(name), "192.0.2.1");
    before.locate(before.named("b"), "192.0.2.2");
    before.locate(before.named("c"), "192.0.2.1");
    const hosts = new HostSchedule({ ...options, past });
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => hosts.named(name));
    hosts.start(a);
    expect([b, c, d].map((host) => hosts.mayRequest(host))).toEqual([true, false, true]);
    hosts.finish(a, 0);
    hosts.wake(10, () => {});
    expect(hosts.mayRequest(c)).toBe(true);
  });

  it("share them too if URLs of theirs waited before anything was wanted of them", () => {
    const past = new PastRequests();
    for (const name of ["a", "b"]) past.located(name, "192.0.2.1");
    const hosts = new HostSchedule({ ...options, past });
    for (const name of ["a", "b"]) hosts.addWaiting(hosts.idOf(name), 1);
    hosts.start(hosts.named("a"));
    expect(hosts.mayRequest(hosts.named("b"))).toBe(false);
    expect(hosts.readyCount).toBe(0);
    hosts.finish(hosts.named("a"), 0);
    hosts.wake(10, () => {});
    expect(hosts.readyCount).toBe(2);
  });

  it("tell until when the last of their connections rests", () => {
    const past = new PastRequests();
    const hosts = new HostSchedule({ ...options, past });
    const [a, b] = ["a", "b"].map((name) => hosts.named(name));
    hosts.slowDown(a, 4000);
    for (const host of [a, b]) hosts.start(host);
    hosts.finish(a, 100);
    hosts.finish(b, 200);
    expect(past.restUntilMs).toBe(4100);
  });

  it("keep to the greatest crawl-delay of their origins, with one connection, as it was asked for at last", () => {
    const past = new PastRequests();
    const delays = (): number[] => {
      const host = new HostSchedule({ ...options, perHost: 2, past }).named("a");
      return [host.delayMs, host.connections];
    };
    const before = new HostSchedule({ ...options, past });
    before.remember("http://a", 2000);
    before.remember("https://a", 4000);
    before.remember("https://b", 8000);
    // What is stored may be older.
    past.mayAskFor("https://a", 5000);
    expect(delays()).toEqual([4000, 1]);
    before.remember("https://a", 1000);
    expect(delays()).toEqual([2000, 1]);
    before.remember("http://a", 0);
    before.remember("https://a", 0);
    expect(delays()).toEqual([10, 2]);
  });

  it("are forgotten one by one where there are too many, the oldest first", () => {
    const past = new PastRequests(2);
    for (const name of ["a", "b", "c"]) past.located(name, "192.0.2.1");
    expect(["a", "b", "c"].map((name) => past.addressOf(name))).toEqual([undefined, "192.0.2.1", "192.0.2.1"]);
    for (const name of ["a", "b", "c"]) past.asksFor(`http://${name}`, 1000);
    expect(["a", "b", "c"].map((name) => past.crawlDelayOf(name))).toEqual([0, 1000, 1000]);
  });
});

it("a host at which somebody only looks stays idle, and is as it would be", () => {
  const hosts = new HostSchedule({ delayMs: 10, perHost: 1, perAddress: 1 });
  hosts.addWaiting(hosts.idOf("a"), 1);
  expect(hosts.shown("a")).toMatchObject({ name: "a", delayMs: 10, taken: 0 });
  expect([[...hosts.active].length, hosts.readyCount, hosts.shown("b")]).toEqual([0, 1, undefined]);
  expect(hosts.shown("a")).not.toBe(hosts.named("a"));
  expect(hosts.shown("a")).toBe(hosts.named("a"));
});

interface Act {
  readonly what: string;
  readonly id: number;
  readonly amount: number;
  readonly now: number;
}

/** Nothing is wanted of a host that is only heard of. */
function actOn(hosts: HostSchedule, { what, id, amount, now }: Act): void {
  if (what === "hear") hosts.addWaiting(id, 1);
  else if (what === "time") hosts.wake(now, () => {});
  else if (what === "pause") hosts.pause(hosts.at(id), now + 1 + amount);
  else if (what === "slow") hosts.slowDown(hosts.at(id), amount);
  else if (what === "bar") hosts.bar(hosts.at(id), 1);
  else if (what === "locate") hosts.locate(hosts.at(id), `192.0.2.${amount % 2}`);
  else if (what === "start" && hosts.mayRequest(hosts.at(id))) hosts.start(hosts.at(id));
  else if (what === "finish" && hosts.at(id).taken > hosts.at(id).resting) hosts.finish(hosts.at(id), now);
  else if (what === "unhear" && hosts.waitingOf(hosts.at(id)) > 0) hosts.addWaiting(id, -1);
}

/** What an address has in use is what its hosts have. */
function checkAddresses(all: readonly Host[]): void {
  for (const { address } of all) {
    if (address === undefined) continue;
    const taken = all.filter((other) => other.address === address).reduce((sum, other) => sum + other.taken, 0);
    expect(address.use.taken).toBe(taken);
  }
}
