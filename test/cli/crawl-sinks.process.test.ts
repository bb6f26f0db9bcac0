/** Links that no graph has: those to what a crawl never fetches. */
import { describe, expect, it } from "vitest";
import { crawlSettings } from "../../src/crawl/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { Folder } from "./run.ts";

const NOTE = "this graph leaves out 1 link that the crawl never follows";

describe("a crawl with a link that is never followed", () => {
  it.each([
    ["rank", []],
    ["simulate", ["--order", "rankmass"]],
  ] as const)("is reported by %s", async (command, args) => {
    const folder = new Folder();
    const store = tellSmallCrawl(createCrawl(folder.at("c"), JSON.stringify(crawlSettings({ urls: ["a.example"] }))));
    store.replaceTrust([{ url: 0, weight: 1 }]);
    store.close();
    const { code, stderr } = await folder.run([command, "c", ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(NOTE) });
    expect((await folder.run([command, "c", ...args, "--quiet"])).stderr).toBe("");
  });
});
