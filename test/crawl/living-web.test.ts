/**
 * A site of the demo web that changes from day to day under a seeded clock: articles are edited, move, vanish, come
 * back, and new ones are linked to. After each day, what the directory says (pages, links, coverage, bodies in WARC
 * files) is what a crawl says that is made anew of the answers that counted, wherever the disk failed on the way.
 */
import { describe, expect, it } from "vitest";
import { TextReader } from "../../src/content/index.ts";
import {
  certifyLog,
  crawlSettings,
  launchCrawl,
  openArchive,
  readNewPages,
  refreshFacts,
  refreshPages,
  type StoredSettings,
} from "../../src/crawl/index.ts";
import { demoReply } from "../../src/demo/pages.ts";
import { drawn, hashOf } from "../../src/demo/sites.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { successors } from "../../src/graph/index.ts";
import { crawlGraph, createCrawl, openCrawl, type SqliteStore, StoreError } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { replyOf, type Served } from "../support/inline-web.ts";
import { PassingTimers } from "../support/passing-timers.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const HOST = "news.demo.test";
const SEED = `http://${HOST}/`;
const DAY_MS = 86_400_000;
const START_MS = 1_700_000_000_000;
const DAYS = 5;
const PAGES = 30;
const NEW_PAGES = 5;

class LivingSite {
  day = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Everything that stood there since the first day may change; what is linked from edited articles is new. */
  serve(path: string): Served {
    if (this.#isBadDay && path !== "/robots.txt") return notFound("Nothing is here today.");
    if (path.startsWith("/extra/")) return page(`Extra ${path}`, [`${SEED}extra/${hashOf(path) % 7}`]);
    const isMovedThere = path.startsWith("/moved/");
    const original = isMovedThere ? path.slice("/moved".length) : path;
    const { status, headers, body } = demoReply(HOST, original, 2);
    if (status !== 200) return status === 404 ? notFound(body) : { status, headers };
    const { kind, day } = isMovedThere || path === "/" ? EDITED_FIRST : this.#lastChange(path);
    if (kind === "gone") return notFound("It was here.");
    if (kind === "moved") return { status: 301, headers: { location: `/moved${path}` } };
    if (kind === "away") return { status: 302, headers: { location: "/elsewhere" } };
    const shown = day === 0 ? body : edited(body, day, drawn(this.#seed, hashOf(path), day));
    return { body: shown, headers };
  }

  /** The third day is bad in every other web. */
  get #isBadDay(): boolean {
    return this.day === 3 && this.#seed % 2 === 0;
  }

  #lastChange(path: string): { readonly kind: "edited" | "gone" | "moved" | "away"; readonly day: number } {
    for (let { day } = this; day > 0; day--) {
      const kind = CHANGES[drawn(this.#seed, hashOf(path), day, 1) % 24];
      if (kind !== undefined) return { kind, day };
    }
    return EDITED_FIRST;
  }
}

const EDITED_FIRST = { kind: "edited", day: 0 } as const;
const CHANGES = ["edited", "edited", "edited", "edited", "gone", "moved", "away"] as const;

function notFound(body: string): Served {
  return { body, headers: { "content-type": "text/html", "x-status": "404" } };
}

function page(title: string, links: readonly string[]): string {
  return `<title>${title}</title>${links.map((href) => `<a href="${href}">x</a>`).join("")}`;
}

/** Another title, one link fewer, one more. */
function edited(body: string, day: number, chance: number): string {
  return body
    .replace(/<title>/, `<title>Day ${day}: `)
    .replace(/<li>.*<\/li>\n/, `<li><a href="/extra/${chance % 9}">More</a></li>\n`);
}

/** Notes what was answered last. */
class SiteFetcher implements Fetcher {
  readonly replies = new Map<string, Reply>();
  readonly #answer: (url: URL) => Reply | undefined;
  readonly #waiting: ((reply: Reply) => void)[] = [];

  constructor(answer: (url: URL) => Reply | undefined) {
    this.#answer = answer;
  }

  /** Without an answer it waits until the fetcher is closed. */
  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const reply = this.#answer(new URL(url));
    if (reply === undefined) return void this.#waiting.push(done);
    setImmediate(() => {
      this.replies.set(url, reply);
      done({ ...reply } as Reply);
    });
  }

  async close(): Promise<void> {
    for (const done of this.#waiting.splice(0)) done(replyOf({ failure: "aborted" }));
  }
}

function replyFrom(served: Served): Reply {
  const reply = replyOf(served);
  const status = reply.kind === "answer" ? Number(reply.headers["x-status"] ?? reply.status) : 0;
  return { ...reply, status } as Reply;
}

class LivingDirectory {
  readonly dir = temporaryDirectory();
  readonly site: LivingSite;
  readonly settings: StoredSettings;
  /** Of each URL, the answer that counts. */
  readonly counted = new Map<string, Reply>();
  failures = 0;

  constructor(seed: number) {
    this.site = new LivingSite(seed);
    this.settings = settingsOf({ maxPages: PAGES });
    createCrawl(this.dir, JSON.stringify(this.settings)).close();
  }

  /** Where the disk fails, the day is begun again. */
  async nextDay(failingWrite?: number): Promise<void> {
    const fetcher = new SiteFetcher(({ pathname, search }) => replyFrom(this.site.serve(pathname + search)));
    const before = this.#read((store) => store.rereadCount);
    try {
      await this.#spendDay(fetcher, failingWrite);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.failures++;
      await this.#spendDay(fetcher);
    }
    this.#count(fetcher.replies, before);
    this.site.day++;
  }

  async #spendDay(fetcher: Fetcher, failingWrite?: number): Promise<void> {
    const { dir, settings } = this;
    const timers = new PassingTimers(START_MS + this.site.day * DAY_MS);
    const store = openCrawl(dir, {
      beforeWrite: (count) => {
        if (count === failingWrite) throw new StoreError("disk-full", "as planned");
      },
    });
    const archive = openArchive(dir, store, settings.network);
    let error: unknown;
    try {
      const parts = { store, settings, fetcher, timers, archive };
      if (this.site.day > 0) {
        const pages = refreshFacts(store).pages.filter(({ visit }) => visit !== null);
        await refreshPages({ ...parts, pages });
      }
      const { end } = await readNewPages({ ...parts, pages: this.site.day === 0 ? PAGES : NEW_PAGES, readers: 0 });
      if (end.error !== undefined) throw end.error;
    } catch (thrown) {
      error = thrown;
    }
    closed(store, error);
  }

  #read<Result>(act: (store: SqliteStore) => Result): Result {
    const store = openCrawl(this.dir);
    try {
      return act(store);
    } finally {
      store.close();
    }
  }

  #count(replies: ReadonlyMap<string, Reply>, before: number): void {
    const rereads = this.#read((store) => {
      const urls = urlsOf(store);
      return new Map(Array.from(store.rereads(), (reread) => [urls[reread.url], reread] as const).slice(before));
    });
    for (const [url, reply] of replies) {
      const reread = rereads.get(url);
      if (reread === undefined || reread.visit !== null || reread.outcome === "unchanged") this.counted.set(url, reply);
    }
  }
}

