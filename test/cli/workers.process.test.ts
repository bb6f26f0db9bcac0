/** `tidemark crawl --workers`: to whoever runs it, a crawl like any other, whatever happens to its processes. */
import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FactLogError } from "../../src/store/index.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import {
  allEnded,
  expectSound,
  hasLeftovers,
  isAlive,
  ownersIn,
  pagesIn,
  pagesOfWorkers,
  RunningCrawl,
} from "./worker-crawls.ts";

describe("a crawl with workers", () => {
  it("reaches its target, and leaves a directory like any other", async () => {
    const folder = new Folder();
    const limits = ["--coverage", "0.85", "--workers", "3", "--dir", "c"];
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...limits]);
    await crawl.reported(1);
    expect(crawl.workers.length).toBe(3);
    const done = await crawl.done();
    expect(done).toMatchObject({ type: "done", reason: "coverage-reached", by: "proven", resumed: false, hosts: 8 });
    expect(crawl.lines.slice(0, -1).every(({ type }) => type === "progress")).toBe(true);
    expect(hasLeftovers(folder.at("c"))).toBe(false);
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(pages.length).toBe(done["pages"]);
    const proven = (await folder.json(["coverage", "c"])) as Record<string, number>;
    expect(proven).toMatchObject({ downloaded: pages.length, coverage: done["coverage"] });
    expect(proven["coverage"]).toBeGreaterThanOrEqual(0.85);
    // There are more hosts than workers.
    expect((await crawl.ended).stderr).not.toContain("each host is crawled by one worker");
  });

  it("is resumed by one process and the other way round, and keeps the limit of pages exactly", async () => {
    const folder = new Folder();
    const first = [SEED, ...(await demoWeb())];
    let before: string[] = [];
    for (const [pages, workers] of [
      [60, 3],
      [90, 2],
      [120, 1],
      [120, 2],
      [150, 2],
      [150, 1],
    ] as const) {
      const limits = ["--max-pages", `${pages}`, "--workers", `${workers}`, "--dir", "c"];
      const crawl = new RunningCrawl(folder, [...(before.length === 0 ? first : []), ...limits]);
      expect(await crawl.done()).toMatchObject({ reason: "page-limit", pages, resumed: before.length > 0 });
      const now = await pagesIn(folder.at("c"));
      expectSound(now);
      expect(now.length).toBe(pages);
      // What was there stays, in its order.
      expect(now.slice(0, before.length)).toEqual(before);
      expect(hasLeftovers(folder.at("c"))).toBe(false);
      before = now;
    }
    expect((await folder.json(["coverage", "c"])) as object).toMatchObject({ downloaded: 150 });
  });

  it("ends cleanly with Ctrl-C: what was reported is stored, and its workers are gone", async () => {
    const folder = new Folder();
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...ENDLESS]);
    await crawl.reported(60);
    const { workers } = crawl;
    crawl.signal("SIGINT");
    const done = await crawl.done();
    expect(done).toMatchObject({ type: "done", reason: "interrupted" });
    expect(workers.filter(isAlive)).toEqual([]);
    expect(hasLeftovers(folder.at("c"))).toBe(false);
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(pages.length).toBe(done["pages"]);
    expect(pages.length).toBeGreaterThanOrEqual(60);
    expect((await folder.run(["coverage", "c"])).code).toBe(0);
  });

  it("that is interrupted as soon as it starts leaves a crawl that can be resumed", async () => {
    const folder = new Folder();
    const args = [MAIN, "crawl", SEED, ...(await demoWeb()), ...ENDLESS, "--json"];
    const child = spawn(process.execPath, args, { cwd: folder.path, detached: true });
    const ended = outcomeOf(child);
    await expect.poll(() => hasLeftovers(folder.at("c")), { interval: 10 }).toBe(true);
    await sleep(200);
    // To all processes, as a terminal does it: workers that are just starting die of it.
    process.kill(-(child.pid ?? Number.NaN), "SIGINT");
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "done", reason: "interrupted" });
    const resumed = new RunningCrawl(folder, ["--dir", "c", "--max-pages", "40"]);
    expect(await resumed.done()).toMatchObject({ pages: 40, reason: "page-limit" });
  });
});

/** More pages than any of these crawls will fetch. */
const ENDLESS = ["--max-pages", "100000", "--workers", "3", "--dir", "c"];

/** At most 20 requests a second on each of eight hosts, so that it is known how far a crawl can be. */
const SLOWLY = ["--delay", "50"];

