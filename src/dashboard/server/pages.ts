/** Lists of pages: a filter chooses ids by the survey, the rows of one screen are read from the crawl's file. */
import { refusalReasons, PageState } from "../../coverage/index.ts";
import type { CrawlWindow, WindowLine } from "../../store/index.ts";
import type { PageLine, PageList, Share } from "../protocol.ts";
import type { NumberedSurvey, Survey } from "../../survey/index.ts";
import { filteredIds, type PageFilter, wordOf } from "./page-filter.ts";
import { Recent } from "./recent.ts";

/** Lists that are kept: those of a few people who look at a few views, of 64 MB together. */
const LISTS_MAX = 12;
const IDS_MAX = 2 ** 24;
/** Beyond these, a search has found enough: nobody looks through more, and they would have to be kept. */
const FOUND_MAX = 100_000;

interface Search {
  readonly ids: Uint32Array;
  readonly found: number[];
  looked: number;
}

export class Pages {
  readonly #window: CrawlWindow;
  readonly #lists = new Recent<Uint32Array>({ entries: LISTS_MAX, size: IDS_MAX }, (ids) => ids.length);
  readonly #searches = new Recent<Search>(
    { entries: LISTS_MAX, size: IDS_MAX },
    ({ ids, found }) => ids.length + found.length,
  );

  constructor(window: CrawlWindow) {
    this.#window = window;
  }

  list(
    { number, survey }: NumberedSurvey,
    filter: PageFilter,
    { from, count }: { from: number; count: number },
  ): PageList {
    const { q, ...rest } = filter;
    const key = `${number} ${JSON.stringify(rest)}`;
    const ids = this.#lists.get(key, () => filteredIds(survey, filter));
    if (q === undefined) {
      const rows = this.#rows(survey, ids.subarray(from, from + count), filter);
      return { survey: number, total: ids.length, rows };
    }
    const search = this.#searches.get(`${key} ${q.toLowerCase()}`, () => ({ ids, found: [], looked: 0 }));
    this.#goOn(search, q);
    return {
      survey: number,
      total: search.found.length,
      rows: this.#rows(survey, search.found.slice(from, from + count), filter),
      searched: { done: search.looked, total: ids.length },
    };
  }

  /** Rows for ids; the survey's word counts where the crawl's file has none yet: a URL beyond a limit is refused by nobody else. */
  lines(survey: Survey, ids: ArrayLike<number>): PageLine[] {
    return this.#window.lines(ids).map((line) => pageLine(survey, line));
  }

  /** Where pages of one reason are asked for, what is missing on each. */
  #rows(survey: Survey, ids: ArrayLike<number>, { reason }: PageFilter): PageLine[] {
    const rows = this.lines(survey, ids);
    return reason === undefined
      ? rows
      : rows.map((row) => ({ ...row, missingMass: survey.missing(row.id)?.mass ?? 0 }));
  }

  /** One piece of a search: what is found stands in the order of the list, so the first rows stay where they are. */
  #goOn(search: Search, text: string): void {
    if (search.looked === search.ids.length) return;
    const { found, looked } = this.#window.withText(text, search.ids.subarray(search.looked));
    search.looked += looked;
    for (const id of found) {
      search.found.push(id);
      if (search.found.length < FOUND_MAX) continue;
      search.looked = search.ids.length;
      return;
    }
  }
}

export function pageLine(survey: Survey, line: WindowLine): PageLine {
  const { id, url, title, status, depth, fetchedMs } = line;
  const base = { id, url, title, status, importance: shareOf(survey, id), depth, fetchedMs };
  const state = survey.state[id] ?? PageState.Open;
  if (line.state === "waiting" && state >= PageState.Refused) {
    return { ...base, state: wordOf(state), reason: refusalReasons[state - PageState.Refused] ?? null };
  }
  // The file knows a redirect; that it closes a loop, and so leads nowhere, follows from all of them.
  if (line.state === "redirected" && state === PageState.Dead) {
    return { ...base, state: "dead", reason: "redirect-loop" };
  }
  return { ...base, state: line.state, reason: line.reason };
}

/** Of a URL that is newer than the survey nothing is certain. */
export function shareOf(survey: Survey, id: number): Share {
  if (id >= survey.facts.urls) return { low: 0, high: 1 };
  const { low, high } = survey.interval(id);
  return { low, high };
}
