/** The data of a comparison: what has changed between two crawls, with the texts of the few pages that are listed. */
import {
  certainDirection,
  type Comparison,
  compareCrawls,
  matchUrls,
  type PageChange,
  pageChanges,
  type PagePair,
  type SettingDifference,
  settingsDifferences,
} from "../../compare/index.ts";
import { type Interval, PageState, type PageStateName } from "../../coverage/index.ts";
import { digestSeedOf, endOfLastRun, Fingerprinter, parseSettings, type StoredSettings } from "../../crawl/index.ts";
import { asSeen, stateName } from "../../log/index.ts";
import { type CrawlWindow, openCrawlReadOnly, openWindow, type SqliteStore, urlTexts } from "../../store/index.ts";
import type { Survey, SurveyFacts } from "../../survey/index.ts";
import type { EndState } from "../../text/index.ts";
import { crawlColumns } from "./crawl-columns.ts";

/** A crawl to be compared; the survey is of this directory. */
export interface CrawlToCompare {
  readonly dir: string;
  readonly survey: Survey;
}

/** Two crawls and what has changed. */
export interface ComparisonContents {
  readonly a: ComparedCrawl;
  readonly b: ComparedCrawl;
  readonly differences: readonly SettingDifference[];
  readonly isContentComparable: boolean;
  readonly comparison: Comparison;
  readonly pages: Readonly<Record<PageChange, readonly ComparedPage[]>>;
  readonly titles: readonly ComparedPage[];
  readonly moved: readonly MovedPage[];
}

export interface ComparedCrawl {
  readonly dir: string;
  readonly settings: StoredSettings;
  readonly end: EndState;
  readonly facts: SurveyFacts;
}

/** A page as each crawl knows it; null where a crawl does not know its URL. */
export interface ComparedPage {
  readonly url: string;
  readonly a: PageInCrawl | null;
  readonly b: PageInCrawl | null;
}

export interface PageInCrawl {
  readonly state: PageStateName;
  readonly reason: string | null;
  readonly status: number | null;
  readonly title: string | null;
  /** Where it redirects to. */
  readonly target: string | null;
  /** Among the downloaded pages, from 1; null for other URLs. */
  readonly rank: number | null;
  /** The bounds of its share of all importance. */
  readonly importance: Interval;
}

export interface MovedPage extends ComparedPage {
  /** Of the proven share, from A to B. */
  readonly change: number;
  /** Whether the share has certainly risen or fallen. */
  readonly isCertain: boolean;
}

export interface CompareOptions {
  /** Pages per list, at most. */
  readonly top: number;
  /** Of the fingerprints of URLs. */
  readonly seed: number;
}

/** Compares two crawls, which may be running: as of the moments of their surveys. */
export async function gatherComparison(
  a: CrawlToCompare,
  b: CrawlToCompare,
  { top, seed }: CompareOptions,
): Promise<ComparisonContents> {
  const fingerprinter = await Fingerprinter.create(seed);
  const stores = [openCrawlReadOnly(a.dir)];
  try {
    stores.push(openCrawlReadOnly(b.dir));
    const [storeA, storeB] = stores;
    const columns = {
      a: crawlColumns(storeA, a.survey, fingerprinter),
      b: crawlColumns(storeB, b.survey, fingerprinter),
    };
    const [settingsA, settingsB] = stores.map((store) => parseSettings(store.settings()));
    const isContentComparable = digestSeedOf(settingsA.web) === digestSeedOf(settingsB.web);
    const counts = { a: columns.a.state.length, b: columns.b.state.length };
    const matched = matchUrls({
      a: textsUpTo(storeA, counts.a),
      b: textsUpTo(storeB, counts.b),
      counts,
      fingerprinter,
    });
    const differences = settingsDifferences(settingsA, settingsB);
    const isImportanceComparable = differences.every(({ aspects }) => !aspects.includes("importance"));
    const comparison = compareCrawls({ ...columns, matched, isContentComparable, isImportanceComparable, top });
    const known = {
      a: new KnownPages(a, idsIn(comparison, "a")),
      b: new KnownPages(b, idsIn(comparison, "b")),
    };
    const pageOf = ({ a, b }: PagePair): ComparedPage => {
      const [inA, inB] = [known.a.page(a), known.b.page(b)];
      return { url: (b < 0 ? known.a.url(a) : known.b.url(b)) ?? `URL ${Math.max(a, b)}`, a: inA, b: inB };
    };
    return {
      a: { dir: a.dir, settings: settingsA, end: known.a.end, facts: a.survey.facts },
      b: { dir: b.dir, settings: settingsB, end: known.b.end, facts: b.survey.facts },
      differences,
      isContentComparable,
      comparison,
      pages: Object.fromEntries(
        pageChanges.map((change) => [change, comparison.pages[change].map(pageOf)]),
      ) as unknown as ComparisonContents["pages"],
      titles: comparison.titles.pages.map(pageOf),
      moved: comparison.moved.pages.map((pair) => {
        const [before, after] = [a.survey.interval(pair.a), b.survey.interval(pair.b)];
        const isCertain = isImportanceComparable && certainDirection(before, after) !== 0;
        return { ...pageOf(pair), change: after.low - before.low, isCertain };
      }),
    };
  } finally {
    for (const store of stores) store.close();
  }
}

/** URLs that were discovered after the survey are left out. */
function* textsUpTo(store: SqliteStore, urls: number): Generator<readonly [id: number, text: string]> {
  for (const entry of urlTexts(store)) {
    if (entry[0] >= urls) return;
    yield entry;
  }
}

function idsIn({ pages, titles, moved }: Comparison, side: "a" | "b"): ReadonlySet<number> {
  const pairs = [...Object.values(pages).flat(), ...titles.pages, ...moved.pages];
  return new Set(pairs.map((pair) => pair[side]).filter((id) => id >= 0));
}

const NOTHING_FOUND = { reason: null, status: null, target: null, title: null };

/** The listed pages, as one crawl knows them. */
class KnownPages {
  readonly end: EndState;
  readonly #survey: Survey;
  readonly #lines: ReadonlyMap<number, ReturnType<CrawlWindow["lines"]>[number]>;

  constructor({ dir, survey }: CrawlToCompare, ids: ReadonlySet<number>) {
    this.#survey = survey;
    const window = openWindow(dir);
    try {
      this.end = window.isHeld() ? "running" : (endOfLastRun(window)?.reason ?? "cut-off");
      this.#lines = new Map(window.allLines(ids).map((line) => [line.id, line]));
    } finally {
      window.close();
    }
  }

  url(id: number): string | undefined {
    return this.#lines.get(id)?.url;
  }

  page(id: number): PageInCrawl | null {
    const line = this.#lines.get(id);
    if (line === undefined) return null;
    const crawled = this.#survey.state[id];
    // A running crawl may have fetched it since.
    const isNewer = crawled === PageState.Open && line.state !== "waiting";
    const found = isNewer ? NOTHING_FOUND : { ...line, ...asSeen(line, crawled), target: line.target?.url ?? null };
    const { reason, status, target } = found;
    return {
      state: stateName(crawled),
      reason,
      status,
      title: found.title,
      target,
      rank: this.#survey.place(id) || null,
      importance: this.#survey.interval(id),
    };
  }
}
