/** What a command line may say. */
import { Command } from "commander";
import { expect, it } from "vitest";
import { declareSettings, givenSettings } from "../../src/cli/options/settings.ts";
import { type CommandOptions, crawlSettings } from "../../src/crawl/index.ts";
import { settingsTable } from "../../src/crawl/settings/index.ts";

function given(...words: string[]): CommandOptions {
  const command = new Command();
  declareSettings(command, settingsTable);
  command.parse(words, { from: "user" });
  return givenSettings(command);
}

it("has no user name and password of a proxy, which a program may give", () => {
  const proxy = "http://me:secret@p.test:8080";
  expect(() => given("--proxy", proxy)).toThrow(/^--proxy: others could read .* file for --proxy-file/);
  expect(given("--proxy", "http://p.test:8080")).toEqual({ proxy: "http://p.test:8080" });
  expect(given("--proxy", "none")).toEqual({ proxy: "none" });
  expect(crawlSettings({ urls: ["http://a.example/"], proxy }).network.proxyHasUser).toBe(true);
});
