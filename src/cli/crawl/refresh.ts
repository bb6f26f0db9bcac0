/** What to read now of a crawl, and reading it: known pages again, then new ones by resuming the crawl. */
import { counted, formatSeconds, formatPercent, systemClock, systemTimers, UsageError } from "../../base/index.ts";
import {
  type CommandOptions,
  readSitemapDates,
  refreshFacts,
  type RefreshPage,
  refreshPages,
  type RefreshResult,
  type StoredSettings,
} from "../../crawl/index.ts";
import type { Fetcher } from "../../fetch/index.ts";
import { type PlannedRead, planReads } from "../../refresh/index.ts";
import { type CrawlStore, openCrawl, reading, urlTexts } from "../../store/index.ts";
import type { Output } from "../options/command.ts";
import { writeTexts } from "../output/output-file.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { fetchPrinter, observed, type OnFetch } from "./fetches.ts";
import { type CrawlPlan, fetcherOf, planCrawl, settingsOf } from "./plan.ts";
import { runPlan } from "./run.ts";
import { readSecrets, type SessionFlags, sessionFlags } from "./session.ts";

const DAY_MS = 86_400_000;
const HOSTS_NAMED_MAX = 3;

export interface RefreshCrawlOptions extends SessionFlags {
  readonly budget: number;
  readonly once?: boolean;
  readonly verbose?: boolean;
  readonly out?: string;
  readonly top: number;
}

interface ReadPlan {
  readonly reads: readonly ListedRead[];
  readonly again: readonly RefreshPage[];
  /** How many pages to read for the first time: the order of the crawl chooses them. */
  readonly fresh: number;
  /** Pages downloaded before. */
  readonly before: number;
  readonly known: number;
  readonly gone: number;
}

export async function refreshCrawl(dir: string, options: RefreshCrawlOptions, terminal: Terminal): Promise<Output> {
  const { budget, out, top } = options;
  const shown = { ...terminal, onFetch: fetchPrinter(options.verbose) };
  if (options.once === true) await expectPlain(dir);
  const planner = options.once === true ? await plannerOf(dir, sessionFlags(options)) : undefined;
  if (planner !== undefined) await readDates(planner, shown);
  const plan = await planOf(dir, budget, terminal);
  const { reads, again, fresh, known, gone } = plan;
  if (out !== undefined) await writeTexts([{ path: out, text: reads.map(lineOf) }]);
  const about = { budget, known, gone, again: again.length, new: fresh };
  if (planner !== undefined) return readNow(planner, plan, about, shown);
  return { document: { ...about, reads }, text: (style) => describePlan(plan, top, style) };
}

/** Whether a rendered page has changed shows only when it is rendered again. */
async function expectPlain(dir: string): Promise<void> {
  const { render } = (await settingsOf(dir)).web;
  if (render === "never") return;
  throw new UsageError(
    `the crawl in ${dir} was made with --render ${render}, and rendered pages cannot be refreshed yet; ` +
      "crawl again into another directory, and compare the two with tidemark compare",
  );
}

/** Plans the crawl that is resumed, with these settings. */
type Planner = (settings?: CommandOptions) => Promise<CrawlPlan>;

async function plannerOf(dir: string, given: SessionFlags): Promise<Planner> {
  const secrets = await readSecrets(given);
  return (settings = {}) => planCrawl({ dir, ...settings, ...given }, { keepsCrawl: true, secrets });
}

function planOf(dir: string, budget: number, { progress }: Terminal): Promise<ReadPlan> {
  return reading(dir, (store) => {
    progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
    const { pages, downloaded: before, gone } = refreshFacts(store);
    const total = pages.reduce((sum, { importance }) => sum + importance, 0);
    const planned = planReads(pages, { nowMs: systemTimers.wallMs(), budget });
    const wanted = new Set(planned.map(({ page }) => pages[page].url));
    const texts = new Map<number, string>();
    for (const [id, url] of urlTexts(store)) if (wanted.has(id)) texts.set(id, url);
    const reads = planned.map((read) => listedRead(read, pages[read.page], total, texts));
    const again = planned.map(({ page }) => pages[page]).filter(({ lastReadMs }) => lastReadMs !== null);
    return { reads, again, fresh: reads.length - again.length, before, known: pages.length, gone };
  });
}

type ListedRead = ReturnType<typeof listedRead>;

/** A planned read as people and programs see it. */
function listedRead(
  { gain, changeRate, staleChance }: PlannedRead,
  { url, importance, lastReadMs, isSaidChanged = false }: RefreshPage,
  total: number,
  texts: ReadonlyMap<number, string>,
) {
  return {
    id: url,
    url: texts.get(url)!,
    why: lastReadMs === null ? "new" : "again",
    importance: importance / total,
    changesPerDay: changeRate * DAY_MS,
    lastRead: lastReadMs === null ? null : new Date(lastReadMs).toISOString(),
    staleChance,
    /** A sitemap dates a change after the last read. */
    sitemapSaysChanged: isSaidChanged,
    /** Importance times days. */
    gain: gain / total / DAY_MS,
  };
}

/** URL, new or again, importance, changes per day, last read; separated by tabs. */
function lineOf({ url, why, importance, changesPerDay, lastRead }: ListedRead): string {
  const fields = [url, why, importance.toPrecision(6), changesPerDay.toPrecision(6), lastRead ?? "never"];
  return `${fields.join("\t")}\n`;
}

