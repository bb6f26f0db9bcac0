import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linesOf } from "./demo-web.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";

describe("tidemark demo", () => {
  it("crawls its web to 95% in under a minute with a part of its pages, and explains what happened", async () => {
    const folder = new Folder();
    const beforeMs = performance.now();
    const { code, stdout } = await folder.run(["demo", "--dir", "demo"]);
    expect(performance.now() - beforeMs).toBeLessThan(60_000);
    expect(code).toBe(0);
    const [, coverage, pages] =
      /(\d+\.\d\d)% of what may be fetched is certainly\scovered,\sby\s([\d,]+)\spages/.exec(stdout) ?? [];
    expect(Number(coverage)).toBeGreaterThanOrEqual(95);
    expect(Number(pages?.replace(",", ""))).toBeLessThan(2000);
    expect(stdout).toMatch(/is\swaiting\sto\sbe\sfetched/);
    expect(stdout).toMatch(
      /rank +at least +at most +page\n +1 +\d\d\.\d\d% +\d\d\.\d\d% +http:\/\/www\.demo\.test\/\n/,
    );
    const commands = stdout.match(/(?<=^ {2})tidemark .*$/gm) ?? [];
    const names = commands.map((command) => command.split(" ")[1]);
    expect(names).toEqual(["serve", "report", "coverage", "rank", "search", "export", "pack"]);
    // A dashboard stays until somebody ends it.
    for (const command of commands.slice(1)) {
      const words = command.split(" ").slice(1);
      expect(await folder.run(words), command).toMatchObject({ code: 0 });
    }
    // From nothing to Markdown of the most important pages, as the output leads there.
    const markdown = readFileSync(folder.at("best.md"), "utf8");
    expect(markdown.match(/^url: /gm)?.length).toBeGreaterThan(15);
    expect(markdown).toMatch(/^---\nurl: "?http:\/\/www\.demo\.test\/"?\n/);
  });

  it("says what a crawl without --dir leaves, and how to remove it; one that fails leaves nothing", async () => {
    const folder = new Folder();
    const here = { TMPDIR: folder.path };
    const args = ["demo", "--coverage", "0.3", "--no-serve", "--quiet"];
    const { stdout } = await folder.runWith(here, args);
    const [left, ...more] = folder.names();
    expect(more).toEqual([]);
    expect(stdout).toContain(`It stays there; to remove it: rm -r ${folder.at(left)}.\n`);
    const json = await folder.runWith(here, [...args, "--json"]);
    const second = folder.names().find((name) => name !== left) ?? "";
    expect(json.stderr).toContain(`the crawl stays in ${folder.at(second)}/crawl; to remove it: rm -r`);
    const failed = await folder.runWith(here, ["demo", "--serve", "--token", "x y"]);
    expect({ code: failed.code, left: folder.names() }).toEqual({ code: 2, left: [left, second].sort() });
  });

  it("has one JSON document at the end of its lines, with the bounds of the top pages", async () => {
    const folder = new Folder();
    const { stdout } = await folder.run(["demo", "--coverage", "0.6", "--dir", "demo", "--json", "--quiet"]);
    const [done] = linesOf(stdout) as unknown as [{ type: string; top: { low: number; high: number; url: string }[] }];
    expect(done).toMatchObject({ type: "done", reason: "coverage-reached", web: { hosts: 8 } });
    expect(done.top[0]?.url).toBe("http://www.demo.test/");
    for (const { low, high } of done.top) expect(low).toBeLessThan(high);
  });

  it("says that nothing was fetched where an earlier crawl is above the goal already", async () => {
    const folder = new Folder();
    await folder.run(["demo", "--coverage", "0.4", "--dir", "d"]);
    const { stdout } = await folder.run(["demo", "--coverage", "0.3", "--dir", "d"]);
    expect(stdout).toContain("The pages fetched earlier already reach the target");
    expect(stdout).not.toContain("That took");
  });

  it("--serve-only prints a command that crawls the web it serves, until Ctrl-C", async () => {
    const folder = new Folder();
    const child = folder.start(process.execPath, [MAIN, "demo", "--serve-only"]);
    const ended = outcomeOf(child);
    const line = await new Promise<string>((resolve) => child.stdout?.once("data", (text) => resolve(String(text))));
    expect(line).toMatch(/^tidemark crawl http:\/\/www\.demo\.test\/ /);
    const command = line.trim().replace(/^tidemark /, `"${process.execPath}" "${MAIN}" `);
    const { code, stdout } = await folder.shell(`${command} --coverage 0.5`);
    expect(code).toBe(0);
    // Pages under way when the goal is reached are still read: on a busy machine these are many.
    const [, coverage] =
      /^Stopped because it reached its target of 50%: (\d+\.\d\d)% of what may be fetched is certainly covered/.exec(
        stdout,
      ) ?? [];
    expect(Number(coverage)).toBeGreaterThanOrEqual(50);
    child.kill("SIGINT");
    expect((await ended).code).toBe(0);
  });
});
