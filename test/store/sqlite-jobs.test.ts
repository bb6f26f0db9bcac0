/** Jobs of workers on one machine: how they are made, opened, refused and deleted, and what a start of the machine does. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import {
  createSqliteJob,
  dropSqliteJob,
  type FactLog,
  isSqliteJob,
  type NewJob,
  openDatabase,
  openSqliteJob,
} from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const JOB: NewJob = { name: "tides", version: 1, shards: 2, settings: "{}" };

function closing<Log extends FactLog>(log: Log): Log {
  onTestFinished(() => log.close());
  return log;
}

describe("a job of workers in a directory", () => {
  it("is made once, with the directory, and can then be opened by many", async () => {
    const dir = join(temporaryDirectory(), "new", "crawl");
    expect(isSqliteJob(dir)).toBe(false);
    closing(createSqliteJob(dir, JOB));
    expect(isSqliteJob(dir)).toBe(true);
    const logs = [closing(openSqliteJob(dir)), closing(openSqliteJob(dir))];
    for (const log of logs) expect(await log.job()).toMatchObject(JOB);
    expect(() => createSqliteJob(dir, JOB)).toThrow(UsageError);
    expect(() => createSqliteJob(dir, JOB)).toThrow(
      `${dir} already holds a job of several workers; expected a directory without one: resume that job, or use`,
    );
  });

  it("may be made beside other files, and where an attempt to make one left an empty file", async () => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, "crawl.sqlite"), "of a crawl");
    writeFileSync(join(dir, "workers.sqlite"), "");
    expect(isSqliteJob(dir)).toBe(false);
    expect(() => openSqliteJob(dir)).toThrow(UsageError);
    await createSqliteJob(dir, JOB).close();
    expect(isSqliteJob(dir)).toBe(true);
  });

  it("that is not there is refused, with what was expected", () => {
    const dir = temporaryDirectory();
    for (const act of [openSqliteJob, dropSqliteJob]) {
      expect(() => act(dir)).toThrow(UsageError);
      expect(() => act(dir)).toThrow(`${dir} holds no job of several workers; expected the directory of a crawl that`);
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is not made in place of something else", () => {
    const dir = temporaryDirectory();
    const path = join(dir, "workers.sqlite");
    writeFileSync(path, "not a database, but long enough to be taken for one ".repeat(40));
    expect(() => createSqliteJob(dir, JOB)).toThrow(`${path} is not a SQLite database`);
    expect(() => openSqliteJob(dir)).toThrow(UsageError);
    const other = join(dir, "other");
    mkdirSync(other);
    const database = openDatabase(join(other, "workers.sqlite"), { access: "write" });
    database.exec("CREATE TABLE theirs (x)");
    database.close();
    expect(() => createSqliteJob(other, JOB)).toThrow("was made by another program; use another directory");
    expect(isSqliteJob(other)).toBe(false);
    expect(() => createSqliteJob(join(path, "below a file"), JOB)).toThrow(UsageError);
  });

  it("of another version is refused", async () => {
    const dir = temporaryDirectory();
    await createSqliteJob(dir, JOB).close();
    const database = openDatabase(join(dir, "workers.sqlite"), { access: "write" });
    database.exec("PRAGMA user_version = 3");
    database.close();
    expect(() => openSqliteJob(dir)).toThrow(UsageError);
    expect(() => openSqliteJob(dir)).toThrow(
      "made by another version of tidemark (its tables are version 3, expected 2)",
    );
  });

  it("is deleted as a whole, unless somebody has it open", async () => {
    const dir = temporaryDirectory();
    const log = createSqliteJob(dir, JOB);
    const lease = await log.lease("anna", 0, 1000);
    await log.append([{ lease: lease!, position: 1, batch: new Uint8Array(100) }]);
    expect(() => dropSqliteJob(dir)).toThrow(UsageError);
    expect(() => dropSqliteJob(dir)).toThrow(`${dir} is in use by workers: end them first`);
    expect(await log.read(0, 0, 1)).toHaveLength(1);
    await log.close();
    dropSqliteJob(dir);
    expect(readdirSync(dir)).toEqual([]);
    await createSqliteJob(dir, JOB).close();
  });

  it("is still there when all that opened it have gone", async () => {
    const dir = temporaryDirectory();
    const first = createSqliteJob(dir, JOB);
    const lease = await first.lease("anna", 1, 1000);
    await first.append([{ lease: lease!, position: 1, batch: Uint8Array.of(1, 2, 3) }]);
    await first.stop("target reached");
    await first.close();
    const second = closing(openSqliteJob(dir));
    expect(await second.read(1, 0, 10)).toEqual([{ position: 1, epoch: 1, batch: expect.anything() }]);
    expect(await second.job()).toMatchObject({ stopped: "target reached" });
  });
});

describe("a job that another process is writing to", () => {
  it("is opened at once: many workers may join at the same time", async () => {
    const dir = temporaryDirectory();
    closing(createSqliteJob(dir, JOB));
    const writer = openDatabase(join(dir, "workers.sqlite"), { access: "write" });
    onTestFinished(() => writer.close());
    writer.exec("BEGIN IMMEDIATE");
    const log = closing(openSqliteJob(dir));
    writer.exec("COMMIT");
    expect(await log.lease("anna", 0, 60_000)).toMatchObject({ epoch: 1 });
  });
});

describe("when the machine starts again", () => {
  /** Time of a machine that has been running for so long, and was started so many times. */
  const running = (minutes: number, boot: string) => ({ clock: { nowMs: () => minutes * 60_000 }, boot });
  const HOUR_MS = 3_600_000;

  it.each([
    ["by its id, however long it has run since", "first", "second", 700],
    ["where it has no id, by a clock that shows less", "", "", 1],
  ])("all leases and signs of life have ended: known %s", async (_, before, after, minutes) => {
    const dir = temporaryDirectory();
    const first = createSqliteJob(dir, JOB, running(600, before));
    await first.register("anna", "{}", HOUR_MS);
    const anna = await first.lease("anna", 0, 3 * HOUR_MS);
    await first.append([{ lease: anna!, position: 1, batch: Uint8Array.of(1) }]);
    await first.close();

    const second = closing(openSqliteJob(dir, running(minutes, after)));
    const { job, shards, workers } = await second.board();
    expect(workers).toEqual([]);
    expect(shards[0]).toMatchObject({ worker: null, epoch: 1, position: 1 });
    expect(job.ageMs).toBeGreaterThanOrEqual(0);
    const bert = await second.lease("bert", 0, HOUR_MS);
    expect(bert).toMatchObject({ epoch: 2, position: 1 });
    // Another process of the same machine agrees on the time.
    const third = closing(openSqliteJob(dir, running(minutes + 59, after)));
    expect(await third.lease("carl", 0, HOUR_MS)).toBeUndefined();
    const fourth = closing(openSqliteJob(dir, running(minutes + 60, after)));
    expect(await fourth.lease("carl", 0, HOUR_MS)).toMatchObject({ epoch: 3 });
  });

  it("not, leases go on, whoever opens the job", async () => {
    const dir = temporaryDirectory();
    await createSqliteJob(dir, JOB, running(600, "first")).close();
    const first = closing(openSqliteJob(dir, running(600, "first")));
    await first.lease("anna", 0, HOUR_MS);
    const second = closing(openSqliteJob(dir, running(659, "first")));
    expect(await second.lease("bert", 0, HOUR_MS)).toBeUndefined();
    expect((await second.job()).ageMs).toBe(59 * 60_000);
  });
});