function describePlan({ reads, again, fresh, known, gone }: ReadPlan, top: number, style: TextStyle): string {
  const table = renderTable(
    [
      column("why"),
      column("importance", 4),
      column("changes/day", 2),
      column("stale", 3),
      column("last read", 1),
      column("url", 5),
    ],
    reads
      .slice(0, top)
      .map(({ why, importance, changesPerDay, staleChance, lastRead, url }) => [
        why,
        formatPercent(importance),
        changesPerDay.toPrecision(2),
        formatPercent(staleChance),
        lastRead ?? "never",
        url,
      ]),
    style,
  );
  const summary =
    `${counted(reads.length, "page")} to read now: ${counted(again.length, "page")} again, ` +
    `${counted(fresh, "new page")}; ${counted(known, "page")} known, ${gone} gone or moved.`;
  return `${table}\n${summary}\n`;
}

/** Where to show what is done. */
type Shown = Pick<Terminal, "progress" | "note"> & { readonly onFetch: OnFetch | undefined };

async function readNow(planner: Planner, plan: ReadPlan, about: object, terminal: Shown): Promise<Output> {
  const { reads, again, fresh } = plan;
  const startMs = systemClock.nowMs();
  const reread = await readAgain(planner, again, terminal);
  const { outcomes, left, leftWhy, busyHosts: patience } = reread;
  // The crawl, resumed now, would not know that these hosts have just asked us to wait.
  const isDone = fresh === 0 || reread.isInterrupted || patience.length > 0;
  const { downloaded, isInterrupted } = isDone
    ? { downloaded: 0, isInterrupted: reread.isInterrupted }
    : await readNew(planner, plan, terminal);
  const seconds = (systemClock.nowMs() - startMs) / 1000;
  const { failed, ...read } = outcomes;
  const readAtAll = Object.values(read).reduce((sum, count) => sum + count, downloaded);
  const isFailure = reads.length > 0 && readAtAll === 0 && !isInterrupted;
  const lines = [
    `Read again: ${countsInWords(outcomes)}.`,
    ...(left === 0 ? [] : [`${counted(left, "page")} left for another time: ${countsInWords(leftWhy)}.`]),
    ...(fresh > 0 && patience.length > 0 ? [waitInWords(patience)] : []),
    `New: ${counted(downloaded, "page")} of ${fresh}. ${formatSeconds(seconds)}.`,
    ...(outcomes.changed === 0
      ? []
      : ["The links of changed pages stay as they were crawled; a new crawl picks up the new ones."]),
  ];
  return {
    document: { ...about, ...outcomes, left, leftWhy, patience, downloaded, interrupted: isInterrupted, seconds },
    text: () => `${lines.join("\n")}\n`,
    ...(isFailure ? { failure: `no page could be read: ${failed} failed, ${left} left for another time` } : {}),
  };
}

/** "3 unchanged, 1 changed" */
function countsInWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return words.join(", ");
}

function waitInWords(hosts: readonly string[]): string {
  const more = hosts.length > HOSTS_NAMED_MAX ? ` and ${hosts.length - HOSTS_NAMED_MAX} more` : "";
  const named = `${hosts.slice(0, HOSTS_NAMED_MAX).join(", ")}${more}`;
  return `New pages are left for the next run: ${named} ${hosts.length === 1 ? "asks" : "ask"} us to wait.`;
}

/** An interruption skips what is left of it. */
async function readDates(planner: Planner, { progress, onFetch }: Shown): Promise<void> {
  const onRead = (done: number): void => progress({ task: "reading sitemaps", done, unit: "sitemaps" });
  const plan = await planner();
  await withCrawl(plan, onFetch, (parts) => readSitemapDates({ ...parts, onRead }));
}

async function readAgain(
  planner: Planner,
  pages: readonly RefreshPage[],
  { progress, note, onFetch }: Shown,
): Promise<RefreshResult & { readonly isInterrupted: boolean }> {
  const plan = await planner();
  plan.session.notes.forEach(note);
  let done = 0;
  const onReread = (): void => progress({ task: "reading again", done: ++done, total: pages.length, unit: "pages" });
  return withCrawl(plan, onFetch, async (parts) => {
    const result = await refreshPages({ ...parts, pages, onReread });
    return { ...result, isInterrupted: parts.signal.aborted };
  });
}

interface CrawlParts {
  readonly store: CrawlStore;
  readonly settings: StoredSettings;
  readonly fetcher: Fetcher;
  /** The user interrupts. */
  readonly signal: AbortSignal;
}

async function withCrawl<T>(
  plan: CrawlPlan,
  onFetch: OnFetch | undefined,
  work: (parts: CrawlParts) => Promise<T>,
): Promise<T> {
  const { settings } = plan;
  const store = openCrawl(plan.dir);
  try {
    const fetcher = observed(fetcherOf(plan), onFetch);
    const interruption = new AbortController();
    const forget = onInterrupt(() => interruption.abort());
    try {
      return await work({ store, settings, fetcher, signal: interruption.signal });
    } finally {
      forget();
      await fetcher.close();
    }
  } finally {
    store.close();
  }
}

/**
 * Resumes the crawl, which had `before` pages, for `fresh` more. This replaces its limits for once and is not stored.
 */
async function readNew(planner: Planner, { before, fresh }: ReadPlan, { progress, onFetch }: Shown) {
  const none = Number.POSITIVE_INFINITY;
  const limits = { maxPages: before + fresh, coverage: none, maxBytes: none, maxTime: none };
  const plan = await planner(limits);
  const { end } = await runPlan(plan, {
    readers: 0,
    keepsSettings: true,
    onFetch,
    onStatus: ({ pages }) => progress({ task: "reading new pages", done: pages - before, total: fresh, unit: "pages" }),
  });
  if (end.error !== undefined) throw end.error;
  return { downloaded: end.status.pages - before, isInterrupted: end.reason === "interrupted" };
}
