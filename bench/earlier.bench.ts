/**
 * Views of an earlier moment (`--at`) compared with views of now, each a command of its own, as users run it: of a crawl
 * whose pages were read again in several rounds, before the last round and before the first. The crawl is written
 * directly: page k links to the next ones and to some far away; in each round, pages that are spread evenly change.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../src/base/index.ts";
import { makePlainTexts } from "../src/content/index.ts";
import { defaultPoliteness, defaultWebSettings } from "../src/crawl/index.ts";
import { NO_PAGE_METADATA } from "../src/log/index.ts";
import { createCrawl, type SqliteStore } from "../src/store/index.ts";

const MAIN = join(process.cwd(), "dist/cli/main.js");
const SEED = "http://earlier.test/0";
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const WORDS = 5000;
const WORDS_PER_PAGE = 150;

export interface EarlierFigures {
  readonly pages: number;
  readonly changedPerRound: number;
  readonly rounds: number;
  /** Seconds per command, the least of the runs. */
  readonly seconds: Readonly<Record<string, EarlierSeconds>>;
}

/** A tiny run leaves out what runs the same commands once more. */
interface EarlierSeconds {
  /** With nothing kept of an earlier run. */
  readonly nowAnew: number;
  /** With what an earlier run has kept: survey.bin, search.sqlite. */
  readonly now?: number;
  readonly beforeLastRound?: number;
  readonly beforeFirstRound: number;
}

export function benchEarlier({ tiny }: { readonly tiny: boolean }): EarlierFigures {
  const [pages, changedPerRound, rounds, runs] = tiny ? [300, 20, 2, 1] : [100_000, 1000, 5, 2];
  const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-earlier-"));
  const dir = join(folder, "crawl");
  try {
    writeCrawl(dir, { pages, changedPerRound, rounds });
    const then = (days: number): string[] => ["--at", new Date(START_MS + days * DAY_MS + DAY_MS / 2).toISOString()];
    const seconds = Object.entries(commandsOf(dir, folder)).map(([name, args]) => {
      const least = (more: readonly string[]): number =>
        Math.min(...Array.from({ length: runs }, () => secondsOf([...args, ...more])));
      for (const file of ["survey.bin", "search.sqlite"]) rmSync(join(dir, file), { force: true });
      const nowAnew = secondsOf(args);
      const kept = tiny ? {} : { now: least([]), beforeLastRound: least(then(rounds - 1)) };
      return [name, { nowAnew, ...kept, beforeFirstRound: least(then(0)) }] as const;
    });
    return { pages, changedPerRound, rounds, seconds: Object.fromEntries(seconds) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandsOf(dir: string, folder: string): Readonly<Record<string, readonly string[]>> {
  const out = (name: string): string => join(folder, name);
  return {
    coverage: ["coverage", dir],
    rank: ["rank", dir],
    export: ["export", dir, "--format", "csv", "--out", out("pages.csv")],
    report: ["report", dir, "--out", out("report.html")],
    pack: ["pack", dir, "--tokens", "20000", "--out", out("pack.md")],
    search: ["search", dir, "word77", "word3"],
  };
}

function secondsOf(args: readonly string[]): number {
  const startMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args, "--quiet"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`tidemark ${args.join(" ")} ended with ${status}: ${stderr}`);
  return (performance.now() - startMs) / 1000;
}

function writeCrawl(dir: string, { pages, changedPerRound, rounds }: Omit<EarlierFigures, "seconds">): void {
  const settings = {
    web: defaultWebSettings({ kind: "host", seeds: [SEED] }, 0),
    seeds: [{ url: SEED, weight: 1 }],
    order: "rankmass",
    damping: 0.85,
    politeness: { ...defaultPoliteness, delayMs: 0 },
    limits: { pages },
    productToken: "tidemark",
  };
  const store = createCrawl(dir, JSON.stringify(settings));
  const random = new Random(1);
  store.addOrigin(0, "http://earlier.test");
  store.addUrl({ id: 0, origin: 0, path: "/0", depth: 0, source: "seed", discoveredAt: 0, reason: null });
  store.replaceTrust([{ url: 0, weight: 1 }]);
  /** The visit that counts, of each page. */
  const visits = new Uint32Array(pages);
  for (let page = 0; page < pages; page++) {
    for (let id = store.urlCount; id < Math.min(pages, page + 11); id++) {
      const depth = Math.ceil(id / 10);
      store.addUrl({ id, origin: 0, path: `/${id}`, depth, source: "link", discoveredAt: page, reason: null });
    }
    visits[page] = addVisit(store, { page, pages, round: 0, random });
  }
  for (let round = 1; round <= rounds; round++) {
    for (let k = 0; k < changedPerRound; k++) {
      const page = (round + k * Math.floor(pages / changedPerRound)) % pages;
      visits[page] = addVisit(store, { page, pages, round, random, replaces: visits[page] });
    }
  }
  store.close();
}

interface Fetched {
  readonly page: number;
  readonly pages: number;
  readonly round: number;
  readonly random: Random;
  readonly replaces?: number;
}

function addVisit(store: SqliteStore, { page, pages, round, random, replaces }: Fetched): number {
  const number = store.nextVisit;
  const links = new Set<number>();
  for (let k = 1; k <= 10; k++) links.add(Math.min(pages - 1, page + k)).add((page * k * 7919) % (page + 1));
  const visit = {
    number,
    url: page,
    atMs: START_MS + round * DAY_MS,
    outcome: "downloaded" as const,
    reason: null,
    detail: null,
    isRewritten: false,
    status: 200,
    wireBytes: 1000,
    milliseconds: 1,
    contentType: "text/html",
    ...NO_PAGE_METADATA,
    title: `Page ${page}, version ${round}`,
    value: null,
    etag: null,
    lastModified: null,
    location: null,
    target: null,
    links: Uint32Array.from(links),
  };
  store.addVisit(visit, replaces);
  store.addTexts(number, makePlainTexts(textOf(random), ["text"]));
  if (number % 10_000 === 0) store.commit();
  return number;
}

/** Few words are frequent, most are rare. */
function textOf(random: Random): string {
  return Array.from({ length: WORDS_PER_PAGE }, () => `word${Math.floor(WORDS * random.float() ** 3)}`).join(" ");
}
