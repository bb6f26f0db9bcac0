/**
 * What a large crawl costs: ten million known URLs, one million of them fetched from a simulated web that takes no
 * memory itself (crawl/computed-web.ts). Measured: memory and disk per known URL, whether it slows down, and how long
 * it takes to resume.
 *
 * TIDEMARK_BENCH_PAGES sets the number of fetches (default: 1000000); about ten times as many URLs become known. With
 * TIDEMARK_BENCH_PROFILE set, one more run shows where the time goes.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ResumeFigures, ScaleFigures, ScaleTask } from "./crawl/scale-figures.ts";
import { topFunctions } from "./crawl/top-functions.ts";

interface CrawlScaleFigures {
  readonly crawl: ScaleFigures;
  readonly resume: ResumeFigures;
  readonly profile?: Readonly<Record<string, readonly string[]>>;
}

export function benchCrawlScale(options: { readonly tiny: boolean }): CrawlScaleFigures {
  const { tiny } = options;
  const pages = tiny ? 2000 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 1_000_000);
  const web = { pages: 21 * pages, hosts: Math.ceil(pages / 10), linksPerPage: 20, seed: 1 };
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-scale-"));
  const run = (task: Pick<ScaleTask, "part" | "dir">, flags: readonly string[] = []): unknown => {
    process.stderr.write(`  ${task.part} ...\n`);
    const child = fileURLToPath(new URL("./crawl/scale-child.js", import.meta.url));
    const asked: ScaleTask = { ...task, pages, web };
    const command = ["--expose-gc", ...flags, child, JSON.stringify(asked)];
    return JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" }));
  };
  try {
    const crawl = run({ part: "crawl", dir: join(dir, "crawl") }) as ScaleFigures;
    const resume = run({ part: "resume", dir: join(dir, "crawl") }) as ResumeFigures;
    if (tiny || process.env["TIDEMARK_BENCH_PROFILE"] === undefined) return { crawl, resume };
    const profiles = join(dir, "profiles");
    run({ part: "crawl", dir: join(dir, "again") }, ["--cpu-prof", `--cpu-prof-dir=${profiles}`]);
    return { crawl, resume, profile: topFunctions(profiles) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
