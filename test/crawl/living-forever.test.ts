/**
 * A refresh that goes on, of a site of the demo web that changes under a seeded clock. It is killed at a write and
 * started again: nothing that was committed is lost, no visit is doubled, no day's budget is overspent but for reads
 * that were cut off, and in the end the directory says what a crawl says that is made anew of the answers that counted.
 *
 * A case that fails prints how to run it alone, with TIDEMARK_LIVING.
 */
import { describe, expect, it } from "vitest";
import { cases, LEAST_OF_LONG } from "../support/cases.ts";
import { inCase } from "../support/in-case.ts";
import { LivingService } from "../support/living/forever.ts";
import { expectAsAnew, expectNothingDoubled, told } from "../support/living/told.ts";

/** "seed write". */
const ONE = process.env["TIDEMARK_LIVING"];

describe("a refresh that goes on, of a site that changes", () => {
  it("says in the end what a crawl made anew of what was read says, at whatever write it is killed", async () => {
    const [seed, only] = ONE?.split(" ").map(Number) ?? [5];
    const before = await LivingService.crawled(seed);
    const undisturbed = before.copy();
    await undisturbed.run([]);
    const { writes } = undisturbed;
    await expectSoundService(undisturbed);
    const step = Math.max(1, writes / cases(30, LEAST_OF_LONG));
    for (let write = only ?? 1; write <= (only ?? writes); write += step) {
      const killAt = Math.floor(write);
      const replay = `TIDEMARK_LIVING="${seed} ${killAt}" npx vitest run test/crawl/living-forever.test.ts`;
      await inCase(replay, async () => {
        const service = before.copy();
        await service.run([killAt]);
        expect(service.kills).toBe(1);
        await expectSoundService(service);
      });
    }
  });
});

async function expectSoundService(service: LivingService): Promise<void> {
  service.expectWithinBudget();
  await expectAsAnew(told(service.dir), service.counted);
  expectNothingDoubled(service.dir);
}
