/**
 * The log that workers share as one SQLite file: many processes on one machine (sqlite-jobs.ts makes and opens it).
 *
 * Whoever writes has the file for itself (`BEGIN IMMEDIATE`), for one short transaction per call. Others try again
 * after a few milliseconds, without holding up whatever else their process does.
 *
 * Only appends are synced (`synchronous = FULL`). The file is a sequence of writes, so a sync covers whatever was
 * written before. What is lost when the power fails is thus newer than the last append: leases, of which no owner lives
 * then, and messages and notes, which may be lost. A process that dies loses nothing, since the system has it.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Clock, Random, systemClock, systemSeed, Turns } from "../base/index.ts";
import {
  type Append,
  type AppendResult,
  type Board,
  expectOnePerShard,
  type FactLog,
  FactLogError,
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
import { BUSY_MS, type Database, type Row, SqliteFailure, type Statement, type SqlValue } from "./sqlite.ts";

/** Longest pause before a busy file is tried again. */
const PAUSE_MS_MAX = 10;

type Durability = "synced" | "unsynced";

export class SqliteFactLog implements FactLog {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  readonly #random = new Random(systemSeed());
  readonly #statements = new Map<string, Statement>();

  /** `clock` is that of the log: the same in all processes. */
  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    // We wait by ourselves: SQLite would stop the whole process meanwhile.
    database.exec("PRAGMA busy_timeout = 0");
  }

  job(): Promise<JobRecord> {
    return this.#reading(() => this.#job());
  }

  stop(reason: string): Promise<void> {
    return this.#writing("synced", () => {
      this.#run("UPDATE job SET stopped = ?, ended_ms = ? WHERE stopped IS NULL", reason, this.#clock.nowMs());
    });
  }

  restart(settings: string): Promise<void> {
    return this.#writing("synced", () => {
      const sql = "UPDATE job SET stopped = NULL, ended_ms = NULL, settings = ?, started_ms = ?";
      this.#run(sql, settings, this.#clock.nowMs());
    });
  }

  register(worker: string, info: string, forMs: number): Promise<void> {
    return this.#writing("unsynced", () => {
      this.#run("INSERT OR REPLACE INTO workers VALUES (?, ?, ?)", worker, info, this.#clock.nowMs() + forMs);
    });
  }

  unregister(worker: string): Promise<void> {
    return this.#writing("unsynced", () => {
      this.#run("DELETE FROM workers WHERE name = ? OR ends_ms <= ?", worker, this.#clock.nowMs());
    });
  }

  lease(worker: string, shard: number, forMs: number): Promise<NewLease | undefined> {
    return this.#writing("unsynced", () => {
      const nowMs = this.#seen();
      const taken = this.#get(TAKE_SHARD, worker, nowMs + forMs, shard, nowMs);
      if (taken === undefined) return undefined;
      const [epoch, position, pages] = taken as readonly number[];
      return { shard, worker, epoch, leftMs: forMs, position, pages };
    });
  }

  renew(leases: readonly Lease[], forMs: number): Promise<readonly (number | undefined)[]> {
    return this.#writing("unsynced", () => {
      const nowMs = this.#seen();
      return leases.map((lease) => {
        const renewed = this.#get(`${RENEW} ${HELD} RETURNING ends_ms`, nowMs + forMs, ...keyOf(lease));
        return renewed === undefined ? undefined : Number(renewed[0]) - nowMs;
      });
    });
  }

  release(leases: readonly Lease[]): Promise<void> {
    return this.#writing("unsynced", () => {
      for (const lease of leases) this.#run(`UPDATE shards SET worker = NULL ${HELD}`, ...keyOf(lease));
    });
  }

  append(appends: readonly Append[]): Promise<readonly AppendResult[]> {
    expectOnePerShard(appends);
    return this.#writing("synced", () => {
      // Also if all is there: whoever wrote it may have died before the sync, and this one makes up for it.
      this.#seen();
      return appends.map((append) => this.#append(append));
    });
  }

  /** Whoever reads a long log has leases to renew meanwhile, and a user who may interrupt: all of them get a turn. */
  async read(shard: number, after: number, bytesMax: number): Promise<readonly StoredBatch[]> {
    await nextTurn();
    return this.#reading(() => {
      const rows = this.#all(READ, shard, after, READ_BATCHES_MAX, shard, Math.max(1, bytesMax));
      return rows.map(([position, epoch, batch]) => ({
        position: Number(position),
        epoch: Number(epoch),
        batch: batch as Uint8Array,
      }));
    });
  }

  reserve(reservations: readonly Reservation[], max: number): Promise<readonly (number | undefined)[]> {
    expectOnePerShard(reservations);
    return this.#writing("unsynced", () => {
      const fewer = `UPDATE shards SET pages = min(pages, ?) ${HELD}`;
      for (const { lease, pages } of reservations) this.#run(fewer, pages, ...keyOf(lease));
      const room = `max(0, ? - (SELECT sum(pages) FROM shards))`;
      const more = `UPDATE shards SET pages = pages + min(? - pages, ${room}) ${HELD} RETURNING pages`;
      return reservations.map(({ lease, pages }) => {
        const reserved = this.#get(more, pages, max, ...keyOf(lease));
        return reserved === undefined ? undefined : Number(reserved[0]);
      });
    });
  }

  send(messages: readonly Message[]): Promise<void> {
    return this.#writing("unsynced", () => {
      for (const { sender, receiver, payload } of messages) {
        // An empty blob arrives as NULL by node:sqlite (seen in Node 22.14).
        this.#run(
          "INSERT INTO messages (sender, receiver, payload) VALUES (?, ?, coalesce(?, x''))",
          sender,
          receiver,
          payload,
        );
      }
    });
  }

  async take(leases: readonly Lease[]): Promise<readonly Message[]> {
    // Looked at first, because that keeps nobody from writing.
    const full = await this.#reading(() => leases.filter(({ shard }) => this.#get(HAS_MESSAGES, shard) !== undefined));
    if (full.length === 0) return [];
    return this.#writing("unsynced", () => {
      const held = full.filter((lease) => this.#get(`SELECT 1 FROM shards ${HELD}`, ...keyOf(lease)) !== undefined);
      const rows = held.flatMap(({ shard }) => this.#all(MESSAGES_TO, shard));
      for (const { shard } of held) this.#run("DELETE FROM messages WHERE receiver = ?", shard);
      return rows.sort(([a], [b]) => Number(a) - Number(b)).map(messageOf);
    });
  }

  publish(notes: readonly ShardNote[]): Promise<void> {
    expectOnePerShard(notes);
    return this.#writing("unsynced", () => {
      for (const { lease, note } of notes) {
        this.#run(`UPDATE shards SET note = ?, note_epoch = epoch ${HELD}`, note, ...keyOf(lease));
      }
    });
  }

  board(): Promise<Board> {
    return this.#reading(() => {
      const nowMs = this.#clock.nowMs();
      const shards = this.#all(BOARD_SHARDS, nowMs).map(shardOf);
      const alive = this.#all("SELECT name, info FROM workers WHERE ends_ms > ? ORDER BY name", nowMs);
      const workers = alive.map(([name, info]) => ({ name: String(name), info: String(info) }));
      return { job: this.#job(), shards, workers };
    });
  }

  close(): Promise<void> {
    return this.#turns.run(async () => this.#database.close());
  }

  #append({ lease, position, batch }: Append): AppendResult {
    const { shard, epoch } = lease;
    const next = this.#get(
      `UPDATE shards SET position = ? ${HELD} AND position = ? RETURNING 1`,
      position,
      ...keyOf(lease),
      position - 1,
    );
    if (next !== undefined) {
      this.#run("INSERT INTO batches VALUES (?, ?, ?, coalesce(?, x''))", shard, position, epoch, batch);
      return "appended";
    }
    return this.#get(SAME_BATCH, shard, position, epoch, batch) === undefined ? "fenced" : "already-there";
  }

  #job(): JobRecord {
    const [name, version, shards, settings, stopped, startedMs, endedMs] = this.#get("SELECT * FROM job") ?? [];
    return {
      name: String(name),
      version: Number(version),
      shards: Number(shards),
      settings: String(settings),
      stopped: stopped === null ? null : String(stopped),
      ageMs: Number(endedMs ?? this.#clock.nowMs()) - Number(startedMs),
    };
  }

  /** The time of the log, which is noted: sqlite-jobs.ts compares it after a start of the machine. */
  #seen(): number {
    const nowMs = this.#clock.nowMs();
    this.#run("UPDATE clock SET seen_ms = max(seen_ms, ?)", nowMs);
    return nowMs;
  }

  #reading<Result>(act: () => Result): Promise<Result> {
    return this.#transaction("BEGIN", act);
  }

  #writing<Result>(durability: Durability, act: () => Result): Promise<Result> {
    return this.#transaction("BEGIN IMMEDIATE", act, durability);
  }

  #transaction<Result>(begin: string, act: () => Result, durability: Durability = "unsynced"): Promise<Result> {
    return this.#turns.run(async () => {
      const startMs = systemClock.nowMs();
      for (let pauseMs = 1; ; pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs)) {
        try {
          return this.#attempt(begin, act, durability);
        } catch (error) {
          const isBusy = error instanceof SqliteFailure && error.isBusy;
          if (!isBusy || systemClock.nowMs() - startMs > BUSY_MS) throw factLogFailure(error);
          await sleep(pauseMs * (0.5 + this.#random.float()));
        }
      }
    });
  }

  #attempt<Result>(begin: string, act: () => Result, durability: Durability): Result {
    this.#database.exec(`PRAGMA synchronous = ${durability === "synced" ? "FULL" : "NORMAL"}; ${begin}`);
    try {
      const result = act();
      this.#run("COMMIT");
      return result;
    } catch (error) {
      try {
        this.#run("ROLLBACK");
      } catch {
        // SQLite has rolled back by itself where the failure was grave.
      }
      throw error;
    }
  }

  #run(sql: string, ...values: readonly SqlValue[]): void {
    this.#statement(sql).run(...values);
  }

  #get(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  #all(sql: string, ...values: readonly SqlValue[]): readonly Row[] {
    return this.#statement(sql).all(...values);
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}

