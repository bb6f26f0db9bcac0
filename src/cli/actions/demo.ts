/** `tidemark demo`: a small web on this machine, a crawl of it, and what that shows. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted, formatCount, formatSeconds, percent, UsageError } from "../../base/index.ts";
import { certify, RankIntervals } from "../../coverage/index.ts";
import { ledgerOfLog } from "../../crawl/index.ts";
import {
  DEMO_PAGES,
  DEMO_SEED,
  type DemoServer,
  SITES as demoSites,
  startDemoServer,
} from "../../demo/index.ts";
import { openCrawlReadOnly } from "../../store/index.ts";
import type { CommonOptions } from "../options/command.ts";
import { type CrawlPlan, planCrawl } from "../crawl/plan.ts";
import type { CrawlResult } from "../crawl/run.ts";
import { crawlAndShow } from "../crawl/show.ts";
import { closingInWords } from "../../text/index.ts";
import type { ServingOptions } from "../options/serving.ts";
import { untilInterrupted } from "../terminal/interrupts.ts";
import { report, writeOut } from "../terminal/streams.ts";
import { renderTable } from "../terminal/table.ts";
import { programName, shellWord, wrapped } from "../terminal/words.ts";
import { endWith, summary } from "./crawl.ts";

export interface DemoOptions extends CommonOptions, ServingOptions {
  readonly coverage: number;
  readonly dir?: string;
  readonly keep?: boolean;
  readonly serveOnly?: boolean;
  readonly port?: number;
  readonly serve?: boolean;
}

/** Ours alone: no owner of a site has to be spared, and nobody wants to wait; but somebody who looks wants to see it happen. */
const DELAY_MS = 40;
const DELAY_WATCHED_MS = 500;
const TOP_SHOWN = 8;
/** Of the two columns of shares, with the gaps between. */
const SHARES_WIDTH = 20;

export async function demo(options: DemoOptions): Promise<void> {
  const { serveOnly, dir, keep, serve } = options;
  if (serveOnly === true && (dir !== undefined || keep === true || serve === true)) {
    throw new UsageError("--serve-only crawls nothing, so --dir, --keep and --serve make no sense with it");
  }
  const server = await startDemoServer(options.port);
  try {
    if (serveOnly === true) return await putUp(server, options);
    await crawlDemo(server, options);
    if (keep === true) {
      report(`the web stays up at port ${server.port}; Ctrl-C ends it`);
      await untilInterrupted();
    }
  } finally {
    await server.close();
  }
}

async function crawlDemo(server: DemoServer, options: DemoOptions): Promise<void> {
  // Whoever sits before a terminal has a browser, too.
  const serve = options.serve ?? (process.stderr.isTTY === true && options.json !== true);
  const dir = options.dir ?? join(mkdtempSync(join(tmpdir(), "tidemark-demo-")), "crawl");
  const plan = await planCrawl({
    urls: [DEMO_SEED],
    dir,
    scope: "domain",
    coverage: options.coverage,
    delay: serve ? DELAY_WATCHED_MS : DELAY_MS,
    perHost: 3,
    perAddress: 64,
    concurrency: 32,
    allowPrivate: true,
    resolve: server.resolve,
  });
  const { result, seconds, finish } = await crawlAndShow(plan, { ...options, serve });
  const top = topPages(dir);
  if (options.json === true) {
    writeOut(
      `${JSON.stringify({ type: "done", ...summary(plan, result, seconds), web: { hosts: demoSites.length, pages: DEMO_PAGES }, top })}\n`,
    );
  } else writeOut(story(plan, result, { seconds, top, isServed: serve }));
  await finish();
  endWith(plan, result);
}

interface TopPage {
  readonly url: string;
  readonly title: string | null;
  readonly low: number;
  readonly high: number;
}

/** The pages of most importance, with bounds that hold whatever was not fetched. */
function topPages(dir: string): TopPage[] {
  const store = openCrawlReadOnly(dir);
  try {
    const { ledger } = ledgerOfLog(store);
    const intervals = new RankIntervals(ledger, certify(ledger));
    const best = intervals.ranking().slice(0, TOP_SHOWN);
    const found = new Map<number, TopPage>();
    for (const { id, url, title } of store.pages())
      if (best.includes(id)) found.set(id, { url, title, ...intervals.of(id) });
    return Array.from(best, (id) => found.get(id)).filter((page) => page !== undefined);
  } finally {
    store.close();
  }
}

function story(
  plan: CrawlPlan,
  { end, fetched, coverage, limits, missing }: CrawlResult,
  { seconds, top, isServed }: { seconds: number; top: readonly TopPage[]; isServed: boolean },
): string {
  const { columns } = process.stdout;
  const width = columns || 100;
  const style = { width, color: process.stdout.isTTY === true && !process.env["NO_COLOR"] };
  const { pages, known, redirects } = end.status;
  const say = (text: string): string => `${wrapped(text, { width })}\n`;
  const dir = shellWord(plan.dir);
  const name = programName();
  return [
    say(
      `A web of ${demoSites.length} hosts and ${formatCount(DEMO_PAGES)} pages was served on this machine, with dead links, redirects, a forbidden ` +
        "area, a slow and an overloaded server, copies under session ids, and a calendar without end.",
    ),
    say(
      closingInWords({
        reason: end.reason,
        coverage,
        pages,
        limits,
        ...(missing === undefined ? {} : { missing }),
      }),
    ),
    say(
      (plan.isResumed && fetched === 0
        ? `All of that was fetched before, and is enough for what was asked now: nothing was fetched. `
        : `That took ${formatSeconds(seconds)}, and ${percent(pages / DEMO_PAGES)} of the pages that there are: the most important came first. `) +
        `${counted(redirects, "redirect")} were followed, and ${formatCount(known)} URLs found. The share that is covered is no estimate: whatever is on the pages that were not fetched, it is at least that.`,
    ),
    say("The most important pages, and between which shares of all importance each certainly lies:"),
    renderTable(
      [
        { title: "at least", kind: "text", importance: 2 },
        { title: "at most", kind: "text", importance: 1 },
        { title: "page", kind: "text", importance: 3 },
      ],
      top.map(({ low, high, url }) => [share(low), share(high), shortened(url, width - SHARES_WIDTH)]),
      style,
    ),
    `\nThe crawl is in ${plan.dir}. Look at it:\n\n`,
    ...(isServed ? [] : [`  ${name} serve ${dir}\n`]),
    `  ${name} report ${dir}\n`,
    `  ${name} coverage ${dir}\n`,
    `  ${name} rank ${dir} --top 20\n`,
    `  ${name} export ${dir} --format csv --out pages.csv\n`,
  ].join("");
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}

function share(value: number): string {
  return `${(100 * value).toFixed(2)}%`;
}

async function putUp(server: DemoServer, { json = false }: DemoOptions): Promise<void> {
  const resolve = server.resolve.map((rule) => `--resolve ${shellWord(rule)}`).join(" ");
  const command = `${programName()} crawl ${DEMO_SEED} --scope domain --coverage 0.95 --delay ${DELAY_MS} --per-host 3 --per-address 64 --allow-private ${resolve}`;
  writeOut(
    json ? `${JSON.stringify({ port: server.port, resolve: server.resolve, command })}\n` : `${command}\n`,
  );
  report("the web is up; Ctrl-C ends it");
  await untilInterrupted();
}
