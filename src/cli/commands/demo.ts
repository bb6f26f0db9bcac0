/** `tidemark demo`: serves a small web on this machine, crawls it, and shows the result. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import {
  counted,
  formatCount,
  formatSeconds,
  formatPercent,
  percentAtLeast,
  shellWord,
  UsageError,
} from "../../base/index.ts";
import type { DemoServer } from "../../demo/index.ts";
import type { CrawlPlan } from "../crawl/plan.ts";
import type { CrawlResult } from "../crawl/run.ts";
import { type CommonOptions, commonOptions, examples, level, integer } from "../options/command.ts";
import { type ServingOptions, servingOptions } from "../options/settings.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { answerStyle, report, writeJsonLine, writeOut } from "../terminal/terminal.ts";
import { column, programName, renderTable, wrapped } from "../terminal/layout.ts";

interface DemoOptions extends CommonOptions, ServingOptions {
  readonly coverage: number;
  readonly dir?: string;
  readonly keep?: boolean;
  readonly serveOnly?: boolean;
  readonly port?: number;
  readonly serve?: boolean;
}

export function declare(command: Command): void {
  command
    .option("--coverage <level>", "stop when at least this share of all importance is certainly covered", level, 0.95)
    .option("--dir <dir>", "directory of the crawl; resumes it if it exists (default: a temporary directory)")
    .option("--keep", "keep serving the web after the crawl, until Ctrl-C")
    .option("--serve", "show a dashboard in the browser until Ctrl-C (default on a terminal)")
    .option("--no-serve", "show no dashboard")
    .option("--serve-only", "only serve the web and print how to crawl it, until Ctrl-C")
    .option("--port <n>", "port of the web on this machine (default: any free port)", integer(1, 65_535));
  servingOptions(command);
  commonOptions(command).action(demo);
  examples(command, [
    "tidemark demo --coverage 0.9 --dir demo --no-serve",
    "tidemark coverage demo",
    "tidemark demo --dir demo --json",
  ]);
}

/** The hosts are ours, so the crawl need not be polite; with a dashboard it is slow enough to be watched. */
const DELAY_MS = 40;
const DELAY_WATCHED_MS = 500;
const TOP_SHOWN = 8;
const PROSE_WIDTH_MAX = 100;

async function demo(options: DemoOptions): Promise<void> {
  const { serveOnly, dir, keep, serve } = options;
  if (serveOnly === true && (dir !== undefined || keep === true || serve === true)) {
    throw new UsageError("--serve-only crawls nothing: leave out --dir, --keep and --serve");
  }
  const { startDemoServer } = await import("../../demo/index.ts");
  const server = await startDemoServer(options.port);
  try {
    if (serveOnly === true) return await serveWeb(server, options);
    await crawlWeb(server, options);
    if (keep === true) {
      report(`the web is still served at port ${server.port}; Ctrl-C stops it`);
      await untilInterrupted();
    }
  } finally {
    await server.close();
  }
}

async function serveWeb({ port, resolve }: DemoServer, { json = false }: DemoOptions): Promise<void> {
  const { DEMO_SEED } = await import("../../demo/index.ts");
  const rules = resolve.map((rule) => `--resolve ${shellWord(rule)}`).join(" ");
  const command =
    `${programName()} crawl ${DEMO_SEED} --scope domain --coverage 0.95 --delay ${DELAY_MS} --per-host 3 ` +
    `--per-address 64 --allow-private ${rules}`;
  if (json) writeJsonLine({ port, resolve, command });
  else writeOut(`${command}\n`);
  report("the web is served; Ctrl-C stops it");
  await untilInterrupted();
}

async function crawlWeb(server: DemoServer, options: DemoOptions): Promise<void> {
  const { DEMO_PAGES, DEMO_SEED, SITES } = await import("../../demo/index.ts");
  const { expectSuccess, summary } = await import("../crawl/messages.ts");
  const { planCrawl } = await import("../crawl/plan.ts");
  const { crawlAndShow } = await import("../crawl/show.ts");
  // Whoever sits at a terminal has a browser, too.
  const serve = options.serve ?? (process.stderr.isTTY === true && options.json !== true);
  const temporary = options.dir === undefined ? mkdtempSync(join(tmpdir(), "tidemark-demo-")) : undefined;
  const dir = options.dir ?? join(temporary ?? "", "crawl");
  const plan = await planCrawl({
    urls: [DEMO_SEED],
    dir,
    scope: "domain",
    coverage: options.coverage,
    delay: serve ? DELAY_WATCHED_MS : DELAY_MS,
    perHost: 3,
    perAddress: 64,
    concurrency: 32,
    // So that there is something to export and to search.
    store: ["markdown"],
    allowPrivate: true,
    resolve: server.resolve,
  });
  const { result, finish } = await crawlAndShow(plan, { ...options, serve }).catch((error: unknown) => {
    // Nothing was crawled, so there is nothing to keep.
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    throw error;
  });
  const top = await topPages(dir);
  if (options.json === true) {
    const web = { hosts: SITES.length, pages: DEMO_PAGES };
    writeJsonLine({ type: "done", ...summary(plan, result), web, top });
    if (temporary !== undefined) report(`the crawl stays in ${dir}; ${removal(temporary)}`);
  } else writeOut(await story(plan, result, { top, isServed: serve, temporary }));
  await finish();
  expectSuccess(plan, result);
}

