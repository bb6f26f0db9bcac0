/**
 * A site of the demo web that changes from day to day under a seeded clock. After each day, what the directory says
 * (pages, links, titles, texts, coverage, bodies in WARC files, what a search finds) is what a crawl says that is made
 * anew of the answers that counted: wherever the disk failed on the way, and at whatever write the process was killed.
 *
 * A case that fails prints how to run it alone, with TIDEMARK_LIVING.
 */
import { describe, expect, it } from "vitest";
import { drawn } from "../../src/demo/sites.ts";
import { cases, LEAST_OF_LONG } from "../support/cases.ts";
import { LivingDirectory, type Trouble } from "../support/living/directory.ts";
import { inCase } from "../support/in-case.ts";
import { expectAsAnew, expectNothingDoubled, told } from "../support/living/told.ts";

const DAYS = 5;
const LARGE = { pages: 30, newPages: 5 };
const SMALL = { pages: 6, newPages: 2 };
/** "seed day write": a kill of the small web. */
const ONE = process.env["TIDEMARK_LIVING"];

async function expectSound(living: LivingDirectory): Promise<void> {
  await expectAsAnew(told(living.dir), living.counted);
  expectNothingDoubled(living.dir);
}

/** The small web in the morning of a day. */
async function morning(seed: number, day: number): Promise<LivingDirectory> {
  const living = new LivingDirectory({ seed, ...SMALL });
  while (living.site.day < day) await living.nextDay();
  return living;
}

/** Every write; where fewer cases are drawn, as many of them, evenly spread from the first on. */
function writesAmong(all: number): number[] {
  const count = cases(all, LEAST_OF_LONG);
  return Array.from({ length: count }, (_, k) => 1 + Math.floor((k * all) / count));
}

describe("a directory whose site changes from day to day", () => {
  it("says after each day what a crawl made anew of what was read says: pages, links, coverage, bodies", async () => {
    for (let seed = 0; seed < 2; seed++) {
      const living = new LivingDirectory({ seed, ...LARGE });
      for (let day = 0; day < DAYS; day++) {
        await living.nextDay();
        await expectSound(living);
      }
    }
  });

  it("loses and doubles nothing where the disk fails at a write", async () => {
    let failures = 0;
    for (let seed = 0; seed < cases(30) / 5; seed++) {
      const living = new LivingDirectory({ seed, ...LARGE });
      for (let day = 0; day < 3; day++) {
        await living.nextDay({ failsAt: 1 + (drawn(seed, day) % 60) });
      }
      await expectSound(living);
      failures += living.failures;
    }
    expect(failures).toBeGreaterThan(5);
  });

  it("loses and doubles nothing at whatever write it is killed, once or twice a day, day after day", async () => {
    let kills = 0;
    for (let seed = 0; seed < cases(30) / 10; seed++) {
      const living = new LivingDirectory({ seed, ...LARGE });
      for (let day = 0; day < DAYS; day++) {
        const killsAt = [1 + (drawn(seed, day, 7) % 500), 1 + (drawn(seed, day, 8) % 200)];
        const trouble: Trouble = { killsAt: killsAt.slice(0, 1 + (day % 2)) };
        await inCase(`seed ${seed} day ${day}, killed at writes ${trouble.killsAt!.join(", ")}`, async () => {
          await living.nextDay(trouble);
          await expectSound(living);
        });
      }
      kills += living.kills;
    }
    expect(kills).toBeGreaterThan(5);
  });

  it("says at the end of a day of a small web the same, at every write at which it is killed", async () => {
    const [only, onlyDay, onlyWrite] = ONE?.split(" ").map(Number) ?? [];
    for (const [seed, day] of [
      [only ?? 1, onlyDay ?? 1],
      [only ?? 2, onlyDay ?? 2],
    ] as const) {
      const before = await morning(seed, day);
      const undisturbed = before.copy();
      await undisturbed.nextDay();
      const expected = told(undisturbed.dir);
      await expectAsAnew(expected, undisturbed.counted);
      let same = 0;
      const writes = onlyWrite === undefined ? writesAmong(undisturbed.writes) : [onlyWrite];
      for (const write of writes) {
        await inCase(
          `TIDEMARK_LIVING="${seed} ${day} ${write}" npx vitest run test/crawl/living-web.test.ts`,
          async () => {
            const living = before.copy();
            await living.nextDay({ killsAt: [write] });
            expect(living.kills).toBe(1);
            const now = told(living.dir);
            // After a restart other pages may have been read, and then a crawl of these is what it must be like.
            const isSame = [...living.counted.keys()].sort().join() === [...undisturbed.counted.keys()].sort().join();
            if (isSame) expect(now).toEqual(expected);
            else await expectAsAnew(now, living.counted);
            expectNothingDoubled(living.dir);
            same += Number(isSame);
          },
        );
      }
      if (ONE === undefined) expect(same).toBeGreaterThan(writes.length / 4);
    }
  });
});
