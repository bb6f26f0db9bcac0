/**
 * What every crawl order must keep, whatever it prefers. Worlds are random, with dead pages, redirects in chains and
 * loops, forbidden pages, pages whose links are not all known; several pages are under way at the same time and their
 * fates arrive in any order; ids grow as they occur. The driver itself throws when a page is handed out twice, before
 * it was discovered, after it was settled, or when the order says that nothing waits though something does.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CrawlOrder, OrderContext } from "../../src/order/index.ts";
import { cases } from "../support/cases.ts";
import { type Drive, Driver } from "../support/crawl-driver.ts";
import { truthOf } from "../support/truth.ts";
import { world } from "../support/worlds.ts";

const ROUNDING = 1e-11;
/** Trust added late may make the whole larger by the last bit. */
const ULP = 2e-16;

const drive = fc.record({
  world,
  choices: fc.array(fc.nat(1e4), { maxLength: 40 }),
});

export function orderContract(name: string, create: (context: OrderContext) => CrawlOrder): void {
  const check = (numRuns: number, test: (drive: Drive) => void) => () => {
    fc.assert(
      fc.property(drive, (drive) => test({ ...drive, create })),
      { numRuns: cases(numRuns) },
    );
  };

  describe(`the order ${name}`, () => {
    it(
      "hands out every discovered page once, and then says that there is none",
      check(300, (drive) => {
        const driver = new Driver(drive);
        driver.run();
        expect(driver.left).toEqual([]);
        expect(driver.order.next()).toBe(-1);
      }),
    );

    it(
      "copes with pages refused and URLs discovered at any time, and with trust added late",
      check(300, (drive) => {
        const driver = new Driver({ ...drive, disturbances: true, lateTrust: true });
        driver.run();
        expect(driver.left).toEqual([]);
      }),
    );

    it(
      "hands out again what was given back, and continues as if nothing had happened",
      check(300, (drive) => {
        const driver = new Driver({ ...drive, disturbances: true, putBacks: true });
        driver.run();
        expect(driver.left).toEqual([]);
        if (name.startsWith("random")) return;
        const putBackAtOnce = new Driver({
          ...drive,
          create: (context) => withDetours(create(context)),
        });
        expect(putBackAtOnce.run()).toEqual(new Driver(drive).run());
      }),
    );

    it(
      "takes the same path every time",
      check(50, (drive) => {
        expect(new Driver(drive).run()).toEqual(new Driver(drive).run());
      }),
    );

    it(
      "does not look at the links of pages that are not downloaded",
      check(100, (drive) => {
        const spoil: Drive["spoil"] = (links) => {
          for (let page = drive.world.known - 1; page >= 0; page--) links.set(page, [0, 0, page]);
        };
        expect(new Driver({ ...drive, spoil }).run()).toEqual(new Driver(drive).run());
      }),
    );

    it(
      "knows facts that came before the first page was requested, and continues from there",
      check(100, ({ world, choices }) => {
        // Fates of URLs that nobody requested and that it has not discovered; what is left must still be handed out.
        const driver = new Driver({ create, world, choices: [] });
        const told = new Set(choices.map((choice) => choice % world.known));
        for (const url of told) driver.settle(url);
        driver.run();
        expect(driver.left).toEqual([]);
        expect(driver.handedOut.filter((url) => told.has(url))).toEqual([]);
      }),
    );

    it(
      "guarantees nothing that is not true, and takes no guarantee back",
      check(300, (drive) => {
        for (const lateTrust of [false, true])
          checkGuarantee({ ...drive, lateTrust, disturbances: lateTrust, putBacks: lateTrust });
      }),
    );
  });
}

/** The same order, but every page it hands out is given back once and requested again. */
function withDetours(order: CrawlOrder): CrawlOrder {
  const next = order.next.bind(order);
  order.next = () => {
    const page = next();
    if (page < 0) return page;
    order.putBack(page);
    return next();
  };
  return order;
}

function checkGuarantee(drive: Drive): void {
  const truth = truthOf(drive.world);
  let before = 0;
  const check: Drive["check"] = (order, driver) => {
    const guaranteed = order.guaranteed();
    if (guaranteed === null) return;
    const rank = [...driver.emitter.had].reduce((sum, page) => sum + truth.ranks[page], 0);
    expect(guaranteed).toBeLessThanOrEqual(rank / truth.sum + ROUNDING);
    expect(guaranteed).toBeGreaterThanOrEqual(before - ULP);
    before = guaranteed;
  };
  new Driver({ ...drive, check }).run();
}
