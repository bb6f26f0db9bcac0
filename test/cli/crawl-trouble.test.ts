/** Servers that do not answer, and what a user sees of it at once. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { demoWeb, SEED } from "./demo-web.ts";
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
      if (String(chunk).includes("tried again")) child.kill("SIGINT");
    });
    const { code, stderr } = await outcomeOf(child, "");
    expect(stderr).toContain(`the seed ${seed} refuses connections; it is tried again in 5 s`);
    expect(code).toBe(0);
  }, 15_000);

  it("says where trust is when it goes on with other seeds", async () => {
    const folder = new Folder();
    const web = await demoWeb();
    await folder.run(["crawl", SEED, ...web, "--max-pages", "2", "--dir", "c"]);
    const other = "http://news.demo.test/";
    const { stderr } = await folder.run(["crawl", other, ...web, "--max-pages", "3", "--dir", "c"]);
    expect(stderr).toContain(
      `trust is now on ${other}, was on ${SEED}: coverage is measured from the new seeds`,
    );
  });
});
