/** `tidemark cluster` with `--warc`: files of workers on several machines, which are folders here, become one archive. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { enlarge, tinyDisk } from "../support/tiny-disk.ts";
import { newJob } from "./cluster-jobs.ts";
import { demoWeb, SEED } from "./demo-web.ts";
import { outcomeOf } from "./run.ts";
import { expectArchived, pagesIn } from "./worker-crawls.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.dispose());

/** Some hosts of the demo web, without what is endless there, and slowly enough to be disturbed. */
const FINITE = ["--exclude", "^http://(calendar|museum|forum|shop)\\.", "--exclude", "[?&]sid=", "--delay", "200"];

interface Exported {
  readonly visits: number;
  readonly warc: {
    readonly files: number;
    readonly missing: readonly {
      readonly name: string;
      readonly worker: string;
      readonly dir: string;
      readonly responses: number;
      readonly problem: string;
    }[];
  };
}

/** A job whose archive two workers have written, one of which was killed. */
async function crawledJob() {
  const job = newJob(server);
  const { folder } = job;
  const web = [...(await demoWeb()), ...FINITE, "--warc"];
  const started = await job.run("start", SEED, "--coverage", "none", "--shards", "6", ...web);
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining("cluster work --warc-dir DIR") });
  const doomed = job.start("work", "--name", "anna", "--quiet", "--warc-dir", "of-anna");
  const gone = outcomeOf(doomed);
  await job.until(({ pages }) => pages > 10);
  const staying = outcomeOf(job.start("work", "--name", "bert", "--quiet", "--warc-dir", "of-bert/warc"));
  await job.until(({ workers }) => workers.length === 2 && workers.every(({ shards }) => shards > 0));
  const { pages } = await job.status();
  await job.until((status) => status.pages > pages);
  doomed.kill("SIGKILL");
  await gone;
  // The shards of the one that was killed have a new owner, who writes files of its own for them.
  const { pages: before } = await job.until(
    ({ workers, stopped }) => stopped !== null || workers.some(({ name, shards }) => name === "bert" && shards === 6),
  );
  await job.until((status) => status.stopped !== null || status.pages > before + 20);
  await job.here("stop");
  expect(await staying).toMatchObject({ code: 0 });
  return {
    ...job,
    folders: [folder.at("of-anna"), folder.at("of-bert/warc")],
    export: async (dir: string, ...args: string[]): Promise<Exported> => {
      const { code, stdout, stderr } = await job.run("export", "--dir", dir, "--json", ...args);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as Exported;
    },
  };
}

function warcsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".warc.gz"));
}

/** Exports that are killed, each a little later than the one before, do no harm to the one that comes then. */
async function expectUnharmedByKills(job: Awaited<ReturnType<typeof crawledJob>>): Promise<void> {
  const dir = job.folder.at("killed");
  const facts = ["crawl.sqlite", "warc", "warc/index.cdxj.part", "warc/index.cdxj.new", "warc/index.cdxj"];
  for (const fact of facts) {
    const exporting = job.start("export", "--dir", "killed", "--quiet");
    const ended = outcomeOf(exporting);
    while (exporting.exitCode === null && !existsSync(join(dir, fact))) await sleep(1);
    exporting.kill("SIGKILL");
    await ended;
  }
  expect((await job.export("killed")).warc.missing).toEqual([]);
  await expectArchived(dir);
  expect(new Set(await pagesIn(dir)).size).toBe((await job.status()).pages);
}

