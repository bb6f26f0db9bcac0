/** `tidemark cluster` on a real PostgreSQL: workers are processes that know nothing but the address of the database. */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { PASSWORD, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { newJob } from "./cluster-jobs.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { outcomeOf } from "./run.ts";
import { FolderHere, runHere } from "./run-here.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.dispose());

describe("a job", () => {
  it("is crawled by workers that come and go, and gathered in an ordinary directory", async () => {
    const job = newJob(server);
    const { folder } = job;
    const started = await job.run("start", SEED, "--coverage", "0.97", "--shards", "6", ...(await demoWeb()));
    expect(started).toMatchObject({ code: 0, stderr: "" });
    const first = job.start("work", "--name", "anna", "--quiet");
    const ended = outcomeOf(first);
    await job.until(({ pages }) => pages > 0);
    const second = outcomeOf(job.start("work", "--name", "bert", "--json"));
    // The newcomer has its share of the shards within seconds.
    await job.until(({ workers, stopped }) => stopped !== null || workers.every(({ shards }) => shards === 3));
    await folder.runWith({ PGPASSWORD: PASSWORD }, ["cluster", "export", ...job.where, "--dir", "meanwhile"]);
    const following = outcomeOf(job.start("export", "--dir", "followed", "--follow", "--quiet"));
    expect(await ended).toMatchObject({ code: 0, stdout: "The job has ended: coverage-reached.\n", stderr: "" });
    const { stdout, code } = await second;
    expect({ code, last: linesOf(stdout).at(-1) }).toEqual({
      code: 0,
      last: { type: "done", reason: "coverage-reached" },
    });
    expect((await following).code).toBe(0);
    const { stopped, coverage, pages, workers, shards } = await job.status();
    const asked = await job.run("status", "--json");
    expect(JSON.parse(asked.stdout)).toMatchObject({ stopped, coverage, pages, workers, shards });
    expect({ stopped, workers }).toEqual({ stopped: "coverage-reached", workers: [] });
    expect(coverage).toBeGreaterThanOrEqual(0.97);
    expect(shards.every(({ worker }) => worker === null)).toBe(true);
    const { stdout: words } = await job.here("status");
    expect(words).toMatch(
      / has ended \(coverage-reached\), after [\d.]+ (s|min)[^]*\n {2}6 shards\n {2}gather it with /,
    );
    expect(words).not.toMatch(/worker/);
    for (const dir of ["meanwhile", "whole", "followed"]) {
      const exported = await job.run("export", "--dir", dir);
      expect(exported).toMatchObject({ code: 0 });
      const certificate = (await folder.json(["coverage", dir])) as { coverage: number; downloaded: number };
      expect(certificate.downloaded).toBe(pages);
      expect(certificate.coverage).toBeGreaterThanOrEqual(coverage - 1e-9);
    }
    // What was exported is a crawl like any other, but then it is no longer that of the job.
    await folder.json(["crawl", "--dir", "whole", "--coverage", "none", "--max-pages", String(pages + 5), "--quiet"]);
    expect((await job.run("export", "--dir", "whole")).stderr).toMatch(/has been crawled since/);
  });

  it("is stopped, and goes on with another limit", async () => {
    const job = newJob(server);
    await job.run("start", SEED, "--max-pages", "40", "--shards", "4", ...(await demoWeb()));
    expect(await job.run("work", "--quiet")).toMatchObject({ code: 0, stdout: "The job has ended: page-limit.\n" });
    const ended = await job.status();
    expect(ended).toMatchObject({ pages: 40, stopped: "page-limit" });
    // Nobody's time is counted any more.
    expect((await job.status()).seconds).toBe(ended.seconds);
    expect(await job.run("start", "--max-pages", "70")).toMatchObject({ code: 0 });
    const working = outcomeOf(job.start("work", "--quiet"));
    expect(await working).toMatchObject({ code: 0 });
    expect(await job.status()).toMatchObject({ pages: 70, stopped: "page-limit" });
    await job.run("start", "--max-pages", "none", "--coverage", "none");
    const endless = outcomeOf(job.start("work", "--quiet"));
    await job.until(({ pages }) => pages > 70);
    expect(await job.run("stop")).toMatchObject({ code: 0 });
    expect(await endless).toMatchObject({ code: 0, stdout: "The job was stopped.\n" });
    expect(await job.run("drop")).toMatchObject({ code: 0 });
    expect((await job.run("status")).stderr).toMatch(/there is no job/);
  });

  it("survives its workers and its database", async () => {
    const job = newJob(server);
    await job.run("start", SEED, "--max-pages", "400", "--shards", "4", ...(await demoWeb()), "--delay", "20");
    const doomed = job.start("work", "--name", "doomed", "--quiet");
    const others = [job.start("work", "--name", "other"), job.start("export", "--dir", "followed", "--follow")];
    const said = others.map(() => "");
    others.forEach(({ stderr }, k) => stderr?.on("data", (text: Buffer) => (said[k] += text.toString())));
    const [working, following] = others.map((child) => outcomeOf(child));
    await job.until(({ pages }) => pages > 30);
    while (!said[1].includes("following the job")) await sleep(100);
    doomed.kill("SIGKILL");
    await server.kill();
    while (!said.every((text) => text.includes("the log cannot be reached"))) await sleep(100);
    await server.start();
    const { code, stdout, stderr } = await working;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The job has ended: page-limit.\n" });
    expect(stderr).toMatch(/the log cannot be reached[^]*the log can be reached again/);
    const followed = await following;
    expect(followed.code).toBe(0);
    expect(followed.stderr.match(/the log can[^ ]* be reached/g)).toEqual([
      "the log cannot be reached",
      "the log can be reached",
    ]);
    expect(await job.folder.json(["coverage", "followed"])).toMatchObject({ downloaded: 400 });
    expect(await job.status()).toMatchObject({ pages: 400 });
    expect(await job.run("export", "--dir", "crawl")).toMatchObject({ code: 0 });
    expect(await job.folder.json(["coverage", "crawl"])).toMatchObject({ downloaded: 400 });
  });
});

describe("mistakes get a clear error", () => {
  it("for a wrong password, which nobody gets to see", async () => {
    const folder = new FolderHere();
    const log = `postgres://tidemark@127.0.0.1:${server.port}/postgres`;
    const { code, stderr } = await runHere(folder.path, ["cluster", "status", "--log", log], {
      PGPASSWORD: "wrong one",
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/password/);
    expect(stderr).not.toMatch(/wrong one| at .*:\d+:\d+/);
  });

  it.each([
    ["a server that is not there", ["--log", "postgres://tidemark@127.0.0.1:1/postgres"], 1, /127\.0\.0\.1:1/],
    ["an address of something else", ["--log", "mysql://here/there"], 2, /expected postgres:\/\//],
    ["no address", [], 2, /--log/],
  ])("for %s", async (_, args, expected, message) => {
    const { code, stderr } = await new FolderHere().run(["cluster", "status", ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(expected);
  });

  it("for a job that is not there, or there already, or cannot be shared", async () => {
    const job = newJob(server);
    expect((await job.here("work")).stderr).toMatch(/there is no job job\d+ in .*: start it, or correct the name/);
    const web = await demoWeb();
    const wrong = await job.here("start", SEED, "--order", "opic", ...web);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toMatch(/rankmass only/);
    // An archive is completed when it is one.
    expect(await job.here("start", SEED, "--warc", "--requisites", ...web)).toMatchObject({ code: 2 });
    expect(await job.here("start", SEED, "--shards", "2049", ...web)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2049.*from 1 to 2,?048/),
    });
    expect((await job.here("status")).stderr).toMatch(/there is no job/);
    expect(await job.here("start", SEED, ...web)).toMatchObject({ code: 0 });
    expect((await job.here("start", SEED, ...web)).stderr).toMatch(/already exists/);
    expect((await job.here("start", "--shards", "5")).stderr).toMatch(/has its shards already/);
    for (const [flag, ...value] of [["--delay", "5s"], ["--header", "X-Key: tide"], ["--no-sitemaps"]]) {
      const { code, stderr } = await job.here("start", "--max-pages", "5", flag, ...value);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(`only its limits can change: leave out ${flag}, or start another job`),
      });
    }
  });

  it("for what a job has no use for, also in a config file, which is read", async () => {
    const job = newJob(server);
    writeFileSync(job.folder.at("job.yaml"), `urls: ${SEED}\nmax-pages: 3\nhosts:\n  www.demo.test: { delay: 1ms }\n`);
    writeFileSync(job.folder.at("crawl.yaml"), "max-pages: 3\nforever: true\n");
    writeFileSync(job.folder.at("slow.yaml"), "max-pages: 4\ndelay: 5s\n");
    expect(await job.here("start", SEED, "--forever")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '--forever'"),
    });
    expect(await job.here("start", SEED, "--config", "missing.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing.yaml: no such file"),
    });
    expect(await job.here("start", SEED, "--config", "crawl.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('crawl.yaml: line 2: "forever" is for tidemark crawl'),
    });
    expect(await job.here("start", "--config", "job.yaml", ...(await demoWeb()))).toMatchObject({ code: 0 });
    expect(await job.run("work", "--quiet")).toMatchObject({ code: 0, stdout: "The job has ended: page-limit.\n" });
    expect(await job.status()).toMatchObject({ pages: 3 });
    expect((await job.here("start", "--config", "slow.yaml")).stderr).toContain("leave out --delay");
    expect(await job.here("start", "--max-pages", "none")).toMatchObject({ code: 0 });
  });

  it("for hosts whose secrets a worker lacks: it does not take them", async () => {
    const job = newJob(server);
    const web = await demoWeb();
    const secret = ["--header", "X-Key: tide"];
    await job.here("start", SEED, "--max-pages", "30", "--shards", "3", ...web, ...secret);
    const poor = job.start("work", "--name", "poor", "--quiet");
    onTestFinished(() => void poor.kill("SIGKILL"));
    await job.until(({ workers }) => workers.some(({ shards }) => shards === 2));
    const { pages, shards } = await job.status();
    expect({ pages, free: shards.filter(({ worker }) => worker === null).length }).toEqual({ pages: 0, free: 1 });
    expect(await job.run("work", "--name", "rich", "--quiet", ...secret)).toMatchObject({ code: 0 });
    expect(await job.status()).toMatchObject({ pages: 30 });
  });
});
