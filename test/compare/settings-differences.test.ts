import { expect, it } from "vitest";
import { settingsDifferences } from "../../src/compare/index.ts";
import { crawlSettings, type CrawlOptions } from "../../src/crawl/index.ts";

const settings = (options: CrawlOptions = {}) => crawlSettings({ urls: ["https://a.example/"], ...options });

it("finds none between two crawls with the same options, though each has seeds of its own for fingerprints", () => {
  expect(settings().web.hashSeed).not.toBe(settings().web.hashSeed);
  expect(settingsDifferences(settings(), settings())).toEqual([]);
});

it("leaves out what changes when pages are fetched, not what is found", () => {
  const other = settings({ order: "fpr", delay: 10, concurrency: 2, timeout: 5000 });
  expect(settingsDifferences(settings(), other)).toEqual([]);
});

it.each<[CrawlOptions, string, string, string, string[]]>([
  [{ damping: 0.5 }, "damping", "0.85", "0.5", ["importance"]],
  [{ stripParameters: true }, "stripParameters", "off", "on", ["urls"]],
  [{ sitemaps: false }, "sitemaps", "on", "off", ["pages"]],
  [{ scope: "domain" }, "scope", "host", "domain", ["pages", "importance"]],
  [{ exclude: ["/x/", "y"] }, "exclude", "none", "/x/ y", ["pages", "importance"]],
  [{ maxPages: 10 }, "maxPages", "none", "10", ["pages"]],
  [{ universe: "scope" }, "universe", "allowed", "scope", ["importance"]],
])("names %j and what it makes unfair", (options, setting, a, b, aspects) => {
  expect(settingsDifferences(settings(), settings(options))).toEqual([{ setting, a, b, aspects }]);
});

it("says that one crawl was logged in and the other not", () => {
  const loggedIn = crawlSettings({ urls: ["https://a.example/"] }, { session: ["cookies"] });
  expect(settingsDifferences(settings(), loggedIn)).toEqual([
    { setting: "session", a: "none", b: "cookies", aspects: ["pages", "responses"] },
  ]);
});

it("compares seeds by their URLs and weights, in any order", () => {
  const seeded = (seeds: { url: string; weight: number }[]) => crawlSettings({ scope: "any" }, { seeds });
  const [x, y] = ["https://x.example/", "https://y.example/"];
  const even = seeded([
    { url: x, weight: 0.5 },
    { url: y, weight: 0.5 },
  ]);
  const turned = seeded([
    { url: y, weight: 0.5 },
    { url: x, weight: 0.5 },
  ]);
  expect(settingsDifferences(even, turned)).toEqual([]);
  const [difference] = settingsDifferences(
    even,
    seeded([
      { url: x, weight: 0.75 },
      { url: y, weight: 0.25 },
    ]),
  );
  expect(difference).toMatchObject({ setting: "seeds", b: "https://x.example/ (0.75), https://y.example/ (0.25)" });
});
