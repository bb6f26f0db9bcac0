/** The contract of logs on a real PostgreSQL. Time passes by moving all times of a job into the past. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import {
  createPostgresJob,
  dropPostgresJob,
  type FactLog,
  type NewJob,
  openPostgresJob,
} from "../../src/store/index.ts";
import { factLogContract, type LogUnderTest } from "../contracts/fact-log-contract.ts";
import { PASSWORD, type PostgresServer, startPostgres } from "../support/postgres.ts";

let server: PostgresServer;
let admin: pg.Client;

beforeAll(async () => {
  server = await startPostgres();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE ROLE strict LOGIN SUPERUSER PASSWORD '${PASSWORD}'`);
  await admin.query("ALTER ROLE strict SET default_transaction_isolation = 'serializable'");
});
afterAll(async () => {
  await admin.end();
  await server.dispose();
});

factLogContract("in PostgreSQL", (job) => underTest(job, server.url), { runs: 25 });

// What distributed databases do all the time: transactions that meet are undone, and tried again.
factLogContract(
  "in PostgreSQL, serializable",
  (job) => underTest(job, server.url.replace("//tidemark:", "//strict:")),
  { runs: 10 },
);

async function underTest(job: NewJob, url: string): Promise<LogUnderTest> {
  const name = `${job.name}-${randomBytes(6).toString("hex")}`;
  const open: FactLog[] = [await createPostgresJob({ url }, { ...job, name })];
  await admin.query(`UPDATE "tidemark_${name}".job SET name = $1`, [job.name]);
  return {
    connect: async () => {
      const log = await openPostgresJob({ url }, name);
      open.push(log);
      return log;
    },
    pass: async (ms) => {
      const earlier = (column: string): string => `${column} = ${column} - interval '${ms} milliseconds'`;
      await admin.query(`UPDATE "tidemark_${name}".job SET ${earlier("started")}, ${earlier("ended")}`);
      await admin.query(`UPDATE "tidemark_${name}".shards SET ${earlier("ends")}`);
      await admin.query(`UPDATE "tidemark_${name}".workers SET ${earlier("ends")}`);
    },
    // Far below the minutes in which times are counted.
    slackMs: 50_000,
    dispose: async () => {
      for (const log of open) await log.close();
      await dropPostgresJob({ url }, name);
    },
  };
}
