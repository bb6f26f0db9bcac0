/** `tidemark crawl` */
import { availableParallelism } from "node:os";
import { FailureError } from "../../base/index.ts";
import { Scope } from "../../web/index.ts";
import { bestHosts, CrawlDisplay, type HostProgress } from "../crawling/display.ts";
import type { CrawlOptions } from "../crawling/options.ts";
import { type CrawlPlan, planCrawl } from "../crawling/plan.ts";
import { type CrawlResult, runPlan } from "../crawling/run.ts";
import { Interruption } from "../crawling/interrupts.ts";
import { closingSentence, lossSentence, nextSteps, shellWord } from "../crawling/words.ts";
import { report, writeOut } from "../streams.ts";
import { openTerminal } from "../terminal.ts";
import { counted, percentAtLeast, wrapped } from "../words.ts";

export async function crawl(options: CrawlOptions): Promise<void> {
  const plan = await planCrawl(options);
  if (options.dryRun === true) {
    const { dryRun } = await import("../crawling/dry-run.ts");
    return dryRun(plan, options);
  }
  const shown = await crawlAndShow(plan, options).catch((error: unknown) => {
    if (!(error instanceof Interruption)) throw error;
    const { dir, isResumed: resumed } = plan;
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

/** Where the disk ended the crawl, says so. */
export function endWith({ dir }: CrawlPlan, { end: { error, status } }: CrawlResult): void {
  if (error === undefined) return;
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
  const { stderr } = process;
  let hosts: () => readonly HostProgress[] = () => [];
  const display = new CrawlDisplay({
    write: (text) => stderr.write(text),
    rewrites: stderr.isTTY === true,
    color: stderr.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    width: () => stderr.columns || 80,
    limits: settings.limits,
    hosts: () => hosts(),
  });
  const terminal = openTerminal({ quiet });
  const note = (text: string): void => {
    display.clear();
    terminal.clear();
    if (!quiet) report(text);
  };
  if (plan.isResumed) announce(plan, note);
  const result = await runPlan(plan, {
    readers: readers ?? Math.max(1, availableParallelism() - 1),
    progress: terminal.progress,
    onStart: (all) => {
      terminal.clear();
      hosts = all;
      if (!plan.isResumed) announce(plan, note);
    },
    onStatus: (status) => {
      if (quiet) return;
      if (json)
        writeLine({
          type: "progress",
          ...status,
          best: bestHosts(hosts()).map(hostLine),
        });
      display.show(status);
    },
    onSeedLost: (loss, url) => note(lossSentence(loss, url, settings.damping)),
    onStopping: () => note("stopping; once more stops at once"),
    onConcluding: () => note("proving how much is covered; Ctrl-C goes without"),
  }).finally(() => {
    display.clear();
    terminal.clear();
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
  const findings = { reason, coverage, pages: status.pages, ...(missing === undefined ? {} : { missing }) };
  const steps = nextSteps({ reason, limits: settings.limits, dir: shellWord(dir) });
  return `${wrapped(closingSentence(findings), { width })}\n${steps.map((step) => `  ${step}\n`).join("")}`;
}

/** What is about to happen, in one line, before anything is fetched. */
function announce({ dir, isResumed, settings }: CrawlPlan, note: (text: string) => void): void {
  const { limits, web, network } = settings;
  const stops = [
    ...(limits.coverage === undefined
      ? []
      : [`${percentAtLeast(limits.coverage)} of all importance is certainly covered`]),
    ...(limits.pages === undefined ? [] : [`${counted(limits.pages, "page")} are fetched`]),
    ...(limits.timeMs === undefined ? [] : ["its time is up"]),
    ...(limits.bytes === undefined ? [] : ["its bytes are used up"]),
  ];
  const until = stops.length === 0 ? "nothing is left to fetch" : stops.join(", or ");
  note(
    `${isResumed ? "going on with the" : "a new"} crawl in ${dir}: ${new Scope(web.scope).describe()}, until ${until}`,
  );
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
