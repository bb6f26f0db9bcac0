/**
 * What a large crawl costs: one, three and ten million known URLs, a tenth of them fetched from a simulated web that
 * takes no memory itself (crawl/computed-web.ts). Measured: memory and disk per known URL, and per further one; whether
 * it slows down, and how long it takes to resume.
 *
 * TIDEMARK_BENCH_PAGES sets the numbers of fetches (default: 100000,300000,1000000); about ten times as many URLs
 * become known. With TIDEMARK_BENCH_PROFILE set, one more run of the largest shows where the time goes.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ResumeFigures, ScaleFigures, ScaleTask } from "./crawl/scale-figures.ts";
import { topFunctions } from "./crawl/top-functions.ts";

interface CrawlScaleFigures {
  readonly sizes: readonly SizeFigures[];
  /** From the smallest crawl to the largest: what the process itself takes, however small the crawl, is not in it. */
  readonly memoryBytesPerFurtherUrl: { readonly end: number; readonly peak: number; readonly arrayBuffers: number };
  readonly profile?: Readonly<Record<string, readonly string[]>>;
}

interface SizeFigures {
  readonly crawl: ScaleFigures;
  readonly resume: ResumeFigures;
}

const SIZES = "100000,300000,1000000";

export function benchCrawlScale(options: { readonly tiny: boolean }): CrawlScaleFigures {
  const { tiny } = options;
  const pages = tiny ? [200, 400] : (process.env["TIDEMARK_BENCH_PAGES"] ?? SIZES).split(",").map(Number);
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-scale-"));
  try {
    const sizes = pages.map((each) => figuresOf(each, join(dir, String(each))));
    const figures = { sizes, memoryBytesPerFurtherUrl: growthOf(sizes[0].crawl, sizes.at(-1)!.crawl) };
    if (tiny || process.env["TIDEMARK_BENCH_PROFILE"] === undefined) return figures;
    const profiles = join(dir, "profiles");
    const flags = ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
    run({ part: "crawl", dir: join(dir, "again"), pages: pages.at(-1)! }, flags);
    return { ...figures, profile: topFunctions(profiles) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function figuresOf(pages: number, dir: string): SizeFigures {
  const crawl = run({ part: "crawl", dir, pages }) as ScaleFigures;
  return { crawl, resume: run({ part: "resume", dir, pages }) as ResumeFigures };
}

function growthOf(small: ScaleFigures, large: ScaleFigures): CrawlScaleFigures["memoryBytesPerFurtherUrl"] {
  const perUrl = (bytesPerUrl: (figures: ScaleFigures) => number): number =>
    (bytesPerUrl(large) * large.known - bytesPerUrl(small) * small.known) / (large.known - small.known);
  return {
    end: perUrl(({ memoryBytesPerUrl }) => memoryBytesPerUrl.end),
    peak: perUrl(({ memoryBytesPerUrl }) => memoryBytesPerUrl.peak),
    arrayBuffers: perUrl(({ memoryBytesPerUrl }) => memoryBytesPerUrl.endArrayBuffers),
  };
}

function run(task: Omit<ScaleTask, "web">, flags: readonly string[] = []): unknown {
  const { part, pages } = task;
  process.stderr.write(`  ${part}, ${pages} pages ...\n`);
  const child = fileURLToPath(new URL("./crawl/scale-child.js", import.meta.url));
  const web = { pages: 21 * pages, hosts: Math.ceil(pages / 10), linksPerPage: 20, seed: 1 };
  const asked: ScaleTask = { ...task, web };
  const command = ["--expose-gc", ...flags, child, JSON.stringify(asked)];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" }));
}
