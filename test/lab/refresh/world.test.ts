import { describe, expect, it } from "vitest";
import { allAlike, type ChangingPages, ChangingWeb, mixedRates, silent } from "../../../src/lab/refresh/world.ts";

const PAGES = 400;

function pagesOf(rate: number, qualityOf: ChangingPages["qualityOf"]): ChangingPages {
  const importance = new Float64Array(PAGES).fill(1);
  return { importance, hosts: new Uint32Array(PAGES), rates: new Float64Array(PAGES).fill(rate), qualityOf };
}

describe("mixed change rates", () => {
  it("are those of the study: 23% of the pages change daily, 30% stay the same for four months", () => {
    const hosts = Uint32Array.from({ length: 40_000 }, (_, page) => page >> 3);
    const rates = mixedRates(hosts, 1);
    const share = (isCounted: (rate: number) => boolean): number => rates.filter(isCounted).length / rates.length;
    expect(share((rate) => rate >= 1)).toBeCloseTo(0.24, 1);
    expect(share((rate) => rate < 1 / 120)).toBeCloseTo(0.33, 1);
    expect(Math.max(...rates)).toBeLessThanOrEqual(8);
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(1 / 1500);
    expect(mixedRates(hosts.subarray(0, 100), 1)).toEqual(rates.subarray(0, 100));
    expect(mixedRates(hosts, 2)).not.toEqual(rates);
  });

  it("are alike on one host: hosts differ more than chance", () => {
    const hosts = Uint32Array.from({ length: 8000 }, (_, page) => page % 40);
    const rates = mixedRates(hosts, 3);
    const daily = Array.from({ length: 40 }, (_, host) =>
      rates.filter((rate, page) => hosts[page] === host && rate >= 1),
    );
    const shares = daily.map((each) => each.length / 200);
    // Hosts have 6% to 40% of such pages; by chance alone, 200 pages differ by a few percent.
    expect(Math.max(...shares) - Math.min(...shares)).toBeGreaterThan(0.2);
  });
});

describe("a web that changes", () => {
  it("changes and signals as often as it should, and not in step", () => {
    const web = new ChangingWeb(pagesOf(0.5, allAlike({ recall: 0.6, falseShare: 0.25 })), { days: 50, seed: 1 });
    const days = 50 * PAGES;
    const changed = web.firstChange.filter((at) => at < 1).length / days;
    expect(changed).toBeCloseTo(1 - Math.exp(-0.5), 2);
    // True signals at 0.5 x 0.6 per day, which are 75% of all.
    expect(web.signals.reduce((sum, each) => sum + each, 0) / days).toBeCloseTo(0.4, 1.6);
    const firstPage = Array.from({ length: 50 }, (_, day) => web.firstChange[day * PAGES]);
    const secondPage = Array.from({ length: 50 }, (_, day) => web.firstChange[day * PAGES + 1]);
    expect(firstPage).not.toEqual(secondPage);
  });

  it("knows the first of several changes on a day", () => {
    const web = new ChangingWeb(pagesOf(5, silent), { days: 20, seed: 2 });
    const mean = web.firstChange.reduce((sum, at) => sum + at, 0) / web.firstChange.length;
    expect(mean).toBeCloseTo((1 - Math.exp(-5)) / 5, 2);
  });

  it("signals nothing where pages are silent, and changes in the same way", () => {
    const web = new ChangingWeb(pagesOf(0.5, silent), { days: 20, seed: 1 });
    expect(web.signals.every((each) => each === 0)).toBe(true);
    const signalling = new ChangingWeb(pagesOf(0.5, allAlike({ recall: 1, falseShare: 0 })), { days: 20, seed: 1 });
    expect(web.firstChange).toEqual(signalling.firstChange);
    // Where every change is signalled, and nothing else, a day has signals if and only if it has changes.
    for (const [place, at] of signalling.firstChange.entries()) expect(signalling.signals[place] > 0).toBe(at < 1);
  });

  it("never changes at rate 0", () => {
    const web = new ChangingWeb(pagesOf(0, silent), { days: 5, seed: 1 });
    expect(web.firstChange.every((at) => at === 1)).toBe(true);
  });
});
