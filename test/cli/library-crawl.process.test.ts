/** Commands work on crawls made with the library, also with that of 0.1.0, which stored nothing about the network. */
import { cpSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CrawlSettings,
  crawlSettings,
  launchCrawl,
  openFetcher,
  parseSettings,
  type StoredSettings,
} from "../../src/crawl/index.ts";
import { createCrawl, openCrawlReadOnly } from "../../src/store/index.ts";
import { LIBRARY_010 } from "../crawl/settings/version-010.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";

describe("a crawl by the library", () => {
  it("keeps all its settings, so that every command can use it", async () => {
    const folder = new Folder();
    const seed = await site();
    const settings = crawlSettings({
      urls: [seed],
      allowPrivate: true,
      delay: 0,
      maxPages: 4,
      contact: "me",
    });
    await crawlBy(settings, settings, folder.at("c"));
    expect(settingsIn(folder.at("c"))).toEqual(settings);
    expect(settings.network.userAgent).toMatch(/^tidemark\/\S+ \(\+me\)$/);
    await expectCommandsWork(folder, seed);
    expect(settingsIn(folder.at("c"))).toEqual({ ...settings, limits: { pages: 12 } });
  });

  it("of version 0.1.0 has the defaults of the network, and keeps what it is given from then on", async () => {
    const folder = new Folder();
    const seed = await site();
    const stored = { ...(JSON.parse(LIBRARY_010) as CrawlSettings), seeds: [{ url: seed, weight: 1 }] };
    const scope = { ...stored.web.scope, seeds: [seed] };
    const politeness = { ...stored.politeness, delayMs: 0 };
    const older: CrawlSettings = {
      ...stored,
      politeness,
      limits: { pages: 4 },
      web: { ...stored.web, scope },
    };
    await crawlBy(older, crawlSettings({ urls: [seed], allowPrivate: true }), folder.at("c"));

    // This machine is private, and the directory does not say that it may be requested.
    cpSync(folder.at("c"), folder.at("copy"), { recursive: true });
    const refused = await folder.run(["refresh", "copy", "--budget", "3", "--once"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).not.toContain("bug");
    const resumed = await folder.run(["crawl", "--dir", "c", "--allow-private", "--json", "--quiet"]);
    expect(resumed.code).toBe(0);
    await expectCommandsWork(folder, seed);
    expect(settingsIn(folder.at("c"))).toMatchObject({
      network: { allowPrivate: true, resolve: [], proxy: null },
      web: { hashSeed: 0 },
    });
  });
});

async function expectCommandsWork(folder: Folder, seed: string): Promise<void> {
  expect(await folder.json(["refresh", "c", "--budget", "6", "--once"])).toMatchObject({
    failed: 0,
    left: 0,
  });
  expect(await folder.json(["coverage", "c"])).toHaveProperty("coverage");
  expect(await folder.json(["report", "c", "--out", "r.html"])).toMatchObject({ file: "r.html" });
  expect(await folder.json(["crawl", "--dir", "c", "--dry-run"])).toMatchObject({
    resumed: true,
    seeds: [{ url: seed, robots: "allowed", status: 200 }],
  });
  const resumed = await folder.run(["crawl", "--dir", "c", "--max-pages", "12", "--json", "--quiet"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ resumed: true, pages: 12 });
  const child = folder.start(process.execPath, [MAIN, "serve", "c", "--listen", "0", "--json"]);
  const ended = outcomeOf(child);
  const line = await new Promise<string>((resolve) => child.stdout?.once("data", (text) => resolve(String(text))));
  const { url } = JSON.parse(line) as { url: string };
  expect((await fetch(new URL("/api/overview", url))).status).toBe(200);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
}

/** Crawls as a program does, with the network of other settings. */
async function crawlBy(settings: CrawlSettings, { network }: StoredSettings, dir: string): Promise<void> {
  const store = createCrawl(dir, JSON.stringify(settings));
  const fetcher = openFetcher(network, 1, { http: null, https: null, except: "*" });
  try {
    const crawl = await launchCrawl({ settings, store, fetcher, readers: 0 });
    const { status } = await crawl.run();
    expect(status.pages).toBe(4);
  } finally {
    await fetcher.close();
    store.close();
  }
}

function settingsIn(dir: string): StoredSettings {
  const store = openCrawlReadOnly(dir);
  const settings = parseSettings(store.settings());
  store.close();
  return settings;
}

/** Pages that link to twelve others. */
async function site(): Promise<string> {
  const links = Array.from({ length: 12 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
  const server = createServer((request, response) => {
    if (request.url === "/robots.txt") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html" }).end(links);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
