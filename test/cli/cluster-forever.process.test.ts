/**
 * `tidemark cluster export --forever` on a real PostgreSQL: a job is gathered while its workers crawl, and refreshed when
 * it has ended, by one process that may be killed at any time.
 */
import type { ChildProcess } from "node:child_process";
import { renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { serveTwin, type TwinWeb } from "../support/twin-web.ts";
import { newJob } from "./cluster-jobs.ts";
import { type Line, linesOf } from "./demo-web.ts";
import { type Outcome, outcomeOf } from "./run.ts";
import { served } from "./sites.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.dispose());

type Job = ReturnType<typeof newJob>;

/** A read every 0.3 seconds. */
const FOREVER = ["--forever", "--budget", "288000"];
const DELAY_MS = 100;

/** An export that goes on, with what it has said so far. */
class Export {
  readonly ended: Promise<Outcome>;
  readonly #child: ChildProcess;
  #said = "";

  constructor(job: Job, ...args: string[]) {
    this.#child = job.start("export", "--dir", "web", ...FOREVER, "--json", ...args);
    this.ended = outcomeOf(this.#child);
    this.#child.stdout?.on("data", (text: string) => (this.#said += text));
  }

  get lines(): Line[] {
    const whole = this.#said.slice(0, this.#said.lastIndexOf("\n") + 1);
    return whole === "" ? [] : linesOf(whole);
  }

  /** Until it has read so many pages of its own. */
  async refreshed(reads: number): Promise<void> {
    await this.#until(() => this.lines.some((line) => line.type === "progress" && Number(line["reads"]) >= reads));
  }

  /** Until something can be seen in the directory. */
  async gathered(job: Job): Promise<void> {
    await this.#until(async () => (await job.folder.run(["coverage", "web"])).code === 0);
  }

  async stopped(signal: NodeJS.Signals): Promise<Outcome> {
    this.#child.kill(signal);
    return this.ended;
  }

  async #until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    let outcome: Outcome | undefined;
    void this.ended.then((ended) => (outcome = ended));
    while (!(await isSo())) {
      if (outcome !== undefined) throw new Error(`it has ended: ${JSON.stringify(outcome)}`);
      await sleep(100);
    }
  }
}

async function startTwin(job: Job, web: TwinWeb, pages: number, ...more: string[]): Promise<void> {
  const manners = ["--delay", `${DELAY_MS}ms`, "--per-host", "1", "--per-address", "64", "--no-sitemaps"];
  const where = ["--scope", "domain", "--allow-private", "--resolve", web.resolve, "--shards", "4"];
  const started = await job.run("start", web.seed, "--max-pages", `${pages}`, ...manners, ...where, ...more);
  expect(started).toMatchObject({ code: 0, stderr: "" });
}

/** A job whose workers have fetched all that they may. */
async function endedJob(): Promise<{ readonly job: Job; readonly web: TwinWeb }> {
  const job = newJob(server);
  const web = await serveTwin(200);
  onTestFinished(() => web.close());
  await startTwin(job, web, 10);
  expect((await job.run("work", "--quiet")).code).toBe(0);
  return { job, web };
}

/** How soon after the last one each request of a host came, where that is too soon. */
function tooSoon({ requests }: TwinWeb): number[] {
  return [...requests.values()].flatMap((all) =>
    all.slice(1).flatMap(({ fromMs }, k) => (fromMs - all[k].toMs < DELAY_MS ? [fromMs - all[k].toMs] : [])),
  );
}

async function downloaded(job: Job, dir: string): Promise<number> {
  return ((await job.folder.json(["coverage", dir])) as { downloaded: number }).downloaded;
}

describe("an export that goes on", () => {
  it("gathers, then refreshes, wherever it is killed or stopped, and asks no host too soon", async () => {
    const job = newJob(server);
    const web = await serveTwin(200);
    onTestFinished(() => web.close());
    await startTwin(job, web, 60);
    const killed = new Export(job);
    const working = outcomeOf(job.start("work", "--quiet"));
    await job.until(({ pages }) => pages > 5);
    await killed.gathered(job);
    await killed.stopped("SIGKILL");

    const second = new Export(job, "--serve", "--listen", "0");
    expect(await working).toMatchObject({ code: 0, stdout: "The job has ended: page-limit.\n" });
    await second.refreshed(3);
    // The first may have come so far before it was killed. Then the second says so again, unless the first has read on.
    const gathered = [killed, second].map(({ lines }) => lines.filter(({ type }) => type === "gathered"));
    expect(gathered.flat().length).toBeGreaterThan(0);
    for (const lines of gathered) {
      expect(lines).toMatchObject([{ reason: "page-limit", dir: "web" }].slice(0, lines.length));
    }
    // One dashboard for both parts.
    const urls = second.lines.flatMap(({ type, url }) => (type === "serving" ? [url as string] : []));
    expect(urls).toHaveLength(1);
    const freshness = await (await fetch(new URL("/api/freshness", urls[0]))).json();
    expect(freshness).toMatchObject({ refresh: { budget: 288_000 } });
    // Nobody else gets the hosts.
    expect((await job.status()).heldBy).toMatch(/^refresh of .*web on /);
    const refused = await job.run("start", "--max-pages", "80");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/is held by the refresh of .*stop that/) });
    const elsewhere = await job.run("export", "--dir", "other", ...FOREVER);
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("is held by the refresh of") });
    await second.stopped("SIGKILL");

    // It takes its own place.
    const third = new Export(job);
    await third.refreshed(3);
    expect(third.lines.some(({ type }) => type === "gathered")).toBe(false);
    const { code, stdout } = await third.stopped("SIGINT");
    expect({ code, last: linesOf(stdout).at(-1) }).toMatchObject({ code: 0, last: { reason: "interrupted" } });
    expect((await job.status()).heldBy).toBe(null);
    expect(await downloaded(job, "web")).toBeGreaterThan(60);
    expect(tooSoon(web)).toEqual([]);
  });

  it("goes on and keeps the job when the same command is started once more", async () => {
    const { job } = await endedJob();
    const first = new Export(job);
    await first.refreshed(3);
    const before = await job.status();
    const second = await job.run("export", "--dir", "web", ...FOREVER);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringMatching(/web is in use by process/) });
    const after = await job.status();
    expect([after.heldBy, after.shards]).toEqual([expect.stringMatching(/^refresh of /), before.shards]);
    const { stdout } = await job.here("status");
    expect(stdout).toMatch(/ 4 shards, held by the refresh of .*web on /);
    expect(stdout).not.toMatch(/worker/);
    expect((await first.stopped("SIGINT")).code).toBe(0);
  });

  it("says what happens when the job goes on, which loses nothing", async () => {
    const { job, web } = await endedJob();
    const first = new Export(job);
    await first.refreshed(8);
    await first.stopped("SIGTERM");
    const kept = await downloaded(job, "web");
    expect(kept).toBeGreaterThan(10);
    expect((await job.run("export", "--dir", "web")).stderr).toMatch(/has been crawled since .*--forever/);

    expect((await job.run("start", "--max-pages", "20")).code).toBe(0);
    const running = await job.run("export", "--dir", "web", ...FOREVER);
    expect(running).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/was started again since web took it over/),
    });
    expect((await job.run("work", "--quiet")).code).toBe(0);
    const extended = await job.run("export", "--dir", "web", ...FOREVER);
    expect(extended).toMatchObject({ code: 2, stderr: expect.stringMatching(/has gone on since web took it over/) });
    // The job has all of its pages, and the directory all of its own.
    expect((await job.run("export", "--dir", "other")).code).toBe(0);
    expect([await downloaded(job, "other"), await downloaded(job, "web")]).toEqual([20, kept]);
    expect(tooSoon(web)).toEqual([]);
  });

  it("leaves a host alone that has asked a worker to wait", async () => {
    const WAIT_SECONDS = 12;
    const times: number[] = [];
    const busy = { atMs: Infinity };
    const url = await served((request, response) => {
      response.setHeader("content-type", "text/html");
      if (request.url === "/robots.txt") return void response.writeHead(404).end();
      times.push(performance.now());
      if (request.url === "/") return void response.end("<a href=/1>1</a><a href=/2>2</a>");
      if (busy.atMs < Infinity) return void response.end("page");
      busy.atMs = performance.now();
      response.writeHead(503, { "retry-after": `${WAIT_SECONDS}` }).end();
    });
    const job = newJob(server);
    await job.run("start", url, "--allow-private", "--delay", "0", "--per-host", "1", "--no-sitemaps");
    const working = outcomeOf(job.start("work", "--quiet"));
    const going = new Export(job);
    await expect.poll(() => busy.atMs).toBeLessThan(Infinity);
    await job.until(({ pages }) => pages === 1);
    await job.run("stop");
    expect((await working).code).toBe(0);
    await going.refreshed(2);
    expect(going.lines.find(({ type }) => type === "gathered")).toMatchObject({ reason: "interrupted" });
    await going.stopped("SIGINT");
    const after = times.filter((each) => each > busy.atMs);
    expect(after.length).toBeGreaterThan(1);
    expect(Math.min(...after) - busy.atMs).toBeGreaterThanOrEqual(1000 * WAIT_SECONDS);
  });

  it("does not begin to refresh before all WARC files are there", async () => {
    const job = newJob(server);
    const web = await serveTwin(60);
    onTestFinished(() => web.close());
    await startTwin(job, web, 8, "--warc");
    expect((await job.run("work", "--quiet", "--warc-dir", "files")).code).toBe(0);
    renameSync(job.folder.at("files"), job.folder.at("elsewhere"));
    const { code, stdout, stderr } = await new Export(job).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/WARC files? of workers could not be brought, so the refresh has not begun/),
    });
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "done", reason: "failed", warc: { files: 0 } });
    const going = new Export(job, "--warc-from", "elsewhere");
    await going.refreshed(1);
    expect(going.lines.find(({ type }) => type === "gathered")).toMatchObject({ warc: { missing: [] } });
    expect((await going.stopped("SIGINT")).code).toBe(0);
  });

  it.each([
    ["no budget", ["--dir", "web", "--forever"], "--budget N"],
    ["a budget alone", ["--dir", "web", "--budget", "5"], "--budget is for --forever"],
    ["quiet hours alone", ["--dir", "web", "--follow", "--quiet-hours", "1:00-2:00"], "--quiet-hours is for --forever"],
    ["a header alone", ["--dir", "web", "--header", "X-Key: tide"], "--header is about fetching; --forever fetches"],
    ["tables", ["--out", "tables", ...FOREVER], "expected --dir DIR"],
    ["--quiet and --verbose", ["--dir", "web", ...FOREVER, "--quiet", "--verbose"], "contradict each other"],
    ["--listen without --serve", ["--dir", "web", ...FOREVER, "--listen", "0"], "--serve"],
    ["quiet hours of the whole day", ["--dir", "web", ...FOREVER, "--quiet-hours", "00:00-24:00"], "whole day"],
  ])("is refused with %s", async (_what, args, words) => {
    const { code, stderr, stdout } = await newJob(server).run("export", ...args);
    expect(stderr).toContain(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});
