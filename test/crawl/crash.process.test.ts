/**
 * Killed without warning, at every write and at any moment: nothing that was reported as stored is lost, no page is
 * stored twice, and a crawl that is resumed ends with the pages of one that was never disturbed. These crawls are
 * processes of their own.
 */
import { spawn } from "node:child_process";
import { createReadStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WARCParser } from "warcio";
import { Random } from "../../src/base/index.ts";
import { openCrawlReadOnly } from "../../src/store/index.ts";

const child = fileURLToPath(new URL("../support/crash-child.mjs", import.meta.url));
/** The same in one file, inside the project, where it finds its packages. */
const bundledChild = fileURLToPath(new URL("../../out/crash/crash-child.js", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "tidemark-crash-"));
const LANES = 2;
/** At random moments. A crawl of so many pages is killed about five times before it ends. */
const KILLS = 100;
const PAGES = 1500;
const HOUR_MS = 3_600_000;

/** Hundreds of processes are started: one file is loaded in a third of the time that hundreds of modules take. */
beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: child, outDir: dirname(bundledChild), minify: false },
    ssr: { noExternal: true, external: ["better-sqlite3", "playwright-core"] },
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Run {
  readonly killed: boolean;
  /** Pages reported as stored, at the last report. */
  readonly reported: number;
  readonly reason: string | undefined;
  /** Facts and commits written, of a run that came to its end. */
  readonly writes: number;
}

/**
 * Runs the crawl; `killAfterMs` sends SIGKILL so long after it has said something, be the machine ever so slow to start
 * it.
 */
function run(dir: string, pages: number, dieBefore: number, killAfterMs?: number, ...more: string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    // The thread that reads pages is found beside the modules of the build only.
    const program = more.includes("warc") ? child : bundledChild;
    const task = [program, dir, String(pages), String(dieBefore), ...more];
    const process = spawn(globalThis.process.execPath, task);
    let output = "";
    let errors = "";
    let timer: NodeJS.Timeout | undefined;
    process.stdout.once("data", () => {
      if (killAfterMs !== undefined) timer = setTimeout(() => process.kill("SIGKILL"), killAfterMs);
    });
    process.stdout.on("data", (text: Buffer) => (output += text.toString()));
    process.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    process.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0 && signal !== "SIGKILL") return reject(new Error(`exit ${code}: ${errors}`));
      const lines = output.trim().split("\n");
      const counts = lines.filter((line) => /^\d+$/.test(line)).map(Number);
      const [, reason, writes] = /^(\S+) after (\d+) writes$/.exec(lines.at(-1) ?? "") ?? [];
      resolve({
        killed: signal === "SIGKILL",
        reported: counts.at(-1) ?? 0,
        reason,
        writes: Number(writes ?? 0),
      });
    });
  });
}

