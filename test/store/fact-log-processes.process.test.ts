/** Logs that many processes share: each runs as built. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  createPostgresJob,
  createSqliteJob,
  type FactLog,
  FactLogError,
  type NewJob,
  openSqliteJob,
} from "../../src/store/index.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { enlarge, tinyDisk } from "../support/tiny-disk.ts";

const BUILT = JSON.stringify(new URL("../../dist/store/index.js", import.meta.url).href);
const JOB: NewJob = { name: "raced", version: 1, shards: 20, settings: "{}" };

/** Wants shard 0 again and again, keeps it for a while or loses it at once, and says what it believes to have written. */
const RACES = `
  import { openPostgresJob, openSqliteJob } from ${BUILT};
  const [place, worker, rounds] = process.argv.slice(1);
  const log = place.startsWith("postgres:") ? await openPostgresJob({ url: place }, "raced") : openSqliteJob(place);
  const written = [];
  for (let round = 0; written.length < Number(rounds); round++) {
    const isShort = round % 3 === 0;
    const lease = await log.lease(worker, 0, isShort ? 0 : 60_000);
    if (lease === undefined) continue;
    for (let position = lease.position + 1; position < lease.position + 4; position++) {
      const batch = new TextEncoder().encode(worker + " " + lease.epoch + " " + position);
      const [result] = await log.append([{ lease, position, batch }]);
      written.push([lease.epoch, position, result]);
    }
    if (!isShort) await log.release([lease]);
  }
  await log.close();
  console.log(JSON.stringify(written));
`;

/** Does what a worker does, on a shard of its own. */
const WORKS = `
  import { openSqliteJob } from ${BUILT};
  const [place, shard] = process.argv.slice(1);
  const log = openSqliteJob(place);
  const lease = await log.lease("worker " + shard, Number(shard), 60_000);
  for (let position = 1; position <= 10; position++) {
    await log.renew([lease], 60_000);
    await log.register(lease.worker, "{}", 60_000);
    await log.publish([{ lease, note: String(position) }]);
    await log.send([{ sender: lease.shard, receiver: (lease.shard + 1) % 16, payload: Uint8Array.of(position) }]);
    await log.append([{ lease, position, batch: new Uint8Array(32_768) }]);
    await log.reserve([{ lease, pages: 10 * position }], 1000);
    await log.take([lease]);
    await log.board();
  }
  await log.close();
`;

/** Appends until it is killed, and says each time that it has. */
const APPENDS = `
  import { openSqliteJob } from ${BUILT};
  const log = openSqliteJob(process.argv[1]);
  const lease = await log.lease("killed", 0, 0);
  for (let position = 1; ; position++) {
    await log.append([{ lease, position, batch: new Uint8Array(10_000).fill(position) }]);
    process.stdout.write(position + "\\n");
  }
`;

function start(script: string, ...given: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, ...given], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function outputOf(child: ChildProcess): Promise<string> {
  const [said, complained] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  expect(complained).toBe("");
  return said;
}

type Written = [epoch: number, position: number, result: string];

async function expectOneWriterAtATime(place: string, log: FactLog, rounds: number): Promise<void> {
  const children = ["anna", "bert", "carl"].map((worker) => start(RACES, place, worker, String(rounds)));
  const outputs = await Promise.all(children.map(outputOf));
  const written = outputs.map((output) => JSON.parse(output) as Written[]);
  const epochs = written.map((each) => new Set(each.map(([epoch]) => epoch)));
  for (const mine of epochs) {
    for (const other of epochs) if (mine !== other) expect([...mine].filter((epoch) => other.has(epoch))).toEqual([]);
  }
  const appended = written.flat().filter(([, , result]) => result === "appended");
  const batches = await log.read(0, 0, 1e9);
  expect(batches.map(({ epoch, position }) => `${epoch} ${position}`)).toEqual(
    appended.sort(([, a], [, b]) => a - b).map(([epoch, position]) => `${epoch} ${position}`),
  );
  expect(appended.length).toBeGreaterThan(rounds);
}

