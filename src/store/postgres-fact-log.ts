/**
 * The log that workers share in PostgreSQL, or in a database that speaks its protocol (postgres-jobs.ts makes and opens
 * it): many machines.
 *
 * Whatever an owner writes locks the row of its shard, by a statement that looks for its epoch. Who takes the shard
 * over changes that row. So of the two one comes first: either the write is there when the shard is taken over, or it
 * finds another epoch and writes nothing.
 *
 * An append adds one to the position of the row and inserts the batch by the same statement: it is durable when the
 * server has answered. What was not appended is then looked for by a second statement. (The first may have waited for
 * the attempt before it, and does not see what that has written.)
 *
 * Leases and reserved pages are durable too: if the server crashed and forgot a lease, another worker could get the
 * shard while the first believes in it. Notes, messages and signs of life may be lost, and are not waited for.
 *
 * SQL keeps to what PostgreSQL, CockroachDB and YugabyteDB have in common, and is right under any isolation: no
 * advisory locks, no sequences, no LISTEN; a statement changes a table at most once. Times are those of the server: a
 * statement has one time, that of its start, which is after the worker has asked.
 */
import { randomBytes } from "node:crypto";
import {
  type Append,
  type AppendResult,
  type Board,
  expectOnePerShard,
  type FactLog,
  type JobRecord,
  keyOf,
  type Lease,
  type Message,
  type NewLease,
  READ_BATCHES_MAX,
  type Reservation,
  type ShardNote,
  type StoredBatch,
} from "./fact-log.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** A statement has at most 65,535 parameters. */
const MESSAGES_A_STATEMENT = 1000;

/** The transaction of a statement that has this among its tables does not wait for the disk. */
const UNSYNCED = "set_config('synchronous_commit', 'off', true) AS unsynced";

const LEASE_TYPES = ["int4", "int8", "text"];
const HELD = "s.shard = g.shard AND s.epoch = g.epoch AND s.worker = g.worker";

export class PostgresFactLog implements FactLog {
  readonly #connection: PostgresConnection;
  readonly #schema: string;
  /** Names, together with a number, what this log sends. */
  readonly #session = randomBytes(6).toString("hex");
  #sent = 0;

  /** `schema` is the quoted name of the schema of the job. */
  constructor(connection: PostgresConnection, schema: string) {
    this.#connection = connection;
    this.#schema = schema;
  }

  async job(): Promise<JobRecord> {
    const [row] = await this.#connection.query<JobRow>(`SELECT ${JOB_COLUMNS} FROM ${this.#schema}.job`);
    return jobOf(row);
  }

  async stop(reason: string): Promise<void> {
    const sql = `UPDATE ${this.#schema}.job SET stopped = $1::text, ended = now() WHERE stopped IS NULL`;
    await this.#connection.query(sql, [reason]);
  }

  async restart(settings: string): Promise<void> {
    const sql = `UPDATE ${this.#schema}.job SET stopped = NULL, ended = NULL, settings = $1::text, started = now()`;
    await this.#connection.query(sql, [settings]);
  }

  async register(worker: string, info: string, forMs: number): Promise<void> {
    const sql = `
      INSERT INTO ${this.#schema}.workers (name, info, ends)
      SELECT $1::text, $2::text, ${after("$3")} FROM ${UNSYNCED}
      ON CONFLICT (name) DO UPDATE SET info = excluded.info, ends = excluded.ends`;
    await this.#connection.query(sql, [worker, info, forMs]);
  }

  async unregister(worker: string): Promise<void> {
    const sql = `DELETE FROM ${this.#schema}.workers USING ${UNSYNCED} WHERE name = $1::text OR ends <= now()`;
    await this.#connection.query(sql, [worker]);
  }

  async lease(worker: string, shard: number, forMs: number): Promise<NewLease | undefined> {
    const sql = `
      UPDATE ${this.#schema}.shards SET epoch = epoch + 1, worker = $1::text, ends = ${after("$2")}
      WHERE shard = $3::int4 AND (worker IS NULL OR ends <= now()) RETURNING epoch, position, pages`;
    const values = [worker, forMs, shard];
    const [taken] = await this.#connection.query<Pick<NewLease, "epoch" | "position" | "pages">>(sql, values);
    return taken === undefined ? undefined : { shard, worker, leftMs: forMs, ...taken };
  }

