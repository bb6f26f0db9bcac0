/**
 * One connection to PostgreSQL, made when it is first needed and made again after it was lost. `pg` is an optional
 * peer: it is loaded when a connection is first made.
 *
 * Every call is one statement and so one transaction: no lock outlives it, even if this machine vanishes meanwhile, and
 * a statement can be tried again where the server undid it. Statements wait for each other.
 *
 * Nothing hangs. The server gives up a statement after `statementMs`; if it does not even answer then, the connection
 * is dropped and the outcome is unknown.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { assert, Random, systemSeed, Turns, UsageError } from "../base/index.ts";
import { FactLogError } from "./fact-log.ts";
import { isConflict, postgresFailure } from "./postgres-failure.ts";
import { loadPg } from "./postgres-module.ts";
import { accessOf, describeLocation, type PostgresLocation } from "./postgres-location.ts";

export interface Timeouts {
  readonly connectMs: number;
  readonly statementMs: number;
}

const TIMEOUTS: Timeouts = { connectMs: 10_000, statementMs: 30_000 };
/** How much later than the server we give a statement up. */
const ANSWER_MS = 5000;
const ATTEMPTS_MAX = 12;
const PAUSE_MS_MAX = 1000;

export class PostgresConnection {
  /** The location without its password. */
  readonly where: string;
  readonly #location: PostgresLocation;
  readonly #timeouts: Timeouts;
  readonly #turns = new Turns();
  readonly #random = new Random(systemSeed());
  #client: Client | undefined;
  #isClosed = false;

  constructor(location: PostgresLocation, timeouts: Timeouts = TIMEOUTS) {
    this.where = describeLocation(location.url);
    this.#location = location;
    this.#timeouts = timeouts;
  }

  /** The rows that a statement returns. Conflicts with others are tried again. */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#run((client) => client.query<Row>({ text, values: [...values], types: TYPES }));
    return rows;
  }

  /** Several statements, all of them or none where the server can undo a change of tables. */
  async script(text: string): Promise<void> {
    await this.#run((client) => client.query(text));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#turns.run(async () => {
      const client = this.#client;
      this.#client = undefined;
      await client?.end();
    });
  }

  #run<Result>(act: (client: Client) => Promise<Result>): Promise<Result> {
    assert(!this.#isClosed, "a connection that was closed is not used");
    return this.#turns.run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await act((this.#client ??= await this.#connect()));
        } catch (error) {
          if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw this.#failed(error);
          await sleep(Math.min(PAUSE_MS_MAX, 2 ** attempt) * (0.5 + this.#random.float()));
        }
      }
    });
  }

  async #connect(): Promise<Client> {
    const pg = await loadPg();
    const { connectMs, statementMs } = this.#timeouts;
    const client = new pg.Client({
      ...accessOf(this.#location),
      application_name: "tidemark",
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + ANSWER_MS,
    });
    client.on("error", () => this.#drop(client));
    try {
      await client.connect();
      await prepare(client, this.where, statementMs);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }

  #failed(error: unknown): unknown {
    const failure = postgresFailure(this.where, error);
    if (failure instanceof FactLogError && failure.kind === "unreachable") this.#drop(this.#client);
    return failure;
  }

  #drop(client: Client | undefined): void {
    if (this.#client === client) this.#client = undefined;
    void client?.end().catch(() => {});
  }
}

/** By statements, not by options of the connection, which poolers such as PgBouncer refuse. */
async function prepare(client: Client, where: string, statementMs: number): Promise<void> {
  const sql = `
    SELECT set_config('statement_timeout', '${statementMs}', false),
      coalesce(current_setting('synchronous_commit', true), 'on') AS commits`;
  const { rows } = await client.query<{ commits: string }>(sql);
  if (rows[0]?.commits !== "off") return;
  throw new UsageError(
    `${where}: synchronous_commit is off, so that a crash of the server would lose what it has acknowledged; set it ` +
      "to on for this user (ALTER ROLE ... SET synchronous_commit = on)",
  );
}

type Parse = (value: string) => unknown;

/** The types of our results, by their numbers; they come as text, since `pg` cannot read them as bytes. */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [17, (value) => Buffer.from(value.slice("\\x".length), "hex")],
  [20, Number],
  [23, Number],
  [25, (value) => value],
  [701, Number],
]);

const TYPES = {
  getTypeParser: (type: number): Parse => {
    const parse = PARSERS.get(type);
    assert(parse !== undefined, `results of the type ${type} are expected`);
    return parse;
  },
};
