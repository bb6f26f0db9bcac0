/**
 * The jobs of many machines: each is a schema of a PostgreSQL database, `tidemark_<name>`.
 *
 * A schema per job rather than tables that all jobs share: to drop a job is to drop its tables, which takes no time and
 * frees the disk at once, whereas deleting its rows would take hours and leave the disk to vacuuming. Partitions of
 * shared tables would do as well, but databases that speak PostgreSQL's protocol differ in them, and in none in
 * schemas. There is nothing that jobs share, so nothing to be made by whoever comes first, and each has its own
 * version.
 */
import { UsageError } from "../base/index.ts";
import type { NewJob } from "./fact-log.ts";
import { PostgresConnection, type Timeouts } from "./postgres-connection.ts";
import { isDuplicateSchema } from "./postgres-failure.ts";
import { PostgresFactLog } from "./postgres-fact-log.ts";
import type { PostgresLocation } from "./postgres-location.ts";

/** Raised whenever an older Tidemark would misread what a newer one wrote. */
const SCHEMA_VERSION = 2;
const PREFIX = "tidemark_";

/** Makes a job. The user needs the right CREATE on the database. */
export async function createPostgresJob(location: PostgresLocation, job: NewJob): Promise<PostgresFactLog> {
  const schema = schemaOf(job.name);
  return connected(location, undefined, async (connection) => {
    try {
      await connection.script(createTables(schema));
    } catch (error) {
      if (!(error instanceof Error) || !isDuplicateSchema(error.cause)) throw error;
      throw new UsageError(
        `the job ${job.name} already exists in ${connection.where}: join it, drop it first, or use another name`,
        { cause: error },
      );
    }
    // At the end: a job of which this is missing was not made completely.
    const { name, version, shards, settings } = job;
    await connection.query(fillTables(schema), [name, SCHEMA_VERSION, version, shards, settings]);
    return new PostgresFactLog(connection, schema);
  });
}

/** Joins a job. The user needs to read and write its tables. */
export async function openPostgresJob(
  location: PostgresLocation,
  name: string,
  timeouts?: Timeouts,
): Promise<PostgresFactLog> {
  const schema = schemaOf(name);
  return connected(location, timeouts, async (connection) => {
    await expectJob(connection, name);
    const [job] = await connection.query<{ tables: number }>(`SELECT tables FROM ${schema}.job`);
    if (job === undefined) {
      throw new UsageError(
        `the job ${name} in ${connection.where} was not made completely: drop it, and make it again`,
      );
    }
    if (job.tables !== SCHEMA_VERSION) {
      throw new UsageError(
        `the job ${name} in ${connection.where} was made by another version of tidemark (its tables are version ` +
          `${job.tables}, expected ${SCHEMA_VERSION}): use that version`,
      );
    }
    return new PostgresFactLog(connection, schema);
  });
}

/** The names of the jobs of a database. */
export async function listPostgresJobs(location: PostgresLocation): Promise<readonly string[]> {
  return finished(location, jobNames);
}

/** Deletes a job with all of its facts; workers that still run fail. */
export async function dropPostgresJob(location: PostgresLocation, name: string): Promise<void> {
  const schema = schemaOf(name);
  await finished(location, async (connection) => {
    await expectJob(connection, name);
    await connection.script(`DROP SCHEMA ${schema} CASCADE`);
  });
}

/** The quoted name of the schema of a job. */
function schemaOf(name: string): string {
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is no name of a job; expected at most 50 small letters, digits, - and _, the first of ` +
        "them a letter or a digit",
    );
  }
  return `"${PREFIX}${name}"`;
}

async function expectJob(connection: PostgresConnection, name: string): Promise<void> {
  const names = await jobNames(connection);
  if (names.includes(name)) return;
  const there = names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
  throw new UsageError(`there is no job ${name} in ${connection.where}; ${there}: start it, or correct the name`);
}

/** Schemas of others may begin like ours: jobs have a table of that name. */
async function jobNames(connection: PostgresConnection): Promise<readonly string[]> {
  const rows = await connection.query<{ name: string }>(`
    SELECT n.nspname::text AS name FROM pg_catalog.pg_namespace n
    WHERE EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'job')`);
  const ours = rows.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
  return ours.map((name) => name.slice(PREFIX.length)).sort();
}

async function finished<Result>(
  location: PostgresLocation,
  act: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  return connected(location, undefined, async (connection) => {
    const result = await act(connection);
    await connection.close();
    return result;
  });
}

/** Closes the connection if it cannot be used. */
async function connected<Result>(
  location: PostgresLocation,
  timeouts: Timeouts | undefined,
  act: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const connection = new PostgresConnection(location, timeouts);
  try {
    return await act(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * `reserved` is the sum of the pages of all shards, and `granted` what the last reservation got of what it wanted: so
 * that one statement can see to the limit (postgres-fact-log.ts). A message is named by the session that sent it and
 * its number there.
 */
function createTables(schema: string): string {
  return `
    CREATE SCHEMA ${schema};
    CREATE TABLE ${schema}.job (
      name text PRIMARY KEY,
      tables integer NOT NULL,
      version integer NOT NULL,
      shards integer NOT NULL,
      settings text NOT NULL,
      stopped text,
      started timestamptz NOT NULL,
      ended timestamptz,
      reserved bigint NOT NULL,
      granted bigint NOT NULL
    );
    CREATE TABLE ${schema}.shards (
      shard integer PRIMARY KEY,
      epoch bigint NOT NULL,
      worker text,
      ends timestamptz NOT NULL,
      position bigint NOT NULL,
      pages bigint NOT NULL,
      note text,
      note_epoch bigint NOT NULL
    );
    CREATE TABLE ${schema}.batches (
      shard integer NOT NULL,
      position bigint NOT NULL,
      epoch bigint NOT NULL,
      batch bytea NOT NULL,
      PRIMARY KEY (shard, position)
    );
    CREATE TABLE ${schema}.messages (
      receiver integer NOT NULL,
      session text NOT NULL,
      number bigint NOT NULL,
      sent timestamptz NOT NULL,
      sender integer NOT NULL,
      payload bytea NOT NULL,
      PRIMARY KEY (receiver, session, number)
    );
    CREATE TABLE ${schema}.workers (name text PRIMARY KEY, info text NOT NULL, ends timestamptz NOT NULL)`;
}

function fillTables(schema: string): string {
  return `
    WITH made AS (
      INSERT INTO ${schema}.job
      VALUES ($1::text, $2::int4, $3::int4, $4::int4, $5::text, NULL, now(), NULL, 0, 0) RETURNING shards
    )
    INSERT INTO ${schema}.shards
    SELECT shard, 0, NULL, now(), 0, 0, NULL, 0 FROM made, generate_series(0, made.shards - 1) AS shard`;
}
