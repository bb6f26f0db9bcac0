/** What to read now of a crawl, and reading it: known pages again, then new ones by resuming the crawl. */
import { counted, formatCount, formatPercent, formatSeconds, systemClock, systemTimers } from "../../base/index.ts";
import {
  type CommandOptions,
  PastRequests,
  readNewPages,
  readSitemapDates,
  refreshFacts,
  type RefreshPage,
  refreshPages,
  type RefreshResult,
} from "../../crawl/index.ts";
import { type PlannedRead, planReads } from "../../refresh/index.ts";
import { reading, urlTexts } from "../../store/index.ts";
import type { KeepVisits } from "../../crawl/settings/index.ts";
import type { Output } from "../options/command.ts";
import { writeTexts } from "../output/output-file.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Compaction, compactCrawl, compactionInWords, keptNow } from "./compaction.ts";
import { fetchPrinter, type OnFetch } from "./fetches.ts";
import { withCrawl } from "./opened-crawl.ts";
import { type CrawlPlan, planCrawl } from "./plan.ts";
import { readSecrets, type SessionFlags, sessionFlags } from "./session.ts";

const DAY_MS = 86_400_000;
const HOSTS_NAMED_MAX = 3;

export interface RefreshCrawlOptions extends SessionFlags {
  readonly budget: number;
  readonly once?: boolean;
  readonly verbose?: boolean;
  readonly out?: string;
  readonly top: number;
  readonly keepVisits?: KeepVisits;
}

interface ReadPlan {
  readonly budget: number;
  readonly reads: readonly ListedRead[];
  readonly again: readonly RefreshPage[];
  /** How many pages to read for the first time, of those that are known by now. */
  readonly fresh: number;
  readonly known: number;
  readonly gone: number;
}

export async function refreshCrawl(dir: string, options: RefreshCrawlOptions, terminal: Terminal): Promise<Output> {
  const { budget, out, top, keepVisits } = options;
  // A mistake is told before anything is fetched.
  if (keepVisits !== undefined) keptNow(keepVisits);
  const shown = { ...terminal, onFetch: fetchPrinter(options.verbose) };
  const planner = options.once === true ? await plannerOf(dir, sessionFlags(options)) : undefined;
  const past = new PastRequests();
  if (planner !== undefined) await readDates(planner, past, shown);
  const plan = await planOf(dir, budget, terminal);
  const { reads, again, fresh, known, gone } = plan;
  if (out !== undefined) await writeTexts([{ path: out, text: reads.map(lineOf) }]);
  const about = { budget, known, gone, again: again.length, new: fresh };
  const compact = keepVisits === undefined ? undefined : () => compactCrawl(dir, keepVisits, terminal);
  if (planner !== undefined) return readNow(planner, plan, { about, past, compact }, shown);
  return { document: { ...about, reads }, text: (style) => describePlan(plan, top, style) };
}

/** Plans the crawl that is resumed, with these settings. */
type Planner = (settings?: CommandOptions) => Promise<CrawlPlan>;

export async function plannerOf(dir: string, given: SessionFlags): Promise<Planner> {
  const secrets = await readSecrets(given);
  return (settings = {}) => planCrawl({ dir, ...settings, ...given }, { keepsCrawl: true, secrets });
}

function planOf(dir: string, budget: number, { progress }: Terminal): Promise<ReadPlan> {
  return reading(dir, (store) => {
    progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
    const nowMs = systemTimers.wallMs();
    const { pages, gone } = refreshFacts(store, nowMs);
    const total = pages.reduce((sum, { importance }) => sum + importance, 0);
    const planned = planReads(pages, { nowMs, budget });
    const wanted = new Set(planned.map(({ page }) => pages[page].url));
    const texts = new Map<number, string>();
    for (const [id, url] of urlTexts(store)) if (wanted.has(id)) texts.set(id, url);
    const reads = planned.map((read) => listedRead(read, pages[read.page], total, texts));
    // A crawl that is resumed reads new pages, but none that have failed.
    const again = planned.map(({ page }) => pages[page]).filter(({ visit }) => visit !== null);
    return { budget, reads, again, fresh: reads.length - again.length, known: pages.length, gone };
  });
}

type ListedRead = ReturnType<typeof listedRead>;

