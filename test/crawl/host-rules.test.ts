/** Rules for single hosts: what each rule changes in a crawl, and which of several holds. */
import { describe, expect, it } from "vitest";
import {
  certifyLog,
  crawlSettings,
  type HostRules,
  parseSettings,
  statesOfLog,
  wholeRules,
} from "../../src/crawl/index.ts";
import { refusedState } from "../../src/coverage/index.ts";
import { HostSchedule } from "../../src/crawl/politeness/host-schedule.ts";
import { RuleFinder } from "../../src/crawl/settings/host-rules.ts";
import { Scope } from "../../src/web/index.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");
const A = "http://a.example/";
const B = "http://b.example/";

/** Two hosts of many pages; the front page of the first links to all, its own first. */
function twoHosts(pages = 30): TimedWeb {
  const paths = Array.from({ length: pages }, (_, k) => k);
  const all = links(...paths.map((k) => `${A}${k}`), ...paths.map((k) => `${B}${k}`));
  return new TimedWeb({
    serve: ({ href, pathname }) => (pathname === "/robots.txt" ? undefined : href === A ? all : "page"),
  });
}

const pagesOf = (web: TimedWeb, site: string): number[] =>
  web.requests
    .filter(({ url }) => url.startsWith(site) && !/(?:robots.txt|sitemap.xml)$/.test(url))
    .map(({ atMs }) => atMs);
const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, k) => time - times[k]);

