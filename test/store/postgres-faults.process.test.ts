/** What can happen to a PostgreSQL server and to the way to it: nothing that was acknowledged is lost, or written twice. */
import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Random } from "../../src/base/index.ts";
import {
  type AppendResult,
  createPostgresJob,
  type FactLog,
  FactLogError,
  type Lease,
  type NewJob,
  openPostgresJob,
} from "../../src/store/index.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { enlarge, tinyDisk } from "../support/tiny-disk.ts";

const HOUR_MS = 3_600_000;
const UNREACHABLE = { name: "FactLogError", kind: "unreachable" };

let server: PostgresServer;
let jobs = 0;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.dispose());

function closing<Log extends FactLog>(log: Log): Log {
  onTestFinished(() => log.close());
  return log;
}

async function newJob(url = server.url): Promise<{ log: FactLog; name: string }> {
  const job: NewJob = { name: `faults-${++jobs}`, version: 1, shards: 4, settings: "{}" };
  return { log: closing(await createPostgresJob({ url }, job)), name: job.name };
}

async function sql(text: string, url = server.url): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** A client with an open transaction, which its end undoes. */
async function holding(statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return client;
}

/** How many statements wait for somebody's lock. */
async function waiting(): Promise<number> {
  return (await sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length;
}

const batchOf = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(2000, "."));

async function appendOnce(log: FactLog, lease: Lease, position: number, text = `${position}`): Promise<AppendResult> {
  const [result] = await log.append([{ lease, position, batch: batchOf(text) }]);
  return result;
}

/** Asks again until there is an answer. */
async function insist<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof FactLogError) || error.kind !== "unreachable") throw error;
      await sleep(5);
    }
  }
}

async function textsOf(log: FactLog, shard: number): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const batches = await log.read(shard, texts.length, 20_000);
    if (batches.length === 0) return texts;
    for (const { position, batch } of batches) {
      expect(position).toBe(texts.length + 1);
      texts.push(new TextDecoder().decode(batch).replace(/\.+$/, ""));
    }
  }
}

describe("a server that is killed", () => {
  it("in the middle of appends has all that it acknowledged, and recognises what is sent again", async () => {
    const { log, name } = await newJob();
    const lease = (await log.lease("anna", 0, HOUR_MS))!;
    const random = new Random(7);
    const results: AppendResult[] = [];
    const over = new AbortController();
    const appending = (async () => {
      while (!over.signal.aborted) results.push(await insist(() => appendOnce(log, lease, results.length + 1)));
    })();
    for (let round = 0; round < 5; round++) {
      await sleep(50 + random.below(200));
      await server.kill();
      await server.start();
    }
    over.abort();
    await appending;
    expect(results.length).toBeGreaterThan(20);
    expect(new Set(results)).not.toContain("fenced");
    const expected = results.map((_, k) => String(k + 1));
    expect(await textsOf(closing(await openPostgresJob({ url: server.url }, name)), 0)).toEqual(expected);
  });

  // Nothing else is written in between: it would make the server write down what came before it, too.
  it("keeps a lease, its renewal and reserved pages: nobody else gets what a worker believes in", async () => {
    const { log } = await newJob();
    const dieAndReturn = async (): Promise<void> => {
      await server.kill();
      await server.start();
    };
    for (let shard = 0; shard < 3; shard++) {
      const anna = (await log.lease("anna", shard, HOUR_MS))!;
      await dieAndReturn();
      expect(await insist(() => log.lease("bert", shard, HOUR_MS))).toBeUndefined();
      expect(await log.reserve([{ lease: anna, pages: 30 }], 100)).toEqual([30]);
      await dieAndReturn();
      expect((await insist(() => log.board())).shards[shard]).toMatchObject({ worker: "anna", pages: 30 });
    }
    const bert = (await log.lease("bert", 3, 1))!;
    expect(await log.reserve([{ lease: bert, pages: 30 }], 100)).toEqual([10]);
    expect(await log.renew([bert], HOUR_MS)).toEqual([expect.closeTo(HOUR_MS, -1)]);
    await dieAndReturn();
    expect(await insist(() => log.lease("anna", 3, HOUR_MS))).toBeUndefined();
  });

  it("is unreachable while it is away, and is found again", async () => {
    const { log } = await newJob();
    const lease = (await log.lease("anna", 0, HOUR_MS))!;
    await server.stop();
    await expect(appendOnce(log, lease, 1)).rejects.toMatchObject(UNREACHABLE);
    await expect(log.board()).rejects.toThrow("is the server running there");
    await server.start();
    expect(await appendOnce(log, lease, 1)).toBe("appended");
  });
});

