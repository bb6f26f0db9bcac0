import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSqliteJob, type FactLog, openSqliteJob } from "../../src/store/index.ts";
import { factLogContract } from "../contracts/fact-log-contract.ts";

factLogContract(
  "in one SQLite file",
  async (job) => {
    const dir = mkdtempSync(join(tmpdir(), "tidemark-workers-"));
    let nowMs = 1_000_000;
    const time = { clock: { nowMs: () => nowMs }, boot: "first" };
    const open: FactLog[] = [createSqliteJob(dir, job, time)];
    return {
      connect: async () => {
        const log = openSqliteJob(dir, time);
        open.push(log);
        return log;
      },
      pass: async (ms) => {
        nowMs += ms;
      },
      slackMs: 0,
      dispose: async () => {
        for (const log of open) await log.close();
        rmSync(dir, { recursive: true });
      },
    };
  },
  { runs: 15 },
);

it("lets timers and signals have their turns while somebody reads a long log", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-workers-"));
  const log = createSqliteJob(dir, { name: "tides", version: 1, shards: 1, settings: "{}" });
  onTestFinished(async () => {
    await log.close();
    rmSync(dir, { recursive: true });
  });
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await log.read(0, 0, 1);
  await log.read(0, 0, 1);
  expect(hadTurn).toBe(true);
});
