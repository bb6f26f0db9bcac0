/** Orders whose states of pages a watch shares, compared with orders beside a watch that has its own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoverageWatch } from "../../src/coverage/index.ts";
import { GrowingLinks } from "../../src/graph/index.ts";
import { type CrawlOrder, createOrder, knownPagesOf } from "../../src/order/index.ts";
import { cases } from "../support/cases.ts";
import { Driver } from "../support/crawl-driver.ts";
import { type FactEmitter, world } from "../support/worlds.ts";

const LEDGER_ORDERS = ["rankmass", "rankmass:valued", "rankmass:literal", "windowed:30", "lneighbor", "pagerank"];
const OTHER_ORDERS = ["fpr", "fpr@5", "opic", "backlink", "random:7"];

/** The path of a crawl, and what order and watch said of it all the way. */
function told(drive: ConstructorParameters<typeof Driver>[0], follows: boolean): unknown {
  let watch: CoverageWatch | undefined;
  const said: unknown[] = [];
  const check = (order: CrawlOrder, { emitter }: { readonly emitter: FactEmitter }): void => {
    watch ??= watchOf(order, emitter, follows);
    const isReached = watch.reached();
    const arrived = drive.world.urls.map((_, page) => order.arrived?.(page) ?? 0);
    said.push([isReached, watch.certified, watch.ceiling, order.guaranteed(), order.best?.(), order.pushes, arrived]);
  };
  // Trust comes after the watch, which is made by the first check.
  const driver = new Driver({ ...drive, lateTrust: true, check });
  check(driver.order, driver);
  return { path: driver.run(), said };
}

function watchOf(order: CrawlOrder, emitter: FactEmitter, follows: boolean): CoverageWatch {
  const shared = follows ? { follows: knownPagesOf(order) } : {};
  return emitter.addListener(new CoverageWatch({ ...emitter.options, ...shared, goal: 0.7 }));
}

describe("an order that a watch follows", () => {
  it.each(LEDGER_ORDERS)("takes the same path, with the same proofs, as one beside a watch of its own: %s", (name) => {
    const drives = fc.record({ world, choices: fc.array(fc.nat(1e4), { maxLength: 40 }) });
    fc.assert(
      fc.property(drives, fc.boolean(), (drive, disturbances) => {
        const create = (context: Parameters<typeof createOrder>[1]): CrawlOrder => createOrder(name, context);
        const shared = told({ ...drive, disturbances, putBacks: true, create }, true);
        expect(shared).toEqual(told({ ...drive, disturbances, putBacks: true, create }, false));
      }),
      { numRuns: cases(150) },
    );
  });
});

it.each(OTHER_ORDERS)("an order without a ledger has nothing to follow: %s", (name) => {
  const order = createOrder(name, { links: new GrowingLinks(), pages: 1, damping: 0.5, hostOf: () => 0 });
  expect(knownPagesOf(order)).toBeUndefined();
});