/** What the failure of a file means for a log. */
export function factLogFailure(error: unknown): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  const kind = error.isBusy ? "unreachable" : error.kind;
  return new FactLogError(kind, error.message, { cause: error });
}

/** Whether a lease is held; with the values of `keyOf`. */
const HELD = "WHERE shard = ? AND epoch = ? AND worker = ?";

const TAKE_SHARD = `
  UPDATE shards SET epoch = epoch + 1, worker = ?, ends_ms = ?
  WHERE shard = ? AND (worker IS NULL OR ends_ms <= ?) RETURNING epoch, position, pages`;

const RENEW = "UPDATE shards SET ends_ms = max(ends_ms, ?)";

const SAME_BATCH = `
  SELECT 1 FROM batches WHERE shard = ? AND position = ? AND epoch = ? AND batch = coalesce(?, x'')`;

const READ = `
  WITH next AS (
    SELECT position, sum(bytes) OVER (ORDER BY position) - bytes AS bytes_before
    FROM (
      SELECT position, length(batch) AS bytes FROM batches WHERE shard = ? AND position > ? ORDER BY position LIMIT ?)
  )
  SELECT position, epoch, batch FROM batches
  WHERE shard = ? AND position IN (SELECT position FROM next WHERE bytes_before < ?) ORDER BY position`;

const HAS_MESSAGES = "SELECT 1 FROM messages WHERE receiver = ? LIMIT 1";
const MESSAGES_TO = "SELECT number, sender, receiver, payload FROM messages WHERE receiver = ?";

function messageOf([, sender, receiver, payload]: Row): Message {
  return { sender: Number(sender), receiver: Number(receiver), payload: payload as Uint8Array };
}

const BOARD_SHARDS = `
  SELECT shard, epoch, CASE WHEN ends_ms > ? THEN worker END AS owner, position, pages, note, note_epoch
  FROM shards ORDER BY shard`;

function shardOf([shard, epoch, worker, position, pages, note, noteEpoch]: Row): Board["shards"][number] {
  return {
    shard: Number(shard),
    epoch: Number(epoch),
    worker: worker as string | null,
    position: Number(position),
    pages: Number(pages),
    note: note as string | null,
    noteEpoch: Number(noteEpoch),
  };
}