interface TopPage {
  readonly url: string;
  readonly title: string | null;
  readonly low: number;
  readonly high: number;
}

/** The most important pages, with bounds that hold no matter what the pages look like that were not fetched. */
async function topPages(dir: string): Promise<TopPage[]> {
  const { intervalsOf } = await import("../input/crawl-graph.ts");
  const { reading } = await import("../../store/index.ts");
  return reading(dir, async (store) => {
    const { intervals } = await intervalsOf(store);
    const best = intervals.ranking().slice(0, TOP_SHOWN);
    const found = new Map<number, TopPage>();
    for (const { id, url, title } of store.pages())
      if (best.includes(id)) found.set(id, { url, title, ...intervals.of(id) });
    return Array.from(best, (id) => found.get(id)).filter((page) => page !== undefined);
  });
}

interface StoryContext {
  readonly top: readonly TopPage[];
  readonly isServed: boolean;
  /** The temporary directory, if the user named none. */
  readonly temporary: string | undefined;
}

async function story(
  plan: CrawlPlan,
  { end, fetched, limits, ...proved }: CrawlResult,
  { top, isServed, temporary }: StoryContext,
): Promise<string> {
  const { DEMO_PAGES, SITES } = await import("../../demo/index.ts");
  const { closingInWords, hundredthsAtMost } = await import("../../text/index.ts");
  const style = answerStyle();
  const width = Math.min(style.width, PROSE_WIDTH_MAX);
  const { pages, known, redirects, elapsedMs } = end.status;
  const say = (text: string): string => `${wrapped(text, { width })}\n`;
  const dir = shellWord(plan.dir);
  const name = programName();
  return [
    say(
      `This machine served a web of ${SITES.length} hosts and ${formatCount(DEMO_PAGES)} pages, with dead links, ` +
        "redirects, a forbidden area, a slow and an overloaded server, copies under session ids, and an endless " +
        "calendar.",
    ),
    say(closingInWords({ reason: end.reason, pages, limits, ...proved, universe: plan.settings.web.universe })),
    say(
      (plan.isResumed && fetched === 0
        ? "The pages fetched earlier already reach the target, so nothing was fetched. "
        : `That took ${formatSeconds(elapsedMs / 1000)}${partOfAll(pages / DEMO_PAGES)}. `) +
        `${counted(redirects, "redirect")} ${redirects === 1 ? "was" : "were"} followed and ${formatCount(known)} ` +
        "URLs discovered. The coverage is not an estimate: it is at least that high, no matter what the other pages " +
        "look like.",
    ),
    say("The most important pages, by what is known of the web, with proven bounds on their share of all importance:"),
    renderTable(
      [column("rank", 3, "count"), column("at least", 2, "number"), column("at most", 1, "number"), column("page", 4)],
      top.map(({ low, high, url }, k) => [k + 1, percentAtLeast(low), hundredthsAtMost(high), url]),
      style,
    ),
    `\nThe crawl is in ${plan.dir}. Look at it:\n\n`,
    ...(isServed ? [] : [`  ${name} serve ${dir}\n`]),
    `  ${name} report ${dir}\n`,
    `  ${name} coverage ${dir}\n`,
    `  ${name} rank ${dir} --top 20\n`,
    `  ${name} search ${dir} harbour\n`,
    `  ${name} export ${dir} --format markdown --top 20 --out best.md\n`,
    `  ${name} pack ${dir} --tokens 5000 --out pack.md\n`,
    ...(temporary === undefined ? [] : [`\nIt stays there; ${removal(temporary)}.\n`]),
  ].join("");
}

function removal(temporary: string): string {
  return `to remove it: rm -r ${shellWord(temporary)}`;
}

/** A crawl of most pages proves nothing about its order; copies and the calendar may even make it more than all. */
function partOfAll(share: number): string {
  return share > 0.5 ? "" : ` and ${formatPercent(share)} of all pages: the most important came first`;
}
