/** The data of a crawl report: a survey, the settings of the crawl, and the few texts that the report shows. */
import { type MissingReason, PageState, type RefusalReason, refusalReasons } from "../../coverage/index.ts";
import { type CrawlSettings, endOfLastRun, parseSettings, type StoredSettings } from "../../crawl/index.ts";
import { brokenLinkTexts, urlsOfFindings } from "../../findings/index.ts";
import { systemClock, zeroCounts } from "../../base/index.ts";
import { type CrawlWindow, openCrawlReadOnly, openWindow, type ReadOptions } from "../../store/index.ts";
import { decodeReason, earlierCount, type Reread, type RereadOutcome, rereadOutcomes } from "../../log/index.ts";
import type { Survey, SurveyFacts, SurveyMissing } from "../../survey/index.ts";
import type { EndState } from "../../text/index.ts";

/** What a report of a crawl shows. */
export interface CrawlContents {
  readonly survey: Survey;
  readonly settings: CrawlSettings & Partial<Pick<StoredSettings, "network">>;
  readonly end: EndState;
  readonly chosen: ChosenPages;
  /** Of all chosen URLs. */
  readonly texts: ReadonlyMap<number, PageText>;
  /** Of the broken links of the survey, in their order; null where none was stored. */
  readonly linkTexts: readonly (string | null)[];
  /** Left out if no page was read again. */
  readonly rereads?: RereadSummary;
}

export interface PageText {
  readonly url: string;
  readonly title: string | null;
  /** Why it was not fetched; null if it is dead or was fetched. */
  readonly reason: RefusalReason | null;
  /** More about it: the name of a failure, a status, a rule. */
  readonly detail: string | null;
  readonly status: number | null;
}

/** The URLs in a report. Every list is bounded. */
export interface ChosenPages {
  /** Downloaded pages, most important first. */
  readonly top: readonly number[];
  readonly dead: readonly DeadLink[];
  readonly deadCount: number;
  /** One entry per reason, largest share first. */
  readonly refused: readonly RefusedPages[];
}

export interface DeadLink {
  readonly url: number;
  /** The share that is missing or left out there, at most. */
  readonly mass: number;
  /** Pages that link there, those that lose most first. */
  readonly from: readonly number[];
  readonly fromCount: number;
}

export interface RefusedPages {
  readonly reason: RefusalReason;
  /** Number of URLs, without those that are only counted per host. */
  readonly count: number;
  readonly mass: number;
  readonly examples: readonly { readonly url: number; readonly mass: number }[];
}

export interface RereadSummary {
  readonly counts: Readonly<Record<RereadOutcome, number>>;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The most important pages that are gone or have moved. */
  readonly lost: readonly LostPage[];
  readonly lostCount: number;
  /** Some reads may count later than they were made, so there were at least so many (default: false). */
  readonly isAtLeast?: boolean;
}

interface LostPage {
  readonly url: number;
  readonly outcome: "gone" | "moved";
  readonly reason: string | null;
  readonly target: string | null;
  readonly atMs: number;
}

export const TOP_MAX = 50;
export const DEAD_MAX = 50;
export const LINKING_MAX = 3;
export const EXAMPLES_MAX = 5;
/** If very many pages link to a URL, so many of them are compared. */
const LINKS_COMPARED_MAX = 10_000;

/**
 * In one pass over all URLs in the order of importance. The share that is missing at a dead or skipped URL is
 * proportional to what certainly arrives there, which is that order; so the first ones have the largest shares.
 */
export function choosePages(survey: Survey): ChosenPages {
  const { byImportance, state } = survey;
  const top: number[] = [];
  const dead: number[] = [];
  let deadCount = 0;
  const refused = refusalReasons.map((reason) => ({ reason, count: 0, examples: [] as number[] }));
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
      .map(({ reason, count, examples }) => ({
        reason,
        count,
        mass: shareOfReason(survey.facts, reason)?.mass ?? 0,
        examples: examples.map((url) => ({ url, mass: massAt(survey, url) })),
      }))
      .filter(({ count, mass }) => count > 0 || mass > 0)
      .sort((a, b) => b.mass - a.mass),
  };
}

/** What is missing for a reason, or left out of the universe for it. */
export function shareOfReason({ missing, outside }: SurveyFacts, reason: MissingReason): SurveyMissing | undefined {
  return [...missing, ...outside].find((share) => share.reason === reason);
}

/** What is missing at a URL, or left out of the universe there. */
function massAt(survey: Survey, url: number): number {
  return (survey.missing(url) ?? survey.outside(url))?.mass ?? 0;
}

/** All URLs whose text is needed. */
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
    // Sorted by id, one entry per link.
    if (k > 0 && page === linking[k - 1]) continue;
    if (fromCount++ >= LINKS_COMPARED_MAX) continue;
    const loses = survey.interval(page).low / Math.max(1, survey.linkCount(page));
    const at = from.findIndex((other) => other.loses < loses);
    from.splice(at < 0 ? from.length : at, 0, { page, loses });
    if (from.length > LINKING_MAX) from.pop();
  }
  return { url, mass: massAt(survey, url), from: from.map(({ page }) => page), fromCount };
}

export const LOST_MAX = 20;

/** Undefined without rereads. The last reread of a page decides whether it is listed. */
export function summariseRereads(rereads: Iterable<Reread>, survey: Survey): RereadSummary | undefined {
  const counts = zeroCounts(rereadOutcomes);
  const lost = new Map<number, LostPage>();
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { url, outcome, reason, target, atMs, earlier } of rereads) {
    counts[outcome]++;
    if (earlier !== undefined) for (const each of rereadOutcomes) counts[each] += earlierCount(earlier, each);
    firstMs = Math.min(firstMs, atMs);
    lastMs = Math.max(lastMs, atMs);
    if (outcome === "gone" || outcome === "moved") lost.set(url, { url, outcome, reason, target, atMs });
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

/** Reads what a report shows besides the survey, as of the same moment. The crawl may be running. */
export function gatherContents(dir: string, survey: Survey, moment: ReadOptions = {}): CrawlContents {
  const chosen = choosePages(survey);
  const rereads = rereadsOf(dir, survey, moment);
  const wanted = new Set([
    ...urlsOf(chosen),
    ...urlsOfFindings(survey.facts.findings),
    ...(rereads?.lost ?? []).map(({ url }) => url),
  ]);
  const window = openWindow(dir, systemClock, moment);
  try {
    return {
      survey,
      settings: parseSettings(window.settings()),
      end: endOf(window),
      chosen,
      texts: new Map(
        window.allLines(wanted).map((line) => [line.id, { ...line, ...decodeReason(line.state, line.reason) }]),
      ),
      linkTexts: brokenLinkTexts(survey.facts.findings, window),
      ...(rereads === undefined ? {} : { rereads }),
    };
  } finally {
    window.close();
  }
}

function endOf(window: CrawlWindow): EndState {
  if (!window.isNow) return "earlier";
  return window.isHeld() ? "running" : (endOfLastRun(window)?.reason ?? "cut-off");
}

function rereadsOf(dir: string, survey: Survey, moment: ReadOptions): RereadSummary | undefined {
  const store = openCrawlReadOnly(dir, moment);
  try {
    const summary = summariseRereads(store.rereads(), survey);
    return summary && { ...summary, isAtLeast: store.areReadsCondensed };
  } finally {
    store.close();
  }
}