describe("processes that want one shard", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.dispose());

  it("own it one after the other, in a SQLite file", async () => {
    const dir = temporaryDirectory();
    const log = createSqliteJob(dir, JOB);
    onTestFinished(() => log.close());
    await expectOneWriterAtATime(dir, log, 40);
  });

  it("own it one after the other, in PostgreSQL", async () => {
    const log = await createPostgresJob(server, JOB);
    onTestFinished(() => log.close());
    await expectOneWriterAtATime(server.url, log, 90);
  });
});

describe("a SQLite file", () => {
  it("serves sixteen processes at once", async () => {
    const dir = temporaryDirectory();
    const log = createSqliteJob(dir, JOB);
    onTestFinished(() => log.close());
    const children = Array.from({ length: 16 }, (_, shard) => start(WORKS, dir, String(shard)));
    await Promise.all(children.map(outputOf));
    const { shards, workers } = await log.board();
    expect(workers).toHaveLength(16);
    expect(shards.slice(0, 16).map(({ position, note, pages }) => [position, note, pages])).toEqual(
      Array.from({ length: 16 }, () => [10, "10", expect.any(Number)]),
    );
    expect(shards.reduce((sum, { pages }) => sum + pages, 0)).toBe(1000);
  });

  it("has all that was acknowledged to a process that was killed", async () => {
    const dir = temporaryDirectory();
    const log = createSqliteJob(dir, JOB);
    onTestFinished(() => log.close());
    const child = start(APPENDS, dir);
    let said = "";
    child.stdout!.on("data", (chunk) => {
      said += String(chunk);
    });
    await expect.poll(() => said.split("\n").length).toBeGreaterThan(20);
    child.kill("SIGKILL");
    await once(child, "exit");
    const acknowledged = said.trim().split("\n").length;
    const lease = (await log.lease("next", 0, 60_000))!;
    expect([acknowledged, acknowledged + 1]).toContain(lease.position);
    const batches = await log.read(0, 0, 1e9);
    expect(batches.map(({ batch }) => batch[0])).toEqual(batches.map((_, k) => (k + 1) % 256));
  });

  it("on a full disk says so, writes nothing, and goes on when there is room", async ({ skip }) => {
    const disk = tinyDisk(2_000_000);
    if (disk === undefined) return skip("no permission to mount a disk of 2 MB");
    const dir = join(disk, "crawl");
    const log = createSqliteJob(dir, JOB);
    onTestFinished(() => log.close());
    const lease = (await log.lease("anna", 0, 60_000))!;
    let position = 0;
    const append = (): Promise<unknown> =>
      log.append([{ lease, position: position + 1, batch: new Uint8Array(32_768).fill(position + 1) }]);
    const fill = async (): Promise<void> => {
      for (;;) {
        await append();
        position++;
      }
    };
    await expect(fill()).rejects.toMatchObject({ name: "FactLogError", kind: "disk-full" });
    await expect(fill()).rejects.toThrow("the disk is full: free space");
    expect(position).toBeGreaterThan(10);
    expect((await log.board()).shards[0].position).toBe(position);
    enlarge(disk, 8_000_000);
    expect(await append()).toEqual(["appended"]);
    const other = openSqliteJob(dir);
    expect(await other.read(0, 0, 1e9)).toHaveLength(position + 1);
    await other.close();
  });

  it("on a disk too small for a job makes none", ({ skip }) => {
    const disk = tinyDisk(16_384);
    if (disk === undefined) return skip("no permission to mount a disk of 16 KB");
    expect(() => createSqliteJob(disk, JOB)).toThrow(FactLogError);
    expect(() => createSqliteJob(disk, JOB)).toThrow("the disk is full: free space");
    expect(() => openSqliteJob(disk)).toThrow("holds no job of several workers");
  });
});
