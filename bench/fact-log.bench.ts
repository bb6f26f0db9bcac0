/**
 * Batches of 32 KiB that workers append to the log that they share, each a process of its own: in a SQLite file beside
 * plain files that are synced as often, and in PostgreSQL (as it is installed) beside inserts that check nothing. All
 * are durable when they are counted, so the disk decides: look at the ratios.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createPostgresJob, createSqliteJob, dropPostgresJob } from "../src/store/index.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { JOB, PLAIN_TABLE, type Task, type Way, WAYS, type Written } from "./fact-log/writer.ts";

interface FactLogFigures {
  readonly way: Way;
  readonly writers: number;
  readonly batchesPerCall: number;
  readonly batchesPerSecond: number;
  readonly megabytesPerSecond: number;
  readonly writerCpuMsPerBatch: number;
}

interface FactLogBench {
  readonly figures: readonly FactLogFigures[];
  /** Batches per second of a log divided by those of what it is compared with. */
  readonly ratios: Readonly<Record<string, number>>;
  /** Bytes on the disk per byte of a batch. */
  readonly postgresBytesPerByte: number;
}

export async function benchFactLog({ tiny }: { readonly tiny: boolean }): Promise<FactLogBench> {
  const seconds = tiny ? 0.2 : 10;
  const writerCounts = tiny ? [1, 2] : [1, 4];
  const callSizes = tiny ? [1] : [1, 16];
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-"));
  // On the disk, not in memory: it is what is measured.
  const server = await startPostgres(tiny ? {} : { parent: tmpdir() });
  try {
    const figures: FactLogFigures[] = [];
    for (const writers of writerCounts) {
      for (const batchesPerCall of callSizes) {
        for (const way of WAYS) {
          const place = await placeOf(way, dir, server.url, writers * batchesPerCall);
          figures.push(await measure({ way, place, batchesPerCall, seconds }, writers));
        }
      }
    }
    return { figures, ratios: ratiosOf(figures), postgresBytesPerByte: await bytesPerByte(server.url) };
  } finally {
    await server.dispose();
    rmSync(dir, { recursive: true });
  }
}

/** Everybody begins with nothing. */
async function placeOf(way: Way, dir: string, url: string, shards: number): Promise<string> {
  const job = { name: JOB, version: 1, shards, settings: "{}" };
  const folder = mkdtempSync(join(dir, "writers-"));
  switch (way) {
    case "files":
      return folder;
    case "sqlite":
      await createSqliteJob(folder, job).close();
      return folder;
    case "postgres":
      await dropPostgresJob({ url }, JOB).catch(() => {});
      await (await createPostgresJob({ url }, job)).close();
      return url;
    case "plain inserts":
      await sql(url, `DROP TABLE IF EXISTS ${PLAIN_TABLE}; CREATE TABLE ${PLAIN_TABLE} (batch bytea)`);
      return url;
  }
}

async function measure(task: Omit<Task, "writer">, writers: number): Promise<FactLogFigures> {
  const program = fileURLToPath(new URL("./fact-log/writer-child.js", import.meta.url));
  const children = Array.from({ length: writers }, (_, writer) => fork(program, [JSON.stringify({ ...task, writer })]));
  await Promise.all(children.map((child) => once(child, "message")));
  const results = await Promise.all(
    children.map(async (child) => {
      child.send("begin");
      const [written] = (await once(child, "message")) as [Written];
      await once(child, "exit");
      return written;
    }),
  );
  const batches = results.reduce((sum, each) => sum + each.batches, 0);
  const batchesPerSecond = results.reduce((sum, each) => sum + each.batches / each.seconds, 0);
  return {
    way: task.way,
    writers,
    batchesPerCall: task.batchesPerCall,
    batchesPerSecond,
    megabytesPerSecond: (batchesPerSecond * 32_768) / 1e6,
    writerCpuMsPerBatch: (1000 * results.reduce((sum, each) => sum + each.cpuSeconds, 0)) / batches,
  };
}

function ratiosOf(figures: readonly FactLogFigures[]): Record<string, number> {
  const ratios = figures.flatMap((ours, k) => {
    const peer = figures[k + 1];
    if (ours.way === "files" || ours.way === "plain inserts" || peer === undefined) return [];
    const name = `${ours.way} to ${peer.way}, ${ours.writers} writers, ${ours.batchesPerCall} batches a call`;
    return [[name, ours.batchesPerSecond / peer.batchesPerSecond]];
  });
  return Object.fromEntries(ratios) as Record<string, number>;
}

async function bytesPerByte(url: string): Promise<number> {
  const [row] = await sql(
    url,
    `SELECT pg_total_relation_size('tidemark_${JOB}.batches')::float8 / sum(octet_length(batch)) AS ratio
     FROM tidemark_${JOB}.batches`,
  );
  return Number((row as { ratio: number }).ratio);
}

async function sql(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
