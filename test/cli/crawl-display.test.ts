import { formatBytes } from "../../src/base/index.ts";
import { describe, expect, it } from "vitest";
import { bestHosts, CrawlDisplay } from "../../src/cli/crawling/display.ts";
import { Estimate } from "../../src/cli/crawling/estimate.ts";
import {
  closingSentence,
  lossSentence,
  outOfReach,
  restSentence,
  shellWord,
} from "../../src/cli/crawling/words.ts";
import type { CrawlStatus } from "../../src/crawl/index.ts";

const STATUS: CrawlStatus = {
  pages: 1234,
  dead: 0,
  redirects: 0,
  refused: 0,
  failed: 3,
  retries: 0,
  bytes: 12_345_678,
  known: 98_765,
  frontier: 97_000,
  hosts: 2,
  coverage: 0.5,
  guaranteed: 0.4,
  elapsedMs: 61_000,
};

const HOSTS = [
  { name: "small.example", pages: 1, errors: 0 },
  { name: "a-host-with-a-rather-long-name.of-some-university.example", pages: 900, errors: 2 },
  { name: "none.example", pages: 0, errors: 9 },
  { name: "middle.example", pages: 300, errors: 1 },
];

describe("the display of a crawl", () => {
  it.each([40, 80, 200])("fits a terminal of %i columns and says the important things", (width) => {
    const { lines } = shown(width, { coverage: 0.9 });
    for (const line of lines) expect(line.length).toBeLessThan(width);
    expect(lines[0]).toContain("1,234 pages");
    expect(lines[1]).toMatch(/^\[█+·+\|·*\] 50\.00% /);
    expect(lines[2]).toContain("97,000 of 98,765 known URLs wait");
    expect(lines.filter((line) => line.startsWith("  "))).toHaveLength(3);
    expect(lines.at(-1)).toContain("1 min 01 s so far");
  });

  it("writes over what it wrote, and takes it away", () => {
    const { display, written } = shown(80, {});
    const rows = written[0]!.split("\n").length - 1;
    display.show({ ...STATUS, elapsedMs: 62_000 });
    expect(written[1]!.startsWith(`\u001B[${rows}A\r`)).toBe(true);
    display.clear();
    expect(written[2]).toBe(`\u001B[${rows}A\r\u001B[J`);
    display.clear();
    expect(written).toHaveLength(3);
  });

  it("writes a plain line every ten seconds where nothing can be overwritten", () => {
    const written: string[] = [];
    const display = new CrawlDisplay({
      ...BASE,
      write: (text) => void written.push(text),
      rewrites: false,
      limits: {},
    });
    for (let elapsedMs = 0; elapsedMs <= 25_000; elapsedMs += 1000)
      display.show({ ...STATUS, pages: elapsedMs / 100, elapsedMs });
    expect(written).toEqual([
      "100 pages, 10 pages/s, 50.00% covered, 97,000 URLs wait\n",
      "200 pages, 10 pages/s, 50.00% covered, 97,000 URLs wait\n",
    ]);
  });

  it("counts one as one", () => {
    const written: string[] = [];
    const display = new CrawlDisplay({
      ...BASE,
      write: (text) => void written.push(text),
      rewrites: false,
      limits: {},
    });
    display.show({ ...STATUS, pages: 1, frontier: 1, elapsedMs: 10_000 });
    expect(written).toEqual(["1 page, 50.00% covered, 1 URL waits\n"]);
  });

  it("shows the hosts of most pages", () => {
    expect(bestHosts(HOSTS, 2).map(({ pages }) => pages)).toEqual([900, 300]);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 KB"],
    [123_456, "123 KB"],
    [12_345_678, "12.3 MB"],
    [7.7e15, "7700 TB"],
  ])("writes %d bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("what is left", () => {
  it("is told by the limit that comes first", () => {
    const estimate = new Estimate({ pages: 200, timeMs: 3_600_000 });
    estimate.add({ ...STATUS, pages: 0, elapsedMs: 0 });
    expect(estimate.pagesPerSecond()).toBeUndefined();
    estimate.add({ ...STATUS, pages: 50, elapsedMs: 5000 });
    expect(estimate.pagesPerSecond()).toBe(10);
    expect(estimate.secondsLeft()).toBe(15);
  });

  it("is told for coverage as if the missing share fell by the same factor in the same time", () => {
    const estimate = new Estimate({ coverage: 0.95 });
    estimate.add({ ...STATUS, coverage: 0.2, elapsedMs: 0 });
    estimate.add({ ...STATUS, coverage: 0.6, elapsedMs: 10_000 });
    // From 0.8 to 0.4 in ten seconds: halved; from 0.4 to 0.05 it halves three times.
    expect(estimate.secondsLeft()).toBeCloseTo(30, 9);
  });

  it("is not told where nothing moves", () => {
    const estimate = new Estimate({ coverage: 0.95 });
    for (const elapsedMs of [0, 5000, 10_000]) estimate.add({ ...STATUS, elapsedMs });
    expect(estimate.secondsLeft()).toBeUndefined();
  });
});

describe("the last words of a crawl", () => {
  it("name reasons and hosts, largest first, and the very small together", () => {
    expect(
      restSentence([
        {
          reason: "not-fetched",
          mass: 0.031,
          hosts: ["a", "b", "c", "d"].map((host) => ({ host, mass: 0.00775, pages: 1 })),
        },
        { reason: "robots", mass: 0.012, hosts: [{ host: "a", mass: 0.012, pages: 4 }] },
        { reason: "nofollow", mass: 0.00002, hosts: [{ host: "a", mass: 0.00002, pages: 1 }] },
      ]),
    ).toBe(
      "The rest: 3.10% was not fetched (a 0.78%, b 0.78%, c 0.78%, 1 more host); 1.20% is forbidden by robots.txt (a 1.20%); and less than 0.1% has other reasons.",
    );
  });

  it("never round coverage up", () => {
    expect(closingSentence({ reason: "coverage-reached", coverage: 0.949999, pages: 1 })).toBe(
      "Stopped: 94.99% of all importance is certainly covered, by 1 page.",
    );
  });

  it("say so where no page was fetched", () => {
    expect(closingSentence({ reason: "frontier-empty", coverage: 0, pages: 0, missing: [] })).toBe(
      "Done, nothing is left to fetch: no page was fetched, so nothing is covered.",
    );
  });

  it("know what a lost seed costs", () => {
    const loss = { name: "seed-lost", atMs: 0, url: "https://a/", detail: null, weight: 0.5 } as const;
    expect(outOfReach({ ...loss, reason: "robots" }, 0.85)).toBe(0.5);
    expect(outOfReach({ ...loss, reason: "dead" }, 0.85)).toBeCloseTo(0.075 / 0.575, 12);
    expect(outOfReach({ ...loss, reason: "dead", weight: 1 }, 0.85)).toBe(1);
    expect(lossSentence({ ...loss, reason: "failed", detail: "tls-failed" }, 0.85)).toBe(
      "the seed https://a/ could not be fetched: it offers no safe connection (its certificate does not hold, or it does not speak https: try http://); 50% of all importance is out of reach with it",
    );
  });

  it("quote directories for the shell", () => {
    expect([shellWord("crawl-a.example"), shellWord("it's mine")]).toEqual([
      "crawl-a.example",
      "'it'\\''s mine'",
    ]);
  });
});

const BASE = { color: false, width: () => 80, hosts: () => HOSTS };

function shown(width: number, limits: { coverage?: number }) {
  const written: string[] = [];
  const display = new CrawlDisplay({
    ...BASE,
    write: (text) => void written.push(text),
    rewrites: true,
    width: () => width,
    limits,
  });
  display.show(STATUS);
  const lines = written[0]!.replace("\u001B[J", "").replaceAll("\u001B[K", "").trimEnd().split("\n");
  return { display, written, lines };
}
