import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { writeTexts } from "../support/text-crawl.ts";
import { CallFolder } from "./call.ts";
import { Folder, MAIN } from "./run.ts";

interface Answer {
  readonly query: string;
  readonly total: number;
  readonly results: readonly {
    readonly url: string;
    readonly title: string | null;
    readonly score: number;
    readonly rank: number | null;
    readonly importance: { readonly low: number; readonly high: number };
    readonly snippet: string;
  }[];
}

/** Three pages of two hosts; the first is the seed. */
function crawled(): Folder {
  const folder = new CallFolder();
  writeTexts(folder.at("crawl"), [
    { text: "The tide and the moon.", title: "Home" },
    { text: "The high tide\u001b[31m at night", title: "High \u001b[2Jtide" },
    { text: "Only the moon", host: "b.example" },
  ]);
  return folder;
}

describe("tidemark search", () => {
  it("lists pages with their title, URL and an excerpt, and nothing that moves the cursor", async () => {
    const { code, stdout, stderr } = await crawled().run(["search", "crawl", "tide", "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      [
        "2 pages",
        "",
        "1. Home",
        "   http://a.example/",
        "   The tide and the moon.",
        "",
        "2. High \ufffd[2Jtide",
        "   http://a.example/p1",
        "   The high tide\ufffd[31m at night",
        "",
      ].join("\n"),
    );
  });

  it("prints one document with --json", async () => {
    const { query, total, results } = (await crawled().json(["search", "crawl", "tide", "moon"])) as Answer;
    expect([query, total]).toEqual(["tide moon", 1]);
    expect(results).toEqual([
      {
        url: "http://a.example/",
        title: "Home",
        score: expect.any(Number) as number,
        rank: 1,
        importance: { low: expect.any(Number) as number, high: expect.any(Number) as number },
        snippet: "The tide and the moon.",
      },
    ]);
    expect(results[0].importance.low).toBeGreaterThan(0.1);
  });

  it.each<[what: string, args: readonly string[], urls: readonly string[]]>([
    ["excludes words", ["moon", "-tide"], ["http://b.example/p2"]],
    ["takes a phrase", ['"high tide"'], ["http://a.example/p1"]],
    ["takes a prefix, and words as one argument", ["nig* hig*"], ["http://a.example/p1"]],
    ["keeps to a host", ["moon", "--host", "B.example"], ["http://b.example/p2"]],
    ["lists as many as wanted", ["moon", "--top", "1"], ["http://a.example/"]],
  ])("%s", async (_, args, urls) => {
    const { results } = (await crawled().json(["search", "crawl", ...args])) as Answer;
    expect(results.map(({ url }) => url)).toEqual(urls);
  });

  it("takes words after -- as they are", async () => {
    const { stdout } = await crawled().run(["search", "crawl", "--json", "--", "moon", "-Vain", "-h", "-tide"]);
    const { query, total } = JSON.parse(stdout) as Answer;
    expect([query, total]).toEqual(["moon -Vain -h -tide", 1]);
  });

  it("says that nothing was found", async () => {
    const { code, stdout } = await crawled().run(["search", "crawl", "whale"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "No page matches.\n" });
  });

  it.each<[args: readonly string[], problem: string]>([
    [["crawl"], "missing required argument 'words'"],
    [["crawl", ""], "the search has no word"],
    [["crawl", "-tide"], "the search only excludes words"],
    [["crawl", "tide", "--tpo", "3"], 'unknown option "--tpo". Did you mean --top?'],
    [["crawl", "tide", "--host", "c.example"], '--host "c.example": the crawl knows no such host.'],
    [["crawl", "tide", "--top", "0"], "--top"],
    [["nowhere", "tide"], "nowhere does not exist; expected the directory of a crawl"],
  ])("refuses %j", async (args, problem) => {
    const { code, stdout, stderr } = await crawled().run(["search", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  it("refuses a crawl without texts, and names the option that stores them", async () => {
    const folder = new CallFolder();
    const settings = inlineSettings(["https://a.example/"], {});
    tellSmallCrawl(createCrawl(folder.at("small"), JSON.stringify(settings))).close();
    const { code, stderr } = await folder.run(["search", "small", "tide"]);
    expect(code).toBe(2);
    expect(stderr).toContain("small has no text of its pages to search: crawl with --store text");
    expect(existsSync(folder.at("small/search.sqlite"))).toBe(false);
  });

  it("says that a crawl has no pages yet, whatever it stores of them", async () => {
    const folder = new CallFolder();
    const settings = { ...inlineSettings(["https://a.example/"], {}), texts: ["text"] };
    createCrawl(folder.at("new"), JSON.stringify(settings)).close();
    const { code, stderr } = await folder.run(["search", "new", "tide"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "tidemark: new has no pages yet\n" });
  });

  it("searches a directory that may only be read, whatever index is there", async () => {
    const folder = crawled();
    const dir = folder.at("crawl");
    const somebody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const mayWrite = (isAllowed: boolean): void => {
      for (const name of readdirSync(dir)) chmodSync(join(dir, name), isAllowed ? 0o644 : 0o444);
      chmodSync(dir, isAllowed ? 0o755 : 0o555);
    };
    const search = (): { total: number; stderr: string } => {
      mayWrite(false);
      const args = [MAIN, "search", dir, "tide", "--json"];
      const { stdout, stderr } = spawnSync(process.execPath, args, { ...somebody, encoding: "utf8" });
      mayWrite(true);
      return { total: (JSON.parse(stdout) as Answer).total, stderr };
    };
    chmodSync(folder.path, 0o755);
    expect(search()).toMatchObject({ total: 2, stderr: expect.stringContaining("for this search alone") as string });
    expect(existsSync(join(dir, "search.sqlite"))).toBe(false);
    await folder.run(["search", "crawl", "tide"]);
    expect(search()).toEqual({ total: 2, stderr: "" });
    writeTexts(dir, [{ text: "another tide" }], { isNew: false });
    expect(search()).toMatchObject({ total: 3, stderr: expect.stringContaining("for this search alone") as string });
  });

  it("has a whole index whenever it was killed, and when several search at once", async () => {
    const folder = new Folder();
    const pages = Array.from({ length: 3000 }, (_, k) => ({ text: `tide number${k} ${"filler word ".repeat(200)}` }));
    writeTexts(folder.at("crawl"), pages);
    for (const killedMs of [300, 500, 700, 1000]) {
      const child = folder.start(process.execPath, [MAIN, "search", "crawl", "tide"]);
      const ended = new Promise((resolve) => child.on("exit", resolve));
      await sleep(killedMs);
      child.kill("SIGKILL");
      await ended;
    }
    const answers = await Promise.all(
      ["tide", "number0", "number2999"].map((word) => folder.json(["search", "crawl", word]) as Promise<Answer>),
    );
    expect(answers.map(({ total }) => total)).toEqual([3000, 1, 1]);
  });
});
