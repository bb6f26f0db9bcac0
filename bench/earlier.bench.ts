/**
 * What a view of an earlier moment (`--at`) costs compared with the view of now, each a command of its own, as users run
 * it: of a crawl whose pages were read again in several rounds, as of before the last round and before the first.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessFigures } from "./dashboard/cpu-meter.ts";
import { type CrawlSize, timeAfter, WrittenCrawl } from "./earlier/written-crawl.ts";

const MAIN = join(process.cwd(), "dist/cli/main.js");
const METER = new URL("./dashboard/cpu-meter.js", import.meta.url).href;
/** What commands keep of now. */
const KEPT = ["survey.bin", "search.sqlite"];

export interface EarlierFigures extends CrawlSize {
  readonly rounds: number;
  /** CPU seconds per command, the least of the runs. */
  readonly cpuSeconds: Readonly<Record<string, EarlierSeconds>>;
}

interface EarlierSeconds {
  /** With what an earlier run has kept. */
  readonly now: number;
  /** After a round that changed pages: what was kept before it is of no use. */
  readonly nowAfterChanges: number;
  readonly beforeLastRound: TwoLooks;
  readonly beforeFirstRound: TwoLooks;
}

interface TwoLooks {
  readonly first: number;
  readonly again: number;
}

interface EarlierOptions {
  readonly rounds?: number;
  readonly runs?: number;
  /** Commands that are measured (default: all). */
  readonly only?: readonly string[];
}

export function benchEarlier(size: CrawlSize, { rounds = 5, runs = 3, only }: EarlierOptions = {}): EarlierFigures {
  const folder = mkdtempSync(join(tmpdir(), "tidemark-bench-earlier-"));
  const dir = join(folder, "crawl");
  const outdated = join(folder, "outdated");
  try {
    const crawl = new WrittenCrawl(dir, size);
    for (let round = 1; round < rounds; round++) crawl.readAgain();
    const commands = commandsOf(dir, folder);
    for (const args of [commands.report, commands.search]) cpuSecondsOf(args);
    for (const name of KEPT) cpSync(join(dir, name), join(outdated, name));
    crawl.readAgain();
    const measured = Object.entries(commands).filter(([name]) => only?.includes(name) ?? true);
    const figures = measured.map(([name, args]) => {
      const least = (prepare: () => void, more: readonly string[] = []): number =>
        Math.min(...Array.from({ length: runs }, () => (prepare(), cpuSecondsOf([...args, ...more]))));
      const looks = (round: number): TwoLooks => ({
        first: least(() => forgetEarlier(dir), ["--at", timeAfter(round)]),
        again: least(() => {}, ["--at", timeAfter(round)]),
      });
      const nowAfterChanges = least(() => cpSync(outdated, dir, { recursive: true }));
      const now = least(() => {});
      const figures = { now, nowAfterChanges, beforeLastRound: looks(rounds - 1), beforeFirstRound: looks(0) };
      process.stderr.write(`  ${name}: ${JSON.stringify(figures)}\n`);
      return [name, figures] as const;
    });
    return { ...size, rounds, cpuSeconds: Object.fromEntries(figures) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandsOf(dir: string, folder: string) {
  const out = (name: string): string => join(folder, name);
  return {
    coverage: ["coverage", dir],
    rank: ["rank", dir],
    export: ["export", dir, "--format", "csv", "--out", out("pages.csv")],
    pack: ["pack", dir, "--tokens", "20000", "--out", out("pack.md")],
    report: ["report", dir, "--out", out("report.html")],
    search: ["search", dir, "word77", "word3"],
  };
}

/** Deletes what commands keep of earlier moments. */
function forgetEarlier(dir: string): void {
  for (const name of readdirSync(dir)) if (/^\w+-at-/.test(name)) rmSync(join(dir, name));
}

/** CPU time, because a busy machine stretches the time by the clock. */
function cpuSecondsOf(args: readonly string[]): number {
  const { status, stderr, output } = spawnSync(process.execPath, ["--import", METER, MAIN, ...args, "--quiet"], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(`tidemark ${args.join(" ")} ended with ${status}: ${stderr}`);
  return (JSON.parse(output[3]!) as ProcessFigures).cpuMs / 1000;
}
