/** `tidemark crawl` */
import { counted, FailureError, UsageError } from "../../base/index.ts";
import type { CrawlOptions } from "../../crawl/index.ts";
import { type CrawlPlan, planCrawl } from "../crawl/plan.ts";
import type { CrawlResult } from "../crawl/run.ts";
import { crawlAndShow, writeLine } from "../crawl/show.ts";
import { StoreError } from "../../store/index.ts";
import { Interruption } from "../terminal/interrupts.ts";
import { nextSteps } from "../crawl/next-steps.ts";
import { closingInWords } from "../../text/index.ts";
import { writeOut } from "../terminal/streams.ts";
import { programName, shellWord, wrapped } from "../terminal/words.ts";

export async function crawl(options: CrawlOptions): Promise<void> {
  expectServed(options);
  const plan = await planCrawl(options);
  if (options.dryRun === true) {
    const { dryRun } = await import("../crawl/dry-run.ts");
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
  const { result, seconds, finish } = shown;
  const { end } = result;
  if (options.json === true) writeLine({ type: "done", ...summary(plan, result, seconds) });
  else if (end.error === undefined) writeOut(closingText(plan, result));
  await finish();
  endWith(plan, result);
}

/** An option that would be ignored is a mistake. */
function expectServed({ serve = false, listen, token }: CrawlOptions): void {
  if (serve || (listen === undefined && token === undefined)) return;
  const option = listen === undefined ? "--token" : "--listen";
  throw new UsageError(`${option} is about the dashboard: say --serve as well, or leave it out`);
}

/** Where the disk ended the crawl, or nothing came of it, says so. */
export function endWith({ dir }: CrawlPlan, { end: { error, reason, status } }: CrawlResult): void {
  if (error === undefined) {
    if (status.pages > 0 || reason !== "frontier-empty") return;
    throw new FailureError("not a single page could be fetched: what became of the seeds stands above");
  }
  throw new FailureError(
    `${error.message}; all that was reported is stored (${counted(status.pages, "page")}): ` +
      `once this is mended, ${programName()} crawl --dir ${shellWord(dir)} goes on`,
  );
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

function closingText({ dir }: CrawlPlan, { end, coverage, missing, limits }: CrawlResult): string {
  const { reason, status } = end;
  const width = process.stdout.columns || Number.POSITIVE_INFINITY;
  const findings = {
    reason,
    coverage,
    pages: status.pages,
    limits,
    ...(missing === undefined ? {} : { missing }),
  };
  const steps = nextSteps({ reason, limits, dir: shellWord(dir), status, coverage, missing });
  const lines = steps.map((step) => `  ${programName()} ${step}\n`);
  return `${wrapped(closingInWords(findings), { width })}\n${lines.join("")}`;
}
