/** All that a directory says, and what a crawl says that is made anew of the answers that counted. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { SearchIndex, TextReader } from "../../../src/content/index.ts";
import { certifyLog, launchCrawl, openArchive, type StoredSettings } from "../../../src/crawl/index.ts";
import { isDownloaded } from "../../../src/coverage/index.ts";
import type { Reply } from "../../../src/fetch/index.ts";
import type { Visit } from "../../../src/log/index.ts";
import { successors } from "../../../src/graph/index.ts";
import { crawlGraph, createCrawl, openCrawl, type SqliteStore, WarcReader } from "../../../src/store/index.ts";
import { PassingTimers } from "../passing-timers.ts";
import { temporaryDirectory } from "../temporary.ts";
import { settingsOf, SiteFetcher, START_MS } from "./site.ts";

/** A crawl of nothing but these answers: whatever else is known waits. */
async function crawledAnew(counted: ReadonlyMap<string, Reply>): Promise<string> {
  const dir = temporaryDirectory();
  const politeness = { concurrency: 1000, perHost: 1000, perAddress: 1000 };
  const settings = settingsOf(politeness);
  const store = createCrawl(dir, JSON.stringify(settings));
  const fetcher = new SiteFetcher(({ href }) => counted.get(href));
  const archive = openArchive(dir, store, settings.network);
  const timers = new PassingTimers(START_MS);
  const crawl = await launchCrawl({ store, settings, fetcher, archive, timers, readers: 0 });
  const end = crawl.run();
  for (let quiet = 0, known = 0; quiet < 20; known = crawl.status.known + fetcher.replies.size) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = known === crawl.status.known + fetcher.replies.size ? quiet + 1 : 0;
  }
  crawl.stop("interrupted");
  await end;
  store.close();
  return dir;
}

export function urlsOf(store: SqliteStore): readonly string[] {
  const origins = [...store.origins()];
  return Array.from(store.urls(), ({ origin, path }) => `${origins[origin]}${path ?? ""}`);
}

export type Told = ReturnType<typeof told>;

/** All that a directory says of its pages, by URL; how and when each was found is left out. */
export function told(dir: string) {
  const found = searched(dir);
  const store = openCrawl(dir);
  try {
    const pages = new Map<string, object>();
    const reader = new TextReader(dir, store);
    const bodies = new Map<string, string | undefined>();
    const texts = new Map<string, string | undefined>();
    for (const { id, depth: _, source: __, fetchedAt: ___, ...row } of store.pages()) {
      pages.set(row.url, row);
      if (row.state !== "downloaded") continue;
      bodies.set(row.url, reader.read(id, row.url, "html"));
      texts.set(row.url, reader.read(id, row.url, "text"));
    }
    const { graph, ids } = crawlGraph(store);
    const urls = urlsOf(store);
    const links = new Map<string, string[]>();
    for (let from = 0; from < ids.length; from++) {
      links.set(urls[ids[from]], Array.from(successors(graph, from), (to) => urls[ids[to]]).sort());
    }
    const { certificate, ceiling } = certifyLog(store);
    const matches = new Map([...found].map(([word, all]) => [word, all.map((id) => urls[id]).sort()]));
    return { pages, bodies, texts, links, matches, coverage: certificate.coverage, ceiling: ceiling.coverage };
  } finally {
    store.close();
  }
}

/** What is found for words that stand in titles of edited pages, by the index in the directory. */
function searched(dir: string): ReadonlyMap<string, readonly number[]> {
  const index = new SearchIndex(dir);
  try {
    for (const _ of index.update());
    return new Map(["day", "2", "the"].map((word) => [word, index.matches(`"${word}"`).map(({ id }) => id)]));
  } finally {
    index.close();
  }
}

/** What a directory says is what a crawl of nothing but the answers that counted says. */
export async function expectAsAnew(now: Told, counted: ReadonlyMap<string, Reply>): Promise<void> {
  const anew = told(await crawledAnew(counted));
  expect(anew.bodies.size).toBeGreaterThan(3);
  for (const [url, row] of anew.pages) {
    expect(now.pages.get(url), url).toEqual(row);
    expect(now.links.get(url), url).toEqual(anew.links.get(url));
    expect(now.bodies.get(url), url).toBe(anew.bodies.get(url));
    expect(now.texts.get(url), url).toBe(anew.texts.get(url));
  }
  // And the bodies are those that were sent.
  for (const [url, body] of now.bodies) {
    const reply = counted.get(url);
    expect(body, url).toBe(reply?.kind === "answer" ? new TextDecoder().decode(reply.body) : "");
  }
  // Pages that nothing leads to any more are known to one of them only.
  for (const [word, urls] of now.matches) {
    expect(
      urls.filter((url) => anew.bodies.has(url)),
      word,
    ).toEqual(anew.matches.get(word));
  }
  expect(now.coverage).toBeCloseTo(anew.coverage, 9);
  expect(now.ceiling).toBeCloseTo(anew.ceiling, 9);
}

/** What a log has written, of which nothing may ever be lost. */
export function written(dir: string) {
  const store = openCrawl(dir);
  try {
    const visits = new Map<number, Pick<Visit, "url" | "atMs" | "outcome">>();
    for (const { number, url, atMs, outcome } of [...store.visits(), ...store.replacedVisits()]) {
      visits.set(number, { url, atMs, outcome });
    }
    return { visits, rereads: [...store.rereads()] };
  } finally {
    store.close();
  }
}

/** What a killed process has left is whole before anybody goes on with it: facts have their bodies, and these theirs. */
export function expectWholeAsLeft(left: string, { network }: StoredSettings): void {
  const dir = join(temporaryDirectory(), "crawl");
  cpSync(left, dir, { recursive: true });
  const store = openCrawl(dir);
  openArchive(dir, store, network);
  store.close();
  expectNothingDoubled(dir);
}

/** Each URL has one outcome, each visit that was replaced was by a reread, and each page in the archive has its visit. */
export function expectNothingDoubled(dir: string): void {
  const store = openCrawl(dir);
  try {
    const finals = [...store.visits()].filter(({ outcome }) => outcome !== "try-again").map(({ url }) => url);
    expect(new Set(finals).size).toBe(finals.length);
    const rereads = [...store.rereads()].flatMap(({ visit }) => (visit === null ? [] : [visit]));
    const replaced = [...store.replacedVisits()];
    expect(replaced.map(({ by }) => by).sort((a, b) => a - b)).toEqual(rereads);
    const urls = urlsOf(store);
    const stamp = (url: string, atMs: number): string => `${url} ${Math.floor(atMs / 1000)}`;
    const read = [...store.visits(), ...replaced].filter(({ outcome }) => isDownloaded(outcome));
    const kept = [...new WarcReader(dir).entries()].filter(({ url, status }) => urls.includes(url) && status === 200);
    expect(kept.map(({ url, dateMs }) => stamp(url, dateMs)).sort()).toEqual(
      read.map(({ url, atMs }) => stamp(urls[url], atMs)).sort(),
    );
  } finally {
    store.close();
  }
}
