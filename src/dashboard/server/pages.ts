/** Lists of pages: a filter chooses ids by the survey, the rows of one screen are read from the crawl's file. */
import {
  type MissingReason,
  missingReason,
  missingReasons,
  PageState,
  refusalReasons,
} from "../../coverage/index.ts";
import { type CrawlWindow, type WindowLine } from "../../store/index.ts";
import { pageStates } from "../../log/index.ts";
import type { NumberedSurvey, Survey } from "../../survey/index.ts";
import type { PageLine, PageList, PageQuery, PageWord, Share } from "../protocol/http.ts";
import { type Questions, Refusal } from "./questions.ts";
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

const SORTS = ["importance", "newest", "oldest"] as const;
export const PAGE_PARAMETERS = ["sort", "host", "state", "reason", "status", "q", "from", "count"];

export type PageFilter = Required<Pick<PageQuery, "sort">> &
  Pick<PageQuery, "host" | "state" | "reason" | "status" | "q">;

export function pageFilter(asked: Questions): PageFilter {
  const status = asked.text("status");
  if (status !== undefined && !/^[1-5](\d\d|xx)$/.test(status)) {
    throw new Refusal(400, `status is "${status}": expected an HTTP status such as 404, or 4xx`);
  }
  const given = {
    host: asked.text("host")?.toLowerCase(),
    state: asked.oneOf("state", pageStates),
    reason: asked.oneOf("reason", missingReasons),
    status,
    q: asked.text("q"),
  };
  return {
    sort: asked.oneOf("sort", SORTS) ?? "importance",
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** All that the filter lets through, but for a piece of text. */
function filteredIds(survey: Survey, filter: PageFilter): Uint32Array {
  const { host, state: word, reason, status } = filter;
  const sorted = sortedIds(survey, filter.sort);
  if (host === undefined && word === undefined && reason === undefined && status === undefined) return sorted;
  const wantedHost = host === undefined ? -1 : survey.facts.hosts.findIndex((each) => each.host === host);
  if (host !== undefined && wantedHost < 0) return new Uint32Array(0);
  const { state, hostOf, statusOf, arrived } = survey;
  const [low, high] = statusRange(status);
  const lets = statesOf(word, reason);
  const chosen = new Uint32Array(sorted.length);
  let count = 0;
  for (let k = 0; k < sorted.length; k++) {
    const id = sorted[k];
    if (lets[state[id]] === 0 || statusOf[id] < low || statusOf[id] > high) continue;
    if (wantedHost >= 0 && hostOf[id] !== wantedHost) continue;
    if (reason !== undefined && arrived[id] === 0) continue;
    chosen[count++] = id;
  }
  return chosen.slice(0, count);
}

/** By time, URLs without a last word stand after all others, the most important first. */
function sortedIds(survey: Survey, sort: PageFilter["sort"]): Uint32Array {
  const { byImportance, byVisit } = survey;
  if (sort === "importance") return byImportance;
  const ids = new Uint32Array(byImportance.length);
  const isVisited = new Uint8Array(survey.state.length);
  for (let k = 0; k < byVisit.length; k++) {
    ids[sort === "oldest" ? k : byVisit.length - 1 - k] = byVisit[k];
    isVisited[byVisit[k]] = 1;
  }
  let count = byVisit.length;
  for (let k = 0; k < byImportance.length; k++) {
    if (isVisited[byImportance[k]] === 0) ids[count++] = byImportance[k];
  }
  return ids;
}

/** Which states can be of a word and a reason, 1 for each that can: most URLs need no second look. */
function statesOf(word: PageWord | undefined, reason: MissingReason | undefined): Uint8Array {
  const states = PageState.Refused + refusalReasons.length;
  return Uint8Array.from({ length: states }, (_, state) => {
    const isOfWord = word === undefined || wordOf(state) === word;
    return isOfWord && (reason === undefined || missingReason(state) === reason) ? 1 : 0;
  });
}

/** The word of a URL as the survey knows it. */
function wordOf(state: number): PageWord {
  if (state >= PageState.Refused) return "refused";
  return pageStates[state];
}

function statusRange(status: string | undefined): readonly [number, number] {
  if (status === undefined) return [0, 999];
  const hundred = 100 * Number(status[0]);
  return status.endsWith("xx") ? [hundred, hundred + 99] : [Number(status), Number(status)];
}