  async renew(leases: readonly Lease[], forMs: number): Promise<readonly (number | undefined)[]> {
    if (leases.length === 0) return [];
    const sql = `
      UPDATE ${this.#schema}.shards AS s SET ends = greatest(s.ends, ${after("$1")})
      FROM ${table("g (shard, epoch, worker)", LEASE_TYPES, leases.length, 2)} WHERE ${HELD}
      RETURNING s.shard, s.epoch, ${milliseconds("s.ends - now()")} AS left_ms`;
    const rows = await this.#connection.query<{ shard: number; epoch: number; left_ms: number }>(sql, [
      forMs,
      ...leases.flatMap(keyOf),
    ]);
    return leases.map(({ shard, epoch }) => rows.find((row) => row.shard === shard && row.epoch === epoch)?.left_ms);
  }

  async release(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    const sql = `
      UPDATE ${this.#schema}.shards AS s SET worker = NULL
      FROM ${table("g (shard, epoch, worker)", LEASE_TYPES, leases.length)}, ${UNSYNCED} WHERE ${HELD}`;
    await this.#connection.query(sql, leases.flatMap(keyOf));
  }

  async append(appends: readonly Append[]): Promise<readonly AppendResult[]> {
    expectOnePerShard(appends);
    if (appends.length === 0) return [];
    const appended = await this.#append(appends);
    const others = appends.filter(({ lease }) => !appended.has(lease.shard));
    const there = others.length === 0 ? new Set() : await this.#thereOf(others);
    return appends.map(({ lease: { shard } }) => {
      if (appended.has(shard)) return "appended";
      return there.has(shard) ? "already-there" : "fenced";
    });
  }

  async read(shard: number, after: number, bytesMax: number): Promise<readonly StoredBatch[]> {
    const sql = `
      WITH following AS (
        SELECT position, octet_length(batch) AS bytes FROM ${this.#schema}.batches
        WHERE shard = $1::int4 AND position > $2::int8 ORDER BY position LIMIT ${READ_BATCHES_MAX}
      ), weighed AS (
        SELECT position, sum(bytes) OVER (ORDER BY position) - bytes AS bytes_before FROM following
      )
      SELECT b.position, b.epoch, b.batch
      FROM weighed AS w JOIN ${this.#schema}.batches AS b ON b.shard = $1::int4 AND b.position = w.position
      WHERE w.bytes_before < $3::int8 ORDER BY b.position`;
    return this.#connection.query<StoredBatch>(sql, [shard, after, Math.max(1, bytesMax)]);
  }

  async reserve(reservations: readonly Reservation[], max: number): Promise<readonly (number | undefined)[]> {
    expectOnePerShard(reservations);
    if (reservations.length === 0) return [];
    const types = [...LEASE_TYPES, "int8", "int8"];
    // `given` is what shards give back, `wanted` what they want more; `before` what those before them in the list want.
    const granted = "least(t.wanted, greatest(0, $1::int8 - (job.reserved - t.given)))";
    const sql = `
      WITH held AS (
        SELECT s.shard, s.pages, g.pages AS goal, g.place FROM ${this.#schema}.shards AS s
        JOIN ${table("g (shard, epoch, worker, pages, place)", types, reservations.length, 2)} ON ${HELD}
        ORDER BY s.shard FOR UPDATE OF s
      ), changes AS (
        SELECT h.shard, h.pages, h.goal,
          greatest(0, h.goal - h.pages) AS wanted, greatest(0, h.pages - h.goal) AS given,
          sum(greatest(0, h.goal - h.pages)) OVER (ORDER BY h.place) - greatest(0, h.goal - h.pages) AS before
        FROM held AS h
      ), total AS (
        UPDATE ${this.#schema}.job SET reserved = job.reserved - t.given + ${granted}, granted = ${granted}
        FROM (
          SELECT sum(c.wanted)::int8 AS wanted, sum(c.given)::int8 AS given FROM changes AS c HAVING count(*) > 0
        ) AS t
        RETURNING granted
      )
      UPDATE ${this.#schema}.shards AS s
      SET pages = s.pages - c.given + greatest(0, least(c.wanted, total.granted - c.before))::int8
      FROM changes AS c, total WHERE s.shard = c.shard RETURNING s.shard, s.pages`;
    const values = reservations.flatMap(({ lease, pages }, place) => [...keyOf(lease), pages, place]);
    const rows = await this.#connection.query<{ shard: number; pages: number }>(sql, [max, ...values]);
    return reservations.map(({ lease }) => rows.find(({ shard }) => shard === lease.shard)?.pages);
  }

  async send(messages: readonly Message[]): Promise<void> {
    for (let first = 0; first < messages.length; first += MESSAGES_A_STATEMENT) {
      const some = messages.slice(first, first + MESSAGES_A_STATEMENT);
      const rows = table("g (receiver, number, sender, payload)", ["int4", "int8", "int4", "bytea"], some.length, 2);
      const sql = `
        INSERT INTO ${this.#schema}.messages (receiver, session, number, sent, sender, payload)
        SELECT g.receiver, $1::text, g.number, now(), g.sender, g.payload FROM ${rows}, ${UNSYNCED}`;
      const values = some.flatMap(({ receiver, sender, payload }) => [receiver, ++this.#sent, sender, payload]);
      await this.#connection.query(sql, [this.#session, ...values]);
    }
  }

  async take(leases: readonly Lease[]): Promise<readonly Message[]> {
    if (leases.length === 0) return [];
    const sql = `
      DELETE FROM ${this.#schema}.messages AS m
      USING ${this.#schema}.shards AS s, ${table("g (shard, epoch, worker)", LEASE_TYPES, leases.length)}, ${UNSYNCED}
      WHERE ${HELD} AND m.receiver = s.shard
      RETURNING m.sender, m.receiver, m.payload, extract(epoch FROM m.sent)::float8 AS sent, m.number`;
    const rows = await this.#connection.query<SentMessage>(sql, leases.flatMap(keyOf));
    return [...rows]
      .sort((a, b) => a.sent - b.sent || a.number - b.number)
      .map(({ sender, receiver, payload }) => ({ sender, receiver, payload }));
  }

  async publish(notes: readonly ShardNote[]): Promise<void> {
    expectOnePerShard(notes);
    if (notes.length === 0) return;
    const rows = table("g (shard, epoch, worker, note)", [...LEASE_TYPES, "text"], notes.length);
    const sql = `
      UPDATE ${this.#schema}.shards AS s SET note = g.note, note_epoch = g.epoch
      FROM ${rows}, ${UNSYNCED} WHERE ${HELD}`;
    const values = notes.flatMap(({ lease, note }) => [...keyOf(lease), note]);
    await this.#connection.query(sql, values);
  }

  /** One statement, so that it shows one moment. */
  async board(): Promise<Board> {
    const owner = "CASE WHEN ends > now() THEN worker END";
    const sql = `
      SELECT ${JOB_COLUMNS},
        (SELECT json_agg(json_build_array(shard, epoch, ${owner}, position, pages, note, note_epoch))::text
          FROM ${this.#schema}.shards) AS board_shards,
        (SELECT json_agg(json_build_array(name, info))::text FROM ${this.#schema}.workers WHERE ends > now()) AS alive
      FROM ${this.#schema}.job`;
    type BoardRow = JobRow & { readonly board_shards: string; readonly alive: string | null };
    const [row] = await this.#connection.query<BoardRow>(sql);
    const shards = (JSON.parse(row.board_shards) as ShardRow[]).map(shardOf).sort((a, b) => a.shard - b.shard);
    const workers = (JSON.parse(row.alive ?? "[]") as [string, string][]).map(([name, info]) => ({ name, info }));
    return { job: jobOf(row), shards, workers: workers.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** The shards whose batch was appended. */
  async #append(appends: readonly Append[]): Promise<ReadonlySet<number>> {
    const types = [...LEASE_TYPES, "int8", "bytea"];
    const sql = `
      WITH g AS (SELECT * FROM ${table("g (shard, epoch, worker, position, batch)", types, appends.length)}),
      moved AS (
        UPDATE ${this.#schema}.shards AS s SET position = g.position
        FROM g WHERE ${HELD} AND s.position = g.position - 1 RETURNING s.shard
      )
      INSERT INTO ${this.#schema}.batches (shard, position, epoch, batch)
      SELECT g.shard, g.position, g.epoch, g.batch FROM g JOIN moved ON moved.shard = g.shard
      RETURNING shard`;
    const values = appends.flatMap(({ lease, position, batch }) => [...keyOf(lease), position, batch]);
    const rows = await this.#connection.query<{ shard: number }>(sql, values);
    return new Set(rows.map(({ shard }) => shard));
  }

  /** The shards of which the same batch of the same owner is there. */
  async #thereOf(appends: readonly Append[]): Promise<ReadonlySet<number>> {
    const types = ["int4", "int8", "int8", "bytea"];
    const sql = `
      SELECT b.shard FROM ${this.#schema}.batches AS b
      JOIN ${table("g (shard, position, epoch, batch)", types, appends.length)}
        ON b.shard = g.shard AND b.position = g.position AND b.epoch = g.epoch AND b.batch = g.batch`;
    const values = appends.flatMap(({ lease, position, batch }) => [lease.shard, position, lease.epoch, batch]);
    const rows = await this.#connection.query<{ shard: number }>(sql, values);
    return new Set(rows.map(({ shard }) => shard));
  }
}

/** Rows of parameters from `$first` on, as a table of the statement. */
function table(nameAndColumns: string, types: readonly string[], rows: number, first = 1): string {
  let next = first;
  const row = (): string => `(${types.map((type) => `$${next++}::${type}`).join(", ")})`;
  return `(VALUES ${Array.from({ length: rows }, row).join(", ")}) AS ${nameAndColumns}`;
}

/** The time so many milliseconds from now. */
function after(parameter: string): string {
  return `now() + ${parameter}::float8 * interval '1 millisecond'`;
}

function milliseconds(interval: string): string {
  return `(extract(epoch FROM ${interval}) * 1000)::float8`;
}

interface JobRow {
  readonly name: string;
  readonly version: number;
  readonly shards: number;
  readonly settings: string;
  readonly stopped: string | null;
  readonly age_ms: number;
}

const AGE_MS = milliseconds("coalesce(ended, now()) - started");
const JOB_COLUMNS = `name, version, shards, settings, stopped, ${AGE_MS} AS age_ms`;

function jobOf({ name, version, shards, settings, stopped, age_ms: ageMs }: JobRow): JobRecord {
  return { name, version, shards, settings, stopped, ageMs };
}

interface SentMessage extends Message {
  readonly sent: number;
  readonly number: number;
}

type ShardRow = readonly [number, number, string | null, number, number, string | null, number];

function shardOf([shard, epoch, worker, position, pages, note, noteEpoch]: ShardRow): Board["shards"][number] {
  return { shard, epoch, worker, position, pages, note, noteEpoch };
}
