/** What to read again of a crawl, and reading it: known pages again, then new ones by resuming the crawl. */
import { counted, formatSeconds, percent, systemClock, systemTimers } from "../../base/index.ts";
import { refreshFacts, type RefreshPage } from "../../crawl/index.ts";
import { type PlannedRead, planReads } from "../../refresh/index.ts";
import { reading } from "../input/crawl-graph.ts";
import type { Answer } from "../options/command.ts";
import { writeTexts } from "../output/byte-sink.ts";
import { renderTable } from "../terminal/table.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";
import type { RefreshOptions } from "./graph.ts";
import { type OnceResult, readOnce } from "./once.ts";

const DAY_MS = 86_400_000;
const HOSTS_NAMED_MAX = 3;

/** A planned read as people and programs see it. */
interface ListedRead {
  readonly id: number;
  readonly url: string;
  readonly why: "new" | "again";
  /** Share of the importance of all known pages. */
  readonly importance: number;
  readonly changesPerDay: number;
  /** ISO 8601, null for a page that was never read. */
  readonly lastRead: string | null;
  readonly staleChance: number;
  /** Importance times days. */
  readonly gain: number;
}

interface ReadPlan {
  readonly reads: readonly ListedRead[];
  readonly again: readonly RefreshPage[];
  /** Pages to read for the first time. */
  readonly fresh: number;
  readonly known: number;
  readonly gone: number;
}

export async function refreshCrawl(dir: string, options: RefreshOptions, terminal: Terminal): Promise<Answer> {
  const { budget, out, top } = options;
  const plan = await planOf(dir, budget, terminal);
  const { reads, again, fresh, known, gone } = plan;
  if (out !== undefined) await writeTexts([{ path: out, text: reads.map(lineOf) }]);
  const about = { budget, known, gone, again: again.length, new: fresh };
  if (options.once === true) return readNow(dir, plan, about, terminal);
  return { document: { ...about, reads }, text: (style) => describePlan(plan, top, style) };
}

function planOf(dir: string, budget: number, { progress }: Terminal): Promise<ReadPlan> {
  return reading(dir, (store) => {
    progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
    const { pages, gone } = refreshFacts(store);
    const total = pages.reduce((sum, { importance }) => sum + importance, 0);
    const planned = planReads(pages, { nowMs: systemTimers.wallMs(), budget });
    const wanted = new Set(planned.map(({ page }) => pages[page].url));
    const origins = [...store.origins()];
    const texts = new Map<number, string>();
    for (const { id, origin, path } of store.urls()) {
      if (wanted.has(id)) texts.set(id, origins[origin] + (path ?? ""));
    }
    const reads = planned.map((read) => listedRead(read, pages[read.page], total, texts));
    const again = planned.map(({ page }) => pages[page]).filter(({ lastReadMs }) => lastReadMs !== null);
    return { reads, again, fresh: reads.length - again.length, known: pages.length, gone };
  });
}

function listedRead(
  { gain, changeRate, staleChance }: PlannedRead,
  { url, importance, lastReadMs }: RefreshPage,
  total: number,
  texts: ReadonlyMap<number, string>,
): ListedRead {
  return {
    id: url,
    url: texts.get(url)!,
    why: lastReadMs === null ? "new" : "again",
    importance: importance / total,
    changesPerDay: changeRate * DAY_MS,
    lastRead: lastReadMs === null ? null : new Date(lastReadMs).toISOString(),
    staleChance,
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
      { title: "why", kind: "text" },
      { title: "importance", kind: "text", importance: 4 },
      { title: "changes/day", kind: "text", importance: 2 },
      { title: "stale", kind: "text", importance: 3 },
      { title: "last read", kind: "text", importance: 1 },
      { title: "url", kind: "text", importance: 5 },
    ],
    reads
      .slice(0, top)
      .map((read) => [
        read.why,
        percent(read.importance),
        read.changesPerDay.toPrecision(2),
        percent(read.staleChance),
        read.lastRead ?? "never",
        read.url,
      ]),
    style,
  );
  const summary =
    `${counted(reads.length, "page")} to read now: ${counted(again.length, "page")} again, ` +
    `${counted(fresh, "new page")}; ${counted(known, "page")} known, ${gone} gone or moved.`;
  return `${table}\n${summary}\n`;
}

async function readNow(
  dir: string,
  { reads, again, fresh }: ReadPlan,
  about: object,
  terminal: Terminal,
): Promise<Answer> {
  const startMs = systemClock.nowMs();
  const result = await readOnce(dir, { again, fresh }, terminal);
  const seconds = (systemClock.nowMs() - startMs) / 1000;
  const { outcomes, left, leftWhy, patience, downloaded, isInterrupted } = result;
  const { failed, ...read } = outcomes;
  const readAtAll = Object.values(read).reduce((sum, count) => sum + count, downloaded);
  const isFailure = reads.length > 0 && readAtAll === 0 && !isInterrupted;
  return {
    document: {
      ...about,
      ...outcomes,
      left,
      leftWhy,
      patience,
      downloaded,
      interrupted: isInterrupted,
      seconds,
    },
    text: () => `${describeResult(result, fresh, seconds).join("\n")}\n`,
    ...(isFailure
      ? { failure: `not a single page could be read: ${failed} failed, ${left} left for another time` }
      : {}),
  };
}

function describeResult(result: OnceResult, fresh: number, seconds: number): string[] {
  const { outcomes, left, leftWhy, patience, downloaded } = result;
  const counts = (all: Readonly<Record<string, number>>): string =>
    Object.entries(all)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  const more = patience.length > HOSTS_NAMED_MAX ? ` and ${patience.length - HOSTS_NAMED_MAX} more` : "";
  const hosts = `${patience.slice(0, HOSTS_NAMED_MAX).join(", ")}${more}`;
  return [
    `Read again: ${counts(outcomes)}.`,
    ...(left === 0 ? [] : [`${counted(left, "page")} left for another time: ${counts(leftWhy)}.`]),
    ...(fresh > 0 && patience.length > 0
      ? [`New pages are left for the next run: ${hosts} ${patience.length === 1 ? "asks" : "ask"} us to wait.`]
      : []),
    `New: ${counted(downloaded, "page")} of ${fresh}. ${formatSeconds(seconds)}.`,
    ...(outcomes.changed === 0
      ? []
      : ["The links of changed pages stay as they were crawled; a new crawl picks up the new ones."]),
  ];
}
