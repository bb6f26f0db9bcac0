/**
 * The data of a crawl report: a survey, the settings of the crawl, and the few texts that the report shows. Every list is
 * bounded, so a crawl of ten million URLs has a report of the same size as one of ten thousand.
 */
import { zeroCounts } from "../../base/index.ts";
import { PageState, type RefusalReason, refusalReasons } from "../../coverage/index.ts";
import { type CrawlSettings, endOfLastRun, parseSettings } from "../../crawl/index.ts";
import { type CrawlWindow, openCrawlReadOnly, openWindow } from "../../store/index.ts";
import { type Reread, type RereadOutcome, rereadOutcomes } from "../../log/index.ts";
import type { Survey } from "../../survey/index.ts";
import type { Standing } from "../../text/index.ts";

export interface CrawlContents {
  readonly survey: Survey;
  readonly settings: CrawlSettings;
  readonly end: Standing;
  readonly chosen: ChosenPages;
  /** Of all URLs that were chosen. */
  readonly texts: ReadonlyMap<number, PageText>;
  /** Left out where no page was read again. */
  readonly rereads?: RereadSummary;
}

export interface PageText {
  readonly url: string;
  readonly title: string | null;
  /** Why it was refused, or is dead, as the log has it. */
  readonly reason: string | null;
  readonly status: number | null;
}

/** The URLs that a report names, each list bounded. */
export interface ChosenPages {
  /** Downloaded, the most important first. */
  readonly top: readonly number[];
  readonly dead: readonly DeadLink[];
  readonly deadCount: number;
  /** Reasons that occur, the one of most mass first. */
  readonly refused: readonly RefusedPages[];
}

export interface DeadLink {
  readonly url: number;
  /** The share of all importance that ends there. */
  readonly mass: number;
  /** Pages that link there, those that lose most by it first. */
  readonly from: readonly number[];
  readonly fromCount: number;
}

export interface RefusedPages {
  readonly reason: RefusalReason;
  /** URLs; those that were only counted by their hosts are not among them. */
  readonly count: number;
  readonly mass: number;
  readonly examples: readonly { readonly url: number; readonly mass: number }[];
}

export interface RereadSummary {
  readonly counts: Readonly<Record<RereadOutcome, number>>;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The most important pages that are gone or have moved since. */
  readonly lost: readonly LostPage[];
  readonly lostCount: number;
}

interface LostPage {
  readonly url: number;
  readonly outcome: "gone" | "moved";
  readonly reason: string | null;
  readonly atMs: number;
}

export const TOP_MAX = 50;
export const DEAD_MAX = 50;
export const LINKING_MAX = 3;
export const EXAMPLES_MAX = 5;
/** Of a URL that half of the web links to, so many of the pages that do are compared. */
const LINKS_COMPARED_MAX = 10_000;

export function choosePages(survey: Survey): ChosenPages {
  const { byImportance, state } = survey;
  const top: number[] = [];
  const dead: number[] = [];
  let deadCount = 0;
  const refused = refusalReasons.map(() => ({ count: 0, examples: [] as number[] }));
  for (const url of byImportance) {
    const now = state[url];
    if (now === PageState.Downloaded || now === PageState.LinksUnknown) {
      if (top.length < TOP_MAX) top.push(url);
    } else if (now === PageState.Dead) {
      deadCount++;
      if (dead.length < DEAD_MAX) dead.push(url);
    } else if (now >= PageState.Refused) {
      const group = refused[now - PageState.Refused];
      group.count++;
      if (group.examples.length < EXAMPLES_MAX) group.examples.push(url);
    }
  }
  return {
    top,
    dead: dead.map((url) => deadLink(survey, url)).filter(({ fromCount, mass }) => mass > 0 || fromCount > 0),
    deadCount,
    refused: refused
      .map((group, index) => refusedPages(survey, refusalReasons[index], group))
      .filter(({ count, mass }) => count > 0 || mass > 0)
      .sort((a, b) => b.mass - a.mass),
  };
}

/** All URLs whose texts are needed. */
export function urlsOf({ top, dead, refused }: ChosenPages): Set<number> {
  return new Set([
    ...top,
    ...dead.flatMap(({ url, from }) => [url, ...from]),
    ...refused.flatMap(({ examples }) => examples.map(({ url }) => url)),
  ]);
}

function deadLink(survey: Survey, url: number): DeadLink {
  const linking = survey.linksTo(url);
  const from: { readonly page: number; readonly loses: number }[] = [];
  let fromCount = 0;
  for (let k = 0; k < linking.length; k++) {
    const page = linking[k];
    // In the order of ids, a page as often as it links there.
    if (k > 0 && page === linking[k - 1]) continue;
    if (fromCount++ >= LINKS_COMPARED_MAX) continue;
    const loses = survey.interval(page).low / Math.max(1, survey.linkCount(page));
    const at = from.findIndex((other) => other.loses < loses);
    from.splice(at < 0 ? from.length : at, 0, { page, loses });
    if (from.length > LINKING_MAX) from.pop();
  }
  return {
    url,
    mass: survey.missing(url)?.mass ?? 0,
    from: from.map(({ page }) => page),
    fromCount,
  };
}

function refusedPages(
  survey: Survey,
  reason: RefusalReason,
  { count, examples }: { readonly count: number; readonly examples: readonly number[] },
): RefusedPages {
  return {
    reason,
    count,
    mass: survey.facts.missing.find((share) => share.reason === reason)?.mass ?? 0,
    examples: examples.map((url) => ({ url, mass: survey.missing(url)?.mass ?? 0 })),
  };
}

export const LOST_MAX = 20;

/** Of all rereads; undefined where there is none. What counts for the list is what was seen last of a page. */
export function summariseRereads(rereads: Iterable<Reread>, survey: Survey): RereadSummary | undefined {
  const counts = zeroCounts(rereadOutcomes);
  const lost = new Map<number, LostPage>();
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { url, outcome, reason, atMs } of rereads) {
    counts[outcome]++;
    firstMs = Math.min(firstMs, atMs);
    lastMs = Math.max(lastMs, atMs);
    if (outcome === "gone" || outcome === "moved") lost.set(url, { url, outcome, reason, atMs });
    else if (outcome !== "failed") lost.delete(url);
  }
  if (lastMs < firstMs) return undefined;
  const low = (url: number): number => (url < survey.state.length ? survey.interval(url).low : 0);
  return {
    counts,
    firstMs,
    lastMs,
    lost: [...lost.values()].sort((a, b) => low(b.url) - low(a.url) || a.url - b.url).slice(0, LOST_MAX),
    lostCount: lost.size,
  };
}

export function gatherContents(dir: string, survey: Survey): CrawlContents {
  const chosen = choosePages(survey);
  const rereads = rereadsOf(dir, survey);
  const wanted = [...urlsOf(chosen), ...(rereads?.lost ?? []).map(({ url }) => url)];
  const window = openWindow(dir);
  try {
    return {
      survey,
      settings: parseSettings(window.settings()),
      end: window.isHeld() ? "running" : (endOfLastRun(window)?.reason ?? "cut-off"),
      chosen,
      texts: textsOf(window, wanted),
      ...(rereads === undefined ? {} : { rereads }),
    };
  } finally {
    window.close();
  }
}

function rereadsOf(dir: string, survey: Survey): RereadSummary | undefined {
  const store = openCrawlReadOnly(dir);
  try {
    return summariseRereads(store.rereads(), survey);
  } finally {
    store.close();
  }
}

function textsOf(window: CrawlWindow, urls: readonly number[]): Map<number, PageText> {
  return new Map(window.lines(urls).map((line) => [line.id, line]));
}
