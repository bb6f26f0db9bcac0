/** Who appends batches, in four ways: to the two logs that workers share, and to what they are compared with. */
import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type FactLog, openPostgresJob, openSqliteJob } from "../../src/store/index.ts";

export const WAYS = ["sqlite", "files", "postgres", "plain inserts"] as const;
export type Way = (typeof WAYS)[number];

export const JOB = "bench";
export const PLAIN_TABLE = "plain_inserts";
const BATCH_BYTES = 32_768;
const HOUR_MS = 3_600_000;

export interface Task {
  readonly way: Way;
  /** A directory, or the address of a database. */
  readonly place: string;
  readonly writer: number;
  /** How many batches a call writes, each to another shard. */
  readonly batchesPerCall: number;
  readonly seconds: number;
}

export interface Written {
  readonly batches: number;
  readonly seconds: number;
  /** Of the writer itself, not of a server. */
  readonly cpuSeconds: number;
}

/** Writes the batches of one call; durable when it returns. */
export type Write = (call: number) => Promise<unknown>;

export async function writerOf(task: Task): Promise<Write> {
  switch (task.way) {
    case "sqlite":
      return logWriter(openSqliteJob(task.place), task);
    case "postgres":
      return logWriter(await openPostgresJob({ url: task.place }, JOB), task);
    case "files":
      return fileWriter(task);
    case "plain inserts":
      return insertWriter(task);
  }
}

async function logWriter(log: FactLog, { writer, batchesPerCall }: Task): Promise<Write> {
  const shards = Array.from({ length: batchesPerCall }, (_, k) => writer * batchesPerCall + k);
  const leases = await Promise.all(shards.map((shard) => log.lease(`writer ${writer}`, shard, HOUR_MS)));
  return async (call) => {
    const appends = leases.map((lease) => ({ lease: lease!, position: lease!.position + call, batch: noise(call) }));
    const results = await log.append(appends);
    if (results.some((result) => result !== "appended")) throw new Error(`not appended: ${results.join(" ")}`);
  };
}

/** One file per writer, one sync per call: what the disk can do. */
function fileWriter({ place, writer, batchesPerCall }: Task): Write {
  const file = openSync(join(place, `writer-${writer}`), "w");
  return async (call) => {
    for (let k = 0; k < batchesPerCall; k++) writeSync(file, noise(call));
    fdatasyncSync(file);
  };
}

/** One statement per call, which checks nothing. */
async function insertWriter({ place, batchesPerCall }: Task): Promise<Write> {
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  const rows = Array.from({ length: batchesPerCall }, (_, k) => `($${k + 1})`).join(", ");
  const text = `INSERT INTO ${PLAIN_TABLE} (batch) VALUES ${rows}`;
  return (call) =>
    client.query(
      text,
      Array.from({ length: batchesPerCall }, () => noise(call)),
    );
}

const NOISE = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)));

/** Bytes that cannot be compressed, others in each call. */
function noise(call: number): Buffer {
  const start = (call * 997) % (NOISE.length - BATCH_BYTES);
  return NOISE.subarray(start, start + BATCH_BYTES);
}
