/** Politeness, host by host: against a plain model that counts everything anew each time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Host, HostSchedule } from "../../src/crawl/politeness/host-schedule.ts";
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
          if (what === "hear") hosts.addWaiting(host, 1);
          else if (what === "unhear" && host.waiting > 0) hosts.addWaiting(host, -1);
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
          const ready = all.filter((each) => each.waiting > 0 && hosts.mayRequest(each));
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

  it("are forgotten one by one where there are too many, the oldest first", () => {
    const past = new PastRequests(2);
    for (const name of ["a", "b", "c"]) past.located(name, "192.0.2.1");
    expect(["a", "b", "c"].map((name) => past.addressOf(name))).toEqual([undefined, "192.0.2.1", "192.0.2.1"]);
  });
});

/** What an address has in use is what its hosts have. */
function checkAddresses(all: readonly Host[]): void {
  for (const { address } of all) {
    if (address === undefined) continue;
    const taken = all.filter((other) => other.address === address).reduce((sum, other) => sum + other.taken, 0);
    expect(address.use.taken).toBe(taken);
  }
}
