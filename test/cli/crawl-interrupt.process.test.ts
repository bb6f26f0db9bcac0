/** Ctrl-C before a crawl runs and after it has run: while it is resumed, and while what it covers is being proved. */
import type { ChildProcess } from "node:child_process";
import { describe, expect, it } from "vitest";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { linesOf } from "./demo-web.ts";
import { Folder, MAIN, type Outcome, outcomeOf } from "./run.ts";

const PAGES = 60_000;

describe("Ctrl-C", () => {
  it("while a crawl is being resumed stops it soon, with a sentence and exit code 0", async () => {
    const folder = new Folder();
    makeLargeCrawl(folder.at("c"), PAGES);
    const args = ["crawl", "--dir", "c", "--max-pages", String(2 * PAGES), "--readers", "0"];
    const { outcome, sinceSignalMs } = await interrupted(folder, args, "resuming the crawl");
    expect(outcome).toMatchObject({
      code: 0,
      stdout: "Interrupted before it resumed: nothing was fetched.\n",
      stderr: expect.stringContaining("stopping; Ctrl-C again stops at once"),
    });
    // Far from the end of it, however slow the machine is just now. At its old limit the crawl fetches nothing.
    const beforeMs = performance.now();
    await folder.run(["crawl", "--dir", "c", "--max-pages", String(PAGES), "--readers", "0", "--quiet"]);
    expect(sinceSignalMs).toBeLessThan((performance.now() - beforeMs) / 2);
    const json = await interrupted(folder, [...args, "--json"], "resuming the crawl");
    expect(linesOf(json.outcome.stdout)).toEqual([{ type: "done", reason: "interrupted", dir: "c", resumed: true }]);
  });

  it("while coverage is being proved skips the proof, and reports what is known", async () => {
    const folder = new Folder();
    makeLargeCrawl(folder.at("c"), PAGES);
    const args = ["crawl", "--dir", "c", "--readers", "0", "--json"];
    const whole = await folder.run(args);
    const { outcome } = await interrupted(folder, args, "proving how much is covered");
    const [proved, known] = [whole, outcome].map(({ stdout }) => linesOf(stdout).at(-1));
    expect(proved).toMatchObject({ reason: "page-limit", pages: PAGES, missing: expect.any(Array) });
    expect(outcome.code).toBe(0);
    expect(known).toMatchObject({ reason: "page-limit", pages: PAGES });
    expect(known).not.toHaveProperty("missing");
    // What the crawl itself knows is never more than what can be proved.
    expect(known?.["coverage"]).toBeGreaterThan(0.5);
    expect(known?.["coverage"]).toBeLessThanOrEqual((proved?.["coverage"] as number) + 1e-12);
  });

  it("while the hosts of seeds are looked up creates nothing", async () => {
    const folder = new Folder();
    const hook =
      "data:text/javascript,import dns from 'node:dns'; dns.lookup = () => { process.stderr.write('looking up'); setInterval(() => {}, 1e6) }";
    const args = ["crawl", "http://slow.test/", "--dns", "system", "--dir", "c"];
    const child = folder.start(process.execPath, ["--import", hook, MAIN, ...args]);
    const ended = outcomeOf(child);
    await said(child, "looking up");
    child.kill("SIGINT");
    // The hook holds the process; all has been said by then.
    await said(child, "nothing was created.\n", "stdout");
    child.kill("SIGKILL");
    const { stdout, stderr } = await ended;
    expect(stderr).toContain("stopping");
    expect(stdout).toBe("Interrupted before it started: nothing was created.\n");
    expect(folder.names()).toEqual([]);
  });
});

/** Runs until it says something, then once as long as the signal takes. */
async function interrupted(
  folder: Folder,
  args: readonly string[],
  words: string,
): Promise<{ outcome: Outcome; sinceSignalMs: number }> {
  const child = folder.start(process.execPath, [MAIN, ...args]);
  const ended = outcomeOf(child);
  await said(child, words);
  const beforeMs = performance.now();
  child.kill("SIGINT");
  return { outcome: await ended, sinceSignalMs: performance.now() - beforeMs };
}

function said(child: ChildProcess, words: string, where: "stdout" | "stderr" = "stderr"): Promise<void> {
  let text = "";
  return new Promise((resolve, reject) => {
    child.on("close", () => reject(new Error(`never said ${words}, but: ${text}`)));
    child[where]?.on("data", (some: string) => {
      text += some;
      if (text.includes(words)) resolve();
    });
  });
}
