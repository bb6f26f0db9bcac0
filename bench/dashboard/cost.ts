/**
 * What a dashboard costs a running crawl: CPU time per page of the same crawl without a dashboard, and with one that is
 * watched all the time. The web is that of the benchmark of crawlers. Runs alternate, after a first cold run that does
 * not count.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalWeb } from "../crawl/local-web.ts";
import type { ProcessFigures } from "./cpu-meter.ts";
import { look } from "./viewer.ts";

export interface CostFigures {
  readonly rounds: readonly {
    readonly withoutMsPerPage: number;
    readonly withMsPerPage: number;
    readonly ratio: number;
    readonly eventsSeen: number;
  }[];
  /** The ratio of the sums of all rounds. */
  readonly ratio: number;
  readonly peakMegabytes: { readonly without: number; readonly with: number };
}

interface Run extends ProcessFigures {
  readonly pages: number;
  readonly events: number;
}

const PROGRAM = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));
const METER = new URL("./cpu-meter.js", import.meta.url).href;

export async function benchCost(
  web: LocalWeb,
  options: { readonly pages: number; readonly rounds: number },
): Promise<CostFigures> {
  process.stderr.write("  a first crawl, which does not count ...\n");
  await crawl(web, options.pages, false);
  const pairs: { without: Run; with: Run }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const runs: Partial<Record<"without" | "with", Run>> = {};
    for (const kind of round % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const)) {
      process.stderr.write(`  ${kind} a dashboard ...\n`);
      runs[kind] = await crawl(web, options.pages, kind === "with");
    }
    pairs.push(runs as { without: Run; with: Run });
  }
  const msPerPage = (runs: readonly Run[]): number =>
    sum(runs.map(({ cpuMs }) => cpuMs)) / sum(runs.map(({ pages }) => pages));
  return {
    rounds: pairs.map((pair) => ({
      withoutMsPerPage: msPerPage([pair.without]),
      withMsPerPage: msPerPage([pair.with]),
      ratio: msPerPage([pair.with]) / msPerPage([pair.without]),
      eventsSeen: pair.with.events,
    })),
    ratio: msPerPage(pairs.map((pair) => pair.with)) / msPerPage(pairs.map((pair) => pair.without)),
    peakMegabytes: {
      without: Math.max(...pairs.map((pair) => pair.without.peakMegabytes)),
      with: Math.max(...pairs.map((pair) => pair.with.peakMegabytes)),
    },
  };
}

async function crawl(web: LocalWeb, pages: number, isServed: boolean): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-cost-"));
  const looking = new AbortController();
  try {
    const child = spawn(process.execPath, ["--import", METER, PROGRAM, ...words(web, dir, pages, isServed)], {
      stdio: ["ignore", "pipe", "inherit", "pipe"],
    });
    let figures = "";
    child.stdio[3]!.on("data", (chunk: Buffer) => {
      figures += chunk.toString();
    });
    let seen: Promise<number> = Promise.resolve(0);
    let crawled = 0;
    let rest = "";
    child.stdout!.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const said = JSON.parse(line) as { type: string; url?: string; pages?: number };
        if (said.type === "serving") seen = look(said.url!, looking.signal);
        if (said.type === "done") crawled = said.pages!;
      }
    });
    await new Promise((resolve) => child.once("close", resolve));
    looking.abort();
    return { ...(JSON.parse(figures) as ProcessFigures), pages: crawled, events: await seen };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** No path here contains a blank. */
function words(web: LocalWeb, dir: string, pages: number, isServed: boolean): string[] {
  const text =
    `crawl ${web.seed} --dir ${join(dir, "crawl")} --scope domain --max-pages ${pages} --coverage 0.999999999 ` +
    "--delay 0 --per-host 2 --per-address 1000 --allow-private --resolve *.docs.test:127.0.0.1 " +
    `--ca ${web.certificateFile} --readers 1 --json${isServed ? " --serve --listen 0" : ""}`;
  return text.split(" ");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
