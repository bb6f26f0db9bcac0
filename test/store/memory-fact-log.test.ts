import { JobState, MemoryFactLog } from "../../src/store/index.ts";
import { factLogContract } from "../contracts/fact-log-contract.ts";

factLogContract(
  "in memory",
  async (job) => {
    let nowMs = 1_000_000;
    const state = new JobState(job, { nowMs: () => nowMs });
    return {
      connect: async () => new MemoryFactLog(state),
      pass: async (ms) => {
        nowMs += ms;
      },
      slackMs: 0,
      dispose: async () => {},
    };
  },
  { runs: 300 },
);
