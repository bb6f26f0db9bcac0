/** `tidemark crawl` */
import { availableParallelism } from "node:os";
import { counted, FailureError } from "../../base/index.ts";
import { busiestHosts, type HostProgress } from "../crawling/display.ts";
import { openDisplay } from "../crawling/live/terminal.ts";
import type { CrawlOptions } from "../crawling/options.ts";
import { type CrawlPlan, planCrawl } from "../crawling/plan.ts";
import { type CrawlResult, runPlan } from "../crawling/run.ts";
import { StoreError } from "../../store/index.ts";
import { Interruption } from "../crawling/interrupts.ts";
import { LastingNotes } from "../crawling/lasting-notes.ts";
import { nextSteps } from "../crawling/next-steps.ts";
import { openingSentence, trustSentence } from "../crawling/opening.ts";
import { closingSentence, lossSentence, shellWord, troubleSentence } from "../crawling/words.ts";
import { report, writeOut } from "../streams.ts";
import { openTerminal } from "../terminal.ts";
import { wrapped } from "../wrapped.ts";

/** In a line of progress. */
const HOSTS_NAMED = 3;

export async function crawl(options: CrawlOptions): Promise<void> {
  const plan = await planCrawl(options);
  if (options.dryRun === true) {
    const { dryRun } = await import("../crawling/dry-run.ts");
    return dryRun(plan, options);
  }
  const shown = await crawlAndShow(plan, options).catch((error: unknown) => {
    const { dir, isResumed: resumed } = plan;
    if (error instanceof StoreError && options.json === true)
      writeLine({ type: "done", reason: error.kind, dir, resumed });
    if (!(error instanceof Interruption)) throw error;
    if (options.json === true) writeLine({ type: "done", reason: "interrupted", dir, resumed });
    else writeOut(`Interrupted${error.message.replace(/^interrupted/, "")}.\n`);
  });
  if (shown === undefined) return;
  const { result, seconds } = shown;
  const { end } = result;
  if (options.json === true) writeLine({ type: "done", ...summary(plan, result, seconds) });
  else if (end.error === undefined) writeOut(closingText(plan, result));
  endWith(plan, result);
}

/** Where the disk ended the crawl, or nothing came of it, says so. */
export function endWith({ dir }: CrawlPlan, { end: { error, reason, status } }: CrawlResult): void {
  if (error === undefined) {
    if (status.pages > 0 || reason !== "frontier-empty") return;
    throw new FailureError("not a single page could be fetched: what became of the seeds stands above");
  }
  throw new FailureError(
    `${error.message}; all that was reported is stored (${counted(status.pages, "page")}): ` +
      `once this is mended, tidemark crawl --dir ${shellWord(dir)} goes on`,
  );
}

/** Crawls with progress on standard error, and as JSON lines where that was asked for. */
export async function crawlAndShow(
  plan: CrawlPlan,
  { json = false, quiet = false, readers }: Pick<CrawlOptions, "json" | "quiet" | "readers">,
): Promise<{ result: CrawlResult; seconds: number }> {
  const { settings } = plan;
  let hosts: readonly HostProgress[] = [];
  const { display, close } = openDisplay(settings);
  const terminal = openTerminal({ quiet });
  const note = (text: string): void => {
    display.clear();
    terminal.clear();
    if (!quiet) report(text);
  };
  const lasting = new LastingNotes(note, display.isLive);
  const result = await runPlan(plan, {
    readers: readers ?? Math.max(1, availableParallelism() - 1),
    progress: terminal.progress,
    onOpen: () => announce(plan, note),
    onStart: (crawl) => {
      terminal.clear();
      hosts = crawl.record.hosts.all;
      if (!quiet) display.open(crawl);
    },
    onStatus: (status) => {
      if (quiet) return;
      if (json)
        writeLine({
          type: "progress",
          ...status,
          best: busiestHosts(hosts, HOSTS_NAMED)
            .filter(({ pages }) => pages > 0)
            .map(hostLine),
        });
      display.show(status);
    },
    onEvent: (event) => {
      display.note(event);
      if (event.name === "seed-lost") lasting.add(lossSentence(event, settings.damping));
      else if (event.name === "seed-in-trouble" && !display.isLive) note(troubleSentence(event));
    },
    onStopping: () => note("stopping; once more stops at once"),
    onConcluding: () => {
      close();
      note("proving how much is covered; Ctrl-C goes without");
    },
  }).finally(() => {
    close();
    terminal.clear();
    lasting.tell();
  });
  return { result, seconds: result.end.status.elapsedMs / 1000 };
}

export function summary(
  { dir, isResumed, settings }: CrawlPlan,
  result: CrawlResult,
  seconds: number,
): object {
  const { end, coverage, missing } = result;
  const { pages, failed, bytes, frontier, dead, redirects, refused, retries, known, hosts } = end.status;
  return {
    reason: end.reason,
    pages,
    failed,
    bytes,
    seconds,
    coverage,
    frontier,
    dir,
    resumed: isResumed,
    dead,
    redirects,
    refused,
    retries,
    known,
    hosts,
    order: settings.order,
    ...(missing === undefined ? {} : { missing }),
  };
}

function closingText({ dir, settings }: CrawlPlan, { end, coverage, missing }: CrawlResult): string {
  const { reason, status } = end;
  const width = process.stdout.columns || Number.POSITIVE_INFINITY;
  const { limits } = settings;
  const findings = {
    reason,
    coverage,
    pages: status.pages,
    ...(limits.coverage === undefined ? {} : { goal: limits.coverage }),
    ...(missing === undefined ? {} : { missing }),
  };
  const steps = nextSteps({ reason, limits, dir: shellWord(dir), status, coverage, missing });
  return `${wrapped(closingSentence(findings), { width })}\n${steps.map((step) => `  ${step}\n`).join("")}`;
}

/** What is about to happen, before anything is fetched. */
function announce(plan: CrawlPlan, note: (text: string) => void): void {
  note(openingSentence(plan));
  const moved = trustSentence(plan);
  if (moved !== undefined) note(moved);
  const { network } = plan.settings;
  if (/^tidemark\/\S+$/.test(network.userAgent) && !network.allowPrivate) {
    note("those who run the sites cannot reach you: --contact URL or mail address tells them how");
  }
}

function hostLine({ name, pages, errors }: HostProgress): object {
  return { host: name, pages, errors };
}

function writeLine(document: object): void {
  writeOut(`${JSON.stringify(document)}\n`);
}
