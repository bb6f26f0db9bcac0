import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CrawlOrder } from "../../src/order/index.ts";
import type { HeapOptions } from "../../src/order/ledger-order.ts";
import { RankMassOrder } from "../../src/order/rankmass.ts";
import { WindowedOrder } from "../../src/order/windowed.ts";
import { cases } from "../support/cases.ts";
import { Driver } from "../support/crawl-driver.ts";
import { world } from "../support/worlds.ts";

describe("orders most of whose pages are cold", () => {
  const orders: Record<string, (options: HeapOptions) => CrawlOrder> = {
    rankmass: (options) => new RankMassOrder(options),
    windowed: (options) => new WindowedOrder({ ...options, percent: 10 }),
  };
  for (const [name, create] of Object.entries(orders)) {
    it(`take the path on which all are hot, whatever is reported: ${name}`, () => {
      const drive = fc.record({ world, choices: fc.array(fc.nat(1e4), { maxLength: 40 }) });
      fc.assert(
        fc.property(drive, fc.constantFrom(1, 2, 4), (drive, hotMin) => {
          const disturbed = { ...drive, disturbances: true, putBacks: true, lateTrust: true };
          const cold = new Driver({ ...disturbed, create: (context) => create({ ...context, hotMin }) });
          const hot = new Driver({ ...disturbed, create });
          expect(cold.run()).toEqual(hot.run());
          expect(cold.order.pushes).toBe(hot.order.pushes);
        }),
        { numRuns: cases(500) },
      );
    });
  }
});
