/** Reads what was planned with the live crawler: known pages again, then new ones by resuming the crawl for as many. */
import { parseSettings, type RefreshPage, refreshPages, type RefreshResult } from "../../crawl/index.ts";
import { isDownload } from "../../log/index.ts";
import { openCrawl } from "../../store/index.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { fetcherOf } from "../crawl/network.ts";
import { planCrawl } from "../crawl/plan.ts";
import { runPlan } from "../crawl/run.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface OnceResult extends RefreshResult {
  /** Pages downloaded for the first time. */
  readonly downloaded: number;
  readonly isInterrupted: boolean;
}

export interface OncePlan {
  readonly again: readonly RefreshPage[];
  /** How many pages to fetch for the first time: the crawl's own order chooses them, by importance too. */
  readonly fresh: number;
}

export async function readOnce(
  dir: string,
  { again, fresh }: OncePlan,
  terminal: Terminal,
): Promise<OnceResult> {
  const reread = await readAgain(dir, again, terminal);
  // Resumed now, the crawl would know nothing of what was just asked for.
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
    const fetcher = fetcherOf(settings.network, 1);
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

/** Resumes the crawl for so many pages, under limits that are never written down. */
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
    onStatus: ({ pages }) =>
      progress({ task: "reading new pages", done: pages - before, total: fresh, unit: "pages" }),
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