describe("when a crawl with workers is killed", () => {
  it("its workers end by themselves, and the next run gathers what they have stored", async () => {
    const folder = new Folder();
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...ENDLESS]);
    await crawl.reported(60);
    const { workers } = crawl;
    crawl.signal("SIGKILL");
    const { stderr } = await crawl.ended;
    await allEnded(workers);
    expect(stderr).not.toMatch(/Error|\bat /);
    expect(hasLeftovers(folder.at("c"))).toBe(true);
    const stored = await pagesOfWorkers(folder.at("c"));
    expectSound(stored);
    expect(stored.length).toBeGreaterThanOrEqual(crawl.pages);
    // It is no crawl that has fetched nothing, and nobody but the next run may write to it.
    expect((await folder.run(["coverage", "c"])).code).toBe(0);
    expect(await folder.run(["refresh", "c", "--budget", "1", "--once"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run tidemark crawl --dir c first"),
    });
    expect(await folder.run(["crawl", "--dir", "c", "--scope", "host"])).toMatchObject({ code: 2 });
    for (const [dir, more] of [
      ["plain", []],
      ["again", ["--workers", "2"]],
    ] as const) {
      cpSync(folder.at("c"), folder.at(dir), { recursive: true });
      const limit = stored.length + 30;
      const next = new RunningCrawl(folder, ["--dir", dir, "--max-pages", `${limit}`, ...more]);
      expect(await next.done()).toMatchObject({ reason: "page-limit", pages: limit, resumed: true });
      const pages = await pagesIn(folder.at(dir));
      expectSound(pages);
      expect(new Set(pages.slice(0, stored.length))).toEqual(new Set(stored));
      expect(hasLeftovers(folder.at(dir))).toBe(false);
    }
  });

  it("a run that is started at once waits for the workers, and loses nothing of what they still store", async () => {
    const folder = new Folder();
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...ENDLESS, ...SLOWLY]);
    await crawl.reported(60);
    const { workers } = crawl;
    crawl.signal("SIGKILL");
    const stored = await pagesOfWorkers(folder.at("c"));
    const next = new RunningCrawl(folder, ["--dir", "c", "--max-pages", "700", "--workers", "2"]);
    expect(await next.done()).toMatchObject({ reason: "page-limit", pages: 700 });
    expect(workers.filter(isAlive)).toEqual([]);
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(pages).toEqual(expect.arrayContaining(stored));
  });

  it("a worker that somebody has stopped is not ignored: the next run says that it must end first", async () => {
    const folder = new Folder();
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...ENDLESS]);
    await crawl.reported(30);
    const { workers } = crawl;
    process.kill(workers[0], "SIGSTOP");
    crawl.signal("SIGKILL");
    const next = await folder.run(["crawl", "--dir", "c", "--max-pages", "500"]);
    expect(next).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("c is in use by workers of a run that was killed: end these processes first"),
    });
    expect(hasLeftovers(folder.at("c"))).toBe(true);
    process.kill(workers[0], "SIGCONT");
    await allEnded(workers);
    const stored = await pagesOfWorkers(folder.at("c"));
    const limit = stored.length + 30;
    const last = new RunningCrawl(folder, ["--dir", "c", "--max-pages", `${limit}`]);
    expect(await last.done()).toMatchObject({ pages: limit });
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(pages).toEqual(expect.arrayContaining(stored));
  });
});

/** Some hosts of the demo web, without what is endless there, and without the host that asks for a delay. */
const FINITE = ["--exclude", "^http://(calendar|museum|forum|shop)\\.", "--exclude", "[?&]sid="];

describe("when a worker", () => {
  it("is killed, another takes its place, and the crawl ends as if nothing had happened", async () => {
    const folder = new Folder();
    const web = [SEED, ...(await demoWeb()), ...FINITE];
    const undisturbed = new RunningCrawl(folder, [...web, "--dir", "undisturbed"]);
    const crawl = new RunningCrawl(folder, [...web, "--workers", "3", "--dir", "c", ...SLOWLY]);
    await crawl.reported(30);
    const before = crawl.workers;
    process.kill(before[1], "SIGKILL");
    await expect.poll(() => crawl.workers.filter((pid) => !before.includes(pid)).length).toBe(1);
    expect(await crawl.done()).toMatchObject({ reason: "frontier-empty" });
    await undisturbed.done();
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(new Set(pages)).toEqual(new Set(await pagesIn(folder.at("undisturbed"))));
  });

  it("is stopped for longer than its lease, others crawl its hosts, and it goes on as one of them", async () => {
    const folder = new Folder();
    // At most two requests a second on each of eight hosts: the crawl takes longer than the lease.
    const limits = ["--max-pages", "400", "--workers", "3", "--dir", "c", "--delay", "500"];
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...limits]);
    await crawl.reported(30);
    const { workers } = crawl;
    await stopBetweenWrites(workers[0], folder.at("c"));
    const owners = async (): Promise<unknown> => new Set(await ownersIn(folder.at("c")));
    await expect.poll(owners, { interval: 250 }).toEqual(new Set(workers.slice(1)));
    process.kill(workers[0], "SIGCONT");
    expect(await crawl.done()).toMatchObject({ reason: "page-limit", pages: 400 });
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(pages.length).toBe(400);
  });
});

