/** Servers that do not answer, and what a user sees of it at once. */
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { tinyDisk } from "../support/tiny-disk.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";

describe("tidemark crawl", () => {
  it("says within seconds that a seed refuses connections", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    const folder = new Folder();
    const seed = `http://127.0.0.1:${port}/`;
    const child = spawn(process.execPath, [MAIN, "crawl", seed, "--allow-private", "--dir", "c"], {
      cwd: folder.path,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stderr.on("data", (chunk) => {
      if (String(chunk).includes("next attempt")) child.kill("SIGINT");
    });
    const { code, stderr } = await outcomeOf(child, "");
    expect(stderr).toContain(`the seed ${seed} refuses connections; next attempt in 5 s`);
    expect(code).toBe(0);
  });

  it("says where trust is when it is resumed with other seeds", async () => {
    const folder = new Folder();
    const web = await demoWeb();
    await folder.run(["crawl", SEED, ...web, "--max-pages", "2", "--dir", "c"]);
    const other = "http://news.demo.test/";
    const { stderr } = await folder.run(["crawl", other, ...web, "--max-pages", "3", "--dir", "c"]);
    expect(stderr).toContain(`the seeds are now ${other}; they were ${SEED}: coverage is measured from the new seeds`);
  });

  it("that finds the disk full when it starts says so, and that it is no bug", async (test) => {
    const disk = tinyDisk(16 * 1024);
    if (disk === undefined) return test.skip("no file system may be mounted here");
    const args = ["crawl", SEED, ...(await demoWeb()), "--dir", join(disk, "c"), "--json"];
    const { code, stdout, stderr } = await new Folder().run(args);
    expect({ code, end: linesOf(stdout) }).toEqual({
      code: 1,
      end: [{ type: "done", reason: "disk-full", dir: join(disk, "c"), resumed: false }],
    });
    expect(stderr).toMatch(/^tidemark: .*the disk is full: free space.*\n$/);
  });

  it("and whatever reads a damaged crawl say so in one line", async () => {
    const folder = new Folder();
    await folder.run(["crawl", SEED, ...(await demoWeb()), "--max-pages", "20", "--dir", "c"]);
    const bytes = readFileSync(folder.at("c/crawl.sqlite"));
    writeFileSync(folder.at("c/crawl.sqlite"), bytes.fill(0x5a, 8192));
    for (const args of [
      ["crawl", "--dir", "c"],
      ["coverage", "c"],
      ["export", "c"],
    ]) {
      const { code, stderr } = await folder.run(args);
      expect(stderr).toMatch(/^tidemark: c\/crawl\.sqlite is damaged: restore it from a copy .*\n$/);
      expect(code).toBe(1);
    }
  });
});
