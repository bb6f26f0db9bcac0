/** Jobs in PostgreSQL, as commands name them. */
import {
  describeLocation,
  dropPostgresJob,
  type FactLog,
  openPostgresJob,
  type PostgresLocation,
} from "../../store/index.ts";
import type { ShardKey } from "../../cluster/index.ts";
import type { Output } from "../options/command.ts";

export interface JobOptions {
  readonly log: string;
  readonly job: string;
  readonly passwordFile?: string;
}

export interface StartOptions extends JobOptions {
  readonly shards?: number;
  readonly shardBy?: ShardKey;
}

export function locationOf({ log, passwordFile }: JobOptions): PostgresLocation {
  return { url: log, ...(passwordFile === undefined ? {} : { passwordFile }) };
}

/** Where a job is, without any password. */
export function jobInWords(options: JobOptions): string {
  return `the job ${options.job} in ${describeLocation(options.log)}`;
}

/** Why nobody else may request the hosts of a job now. */
export function heldInWords(options: JobOptions, holder: string): string {
  return (
    `${jobInWords(options)} is held by the ${holder}: stop that process first (if it was killed, wait for two ` +
    "minutes), so that no host is requested by both"
  );
}

export async function withJob<Result>(options: JobOptions, act: (log: FactLog) => Promise<Result>): Promise<Result> {
  const log = await openPostgresJob(locationOf(options), options.job);
  try {
    return await act(log);
  } finally {
    await log.close();
  }
}

export async function stopJob(options: JobOptions): Promise<Output> {
  return withJob(options, async (log) => {
    await log.stop("interrupted");
    const { name, stopped } = await log.job();
    return {
      document: { job: name, stopped },
      text: () => `${jobInWords(options)} is stopped; its workers store what they have and end\n`,
    };
  });
}

export async function dropJob(options: JobOptions): Promise<Output> {
  await dropPostgresJob(locationOf(options), options.job);
  return { document: { job: options.job, dropped: true }, text: () => `${jobInWords(options)} is deleted\n` };
}