/** Who is stopped in the middle of a write keeps all others from writing: then it goes on, and is stopped again. */
async function stopBetweenWrites(pid: number, dir: string): Promise<void> {
  for (;;) {
    process.kill(pid, "SIGSTOP");
    try {
      return void (await ownersIn(dir));
    } catch (error) {
      if (!(error instanceof FactLogError) || error.kind !== "unreachable") throw error;
      process.kill(pid, "SIGCONT");
      await sleep(50);
    }
  }
}

describe("--workers", () => {
  it("is refused for a crawl that has another order, which stays as it is", async () => {
    const folder = new Folder();
    const order = ["--order", "backlink", "--max-pages", "5", "--dir", "c"];
    await folder.run(["crawl", SEED, ...(await demoWeb()), ...order]);
    const refused = await folder.run(["crawl", "--dir", "c", "--max-pages", "9", "--workers", "2"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("got --order backlink") });
    expect(await new RunningCrawl(folder, ["--dir", "c"]).done()).toMatchObject({ pages: 5, reason: "page-limit" });
  });

  it("says at the start, once, that it cannot help if the scope has fewer hosts", async () => {
    const folder = new Folder();
    const web = [...(await demoWeb()), "--scope", "host", "--max-pages", "6"];
    const one = await folder.run(["crawl", SEED, ...web, "--workers", "2", "--dir", "one"]);
    expect(one).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        "--workers does not help: each host is crawled by one worker, and the scope has 1 host\n",
      ),
    });
    expect(one.stderr.match(/each host/g)).toHaveLength(1);
  });

  it("says at the end that it could not help if fewer hosts were met", async () => {
    const folder = new Folder();
    const limits = [
      "--exclude",
      "^http://(library|forum|shop|museum|files|calendar)[.]",
      "--max-pages",
      "20",
      "--workers",
      "3",
      "--dir",
      "c",
    ];
    const { code, stderr } = await folder.run(["crawl", SEED, ...(await demoWeb()), ...limits]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("the crawl met 2 hosts") });
  });
});

describe("--workers with --serve", () => {
  it("shows how far the workers are, and the crawl is paused, resumed and ended from there", async () => {
    const folder = new Folder();
    const served = [...ENDLESS, "--serve", "--listen", "0"];
    const crawl = new RunningCrawl(folder, [SEED, ...(await demoWeb()), ...served]);
    await expect.poll(() => crawl.lines.find(({ type }) => type === "serving")).toBeDefined();
    const url = String(crawl.lines.find(({ type }) => type === "serving")?.["url"]);
    const pagesShown = async (): Promise<number> =>
      ((await (await fetch(`${url}api/overview`)).json()) as { status: { pages: number } | null }).status?.pages ?? 0;
    const control = async (body: object): Promise<unknown> => {
      const headers = { "content-type": "application/json", origin: new URL(url).origin };
      const reply = await fetch(`${url}api/control`, { method: "POST", headers, body: JSON.stringify(body) });
      return reply.json();
    };
    await expect.poll(pagesShown, { interval: 100 }).toBeGreaterThan(20);
    // The directory has them as well, before the crawl has ended.
    await expect.poll(async () => (await pagesIn(folder.at("c"))).length).toBeGreaterThan(20);
    expect(await control({ action: "pause" })).toMatchObject({ state: "paused" });
    let still = -1;
    await expect
      .poll(
        async () => {
          const before = still;
          still = await pagesShown();
          return still === before;
        },
        { interval: 3000 },
      )
      .toBe(true);
    const limit = still + 50;
    expect(await control({ action: "limits", limits: { pages: limit } })).toMatchObject({ limits: { pages: limit } });
    expect(await control({ action: "resume" })).toMatchObject({ state: "running" });
    expect(await crawl.done()).toMatchObject({ reason: "page-limit", pages: limit });
    const pages = await pagesIn(folder.at("c"));
    expectSound(pages);
    expect(pages.length).toBe(limit);
    // The limit is that of the crawl from now on.
    expect(await new RunningCrawl(folder, ["--dir", "c"]).done()).toMatchObject({ pages: limit });
  });
});
