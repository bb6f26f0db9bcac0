/** A crawl that has fetched nothing may become another one in its directory; any other keeps its web. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planCrawl } from "../../src/cli/crawl/plan.ts";
import { crawlSettings, launchCrawl, type StoredSettings } from "../../src/crawl/index.ts";
import { createCrawl, openCrawl, restartCrawl } from "../../src/store/index.ts";
import { InlineWeb, type Served } from "../support/inline-web.ts";

const SEED = "http://site.example/";

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "tidemark-test-")), "c");
});
afterEach(() => rmSync(join(dir, ".."), { recursive: true, force: true }));

async function crawl(answer: Served): Promise<void> {
  const settings = crawlSettings({ urls: [SEED], exclude: ["nothing"], delay: 0 });
  const store = createCrawl(dir, JSON.stringify(settings));
  const fetcher = new InlineWeb(() => answer);
  try {
    await (await launchCrawl({ settings, store, fetcher, readers: 0 })).run();
  } finally {
    store.close();
  }
}

it("starts anew with another scope, and other seeds, if nothing was fetched", async () => {
  await crawl({ status: 404 });
  const { isResumed, isRestarted, settings } = await planCrawl({
    dir,
    scope: "domain",
    urls: ["http://www.other.example/"],
  });
  expect({ isResumed, isRestarted }).toEqual({ isResumed: false, isRestarted: true });
  expect(settings.web.scope).toMatchObject({
    kind: "domain",
    seeds: ["http://www.other.example/"],
    exclude: ["nothing"],
  });
  const store = restartCrawl(dir, JSON.stringify(settings));
  expect([...store.urls(), ...store.visits(), ...store.trust()]).toEqual([]);
  expect((JSON.parse(store.settings()) as StoredSettings).web.scope.kind).toBe("domain");
  store.close();
});

it("is resumed with what it has if nothing new is asked for", async () => {
  await crawl({ status: 404 });
  expect(await planCrawl({ dir, maxPages: 5 })).toMatchObject({ isResumed: true, isRestarted: false });
});

it("starts anew with a session, unless a page was fetched or the command is no crawl", async () => {
  const given = { dir, header: ["X-Key: 1"] };
  await crawl({ status: 401 });
  expect(await planCrawl(given)).toMatchObject({ isResumed: false, isRestarted: true });
  expect(await planCrawl({ dir, cookies: true })).toMatchObject({ isRestarted: true });
  expect(await planCrawl(given, { keepsCrawl: true })).toMatchObject({ isResumed: true, isRestarted: false });
  rmSync(dir, { recursive: true });
  await crawl("page");
  expect(await planCrawl(given)).toMatchObject({ isResumed: true, isRestarted: false });
});

it("keeps its scope once a page was fetched", async () => {
  await crawl("page");
  await expect(planCrawl({ dir, scope: "domain" })).rejects.toThrow("--scope host, which cannot be changed to domain");
});

it("is not replaced while another process has it", async () => {
  await crawl({ status: 404 });
  const other = openCrawl(dir);
  expect(() => restartCrawl(dir, "{}")).toThrow("is in use by process");
  other.close();
});
