import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