describe("the archive of a job", () => {
  it("has each page once, whatever export is killed, and says which files are missing until they are there", async () => {
    const job = await crawledJob();
    await expectUnharmedByKills(job);
    const { folder, folders } = job;
    // On this machine they are found without a word.
    const { warc } = await job.export("whole");
    expect(warc.missing).toEqual([]);
    expect(warc.files).toBeGreaterThan(3);
    await expectArchived(folder.at("whole"));
    const pages = await pagesIn(folder.at("whole"));

    // Both machines are out of reach.
    for (const [k, from] of folders.entries()) renameSync(from, folder.at(`machine-${k}`));
    const without = await job.export("parts");
    expect(without.warc).toMatchObject({ files: 0 });
    expect(without.warc.missing.map(({ problem }) => problem)).toEqual(Array(warc.files).fill("not found"));
    const places = new Set(without.warc.missing.map(({ worker, dir }) => `${worker} ${dir}`));
    expect([...places].sort()).toEqual([`anna ${folders[0]}`, `bert ${folders[1]}`]);
    expect(await pagesIn(folder.at("parts"))).toEqual(pages);
    const certificate = await folder.json(["coverage", "parts"]);

    // One comes back, with a damaged file.
    const [damaged] = warcsIn(folder.at("machine-0"));
    const path = folder.at(join("machine-0", damaged));
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.with(500, bytes[500] ^ 1));
    const told = await job.run("export", "--dir", "parts", "--warc-from", "machine-0", "--quiet");
    expect(told).toMatchObject({ code: 0, stderr: "" });
    expect(told.stdout).toContain(`${damaged}, by anna (on `);
    expect(told.stdout).toContain(`in ${folders[0]}): ${join("machine-0", damaged)} is damaged`);
    expect(told.stdout).toMatch(/by bert \(on .*\): not found\n/);
    expect(told.stdout).toMatch(/responses have no body here\. Pages, links and coverage are complete\./);
    expect(told.stdout).toMatch(/run this command again with --warc-from FOLDER: it adds them/);

    // Then all of it.
    writeFileSync(path, bytes);
    const all = await job.export("parts", "--warc-from", "machine-0", "--warc-from", "machine-1");
    expect(all.warc).toEqual(warc);
    await expectArchived(folder.at("parts"));
    expect(await folder.json(["coverage", "parts"])).toEqual(certificate);
    // What is there needs no folder any more.
    for (const k of folders.keys()) rmSync(folder.at(`machine-${k}`), { recursive: true });
    expect((await job.export("parts")).warc).toEqual(warc);

    // An ordinary crawl: its texts are those of its pages, and one process goes on with the archive.
    const texts = async (dir: string): Promise<string> =>
      (await folder.run(["export", dir, "--states", "downloaded", "--content", "text", "--no-importance"])).stdout;
    expect(await texts("parts")).toBe(await texts("whole"));
    const limit = ["--max-pages", `${pages.length}`];
    expect(await folder.json(["crawl", "--dir", "parts", "--quiet", ...limit])).toMatchObject({ pages: pages.length });
    await expectArchived(folder.at("parts"));
  });
});

describe("a full disk", () => {
  it("ends a worker, whose pages others fetch, and an export, which goes on when there is space", async ({ skip }) => {
    const disk = tinyDisk(30_000);
    const target = tinyDisk(400_000);
    if (disk === undefined || target === undefined) return skip("no permission to mount small disks");
    const job = newJob(server);
    const { folder } = job;
    await job.run("start", SEED, "--warc", "--max-pages", "150", "--shards", "3", ...(await demoWeb()));
    const failed = await job.run("work", "--quiet", "--warc-dir", join(disk, "warc"));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("the disk is full: free space") });
    expect((await job.status()).pages).toBeLessThan(150);
    expect(await job.run("work", "--quiet", "--warc-dir", "other")).toMatchObject({ code: 0 });
    const dir = join(target, "crawl");
    const exported = await job.run("export", "--dir", dir);
    expect(exported).toMatchObject({ code: 1, stderr: expect.stringContaining("the disk is full: free space") });
    enlarge(target, 50_000_000);
    const { code, stdout } = await job.run("export", "--dir", dir, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ warc: { missing: [] } });
    await expectArchived(dir);
    expect(await pagesIn(dir)).toHaveLength(150);
    expect(warcsIn(folder.at("other"))).not.toEqual([]);
  });
});

describe("mistakes get a clear error", () => {
  it("for workers of a job with an archive, before they join", async () => {
    const job = newJob(server);
    const { folder } = job;
    await job.here("start", SEED, "--warc", ...(await demoWeb()));
    writeFileSync(folder.at("file"), "");
    createCrawl(folder.at("c"), "{}").close();
    const wrong = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await job.here("work", ...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await wrong()).toMatch(/stores WARC files: give --warc-dir DIR/);
    expect(await wrong("--warc-dir", "file")).toMatch(
      /file cannot be used for WARC files: a part of the path is not a directory/,
    );
    expect(await wrong("--warc-dir", "/proc/nowhere")).toMatch(/cannot be used for WARC files/);
    expect(await wrong("--warc-dir", "c/warc")).toMatch(/c\/warc is the archive of a crawl/);
    expect(await job.status()).toMatchObject({ workers: [], pages: 0 });
  });

  it("for folders that are none, and for jobs without an archive", async () => {
    const job = newJob(server);
    await job.here("start", SEED, "--max-pages", "3", "--shards", "2", ...(await demoWeb()));
    const { stderr } = await job.run("work", "--warc-dir", "unused");
    expect(stderr).toMatch(/stores no WARC files: --warc-dir has no effect/);
    expect(existsSync(job.folder.at("unused"))).toBe(false);
    expect(await job.here("export", "--dir", "d", "--warc-from", ".")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("stores no WARC files: leave out --warc-from"),
    });
    const archiving = newJob(server);
    await archiving.here("start", SEED, "--warc", ...(await demoWeb()));
    expect(await archiving.here("export", "--dir", "d", "--warc-from", "nowhere")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--warc-from nowhere is no folder"),
    });
    expect(await archiving.here("export", "--dir", "d")).toMatchObject({ code: 0 });
    expect(await archiving.here("export", "--dir", "d", "--warc-from", "d/warc")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is the archive of d itself"),
    });
  });
});