describe("of several rules for a host", () => {
  const rules: HostRules = {
    "*.example": { delay: 1, connections: 2, exclude: ["/print"] },
    "a.example": { delay: 5, include: ["^http"] },
  };

  it("the most specific that says something decides", () => {
    const finder = new RuleFinder(rules);
    expect(finder.ruleOf("a.example:81")).toMatchObject({ delay: 5, connections: 2 });
    expect(finder.ruleOf("b.example")).toMatchObject({ delay: 1, connections: 2 });
    expect(finder.ruleOf("example")).toEqual({});
  });

  it("all patterns hold, beside those for every host", () => {
    const { web } = crawlSettings({ urls: [A], scope: "any", exclude: ["/secret"], hosts: rules });
    const scope = new Scope(web.scope);
    const contained = ["a", "print", "secret"].map((path) => [A, B].map((site) => scope.contains(site + path)));
    expect(contained).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(scope.describe()).toContain("with patterns for 2 hosts");
    const narrow = new Scope({ kind: "any", seeds: [], hosts: { "a.example": { include: ["/only"] } } });
    expect([narrow.contains(`${A}x`), narrow.contains(`${A}only`), narrow.contains(`${B}x`)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("a rule for a host", () => {
  it("sets its delay and its connections, and leaves other hosts alone", async () => {
    const web = twoHosts();
    await crawlTimed(web, [A], {
      web: { scope: { kind: "any", seeds: [A] } },
      politeness: { delayMs: 1000, concurrency: 32, perHost: 1, perAddress: 99, crawlDelayMsMax: 0 },
      hosts: { "b.example": { delay: 200, connections: 1 } },
    });
    expect(Math.min(...gaps(pagesOf(web, A)))).toBeGreaterThanOrEqual(1000);
    const ofB = gaps(pagesOf(web, B));
    expect(Math.min(...ofB)).toBeGreaterThanOrEqual(200);
    expect(Math.max(...ofB)).toBeLessThan(1000);
  });

  it("gives it as many connections as it says", async () => {
    const web = twoHosts();
    await crawlTimed(web, [A], {
      web: { scope: { kind: "any", seeds: [A] } },
      politeness: { delayMs: 1000, concurrency: 32, perHost: 1, perAddress: 99, crawlDelayMsMax: 0 },
      hosts: { "b.example": { connections: 5 } },
    });
    const atOnce = (times: readonly number[]): number =>
      Math.max(...times.map((time) => times.filter((other) => other >= time && other < time + 1000).length));
    expect([atOnce(pagesOf(web, A)), atOnce(pagesOf(web, B))]).toEqual([1, 5]);
  });

  it("limits its pages, which the log confirms; other hosts give as many as they may", async () => {
    const web = twoHosts();
    const { end, store, settings } = await crawlTimed(web, [A], {
      web: { scope: { kind: "any", seeds: [A] } },
      limits: { pagesPerHost: 20 },
      hosts: { "b.example": { pages: 7 } },
    });
    expect([pagesOf(web, A).length, pagesOf(web, B).length]).toEqual([20, 7]);
    expect(end.reason).toBe("page-limit");
    store.replaceSettings(JSON.stringify(settings));
    const limited = statesOfLog(store).filter((state) => state === refusedState("limit"));
    expect(limited).toHaveLength(31 - 20 + 30 - 7);
  });

  it("is obeyed where it is the only limit, in the ceiling too", async () => {
    const web = twoHosts();
    const { end, store, settings } = await crawlTimed(web, [A], {
      web: { scope: { kind: "any", seeds: [A] } },
      hosts: { "b.example": { pages: 7 } },
    });
    expect([pagesOf(web, A).length, pagesOf(web, B).length]).toEqual([31, 7]);
    store.replaceSettings(JSON.stringify(settings));
    expect(end.status.ceiling).toBeCloseTo(certifyLog(store).ceiling.coverage, 12);
    expect(end.status.ceiling).toBeLessThan(1);
  });

  it("prefers its pages whenever it may be requested, and wastes no time meanwhile", async () => {
    const orderWith = async (preference: number): Promise<string[]> => {
      const web = twoHosts(20);
      await crawlTimed(web, [A], {
        web: { scope: { kind: "any", seeds: [A] } },
        politeness: { delayMs: 0, concurrency: 1, perHost: 1, perAddress: 99, crawlDelayMsMax: 0 },
        hosts: { "b.example": { preference } },
      });
      return web.requests
        .filter(({ url }) => !/(?:robots.txt|sitemap.xml)$/.test(url))
        .map(({ url }) => url.slice(7, 8));
    };
    expect((await orderWith(0)).slice(0, 20).filter((host) => host === "a").length).toBeGreaterThan(10);
    // The front page, and what is fetched while the robots.txt of the preferred host is not there yet.
    const preferred = await orderWith(1);
    expect(preferred.lastIndexOf("b")).toBeLessThan(24);
    expect(preferred).toHaveLength(41);

    // A preferred host that rests leaves the time to others.
    const web = twoHosts(20);
    await crawlTimed(web, [A], {
      web: { scope: { kind: "any", seeds: [A] } },
      politeness: { delayMs: 100, concurrency: 8, perHost: 1, perAddress: 99, crawlDelayMsMax: 0 },
      hosts: { "b.example": { preference: 1, delay: 10_000 } },
    });
    expect(Math.max(...pagesOf(web, A))).toBeLessThan(5000);
    expect(pagesOf(web, B)).toHaveLength(20);
  });
});

describe("the rules of a stored crawl", () => {
  const hosts: HostRules = { "A.example": { delay: 5, exclude: ["/x"] }, "*.b.example": { pages: 3 } };

  it("are as they were given, with canonical hosts", () => {
    const settings = parseSettings(JSON.stringify(crawlSettings({ urls: [A], hosts })));
    expect(wholeRules(settings)).toEqual({ "a.example": hosts["A.example"], "*.b.example": hosts["*.b.example"] });
    expect(settings.hosts).toEqual({ "a.example": { delay: 5 }, "*.b.example": { pages: 3 } });
  });

  it("stay when it is resumed without any, and may change but for their patterns", () => {
    const before = crawlSettings({ urls: [A], hosts });
    expect(wholeRules(crawlSettings({}, { before }))).toEqual(wholeRules(before));
    const faster = crawlSettings({ hosts: { "a.example": { delay: 1, exclude: ["/x"] } } }, { before });
    expect(faster.hosts).toEqual({ "a.example": { delay: 1 } });
    expect(() => crawlSettings({ hosts: { "a.example": { exclude: ["/y"] } } }, { before })).toThrow(
      'this crawl started with patterns of hosts {"a.example":{"exclude":["/x"]}}, which cannot be changed to',
    );
    expect(() => crawlSettings({ hosts: { "a.example": { delay: 1 } } }, { before })).toThrow(
      "resume without hosts (or with the same patterns there)",
    );
  });

  it("let the address of a host have as many connections as the host, and no other address", () => {
    const { politeness, hosts } = crawlSettings({ urls: [A], hosts: { "a.example": { connections: 40 } } });
    expect(politeness.perAddress).toBe(10);
    const schedule = new HostSchedule(politeness, hosts);
    for (const [name, address] of [
      ["a.example", "192.0.2.1"],
      ["b.example", "192.0.2.2"],
    ]) {
      schedule.locate(schedule.named(name), address);
    }
    expect(Array.from(schedule.active, ({ address }) => address?.use.limit)).toEqual([40, 10]);
    // What holds for all hosts does not change what holds for all addresses.
    const wide = new HostSchedule({ ...politeness, perHost: 30 });
    const host = wide.named("a.example");
    wide.locate(host, "192.0.2.1");
    expect(host.address?.use.limit).toBe(10);
  });

  it.each<[HostRules, string]>([
    [{ "https://a.example": {} }, '"https://a.example", which has rules, is not a host'],
    [{ "a.example": {}, "A.example:443": {} }, 'the host "A.example:443" has rules already'],
    [{ "a.example": { include: ["("] } }, 'the include pattern "(" is invalid'],
    [{ "a.example": { delay: -1 } }, "delay of a.example is"],
    [{ "a.example": { dely: 1 } as never }, '"dely" is not a rule for a host. Did you mean delay?'],
    [{ "a.example": { header: ["X-Key: 1"] } }, "header of a.example is for the command tidemark crawl alone"],
    [{ "*.a.example": { header: ["X-Key: 1"] } }, "headers go to single hosts"],
    [{ "a.example": 5 as never }, "Expected rules of a host: delay"],
    ["fast" as never, "Expected rules by hosts"],
  ])("are refused if they make no sense: %j", (wrong, message) => {
    expect(() => crawlSettings({ urls: [A], hosts: wrong })).toThrow(message);
  });
});
