/**
 * A refresh that goes on for 30 simulated days at 1% of the pages per day, of a crawl of a web that changes
 * (refresh-forever/changing-web.ts): is its memory flat, does the database grow with reads, what does a day cost, and
 * what do views cost as of the middle, compared with those of now?
 *
 * Waiting takes no time and computing does (refresh-forever/working-timers.ts). The simulated machine is so slow that
 * pages are weighed about once per day: at the speed of this one they would be weighed all day long, in a twentieth of
 * the time, and 30 days would take more than a day.
 *
 * At the end, all visits that count no more are deleted and reads are condensed, as with --keep-visits 1.
 *
 * TIDEMARK_BENCH_PAGES sets the numbers of pages (default: 20000,100000), TIDEMARK_BENCH_DAYS the days (default: 30),
 * TIDEMARK_BENCH_SHARE the share of the pages per day (default: 0.01), TIDEMARK_BENCH_ROUNDS how often views are made
 * (default: 2).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { condense } from "./refresh-forever/condensed.ts";
import type {
  CondensedFigures,
  CrawledFigures,
  DayFigures,
  ForeverTask,
  RefreshedFigures,
} from "./refresh-forever/figures.ts";
import { benchViews, type ViewFigures } from "./refresh-forever/views.ts";

interface ForeverFigures {
  readonly crawl: CrawledFigures;
  readonly refresh: RefreshedFigures;
  /** From the second day on, which is the first that begins with a refresh under way. */
  readonly memory: { readonly bytesPerPage: number; readonly lastDayToSecond: number };
  /** Of the first half of the days and of the second: how much the database grew per read. */
  readonly databaseBytesPerRead: { readonly first: number; readonly second: number };
  readonly cpuSecondsPerDay: { readonly first: number; readonly second: number };
  readonly views: Readonly<Record<string, ViewFigures>>;
  readonly kept: CondensedFigures;
}

const SIZES = "20000,100000";

export function benchRefreshForever({ tiny }: { readonly tiny: boolean }): readonly ForeverFigures[] {
  const sizes = tiny ? [300] : (process.env["TIDEMARK_BENCH_PAGES"] ?? SIZES).split(",").map(Number);
  const days = tiny ? 4 : Number(process.env["TIDEMARK_BENCH_DAYS"] ?? 30);
  const share = tiny ? 0.1 : Number(process.env["TIDEMARK_BENCH_SHARE"] ?? 0.01);
  const runs = tiny ? 1 : Number(process.env["TIDEMARK_BENCH_ROUNDS"] ?? 2);
  return sizes.map((pages) => {
    const parent = mkdtempSync(join(tmpdir(), "tidemark-bench-forever-"));
    const dir = join(parent, "crawl");
    try {
      const crawl = run({ part: "crawl", dir, pages, days, share }) as CrawledFigures;
      const refresh = run({ part: "refresh", dir, pages, days, share }) as RefreshedFigures;
      const views = benchViews(dir, { atMs: refresh.middleMs, runs });
      return { crawl, refresh, ...growthOf(crawl, refresh.days), views, kept: condense(dir, refresh.endMs) };
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
}

function growthOf(
  crawl: CrawledFigures,
  days: readonly DayFigures[],
): Pick<ForeverFigures, "memory" | "databaseBytesPerRead" | "cpuSecondsPerDay"> {
  const middle = Math.ceil(days.length / 2);
  const halves = { first: days.slice(0, middle), second: days.slice(middle) };
  const last = days.at(-1)!;
  const bytesPerRead = (half: readonly DayFigures[], beforeBytes: number): number =>
    (half.at(-1)!.databaseBytes - beforeBytes) / sum(half.map(({ reads }) => reads));
  const cpuPerDay = (half: readonly DayFigures[]): number => sum(half.map((day) => day.cpuSeconds)) / half.length;
  return {
    memory: { bytesPerPage: last.heldBytes / crawl.pages, lastDayToSecond: last.heldBytes / days[1].heldBytes },
    databaseBytesPerRead: {
      first: bytesPerRead(halves.first, crawl.databaseBytes),
      second: bytesPerRead(halves.second, days[middle - 1].databaseBytes),
    },
    cpuSecondsPerDay: { first: cpuPerDay(halves.first), second: cpuPerDay(halves.second) },
  };
}

function run(task: ForeverTask): unknown {
  const { part, pages } = task;
  process.stderr.write(`  ${part}, ${pages} pages ...\n`);
  const child = fileURLToPath(new URL("./refresh-forever/child.js", import.meta.url));
  const command = ["--expose-gc", child, JSON.stringify(task)];
  return JSON.parse(
    execFileSync(process.execPath, command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
