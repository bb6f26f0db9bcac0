/** What somebody who follows a job is told, by the boards that he sees. */
import { describe, expect, it } from "vitest";
import type { ProgressStep } from "../../src/base/index.ts";
import { FollowProgress } from "../../src/cli/cluster/follow-progress.ts";
import { JOB_VERSION } from "../../src/cluster/index.ts";
import type { Board } from "../../src/store/index.ts";
import { inlineSettings } from "../support/inline-web.ts";

const SETTINGS = { crawl: inlineSettings(["https://a.example/"], {}), shardBy: "host", secretHosts: [] };

function boardOf(workers: number, stopped: string | null = null): Board {
  return {
    job: { name: "news", version: JOB_VERSION, shards: 1, settings: JSON.stringify(SETTINGS), stopped, ageMs: 0 },
    shards: [{ shard: 0, epoch: 0, worker: null, position: 0, pages: 0, note: null, noteEpoch: 0 }],
    workers: Array.from({ length: workers }, (_, k) => ({ name: `worker ${k}`, info: "{}" })),
  };
}

describe("whoever follows a job", () => {
  it("is told how far it is and what is waited for, and of each change once", () => {
    const notes: string[] = [];
    const lines: string[] = [];
    const progress = ({ task, done, unit, plainMs }: ProgressStep): void =>
      void lines.push(`${task}: ${done} ${unit}${plainMs === undefined ? "" : ", seldom"}`);
    const shown = new FollowProgress({ progress, note: (text) => void notes.push(text) });
    shown.gathered(5);
    expect(lines.splice(0)).toEqual(["gathering the logs of all shards: 5 visits"]);
    shown.waits(boardOf(0), 5);
    shown.waits(boardOf(0), 5);
    shown.waits(boardOf(2), 5);
    shown.gathered(7);
    expect(lines.splice(0)).toEqual([
      "waiting for workers (0.00% covered, 0 URLs waiting): 5 visits gathered, seldom",
      "waiting for workers (0.00% covered, 0 URLs waiting): 5 visits gathered, seldom",
      "following 2 workers (0.00% covered, 0 URLs waiting): 5 visits gathered, seldom",
      "following 2 workers (0.00% covered, 0 URLs waiting): 7 visits gathered, seldom",
    ]);
    expect(notes.splice(0)).toEqual([
      "the job has no workers: start some with tidemark cluster work",
      "following the job until it has ended; after Ctrl-C the same command goes on",
    ]);
    shown.waits(boardOf(1, "page-limit"), 8);
    shown.waits(boardOf(0, "page-limit"), 9);
    expect(lines).toEqual([
      "the job has ended; waiting for 1 worker to leave: 8 visits gathered, seldom",
      "the job has ended; waiting for the last leases to end: 9 visits gathered, seldom",
    ]);
    expect(notes).toEqual([]);
  });
});
