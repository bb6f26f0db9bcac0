/** What views of a crawl cost, now and as of an earlier time: the program as it is shipped, in processes of its own. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProcessFigures } from "../dashboard/cpu-meter.ts";

export interface ViewFigures {
  readonly nowCpuSeconds: number;
  readonly earlierCpuSeconds: number;
  /** Goal: at most 1. */
  readonly moreCpuSeconds: number;
  readonly peakMegabytes: { readonly now: number; readonly earlier: number };
}

const PROGRAM = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));
const METER = new URL("../dashboard/cpu-meter.js", import.meta.url).href;

/** `runs`: of each the best counts; both in turn. */
export function benchViews(
  dir: string,
  { atMs, runs }: { readonly atMs: number; readonly runs: number },
): Record<string, ViewFigures> {
  const out = join(dir, "..", "pages.jsonl");
  const commands = { coverage: [], rank: [], export: ["--out", out] };
  const figures = Object.entries(commands).map(([command, more]): [string, ViewFigures] => {
    const now: ProcessFigures[] = [];
    const earlier: ProcessFigures[] = [];
    for (let run = 0; run < runs; run++) {
      now.push(measured([command, dir, "--json", ...more]));
      earlier.push(measured([command, dir, "--json", "--at", new Date(atMs).toISOString(), ...more]));
    }
    const nowCpuSeconds = bestSeconds(now);
    const earlierCpuSeconds = bestSeconds(earlier);
    const peakMegabytes = { now: peakOf(now), earlier: peakOf(earlier) };
    return [
      command,
      { nowCpuSeconds, earlierCpuSeconds, moreCpuSeconds: earlierCpuSeconds - nowCpuSeconds, peakMegabytes },
    ];
  });
  return Object.fromEntries(figures);
}

function measured(args: readonly string[]): ProcessFigures {
  process.stderr.write(`  tidemark ${args.join(" ")} ...\n`);
  const command = ["--import", METER, PROGRAM, ...args];
  const { status, output } = spawnSync(process.execPath, command, {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`tidemark ${args.join(" ")} ended with code ${status}`);
  return JSON.parse(output[3] ?? "") as ProcessFigures;
}

function bestSeconds(figures: readonly ProcessFigures[]): number {
  return Math.min(...figures.map(({ cpuMs }) => cpuMs)) / 1000;
}

function peakOf(figures: readonly ProcessFigures[]): number {
  return Math.max(...figures.map(({ peakMegabytes }) => peakMegabytes));
}
