/** Jobs in PostgreSQL: how they are made, joined, listed, dropped and refused; nothing that is said has the password. */
import { execFileSync } from "node:child_process";
import { chownSync, copyFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import type { FactLog, NewJob } from "../../src/store/index.ts";
import {
  createPostgresJob,
  dropPostgresJob,
  listPostgresJobs,
  openPostgresJob,
} from "../../src/store/postgres-jobs.ts";
import { PASSWORD, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { temporaryDirectory } from "../support/temporary.ts";

let server: PostgresServer;
let where: string;

beforeAll(async () => {
  server = await startPostgres();
  where = `postgres://tidemark@127.0.0.1:${server.port}/postgres`;
  await (await createPostgresJob(server, jobOf("there"))).close();
});
afterAll(() => server.dispose());

const jobOf = (name: string): NewJob => ({ name, version: 3, shards: 2, settings: '{"a":"\'quoted\' $1 \\\\"}' });

async function sql(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function closing<Log extends FactLog>(log: Log): Log {
  onTestFinished(() => log.close());
  return log;
}

/** What is thrown, of which nothing at all may show the password. */
async function errorOf(act: () => Promise<unknown>): Promise<Error> {
  try {
    await act();
  } catch (error) {
    const shown = inspect(error, { depth: 9, showHidden: true, getters: true });
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(shown).not.toContain(secret);
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("a job in PostgreSQL", () => {
  it("is made, listed, joined and dropped by its name, and jobs do not see each other", async () => {
    const { url } = server;
    const listed = async (): Promise<string[]> =>
      (await listPostgresJobs({ url })).filter((name) => ["one_1", "two-2", "of_others"].includes(name));
    expect(await listed()).toEqual([]);
    for (const name of ["two-2", "one_1"]) await (await createPostgresJob({ url }, jobOf(name))).close();
    await sql("CREATE SCHEMA tidemark_of_others");
    expect(await listed()).toEqual(["one_1", "two-2"]);
    const one = closing(await openPostgresJob({ url }, "one_1"));
    const two = closing(await openPostgresJob({ url }, "two-2"));
    expect(await one.job()).toMatchObject(jobOf("one_1"));
    const lease = await one.lease("anna", 0, 60_000);
    await one.append([{ lease: lease!, position: 1, batch: Uint8Array.of(1) }]);
    expect((await two.board()).shards[0]).toMatchObject({ worker: null, position: 0 });
    await dropPostgresJob({ url }, "two-2");
    expect(await listed()).toEqual(["one_1"]);
    const gone = await errorOf(() => two.board());
    expect(gone).toBeInstanceOf(UsageError);
    expect(gone.message).toContain("the job is not there any more: it was dropped");
    expect(await one.read(0, 0, 1)).toHaveLength(1);
    await dropPostgresJob({ url }, "one_1");
    const left = await sql("SELECT nspname FROM pg_namespace WHERE nspname ~ '^tidemark_(one|two|of)'");
    expect(left).toEqual([{ nspname: "tidemark_of_others" }]);
  });

  it("is made by one of many that make it at once", async () => {
    const { url } = server;
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => createPostgresJob({ url }, jobOf("raced"))));
    const failures = made.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
    for (const each of made) if (each.status === "fulfilled") closing(each.value);
    expect(failures).toHaveLength(5);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(UsageError);
      expect(failure.message).toContain(`the job raced already exists in ${where}: join it, drop it first, or use`);
    }
    expect((await (await closing(await openPostgresJob({ url }, "raced"))).board()).shards).toHaveLength(2);
  });

  it("that is not there is refused, with the names of those that are", async () => {
    for (const act of [openPostgresJob, dropPostgresJob]) {
      const error = await errorOf(() => act(server, "missing"));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toMatch(
        /^there is no job missing in postgres:\S+; there are .*there.*: start it, or correct/,
      );
    }
  });

  it("needs a name that a schema may have", async () => {
    for (const name of ["", "Upper", "a b", 'a"b', "-a", "a".repeat(51)]) {
      const error = await errorOf(() => createPostgresJob(server, jobOf(name)));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain(`${JSON.stringify(name)} is no name of a job; expected at most 50`);
    }
    await (await createPostgresJob(server, jobOf("a".repeat(50)))).close();
    expect(await listPostgresJobs(server)).toContain("a".repeat(50));
  });

  it("of another version, or half made, is refused and can be dropped", async () => {
    const { url } = server;
    await (await createPostgresJob({ url }, jobOf("newer"))).close();
    await sql("UPDATE tidemark_newer.job SET tables = 3");
    const newer = await errorOf(() => openPostgresJob({ url }, "newer"));
    expect(newer).toBeInstanceOf(UsageError);
    expect(newer.message).toContain("by another version of tidemark (its tables are version 3, expected 2): use that");
    await sql("DELETE FROM tidemark_newer.job");
    const half = await errorOf(() => openPostgresJob({ url }, "newer"));
    expect(half).toBeInstanceOf(UsageError);
    expect(half.message).toContain("was not made completely: drop it, and make it again");
    await dropPostgresJob({ url }, "newer");
    await (await createPostgresJob({ url }, jobOf("newer"))).close();
  });
});

describe("who may not in", () => {
  const without = (): string => server.url.replace(/:[^:@]+@/, "@");

  it("because of a wrong password, or none, is told where passwords come from", async () => {
    const wrong = await errorOf(() => listPostgresJobs({ url: without().replace("tidemark@", "tidemark:wrong@") }));
    expect(wrong).toBeInstanceOf(UsageError);
    expect(wrong.message).toContain(`${where}: the password or the user is wrong: give it by PGPASSWORD`);
    const none = await errorOf(() => listPostgresJobs({ url: without() }));
    expect(none).toBeInstanceOf(UsageError);
    expect(none.message).toContain("the server wants a password and none was given: give it by PGPASSWORD");
  });

  it("gets in with a password from a file", async () => {
    const passwordFile = join(temporaryDirectory(), "password");
    writeFileSync(passwordFile, `${PASSWORD}\n`);
    expect(await listPostgresJobs({ url: without(), passwordFile })).toContain("there");
  });

  it("because the database, the server or the rights are missing, is told so", async () => {
    const database = await errorOf(() => listPostgresJobs({ url: server.url.replace("/postgres", "/missing") }));
    expect(database).toBeInstanceOf(UsageError);
    expect(database.message).toContain("there is no such database: create it, or correct the address");
    const nobody = await errorOf(() => listPostgresJobs({ url: server.url.replace(`:${server.port}/`, ":9/") }));
    expect(nobody).toMatchObject({ name: "FactLogError", kind: "unreachable" });
    await sql("CREATE ROLE guest LOGIN PASSWORD 'guest'");
    const url = server.url.replace(/\/\/.*@/, "//guest:guest@");
    const guest = await errorOf(() => createPostgresJob({ url }, jobOf("of-a-guest")));
    expect(guest).toBeInstanceOf(UsageError);
    expect(guest.message).toContain("it needs the right CREATE on the database");
    const member = await errorOf(() => openPostgresJob({ url }, "there"));
    expect(member).toBeInstanceOf(UsageError);
  });

  it("works with no more rights than are documented", async () => {
    await sql(`
      CREATE ROLE starter LOGIN PASSWORD 'x'; GRANT CREATE ON DATABASE postgres TO starter;
      CREATE ROLE joiner LOGIN PASSWORD 'x'`);
    const as = (name: string): string => server.url.replace(/\/\/.*@/, `//${name}:x@`);
    await (await createPostgresJob({ url: as("starter") }, jobOf("shared"))).close();
    await sql(`
      GRANT USAGE ON SCHEMA tidemark_shared TO joiner;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tidemark_shared TO joiner`);
    const log = closing(await openPostgresJob({ url: as("joiner") }, "shared"));
    const lease = (await log.lease("anna", 0, 60_000))!;
    await log.send([{ sender: 1, receiver: 0, payload: Uint8Array.of(1) }]);
    expect(await log.take([lease])).toHaveLength(1);
    expect(await log.append([{ lease, position: 1, batch: Uint8Array.of(1) }])).toEqual(["appended"]);
    expect(await log.reserve([{ lease, pages: 1 }], 1)).toEqual([1]);
    await log.register("anna", "{}", 1000);
    await log.unregister("anna");
    await dropPostgresJob({ url: as("starter") }, "shared");
  });

  it("has a server that forgets what it acknowledged, is told how to mend it", async () => {
    await sql("CREATE ROLE hasty LOGIN PASSWORD 'x'; ALTER ROLE hasty SET synchronous_commit = off");
    const error = await errorOf(() => listPostgresJobs({ url: server.url.replace(/\/\/.*@/, "//hasty:x@") }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain("ALTER ROLE ... SET synchronous_commit = on");
  });
});

describe("TLS", () => {
  it("is used as sslmode says", async () => {
    const secure = await startPostgres();
    onTestFinished(() => secure.dispose());
    const plain = await errorOf(() => listPostgresJobs({ url: `${secure.url}?sslmode=require` }));
    expect(plain).toBeInstanceOf(UsageError);
    expect(plain.message).toContain("the server has no TLS");

    const dir = temporaryDirectory();
    const [key, certificate] = [join(dir, "server.key"), join(dir, "server.crt")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate];
    execFileSync("openssl", [...made, ...subject], { stdio: "ignore" });
    const { uid, gid } = statSync(secure.dataDir);
    for (const name of ["server.key", "server.crt"]) {
      copyFileSync(join(dir, name), join(secure.dataDir, name));
      chownSync(join(secure.dataDir, name), uid, gid);
    }
    secure.configure("ssl = on");
    await secure.restart();

    const named = secure.url.replace("127.0.0.1", "localhost");
    const trusted = `sslrootcert=${certificate}`;
    for (const url of [
      `${secure.url}?sslmode=disable`,
      `${secure.url}?sslmode=require`,
      `${secure.url}?sslmode=verify-ca&${trusted}`,
      `${named}?sslmode=verify-full&${trusted}`,
    ]) {
      expect(await listPostgresJobs({ url })).toEqual([]);
    }
    for (const url of [`${named}?sslmode=verify-full`, `${secure.url}?sslmode=verify-full&${trusted}`]) {
      const error = await errorOf(() => listPostgresJobs({ url }));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain("name its authority with sslrootcert, or correct the host");
    }
  });
});