describe("a connection that is cut", () => {
  async function throughProxy(): Promise<{ log: FactLog; proxy: TcpProxy; lease: Lease; direct: FactLog }> {
    const { log: direct, name } = await newJob();
    const proxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    const url = server.url.replace(`:${server.port}/`, `:${proxy.port}/`);
    const log = closing(await openPostgresJob({ url }, name, { connectMs: 1000, statementMs: 1000 }));
    return { log, proxy, lease: (await log.lease("anna", 0, HOUR_MS))!, direct };
  }

  it("after the server has written: what is sent again is recognised", async () => {
    const { log, proxy, lease, direct } = await throughProxy();
    proxy.losesReplies = true;
    const lost = expect(appendOnce(log, lease, 1)).rejects.toMatchObject(UNREACHABLE);
    await expect.poll(async () => (await direct.board()).shards[0].position).toBe(1);
    proxy.cut();
    await lost;
    expect(await appendOnce(log, lease, 1, "another")).toBe("fenced");
    expect(await appendOnce(log, lease, 1)).toBe("already-there");
    expect(await textsOf(log, 0)).toEqual(["1"]);
  });

  it("while the first attempt still waits on the server: the second waits for it, and recognises it", async () => {
    const { log, proxy, lease } = await throughProxy();
    const holder = await holding(`SELECT * FROM "tidemark_faults-${jobs}".shards FOR UPDATE`);
    const lost = expect(appendOnce(log, lease, 1)).rejects.toMatchObject(UNREACHABLE);
    await expect.poll(waiting).toBe(1);
    proxy.cut();
    await lost;
    const again = appendOnce(log, lease, 1);
    await expect.poll(waiting).toBe(2);
    await holder.end();
    expect(await again).toBe("already-there");
    expect(await textsOf(log, 0)).toEqual(["1"]);
  });

  it("by nobody, but silent, is given up after a while", async () => {
    const { log, proxy, lease } = await throughProxy();
    proxy.isSilent = true;
    await expect(appendOnce(log, lease, 1)).rejects.toMatchObject(UNREACHABLE);
    await expect(appendOnce(log, lease, 1)).rejects.toThrow("does not answer");
    proxy.cut();
    expect(await appendOnce(log, lease, 1)).toBe("appended");
  });

  it("by an administrator is made again", async () => {
    const { log, name } = await newJob();
    const lease = (await log.lease("anna", 0, HOUR_MS))!;
    const terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tidemark'";
    for (let position = 1; position <= 3; position++) {
      await sql(terminate);
      expect(await insist(() => appendOnce(log, lease, position))).toMatch(/^appended|already-there$/);
    }
    const holder = await holding(`SELECT * FROM "tidemark_${name}".shards FOR UPDATE`);
    const waits = expect(appendOnce(log, lease, 4)).rejects.toThrow("the server ended the connection");
    await expect.poll(waiting).toBe(1);
    await sql(terminate);
    await waits;
    await holder.end();
    expect(await appendOnce(log, lease, 4)).toBe("appended");
  });
});

describe("a server that others keep busy", () => {
  it("is given up after a while, and answers later", async () => {
    const { name } = await newJob();
    const timeouts = { connectMs: 5000, statementMs: 300 };
    const log = closing(await openPostgresJob({ url: server.url }, name, timeouts));
    const lease = (await log.lease("anna", 0, HOUR_MS))!;
    const holder = await holding(`SELECT * FROM "tidemark_${name}".shards FOR UPDATE`);
    await expect(appendOnce(log, lease, 1)).rejects.toThrow("the server took too long and gave up");
    await holder.end();
    expect(await appendOnce(log, lease, 1)).toBe("appended");
  });

  it("without a free connection is unreachable, with what to do", async () => {
    const { log } = await newJob();
    await server.setMaxConnections(2);
    const clients = [1, 2].map(() => new pg.Client({ connectionString: server.url }));
    for (const client of clients) await client.connect();
    await expect(log.board()).rejects.toMatchObject(UNREACHABLE);
    await expect(log.board()).rejects.toThrow("raise max_connections, or run fewer workers");
    for (const client of clients) await client.end();
    await insist(() => log.board());
    await server.setMaxConnections(100);
  });
});

