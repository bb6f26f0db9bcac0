/** A full disk is the world's fault: the exit code says so, and no file is left behind. A mistake ends a process, too. */
import { describe, expect, it } from "vitest";
import { Folder, MAIN } from "./run.ts";

const FILES = { "web.arcs": "0 1\n1 2\n2 0\n", trust: "0\n" };

it("a mistake ends the process with exit code 2, a message and no output", async () => {
  const folder = new Folder(FILES);
  const before = folder.names();
  const ended = await folder.run(["rank", "web.arcs", "--trust", "none"]);
  expect(ended).toEqual({ code: 2, stdout: "", stderr: "tidemark: none: no such file\n" });
  expect(await folder.run([])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^Usage: tidemark/),
  });
  const seedless = await folder.run(["crawl", "-"]);
  expect(seedless).toEqual({
    code: 2,
    stdout: "",
    stderr: "tidemark: standard input: names no URL; expected one per line\n",
  });
  expect(folder.names()).toEqual(before);
});

describe("a full disk ends with exit code 1", () => {
  it.each([
    ["ranks", "rank web.arcs --out /dev/full --json"],
    ["a converted graph", "graph convert web.arcs /dev/full"],
    ["a generated graph", "graph generate --pages 1000 --out /dev/full"],
    ["a report", "simulate web.arcs --trust trust --report /dev/full"],
  ])("for %s", async (_what, line) => {
    const { code, stdout, stderr } = await new Folder(FILES).shell(`"${MAIN}" ${line}`);
    // On a slow machine, progress comes before it.
    const message = stderr.split("\n").filter((each) => each.startsWith("tidemark:"));
    expect({ code, stdout, message }).toEqual({
      code: 1,
      stdout: "",
      message: ["tidemark: /dev/full: cannot be written: the disk is full"],
    });
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("for the answer itself", async () => {
    const { code, stderr } = await new Folder(FILES).shell(`"${MAIN}" graph info web.arcs > /dev/full`);
    expect(code).toBe(1);
    expect(stderr).toBe("tidemark: cannot write to standard output: the disk is full\n");
  });

  it("and also removes the other files that were written", async () => {
    const folder = new Folder(FILES);
    const before = folder.names();
    const { code } = await folder.run([
      "graph",
      "generate",
      "--pages",
      "99",
      "--out",
      "x.arcs",
      "--urls-out",
      "/dev/full",
    ]);
    expect(code).toBe(1);
    expect(folder.names()).toEqual(before);
  });
});
