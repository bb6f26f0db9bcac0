/**
 * What the machine does to a crawl: no permission, no room.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { enlarge, tinyDisk } from "../support/tiny-disk.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { Folder, MAIN, type Outcome, outcomeOf } from "./run.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

describe("a crawl", () => {
  it("that may not write says so, with exit code 2, and leaves no trace", async (test) => {
    const folder = new Folder();
    const web = await demoWeb();
    await folder.run(["crawl", SEED, ...web, "--max-pages", "2", "--dir", "c"]);
    mkdirSync(folder.at("empty"));
    const before = folder.names();
    const outcome = await asNobody(folder, ["crawl", SEED, ...web, "--max-pages", "2", "--dir", "new"]);
    if (outcome === undefined) return test.skip("nobody may run the program here");
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/new cannot be used as the directory of a crawl: .*permission denied/),
    });
    for (const dir of ["empty", "c"]) {
      const args = ["crawl", SEED, ...web, "--max-pages", "5", "--dir", dir];
      expect(await asNobody(folder, args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(new RegExp(`${dir}.*(permission|may not|written)`, "i")),
      });
    }
    expect(folder.names()).toEqual(before);
    // What may not be written may be read.
    expect((await asNobody(folder, ["coverage", "c"]))?.code).toBe(0);
  });

  it("that fills the disk ends with exit code 1 and can be resumed when there is room", async (test) => {
    const disk = tinyDisk(300 * 1024);
    if (disk === undefined) return test.skip("no file system may be mounted here");
    const folder = new Folder();
    const dir = join(disk, "c");
    const args = ["crawl", SEED, ...(await demoWeb()), "--coverage", "0.95", "--dir", dir, "--json"];
    const full = await folder.run(args);
    expect(full.stderr).toMatch(
      /full.*everything that was reported is stored \([\d,]+ pages?\)\. Fix this, then resume: tidemark crawl --dir/s,
    );
    expect(full.code).toBe(1);
    const end = linesOf(full.stdout).at(-1);
    expect(end).toMatchObject({ type: "done", reason: "disk-full" });
    enlarge(disk, 64 * 1024 * 1024);
    const resumed = linesOf((await folder.run(["crawl", "--dir", dir, "--json"])).stdout);
    expect(resumed.at(-1)).toMatchObject({ reason: "coverage-reached", resumed: true });
    expect(resumed.at(-1)?.["pages"]).toBeGreaterThan(end?.["pages"] as number);
  });

  it("reads its pages without reader threads where the option says so", async () => {
    const folder = new Folder();
    const args = ["crawl", SEED, ...(await demoWeb()), "--max-pages", "30", "--dir", "c", "--json"];
    const { code, stdout } = await folder.run([...args, "--readers", "0"]);
    expect({ code, end: linesOf(stdout).at(-1) }).toMatchObject({ code: 0, end: { pages: 30 } });
  });
});

/** Runs as somebody who may write nothing here; undefined where such a one cannot even read the program. */
async function asNobody(folder: Folder, args: readonly string[]): Promise<Outcome | undefined> {
  for (const path of [folder.path, folder.at("empty"), folder.at("c")]) chmodSync(path, 0o555);
  try {
    const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const probe = spawn(process.execPath, ["-e", `require("fs").accessSync(${JSON.stringify(MAIN)})`], who);
    if ((await outcomeOf(probe)).code !== 0) return undefined;
    return await outcomeOf(spawn(process.execPath, [MAIN, ...args], { cwd: folder.path, ...who }));
  } finally {
    for (const path of [folder.path, folder.at("empty"), folder.at("c")]) chmodSync(path, 0o755);
  }
}
