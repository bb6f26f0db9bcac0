/** What `tidemark crawl --workers` refuses before anything is created. */
import { describe, expect, it } from "vitest";
import { FolderHere } from "./run-here.ts";

const SEED = "http://www.demo.test/";

describe("--workers", () => {
  it.each([
    [["--order", "backlink"], /workers crawl in the order rankmass only/],
    [["--coverage", "0.9", "--confidence", "0.99"], /--confidence samples the web with one process/],
  ])("with %j is refused before anything is created", async (options, message) => {
    const folder = new FolderHere();
    const args = ["crawl", SEED, ...options, "--max-pages", "5", "--workers", "2"];
    for (const more of [[], ["--dir", "c"], ["--dry-run"]]) {
      const refused = { code: 2, stdout: "", stderr: expect.stringMatching(message) };
      expect(await folder.run([...args, ...more])).toEqual(refused);
    }
    expect(folder.names()).toEqual([]);
  });

  it.each(["0", "-1", "2.5", "many", "257"])("%s is refused", async (workers) => {
    const folder = new FolderHere();
    const { code, stderr } = await folder.run(["crawl", SEED, "--workers", workers]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/--workers.*256/s) });
    expect(folder.names()).toEqual([]);
  });
});

describe("cluster start", () => {
  it("names a wrong address of the database before any host of a seed is looked up", async () => {
    const args = ["cluster", "start", "http://no-such-host.invalid/", "--log", "db.example/crawls"];
    const stderr = expect.stringMatching(/^tidemark: the address of the database does not begin with postgres:/);
    expect(await new FolderHere().run(args)).toEqual({ code: 2, stdout: "", stderr });
  });
});
