/** Fingerprints of pages. Digests of bodies are the same in all new crawls; a crawl that was started before goes on with its own. */
import { expect, it } from "vitest";
import {
  crawlSettings,
  digestSeedOf,
  InlineReader,
  parseSettings,
  type StoredSettings,
} from "../../src/crawl/index.ts";
import { COMMAND_010 } from "./settings/version-010.ts";

const URLS = ["https://a.example/"];

async function digestOf(settings: StoredSettings): Promise<string> {
  const reader = await InlineReader.create(settings);
  const job = { url: URLS[0], body: Buffer.from("the same page"), truncated: false, contentType: "text/plain" };
  const { facts } = reader.page({ ...job, robotsTag: "", widened: [] });
  return Buffer.from(facts.digest ?? []).toString("hex");
}

it("are the same in two crawls, whatever their seeds for URLs", async () => {
  const [a, b] = [1, 2].map((seed) => crawlSettings({ urls: URLS }, { newSeed: () => seed }));
  expect([a.web.hashSeed, b.web.hashSeed]).toEqual([1, 2]);
  expect(await digestOf(a)).toBe(await digestOf(b));
});

it("of a resumed crawl stay comparable with those that it has", async () => {
  const before = crawlSettings({ urls: URLS }, { newSeed: () => 3 });
  const resumed = crawlSettings({}, { before: parseSettings(JSON.stringify(before)) });
  expect(digestSeedOf(resumed.web)).toBe(0);
  const old = parseSettings(COMMAND_010);
  const resumedOld = crawlSettings({}, { before: old });
  expect(digestSeedOf(resumedOld.web)).toBe(old.web.hashSeed);
  expect(await digestOf(resumedOld)).toBe(await digestOf(old));
  expect(await digestOf(old)).not.toBe(await digestOf(before));
});

it("of words are made only if they are asked for, and only of HTML", async () => {
  const body = Buffer.from(`<p>${Array.from({ length: 50 }, (_, k) => `word${k}`).join(" ")}</p>`);
  const simhashOf = async (nearDuplicates: boolean | undefined, contentType: string): Promise<unknown> => {
    const settings = crawlSettings({ urls: URLS, ...(nearDuplicates === undefined ? {} : { nearDuplicates }) });
    const reader = await InlineReader.create(settings);
    return reader.page({ url: URLS[0], body, truncated: false, contentType, robotsTag: "" }).facts.simhash;
  };
  expect(await simhashOf(undefined, "text/html")).toBeNull();
  expect(await simhashOf(false, "text/html")).toBeNull();
  expect(await simhashOf(true, "text/html")).toBeInstanceOf(Uint8Array);
  expect(await simhashOf(true, "text/plain")).toBeNull();
});
