import { describe, expect, it } from "vitest";
import { FolderHere } from "./run-here.ts";

describe("tidemark demo", () => {
  it.each([
    [["--serve-only", "--dir", "x"], "--serve-only crawls nothing"],
    [["--coverage", "0"], "Expected a share above 0"],
    [["--port", "70000"], "from 1 to 65535"],
  ])("refuses %j", async (args, message) => {
    const folder = new FolderHere();
    const { code, stderr } = await folder.run(["demo", ...args]);
    expect(stderr).toContain(message);
    expect({ code, files: folder.names() }).toEqual({ code: 2, files: [] });
  });
});
