/** Settings that a directory keeps: those of older versions are read, those of any maker are complete. */
import { describe, expect, it } from "vitest";
import { VERSION } from "../../../src/base/index.ts";
import { crawlSettings, parseSettings } from "../../../src/crawl/index.ts";
import { COMMAND_010, LIBRARY_010 } from "./version-010.ts";

const SEEDS = [{ url: "http://a.example/", weight: 1 }];

describe("settings of version 0.1.0", () => {
  it("of a crawl by the command are read as they are", () => {
    const settings = parseSettings(COMMAND_010);
    expect(settings).toEqual({
      ...(JSON.parse(COMMAND_010) as object),
      // What 0.1.0 did not say.
      web: { ...settings.web, urlRules: { stripParameters: false } },
      network: { ...settings.network, dns: "direct", timeoutMs: 60_000 },
      sitemap: [],
      anchors: false,
      nearDuplicates: false,
      texts: [],
    });
    expect(settings.web).toMatchObject({ scope: { kind: "domain" }, hashSeed: 4020047103, sitemaps: true });
  });

  it("of a crawl by the library gain the defaults of the network", () => {
    const { network, web } = parseSettings(LIBRARY_010);
    expect(network).toEqual({
      userAgent: `tidemark/${VERSION}`,
      allowPrivate: false,
      browserSandbox: true,
      cookies: false,
      resolve: [],
      dns: "direct",
      ca: null,
      proxy: null,
      proxyFile: null,
      timeoutMs: 60_000,
      warc: false,
      warcRecords: "all",
    });
    expect(web.hashSeed).toBe(0);
  });

  it.each([COMMAND_010, LIBRARY_010])("are those of the crawl when it is resumed", (json) => {
    const before = parseSettings(json);
    const resumed = crawlSettings({}, { seeds: before.seeds, before, newSeed: () => 99 });
    expect(resumed).toEqual(before);
    const longer = crawlSettings({ maxPages: 7, delay: 5 }, { seeds: before.seeds, before });
    expect(longer).toEqual({
      ...before,
      limits: { ...before.limits, pages: 7 },
      politeness: { ...before.politeness, delayMs: 5 },
    });
  });
});