describe("two workers that want one shard", () => {
  const ROUNDS = 300;

  async function twoLogs(): Promise<[first: FactLog, second: FactLog]> {
    const { log, name } = await newJob();
    return [log, closing(await openPostgresJob({ url: server.url }, name))];
  }

  async function after<Result>(moments: number, act: () => Promise<Result>): Promise<Result> {
    for (let moment = 0; moment < moments; moment++) await sleep(0);
    return act();
  }

  it("never both append: one of append and take-over comes first, and the next owner sees which", async () => {
    const [first, second] = await twoLogs();
    const expected: string[] = [];
    const results = new Set<string>();
    for (let round = 1; round <= ROUNDS; round++) {
      const lease = (await first.lease("anna", 0, 0))!;
      expect(lease.position).toBe(expected.length);
      // Each is the later one by turns. Leases have no time, so that everybody may take them at once.
      const moments = round % 7;
      const [result, next] = await Promise.all([
        after(round % 2 === 0 ? moments : 0, () => appendOnce(first, lease, lease.position + 1, `round ${round}`)),
        after(round % 2 === 0 ? 0 : moments, async () => (await second.lease("bert", 0, 0))!),
      ]);
      results.add(result);
      if (result === "appended") expected.push(`round ${round}`);
      expect(next.position).toBe(expected.length);
      expect(await appendOnce(first, lease, expected.length + 1, "late")).toBe("fenced");
    }
    expect([...results].sort()).toEqual(["appended", "fenced"]);
    expect(await textsOf(first, 0)).toEqual(expected);
  });

  it("never both reserve: who takes over in the middle learns what is left", async () => {
    const [first, second] = await twoLogs();
    const lease = (await first.lease("anna", 0, 0))!;
    await first.reserve([{ lease, pages: 10 }], 100);
    const holder = await holding(`SELECT * FROM "tidemark_faults-${jobs}".job FOR UPDATE`);
    const giving = first.reserve([{ lease, pages: 6 }], 100);
    await expect.poll(waiting).toBe(1);
    const taking = second.lease("bert", 0, 0);
    await expect.poll(waiting).toBe(2);
    await holder.end();
    expect(await giving).toEqual([6]);
    expect(await taking).toMatchObject({ pages: 6 });
    expect(await first.reserve([{ lease, pages: 2 }], 100)).toEqual([undefined]);
  });
});

describe("a full disk", () => {
  const noise = (position: number): Uint8Array =>
    createHash("shake256", { outputLength: 200_000 }).update(String(position)).digest();

  /** Appends until the server does not take any more, and says what it said then. */
  async function fill(log: FactLog, lease: Lease, from: number): Promise<{ position: number; failure: unknown }> {
    for (let position = from; ; position++) {
      try {
        const [result] = await log.append([{ lease, position: position + 1, batch: noise(position + 1) }]);
        expect(result).toBe("appended");
      } catch (failure) {
        return { position, failure };
      }
    }
  }

  /** A folder of the disk, which the server may use as another user. */
  function tinyFolder(bytes: number): string | undefined {
    const disk = tinyDisk(bytes);
    if (disk !== undefined) chmodSync(dirname(disk), 0o755);
    return disk;
  }

  it("of the tables is a failure of its own, loses nothing, and goes on when there is room", async ({ skip }) => {
    const disk = tinyFolder(90_000_000);
    if (disk === undefined) return skip("no permission to mount a disk of 90 MB");
    const tiny = await startPostgres({ parent: disk, walElsewhere: true, config: "autovacuum = off" });
    onTestFinished(() => tiny.dispose());
    const { log } = await newJob(tiny.url);
    const lease = (await log.lease("anna", 0, HOUR_MS))!;
    const { position, failure } = await fill(log, lease, 0);
    expect(failure).toMatchObject({ name: "FactLogError", kind: "disk-full" });
    expect(position).toBeGreaterThan(5);
    expect((await log.board()).shards[0]).toMatchObject({ worker: "anna", position });
    const again = await fill(log, lease, position);
    expect(again.position).toBe(position);
    expect(String(again.failure)).toContain("the disk of the server is full: free space there; nothing was written");
    enlarge(disk, 200_000_000);
    expect(await appendOnce(log, lease, position + 1)).toBe("appended");
    const [last] = await log.read(0, position - 1, 1);
    expect(Buffer.compare(last.batch, noise(position))).toBe(0);
  });

  // A server that cannot write its write-ahead log may end itself: whether it does depends on which file was the next.
  it("of the whole server loses nothing that was acknowledged, whatever the server does", async ({ skip }) => {
    const disk = tinyFolder(90_000_000);
    if (disk === undefined) return skip("no permission to mount a disk of 90 MB");
    const config = "max_wal_size = '8MB'\nmin_wal_size = '8MB'\nautovacuum = off";
    const tiny = await startPostgres({ parent: disk, initdb: ["--wal-segsize=1"], config });
    onTestFinished(() => tiny.dispose());
    const { log } = await newJob(tiny.url);
    const lease = (await log.lease("anna", 0, HOUR_MS))!;
    const { position, failure } = await fill(log, lease, 0);
    expect(failure).toMatchObject({ name: "FactLogError", kind: expect.stringMatching(/^disk-full|unreachable$/) });
    expect(position).toBeGreaterThan(5);
    enlarge(disk, 200_000_000);
    await tiny.kill();
    await tiny.start();
    const [result] = await insist(() => log.append([{ lease, position: position + 1, batch: noise(position + 1) }]));
    expect(result).toMatch(/^appended|already-there$/);
    const batches = await log.read(0, 0, 1e9);
    expect(batches.map(({ batch }, k) => Buffer.compare(batch, noise(k + 1)))).toEqual(
      Array.from({ length: position + 1 }, () => 0),
    );
  });
});