/** A planned read as people and programs see it. */
function listedRead(
  { gain, changeRate, staleChance }: PlannedRead,
  { url, importance, lastReadMs, isSaidChanged = false, absence, hasFailed = false }: RefreshPage,
  total: number,
  texts: ReadonlyMap<number, string>,
) {
  return {
    id: url,
    url: texts.get(url)!,
    why: lastReadMs === null && !hasFailed ? "new" : "again",
    importance: importance / total,
    changesPerDay: changeRate * DAY_MS,
    lastRead: lastReadMs === null ? null : new Date(lastReadMs).toISOString(),
    staleChance,
    /** A sitemap dates a change after the last read. */
    sitemapSaysChanged: isSaidChanged && absence === undefined,
    /** It was not found lately, which another read is to confirm. */
    isDoubted: absence !== undefined,
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

interface Around {
  readonly about: object;
  /** The requests of this command so far. */
  readonly past: PastRequests;
  readonly compact: (() => Compaction) | undefined;
}

async function readNow(planner: Planner, plan: ReadPlan, around: Around, terminal: Shown): Promise<Output> {
  const { budget, reads, again } = plan;
  const { about, past, compact } = around;
  // Links that are found on changed pages compete with those that were known.
  const fresh = budget - again.length;
  const startMs = systemClock.nowMs();
  const reread = await readAgain(planner, { pages: again, past }, terminal);
  const { outcomes, doubted, left, leftWhy, busyHosts: patience } = reread;
  // The crawl, resumed now, would wait as long as these hosts have just asked us to.
  const isDone = fresh === 0 || reread.isInterrupted || patience.length > 0;
  const { downloaded, isInterrupted } = isDone
    ? { downloaded: 0, isInterrupted: reread.isInterrupted }
    : await readNew(planner, { pages: fresh, past }, terminal);
  const compaction = isInterrupted ? undefined : compact?.();
  const seconds = (systemClock.nowMs() - startMs) / 1000;
  const { failed, ...read } = outcomes;
  const readAtAll = Object.values(read).reduce((sum, count) => sum + count, downloaded);
  const isFailure = reads.length > 0 && readAtAll === 0 && !isInterrupted;
  const lines = [
    `Read again: ${countsInWords(outcomes)}.`,
    ...(left === 0 ? [] : [`${counted(left, "page")} left for another time: ${countsInWords(leftWhy)}.`]),
    ...(doubted === 0 ? [] : [doubtInWords(doubted)]),
    ...(fresh > 0 && patience.length > 0 ? [waitInWords(patience)] : []),
    `New: ${counted(downloaded, "page")}. ${formatSeconds(seconds)}.`,
    ...(compaction === undefined ? [] : [compactionInWords(compaction)]),
  ];
  return {
    document: {
      ...about,
      ...outcomes,
      doubted,
      left,
      leftWhy,
      patience,
      downloaded,
      interrupted: isInterrupted,
      seconds,
      ...compaction,
    },
    text: () => `${lines.join("\n")}\n`,
    ...(isFailure ? { failure: `no page could be read: ${failed} failed, ${left} left for another time` } : {}),
  };
}

/** Pages that were gone or moved by what was found, which is not believed yet. */
export function doubtInWords(pages: number): string {
  const them = pages === 1 ? "It stays" : "They stay";
  return (
    `Not found, but not forgotten yet: ${counted(pages, "page")}. ` +
    `${them} until a read at least six hours later says the same.`
  );
}

/** "3 unchanged, 1 changed" */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([name, count]) => `${formatCount(count)} ${name}`);
  return words.join(", ");
}

function waitInWords(hosts: readonly string[]): string {
  const more = hosts.length > HOSTS_NAMED_MAX ? ` and ${hosts.length - HOSTS_NAMED_MAX} more` : "";
  const named = `${hosts.slice(0, HOSTS_NAMED_MAX).join(", ")}${more}`;
  return `New pages are left for the next run: ${named} ${hosts.length === 1 ? "asks" : "ask"} us to wait.`;
}

/** An interruption skips what is left of it. */
async function readDates(planner: Planner, past: PastRequests, { progress, onFetch }: Shown): Promise<void> {
  const onRead = (done: number): void => progress({ task: "reading sitemaps", done, unit: "sitemaps" });
  const plan = await planner();
  await withCrawl(plan, onFetch, ({ store, settings, fetcher, signal }) =>
    readSitemapDates({ store, settings, fetcher, signal, onRead, past, takenOverMs: systemTimers.nowMs() }),
  );
}

async function readAgain(
  planner: Planner,
  { pages, past }: { readonly pages: readonly RefreshPage[]; readonly past: PastRequests },
  { progress, note, onFetch }: Shown,
): Promise<RefreshResult & { readonly isInterrupted: boolean }> {
  const plan = await planner();
  plan.session.notes.forEach(note);
  let done = 0;
  const onReread = (): void => progress({ task: "reading again", done: ++done, total: pages.length, unit: "pages" });
  return withCrawl(plan, onFetch, async (parts) => {
    const takenOverMs = past.restedMs(systemTimers.nowMs());
    const result = await refreshPages({ ...parts, pages, past, takenOverMs, onReread });
    return { ...result, isInterrupted: parts.signal.aborted };
  });
}

/** Resumes the crawl for so many pages, which may be fewer. This replaces its limits for once and is not stored. */
async function readNew(
  planner: Planner,
  { pages, past }: { readonly pages: number; readonly past: PastRequests },
  { progress, onFetch }: Shown,
) {
  const plan = await planner();
  return withCrawl(plan, onFetch, async (parts) => {
    let before: number | undefined;
    const onStatus = ({ pages: downloaded }: { readonly pages: number }): void => {
      before ??= downloaded;
      progress({ task: "reading new pages", done: downloaded - before, total: pages, unit: "pages" });
    };
    const { downloaded, end } = await readNewPages({ ...parts, readers: 0, pages, past, onStatus });
    if (end.error !== undefined) throw end.error;
    return { downloaded, isInterrupted: end.reason === "interrupted" };
  });
}
