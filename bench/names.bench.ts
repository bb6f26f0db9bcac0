/**
 * What slow and missing names cost a broad crawl: pages per second over many hosts of which a third do not exist or are
 * found only after five seconds, compared with the same hosts when all are found at once. Before and after:
 * `dns.lookup` cannot be pointed at a name server on loopback, so "before" asks the same server as it did, four names
 * at a time, by requests that hold their connection. Each crawl is a process of its own; pages and names come from one
 * more.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { NamesFigures, NamesTask, NamesWeb } from "./crawl/names-figures.ts";

interface NamesBenchFigures {
  readonly runs: readonly NamesFigures[];
  /** Pages per second with slow and missing names, as a share of those without. */
  readonly kept: Readonly<Record<NamesTask["lookups"], number>>;
}

export async function benchNames({ tiny }: { readonly tiny: boolean }): Promise<NamesBenchFigures> {
  const hosts = tiny ? 60 : 6_000;
  const pages = tiny ? 40 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 4_000);
  const { child, web } = await startWeb(hosts);
  try {
    const run = (lookups: NamesTask["lookups"], domain: NamesTask["domain"]): NamesFigures => {
      process.stderr.write(`  ${lookups}, ${domain} ...\n`);
      const task: NamesTask = { ...web, lookups, domain, pages, secondsMax: tiny ? 10 : 30 };
      const path = fileURLToPath(new URL("./crawl/names-child.js", import.meta.url));
      return JSON.parse(execFileSync(process.execPath, [path, JSON.stringify(task)], { encoding: "utf8" }));
    };
    const runs = (["ahead", "in-request"] as const).flatMap((lookups) =>
      (["sound.test", "mixed.test"] as const).map((domain) => run(lookups, domain)),
    );
    const [soundAfter, mixedAfter, soundBefore, mixedBefore] = runs.map(({ pagesPerSecond }) => pagesPerSecond);
    return { runs, kept: { ahead: mixedAfter / soundAfter, "in-request": mixedBefore / soundBefore } };
  } finally {
    child.kill();
  }
}

async function startWeb(hosts: number): Promise<{ readonly child: ChildProcess; readonly web: NamesWeb }> {
  const path = fileURLToPath(new URL("./crawl/names-web.js", import.meta.url));
  const child = spawn(process.execPath, [path, String(hosts)], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, web: JSON.parse(line.toString()) as NamesWeb };
}
