/** Reads planned pages: known ones again, then new ones by resuming the crawl. */
import { parseSettings, type RefreshPage, refreshPages, type RefreshResult } from "../../crawl/index.ts";
import { isDownload } from "../../log/index.ts";
import { openCrawl } from "../../store/index.ts";
import { fetcherOf, planCrawl } from "../crawl/plan.ts";
import { runPlan } from "../crawl/run.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface OnceResult extends RefreshResult {
  /** Pages downloaded for the first time. */
  readonly downloaded: number;
  readonly isInterrupted: boolean;
}

export interface OncePlan {
  readonly again: readonly RefreshPage[];
  /** How many pages to fetch for the first time: the order of the crawl chooses them. */
  readonly fresh: number;
}

export async function readOnce(dir: string, { again, fresh }: OncePlan, terminal: Terminal): Promise<OnceResult> {
  const reread = await readAgain(dir, again, terminal);
  // The crawl, resumed now, would not know that these hosts have just asked us to wait.
  if (fresh === 0 || reread.isInterrupted || reread.patience.length > 0) return { ...reread, downloaded: 0 };
  return { ...reread, ...(await readNew(dir, fresh, terminal)) };
}

async function readAgain(
  dir: string,
  pages: readonly RefreshPage[],
  { progress }: Terminal,
): Promise<RefreshResult & { readonly isInterrupted: boolean }> {
  const store = openCrawl(dir);
  try {
    const settings = parseSettings(store.settings());
    const fetcher = fetcherOf(settings, 1);
    const interruption = new AbortController();
    const forget = onInterrupt(() => interruption.abort());
    let done = 0;
    try {
      const result = await refreshPages({
        store,
        fetcher,
        settings,
        pages,
        signal: interruption.signal,
        onReread: () => progress({ task: "reading again", done: ++done, total: pages.length, unit: "pages" }),
      });
      return { ...result, isInterrupted: interruption.signal.aborted };
    } finally {
      forget();
      await fetcher.close();
    }
  } finally {
    store.close();
  }
}

/** Resumes the crawl for this many pages, with limits that are not stored. */
async function readNew(
  dir: string,
  fresh: number,
  { progress }: Terminal,
): Promise<Pick<OnceResult, "downloaded" | "isInterrupted">> {
  const before = downloadedIn(dir);
  const plan = await planCrawl({ dir, maxPages: before + fresh, coverage: Number.POSITIVE_INFINITY });
  const { end } = await runPlan(plan, {
    readers: 0,
    keepsSettings: true,
    onStatus: ({ pages }) => progress({ task: "reading new pages", done: pages - before, total: fresh, unit: "pages" }),
  });
  if (end.error !== undefined) throw end.error;
  return { downloaded: end.status.pages - before, isInterrupted: end.reason === "interrupted" };
}

function downloadedIn(dir: string): number {
  const store = openCrawl(dir);
  try {
    let downloaded = 0;
    for (const { outcome } of store.visits()) if (isDownload(outcome)) downloaded++;
    return downloaded;
  } finally {
    store.close();
  }
}
