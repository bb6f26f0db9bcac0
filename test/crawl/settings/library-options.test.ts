/** What a program may say about a crawl, and what only the command may. */
import { expect, it } from "vitest";
import { type CrawlOptions, crawlSettings, launchCrawl } from "../../../src/crawl/index.ts";
import { settingsTable, type SettingsTable } from "../../../src/crawl/settings/index.ts";
import { fetcherOfGraph } from "../../../src/fetch/index.ts";
import { generateGraph } from "../../../src/graph/index.ts";
import { MemoryStore } from "../../../src/store/index.ts";

const urls = ["http://site.example/"];

it("is refused where it would be ignored: options of the command are no settings of a crawl", () => {
  const table: SettingsTable = settingsTable;
  const ofCommand = Object.keys(table).filter((name) => table[name].givenBy === "command");
  expect(ofCommand).toEqual(expect.arrayContaining(["dir", "dryRun", "json", "readers", "seedFile", "serve", "trust"]));
  for (const name of ofCommand) {
    const value = table[name].kind.type === "boolean" ? true : "8080";
    const options = { urls, [name]: value } as CrawlOptions;
    expect(() => crawlSettings(options), name).toThrow(`${name} is an option of the command tidemark crawl`);
  }
});

it("leaves nothing that is accepted without a place in the settings, but for what the user agent takes up", () => {
  const table: SettingsTable = settingsTable;
  const placeless = Object.keys(table).filter((name) => table[name].stored === undefined && !table[name].givenBy);
  expect(placeless.toSorted()).toEqual(["contact"]);
});

it("keeps WARC files only with an archive to keep them in", async () => {
  const settings = crawlSettings({ urls, warc: true });
  const store = new MemoryStore(JSON.stringify(settings));
  const fetcher = fetcherOfGraph(generateGraph({ pages: 10, seed: 1 }).graph, (page) => `http://site.example/${page}`);
  await expect(launchCrawl({ settings, store, fetcher, readers: 0 })).rejects.toThrow("an archive from openArchive");
});
