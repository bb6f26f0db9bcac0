export { beginGathering, gatheredIn, Gathering, setGathered } from "./gathering.ts";
export { expectSharable, JOB_VERSION, jobOf, type JobSettings, SHARDS_DEFAULT } from "./job.ts";
export { holderName, holderOf, JobHold } from "./job-hold.ts";
export { type JobProgress, progressOf } from "./job-progress.ts";
export {
  gatherLeftovers,
  launchLocalCrawl,
  type WorkerControl,
  type WorkerFailure,
  type WorkerHandle,
} from "./local-crawl.ts";
export { secretHostsOf } from "./secret-hosts.ts";
export { widenedBy, withScopeWidened } from "./settled-scope.ts";
export { parseNote } from "./shard-note.ts";
export { type ShardKey, type Sharding, shardOf } from "./sharding.ts";
export { splitLog } from "./splitting.ts";
export { TextsInFile, TextsInMemory } from "./url-texts.ts";
export { work } from "./work.ts";
export { Worker, type WorkerEnd } from "./worker.ts";
export type { WarcSource } from "./worker-archive.ts";
export { workersOf } from "./worker-info.ts";
