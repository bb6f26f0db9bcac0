/** What a job is, as its workers understand it. */
import { UsageError } from "../base/index.ts";
import { parseSettings, type StoredSettings } from "../crawl/index.ts";
import { BATCH_VERSION } from "../log/index.ts";
import type { JobRecord } from "../store/index.ts";
import { MESSAGE_VERSION } from "./messages.ts";
import type { ShardKey, Sharding } from "./sharding.ts";

/** Of all that workers of a job must understand alike. */
export const JOB_VERSION = 1000 * BATCH_VERSION + MESSAGE_VERSION;

export const SHARDS_DEFAULT = 64;

/** The JSON document of a job. */
export interface JobSettings {
  readonly crawl: StoredSettings;
  readonly shardBy: ShardKey;
  /** Hosts that are crawled with headers, cookies or credentials, which each worker is given locally. */
  readonly secretHosts: readonly string[];
}

export interface Job {
  readonly settings: JobSettings;
  readonly sharding: Sharding;
}

/** Throws a `UsageError` if workers of this version cannot work on it. */
export function jobOf({ name, version, shards, settings }: JobRecord): Job {
  if (version !== JOB_VERSION) {
    throw new UsageError(
      `the job ${name} was started by another version of tidemark (its records are version ${version}, this one ` +
        `writes ${JOB_VERSION}): install that version here, or start the job anew with this one`,
    );
  }
  const { crawl, shardBy, secretHosts } = JSON.parse(settings) as JobSettings;
  // The settings of a crawl are checked as those of a directory are.
  return {
    settings: { crawl: parseSettings(JSON.stringify(crawl)), shardBy, secretHosts },
    sharding: { shards, by: shardBy },
  };
}

/** Throws a `UsageError` if a crawl with these settings cannot be shared by workers. */
export function expectSharable({ order, confidence }: StoredSettings): void {
  if (order !== "rankmass") {
    throw new UsageError(
      `workers crawl in the order rankmass only, because they exchange its mass; got --order ${order}: crawl with ` +
        "one process, or leave out --order",
    );
  }
  if (confidence !== undefined) {
    throw new UsageError(
      "--confidence samples the web with one process: leave it out, and sample when the workers have ended: " +
        "tidemark coverage DIR --confidence C --budget N",
    );
  }
}