/** The downloaded URLs; throws where a URL was stored twice or the database is damaged. */
function storedPages(dir: string): string[] {
  const store = openCrawlReadOnly(dir);
  const origins = [...store.origins()];
  const urls = [...store.urls()].map(({ origin, path }) => `${origins[origin]}${path}`);
  const pages = [...store.visits()].filter(({ outcome }) => outcome === "downloaded").map(({ url }) => urls[url]);
  store.close();
  // Only now: a kill in the middle of a change of the journal leaves one that a read-only connection cannot roll back.
  const Database = createRequire(import.meta.url)("better-sqlite3") as typeof import("better-sqlite3");
  const database = new Database(join(dir, "crawl.sqlite"), { readonly: true });
  expect(database.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
  database.close();
  expect(new Set(pages).size).toBe(pages.length);
  expect(new Set(urls).size).toBe(urls.length);
  return pages.sort();
}

/** Runs tasks one after another on a few lanes. */
async function inLanes(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = [...tasks];
  const lane = async (): Promise<void> => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await task();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

describe("a crawl that is killed", () => {
  it(
    "before any one of its writes is resumed to the pages of an undisturbed one",
    async () => {
      const undisturbed = join(root, "undisturbed-small");
      const { writes } = await run(undisturbed, 20, 0);
      const expected = storedPages(undisturbed);
      expect(expected.length).toBeGreaterThan(15);
      expect(writes).toBeGreaterThan(40);
      let killed = 0;
      const killedBefore = (write: number) => async (): Promise<void> => {
        const dir = join(root, `small-${write}`);
        const first = await run(dir, 20, write);
        // A slow run commits once or twice more than a fast one, which ends before the last writes of the slow one.
        if (first.killed) killed++;
        else expect(first.writes).toBeLessThan(write);
        if (first.reported > 0) expect(storedPages(dir).length).toBeGreaterThanOrEqual(first.reported);
        expect((await run(dir, 20, 0)).reason).toBe("frontier-empty");
        expect(storedPages(dir)).toEqual(expected);
        rmSync(dir, { recursive: true });
      };
      await inLanes(Array.from({ length: writes }, (_, k) => killedBefore(k + 1)));
      expect(killed).toBeGreaterThan(40);
    },
    HOUR_MS,
  );

  it(
    `at ${KILLS} random moments is resumed to the pages of an undisturbed one`,
    async () => {
      const undisturbed = join(root, "undisturbed-large");
      await run(undisturbed, PAGES, 0);
      const expected = storedPages(undisturbed);
      let killed = 0;
      const crawlOf = (lane: number) => async (): Promise<void> => {
        const random = new Random(17, lane);
        const left = (): boolean => killed < KILLS;
        for (let round = 0; left(); round++) {
          const dir = join(root, `large-${lane}-${round}`);
          let reported = 0;
          for (let isEnded = false; !isEnded && left(); ) {
            const outcome = await run(dir, PAGES, 0, random.below(150));
            if (outcome.killed) killed++;
            else isEnded = true;
            reported = Math.max(reported, outcome.reported);
            if (reported > 0) expect(storedPages(dir).length).toBeGreaterThanOrEqual(reported);
          }
          expect((await run(dir, PAGES, 0)).reason).toBe("frontier-empty");
          expect(storedPages(dir)).toEqual(expected);
          rmSync(dir, { recursive: true });
        }
      };
      await inLanes(Array.from({ length: LANES }, (_, lane) => crawlOf(lane)));
      expect(killed).toBeGreaterThanOrEqual(KILLS);
    },
    HOUR_MS,
  );

  it(
    "while it keeps bodies has an archive of whole records, one for each page, robots.txt and sitemap.xml",
    async () => {
      const dir = join(root, "archived");
      const random = new Random(23);
      for (let kills = 0; kills < 12; ) {
        const { killed } = await run(dir, PAGES, 0, random.below(300), "warc");
        if (!killed) break;
        kills++;
      }
      expect((await run(dir, PAGES, 0, undefined, "warc")).reason).toBe("frontier-empty");
      const kept: string[] = [];
      for (const file of readdirSync(join(dir, "warc")).filter((name) => name.endsWith(".warc.gz"))) {
        for await (const record of new WARCParser(createReadStream(join(dir, "warc", file)))) {
          await record.readFully(false);
          if (record.warcType === "response" || record.warcType === "revisit") kept.push(record.warcTargetURI ?? "");
        }
      }
      const isAuxiliary = (url: string): boolean => /\/(?:robots\.txt|sitemap\.xml)$/.test(url);
      const pages = storedPages(dir);
      expect(kept.filter((url) => !isAuxiliary(url)).sort()).toEqual(pages);
      // A kill may come between the answer and the rules: then it is requested, and kept, again.
      const expected = pages.flatMap((url) => ["/robots.txt", "/sitemap.xml"].map((path) => new URL(path, url).href));
      expect(new Set(kept.filter(isAuxiliary))).toEqual(new Set(expected));
    },
    HOUR_MS,
  );
});