describe("settings of a new crawl", () => {
  it("are the same for every caller, and complete as they are stored", () => {
    const settings = crawlSettings({ urls: ["a.example"] }, { newSeed: () => 7 });
    expect(settings.seeds).toEqual([{ url: "https://a.example/", weight: 1 }]);
    expect(parseSettings(JSON.stringify(settings))).toEqual(settings);
    const older = parseSettings(LIBRARY_010);
    const { web, ...others } = crawlSettings({}, { seeds: SEEDS, newSeed: () => 0 });
    const { digestSeed, ...rest } = web;
    expect(digestSeed).toBe(0);
    // Version 0.1.0 took fewer links of a page, measured coverage over the whole scope, had digests with a seed of the
    // crawl, and such a crawl goes on to do so.
    const whole = { ...rest, universe: "scope", linksPerPageMax: 10_000 };
    expect({ ...others, web: whole, limits: {} }).toEqual(older);
  });

  it("may have a seed of dice that are never thrown from before, but none can be given", () => {
    expect(() => crawlSettings({ seed: 4 }, { seeds: SEEDS })).toThrow("--seed is for sampling");
    const { seeds, ...settings } = crawlSettings({ coverage: 0.9, confidence: 0.9, seed: 4 }, { seeds: SEEDS });
    const { confidence: _, ...before } = { ...settings, seeds };
    expect(crawlSettings({}, { seeds, before }).seed).toBe(4);
    expect(() => crawlSettings({ seed: 5 }, { seeds, before })).toThrow("give --confidence");
  });

  it("have a random seed of fingerprints, or the one that is handed in", () => {
    const seedOf = (newSeed?: () => number): number =>
      crawlSettings({}, { seeds: SEEDS, ...(newSeed === undefined ? {} : { newSeed }) }).web.hashSeed;
    expect(seedOf(() => 12)).toBe(12);
    const seeds = Array.from({ length: 4 }, () => seedOf());
    expect(new Set(seeds).size).toBeGreaterThan(1);
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
  });

  it("take values as people write them, and as programs have them", () => {
    const written = {
      maxTime: "2h",
      delay: "1.5s",
      maxBytes: "10MB",
      exclude: "calendar",
    } as unknown as object;
    const { limits, politeness, web } = crawlSettings(written, { seeds: SEEDS });
    expect(limits).toEqual({ timeMs: 7_200_000, bytes: 10_000_000 });
    expect(politeness.delayMs).toBe(1500);
    expect(web.scope.exclude).toEqual(["calendar"]);
    const again = { maxTime: 7_200_000, delay: 1500, maxBytes: 10_000_000, exclude: ["calendar"] };
    expect(crawlSettings(again, { seeds: SEEDS })).toMatchObject({ limits, politeness });
  });

  it.each<[options: object, message: string]>([
    [{ maxPages: 0 }, "maxPages is 0. Expected a whole number of at least 1."],
    [{ coverage: 95 }, "Did you mean 0.95?"],
    [{ maxPags: 5 }, 'there is no setting "maxPags". Did you mean maxPages?'],
    [{ scope: "planet" }, 'scope is "planet". Expected one of page, prefix, host, domain, any.'],
    [{ order: "rankmas" }, "Did you mean rankmass?"],
    [{ exclude: ["("] }, 'the exclude pattern "(" is invalid'],
    [{ proxy: "foo" }, "expected http://HOST:PORT"],
    [{ scope: "host", include: ["/docs/"] }, "the seed http://a.example/ is outside the scope"],
    [{ hashSeed: 1 }, 'there is no setting "hashSeed"'],
  ])("refuse what makes no sense: %j", (options, message) => {
    expect(() => crawlSettings(options, { seeds: SEEDS })).toThrow(message);
  });

  it("give an address as many requests as a host, unless that was said", () => {
    const perAddress = (options: object): number => crawlSettings(options, { seeds: SEEDS }).politeness.perAddress;
    expect(perAddress({ perHost: 20 })).toBe(20);
    expect(perAddress({ perHost: 20, perAddress: 5 })).toBe(5);
    expect(perAddress({ perHost: 2 })).toBe(10);
  });
});

describe("a crawl that is resumed", () => {
  const before = parseSettings(COMMAND_010);
  const resumed = (options: object) => crawlSettings(options, { seeds: before.seeds, before });

  it("has the seeds it had, unless others are given", () => {
    expect(crawlSettings({ maxPages: 3 }, { before }).seeds).toEqual(before.seeds);
    const { seeds, web } = crawlSettings({ urls: ["http://news.demo.test/"] }, { before });
    expect(seeds).toEqual([{ url: "http://news.demo.test/", weight: 1 }]);
    expect(web).toEqual(before.web);
  });

  it("loses a limit that is none now", () => {
    expect(resumed({ coverage: Number.POSITIVE_INFINITY }).limits).toEqual({});
    expect(resumed({ maxDepth: 3 }).limits).toEqual({ coverage: 0.3, depth: 3 });
  });

  it("keeps what defines its web", () => {
    expect(() => resumed({ scope: "host", sitemaps: false, followNofollow: true })).toThrow(
      "this crawl started with --scope domain, which cannot be changed to host; without --follow-nofollow; without " +
        "--no-sitemaps; resume without --scope, --follow-nofollow, " +
        "--no-sitemaps, or start a new crawl in another directory",
    );
    const without = { ...before, web: { ...before.web, sitemaps: false } };
    expect(() => crawlSettings({ sitemaps: true }, { seeds: before.seeds, before: without })).toThrow(
      "this crawl started with --no-sitemaps; resume without sitemaps: true, or",
    );
  });

  it("keeps what this version does not know", () => {
    const newer = parseSettings(JSON.stringify({ ...before, later: 1, web: { ...before.web, other: [2] } }));
    const settings = crawlSettings({ maxPages: 1 }, { seeds: newer.seeds, before: newer });
    expect(settings).toMatchObject({ later: 1, web: { other: [2] } });
  });
});
