import { describe, expect, it } from "vitest";
import { GrowingLinks } from "../../src/graph/index.ts";
import { RankMassOrder } from "../../src/order/rankmass.ts";

/** Page 0 has the trust and links to 1 and 2. What each of them has then, 0.12, is no single. */
function twoLinks(roundsFrom: number | undefined): RankMassOrder {
  const links = new GrowingLinks();
  links.set(0, [1, 2]);
  links.set(1, []);
  const damping = 0.6;
  const order = new RankMassOrder({ links, pages: 3, damping, ...(roundsFrom === undefined ? {} : { roundsFrom }) });
  order.trusted(0, 1);
  expect(order.next()).toBe(0);
  order.downloaded(0);
  return order;
}

describe("an order of a large crawl", () => {
  it("rounds what waits once so many pages are downloaded, and not before", () => {
    const exact = twoLinks(undefined);
    expect(exact.arrived(1)).toBeCloseTo(0.12, 15);
    expect(Math.fround(exact.arrived(1))).not.toBe(exact.arrived(1));
    const rounded = twoLinks(0);
    expect(rounded.arrived(1)).toBeLessThan(exact.arrived(1));
    expect(Math.fround(rounded.arrived(1))).toBe(rounded.arrived(1));
    expect(twoLinks(1).arrived(1)).toBe(exact.arrived(1));
  });

  it("rounds what already waits, and keeps the heap by it", () => {
    const order = twoLinks(1);
    const before = order.best();
    expect(order.next()).toBe(1);
    order.downloaded(1);
    expect(order.arrived(2)).toBeLessThan(before);
    expect(order.best()).toBe(order.arrived(2));
  });
});
