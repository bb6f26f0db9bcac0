/**
 * `tidemark crawl --workers --warc`: whatever happens to its processes, the archive has one record of each page that is
 * stored, as it came, and nothing of any other page.
 */
import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WarcReader } from "../../src/store/index.ts";
import { expectIndexOfWarcio } from "../store/warc-reading.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { Folder } from "./run.ts";
import { allEnded, expectArchived, pagesIn, pagesOfWorkers, RunningCrawl } from "./worker-crawls.ts";

/** Some hosts of the demo web, without what is endless there, and without the host that asks for a delay. */
const FINITE = ["--exclude", "^http://(calendar|museum|forum|shop)\\.", "--exclude", "[?&]sid=", "--warc"];
/** At most 20 requests a second on each of its hosts, so that a crawl does not end before it is disturbed. */
const SLOWLY = ["--delay", "50"];

describe("the archive of a crawl with workers", () => {
  it("has the bodies of the same crawl by one process, and gives the same texts", async () => {
    const folder = new Folder();
    const web = [SEED, ...(await demoWeb()), ...FINITE];
    for (const [dir, workers] of Object.entries({ one: "1", three: "3" })) {
      const crawl = new RunningCrawl(folder, [...web, "--workers", workers, "--dir", dir]);
      expect(await crawl.done()).toMatchObject({ reason: "frontier-empty" });
    }
    await expectArchived(folder.at("three"));
    expect(bodiesIn(folder.at("three"))).toEqual(bodiesIn(folder.at("one")));
    const texts = await textsOf(folder, "three");
    expect(texts.size).toBeGreaterThan(100);
    expect(texts).toEqual(await textsOf(folder, "one"));
  });

  it("goes on with one process and with other numbers of workers, and with what pages need to be shown", async () => {
    const folder = new Folder();
    const web = [SEED, ...(await demoWeb()), ...FINITE];
    for (const [pages, workers] of [
      [60, 3],
      [90, 1],
      [120, 2],
    ] as const) {
      const limits = ["--max-pages", `${pages}`, "--workers", `${workers}`, "--dir", "c"];
      const crawl = new RunningCrawl(folder, [...(pages === 60 ? web : []), ...limits]);
      expect(await crawl.done()).toMatchObject({ reason: "page-limit", pages });
      await expectArchived(folder.at("c"));
    }
    const requisites = ["crawl", "--dir", "c", "--requisites", "--workers", "2", "--json"];
    const { code, stdout, stderr } = await folder.run(requisites);
    expect(code, stderr).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ pages: 120, requisites: { left: 0 } });
    await expectIndexOfWarcio(folder.at("c"), { hasKeys: false });
  });

  it("loses nothing when workers are killed, and stores no page twice", async () => {
    const folder = new Folder();
    const web = [SEED, ...(await demoWeb()), ...FINITE, ...SLOWLY];
    const crawl = new RunningCrawl(folder, [...web, "--workers", "3", "--dir", "c"]);
    for (const pages of [20, 60]) {
      await crawl.reported(pages);
      const before = crawl.workers;
      process.kill(before[1], "SIGKILL");
      await expect.poll(() => crawl.workers.filter((pid) => !before.includes(pid)).length).toBe(1);
    }
    expect(await crawl.done()).toMatchObject({ reason: "frontier-empty" });
    await expectArchived(folder.at("c"));
  });

  it("loses nothing when all is killed, and is put in order by whoever resumes the crawl", async () => {
    const folder = new Folder();
    const web = [SEED, ...(await demoWeb()), ...FINITE, ...SLOWLY];
    const crawl = new RunningCrawl(folder, [...web, "--workers", "3", "--dir", "c"]);
    await crawl.reported(40);
    const { workers } = crawl;
    for (const pid of workers) process.kill(pid, "SIGKILL");
    crawl.signal("SIGKILL");
    await allEnded(workers);
    const stored = await pagesOfWorkers(folder.at("c"));
    expect(stored.length).toBeGreaterThanOrEqual(crawl.pages);
    for (const [dir, more] of Object.entries({ plain: [], again: ["--workers", "2"] })) {
      cpSync(folder.at("c"), folder.at(dir), { recursive: true });
      // What was stored, and not one page more.
      const limits = ["--max-pages", `${stored.length}`, "--dir", dir];
      expect(await new RunningCrawl(folder, [...limits, ...more]).done()).toMatchObject({ pages: stored.length });
      expect(new Set(await pagesIn(folder.at(dir)))).toEqual(new Set(stored));
      await expectArchived(folder.at(dir));
      expect(
        await new RunningCrawl(folder, ["--max-pages", "none", "--delay", "0", "--dir", dir, ...more]).done(),
      ).toMatchObject({
        reason: "frontier-empty",
      });
      await expectArchived(folder.at(dir));
    }
  });
});

/** Of all pages, by URL. */
function bodiesIn(dir: string): Map<string, string> {
  const reader = new WarcReader(dir);
  const pages = [...reader.entries()].filter(({ status }) => status === 200);
  return new Map(pages.map((entry) => [entry.url, Buffer.from(reader.body(entry)?.body ?? []).toString("latin1")]));
}

async function textsOf(folder: Folder, dir: string): Promise<Map<string, unknown>> {
  const args = ["export", dir, "--states", "downloaded", "--content", "markdown", "--no-importance"];
  const { code, stdout, stderr } = await folder.run(args);
  expect(code, stderr).toBe(0);
  return new Map(linesOf(stdout).map((line) => [line["url"] as string, line["markdown"]]));
}