function settingsOf(changes: object): StoredSettings {
  return crawlSettings({ urls: [SEED], scope: "host", delay: 0, warc: true, ...changes });
}

function closed(store: SqliteStore, error: unknown): void {
  try {
    store.close();
  } catch (thrown) {
    if (error === undefined) throw thrown;
  }
  if (error !== undefined) throw error;
}

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

function urlsOf(store: SqliteStore): readonly string[] {
  const origins = [...store.origins()];
  return Array.from(store.urls(), ({ origin, path }) => `${origins[origin]}${path ?? ""}`);
}

/** All that a directory says of its pages, by URL; how and when each was found is left out. */
function told(dir: string) {
  const store = openCrawl(dir);
  try {
    const pages = new Map<string, object>();
    const texts = new TextReader(dir, store);
    const bodies = new Map<string, string | undefined>();
    for (const { id, depth: _, source: __, fetchedAt: ___, ...row } of store.pages()) {
      pages.set(row.url, row);
      if (row.state === "downloaded") bodies.set(row.url, texts.read(id, row.url, "html"));
    }
    const { graph, ids } = crawlGraph(store);
    const urls = urlsOf(store);
    const links = new Map<string, string[]>();
    for (let from = 0; from < ids.length; from++) {
      links.set(urls[ids[from]], Array.from(successors(graph, from), (to) => urls[ids[to]]).sort());
    }
    const { certificate, ceiling } = certifyLog(store);
    return { pages, bodies, links, coverage: certificate.coverage, ceiling: ceiling.coverage };
  } finally {
    store.close();
  }
}

async function expectAsAnew(living: LivingDirectory): Promise<void> {
  const [now, anew] = [told(living.dir), told(await crawledAnew(living.counted))];
  expect(anew.pages.size).toBeGreaterThan(10);
  for (const [url, row] of anew.pages) {
    expect(now.pages.get(url), url).toEqual(row);
    expect(now.links.get(url), url).toEqual(anew.links.get(url));
    expect(now.bodies.get(url), url).toBe(anew.bodies.get(url));
  }
  // And the bodies are those that were sent.
  for (const [url, body] of now.bodies) {
    const reply = living.counted.get(url);
    expect(body, url).toBe(reply?.kind === "answer" ? new TextDecoder().decode(reply.body) : "");
  }
  expect(now.coverage).toBeCloseTo(anew.coverage, 9);
  expect(now.ceiling).toBeCloseTo(anew.ceiling, 9);
}

describe("a directory whose site changes from day to day", () => {
  it("says after each day what a crawl made anew of what was read says: pages, links, coverage, bodies", async () => {
    for (let seed = 0; seed < 2; seed++) {
      const living = new LivingDirectory(seed);
      for (let day = 0; day < DAYS; day++) {
        await living.nextDay();
        await expectAsAnew(living);
      }
    }
  });

  it("loses and doubles nothing where the disk fails at a write", async () => {
    let failures = 0;
    for (let seed = 0; seed < cases(30) / 5; seed++) {
      const living = new LivingDirectory(seed);
      for (let day = 0; day < 3; day++) {
        await living.nextDay(1 + (drawn(seed, day) % 60));
      }
      await expectAsAnew(living);
      failures += living.failures;
    }
    expect(failures).toBeGreaterThan(5);
  });
});
