import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageHeaps } from "../../src/refresh/page-heaps.ts";

const PAGES = 40;
const HOSTS = 3;
const hostOf = (page: number): number => page % HOSTS;

describe("heaps of pages per host", () => {
  it("have the greatest key of each host on top, whatever is set and removed, the earlier page of equal ones", () => {
    const step = fc.record({
      page: fc.nat(PAGES - 1),
      key: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heaps = new PageHeaps();
        heaps.grow({ pages: PAGES, hosts: HOSTS });
        const keys = new Map<number, number>();
        for (const { page, key } of steps) {
          if (key === null) {
            keys.delete(page);
            heaps.remove(page, hostOf(page));
          } else {
            keys.set(page, key);
            heaps.set(page, hostOf(page), key);
          }
          expect(heaps.has(page)).toBe(key !== null);
          expect(heaps.key(page)).toBe(key ?? 0);
          for (let host = 0; host < HOSTS; host++) expect(heaps.top(host)).toBe(bestOf(keys, host));
        }
        // All leave in order.
        for (let host = 0; host < HOSTS; host++) {
          for (let page = heaps.top(host); page !== -1; page = heaps.top(host)) {
            expect(page).toBe(bestOf(keys, host));
            keys.delete(page);
            heaps.remove(page, host);
          }
        }
        expect(keys.size).toBe(0);
      }),
    );
  });

  it("grow, and keep what they have", () => {
    const heaps = new PageHeaps();
    heaps.grow({ pages: 1, hosts: 1 });
    heaps.set(0, 0, 5);
    heaps.grow({ pages: 5000, hosts: 900 });
    heaps.set(4999, 0, 6);
    heaps.set(4998, 899, 1);
    expect([heaps.top(0), heaps.top(899), heaps.top(1)]).toEqual([4999, 4998, -1]);
    heaps.remove(4999, 0);
    expect(heaps.top(0)).toBe(0);
  });
});

function bestOf(keys: ReadonlyMap<number, number>, host: number): number {
  const own = [...keys].filter(([page]) => hostOf(page) === host);
  own.sort(([a, x], [b, y]) => y - x || a - b);
  return own[0]?.[0] ?? -1;
}
