/** Directories that no command can read: a crawl of a newer version, and one whose settings are damaged. */
import { describe, expect, it } from "vitest";
import { openCrawl } from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { demoWeb, SEED } from "./demo-web.ts";
import { FolderHere } from "./run-here.ts";

describe("a crawl", () => {
  it("of a newer version is refused, by every command that reads it", async () => {
    const folder = new FolderHere();
    await folder.run(["crawl", SEED, ...(await demoWeb()), "--max-pages", "2", "--dir", "c"]);
    const database = openDatabase(folder.at("c/crawl.sqlite"), { access: "write" });
    database.exec("PRAGMA user_version = 99");
    database.close();
    for (const args of [
      ["crawl", "--dir", "c"],
      ["crawl", "--dir", "c", "--dry-run"],
      ["coverage", "c"],
      ["rank", "c"],
    ]) {
      expect(await folder.run(args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("c was made by a newer version of tidemark (its tables are version 99"),
      });
    }
  });

  it("whose settings are damaged is refused in words", async () => {
    const folder = new FolderHere();
    await folder.run(["crawl", SEED, ...(await demoWeb()), "--max-pages", "2", "--dir", "c"]);
    const store = openCrawl(folder.at("c"));
    const sound = store.settings();
    store.close();
    const { web, network, ...others } = JSON.parse(sound) as Record<string, object>;
    for (const [settings, problem] of [
      ["{", "they are not JSON"],
      ["7", 'they are "7", expected an object'],
      [JSON.stringify({ ...others, network }), "(web is missing)"],
      [
        JSON.stringify({ ...others, network, web: { ...web, hashSeed: "x" } }),
        'web.hashSeed is ""x"", expected a number',
      ],
      [JSON.stringify({ ...others, web, network: 3 }), 'network is "3", expected an object'],
    ] as const) {
      const damaged = openCrawl(folder.at("c"));
      damaged.replaceSettings(settings);
      damaged.close();
      const { code, stderr } = await folder.run(["crawl", "--dir", "c"]);
      expect(stderr).toContain("tidemark: c: the settings of this crawl are damaged");
      expect(stderr).toContain(problem);
      expect(code).toBe(2);
    }
  });
});
