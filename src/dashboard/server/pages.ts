/**
 * Lists of pages. The survey's arrays choose and sort the ids: a scan that takes milliseconds for a million URLs, done
 * once per request. Without a filter the survey's own arrays are the list. The rows of one screen are read from the
 * crawl's files.
 */
import {
  type MissingReason,
  missingReason,
  missingReasons,
  PageState,
  type PageStateName,
  pageStates,
  refusalReasons,
} from "../../coverage/index.ts";
import { asSeen, decodeReason, stateName } from "../../log/index.ts";
import type { CrawlWindow, WindowLine } from "../../store/index.ts";
import type { NumberedSurvey, Survey } from "../../survey/index.ts";
import { type ShareBounds, shortReason, shownInLine } from "../../text/index.ts";
import type { PageLine, PageList } from "../protocol/http.ts";
import { HttpError, type Query, type Rows } from "./requests.ts";
import { RecentCache } from "./recent-cache.ts";

const SORTS = ["importance", "newest", "oldest"] as const;
export const PAGE_PARAMETERS = ["sort", "host", "state", "reason", "status", "q", "from", "count"];

/** Lists in the cache: enough for a few viewers with a few views each, 64 MB in total. */
const LISTS_MAX = 12;
const IDS_MAX = 2 ** 24;
/** A search stops after so many: nobody reads more, and they must be kept. */
const FOUND_MAX = 100_000;

type PageFilter = ReturnType<typeof pageFilter>;

interface Search {
  readonly ids: Uint32Array;
  readonly found: number[];
  /** How many of the ids have been searched. */
  searched: number;
}

export class Pages {
  readonly #window: CrawlWindow;
  readonly #lists = new RecentCache<Uint32Array>({ entries: LISTS_MAX, size: IDS_MAX }, (ids) => ids.length);
  readonly #searches = new RecentCache<Search>(
    { entries: LISTS_MAX, size: IDS_MAX },
    ({ ids, found }) => ids.length + found.length,
  );

  constructor(window: CrawlWindow) {
    this.#window = window;
  }

  list({ number, survey }: NumberedSurvey, filter: PageFilter, { from, count }: Rows): PageList {
    const { q, ...rest } = filter;
    const key = `${number} ${JSON.stringify(rest)}`;
    const ids = this.#lists.get(key, () => filteredIds(survey, filter));
    if (q === undefined) {
      const rows = this.#rows(survey, ids.subarray(from, from + count), filter);
      return { survey: number, total: ids.length, rows };
    }
    const search = this.#searches.get(`${key} ${q.toLowerCase()}`, () => ({ ids, found: [], searched: 0 }));
    this.#continue(search, q);
    return {
      survey: number,
      total: search.found.length,
      rows: this.#rows(survey, search.found.slice(from, from + count), filter),
      searched: { done: search.searched, total: ids.length },
    };
  }

  lines(survey: Survey, ids: ArrayLike<number>): PageLine[] {
    return this.#window.lines(ids).map((line) => pageLine(survey, line));
  }

  /** With a reason, each row has the share that is missing or left out there. */
  #rows(survey: Survey, ids: ArrayLike<number>, { reason }: PageFilter): PageLine[] {
    const rows = this.lines(survey, ids);
    return reason === undefined
      ? rows
      : rows.map((row) => ({ ...row, missingMass: (survey.missing(row.id) ?? survey.outside(row.id))?.mass ?? 0 }));
  }

  /** One step of a search. Results keep the order of the list, so the first rows stay in place. */
  #continue(search: Search, text: string): void {
    if (search.searched === search.ids.length) return;
    const { found, looked } = this.#window.withText(text, search.ids.subarray(search.searched));
    search.searched += looked;
    for (const id of found) {
      search.found.push(id);
      if (search.found.length < FOUND_MAX) continue;
      search.searched = search.ids.length;
      return;
    }
  }
}

export function pageLine(survey: Survey, line: WindowLine): PageLine {
  const { id, url, title, status, depth, fetchedMs } = line;
  const { state, reason } = asSeen(line, survey.state[id]);
  const why = shownInLine(shortReason(decodeReason(state, reason)));
  const rank = id < survey.facts.urls ? survey.place(id) || null : null;
  return { id, url, title, state, reason, why, status, rank, importance: shareOf(survey, id), depth, fetchedMs };
}

/** Nothing is certain about a URL that is newer than the survey. */
export function shareOf(survey: Survey, id: number): ShareBounds {
  if (id >= survey.facts.urls) return { low: 0, high: 1 };
  const { low, high } = survey.interval(id);
  return { low, high };
}

export function pageFilter(query: Query) {
  const status = query.text("status");
  if (status !== undefined && !/^[1-5](\d\d|xx)$/.test(status)) {
    throw new HttpError(400, `status is "${status}": expected an HTTP status such as 404, or 4xx`);
  }
  return {
    sort: query.oneOf("sort", SORTS) ?? "importance",
    host: query.text("host")?.toLowerCase(),
    state: query.oneOf("state", pageStates),
    reason: query.oneOf("reason", missingReasons),
    status,
    q: query.text("q"),
  };
}

/** Applies all filters except the text search. */
function filteredIds(survey: Survey, filter: PageFilter): Uint32Array {
  const { host, state: name, reason, status } = filter;
  const sorted = sortedIds(survey, filter.sort);
  if (host === undefined && name === undefined && reason === undefined && status === undefined) return sorted;
  const wantedHost = host === undefined ? -1 : survey.facts.hosts.findIndex((each) => each.host === host);
  if (host !== undefined && wantedHost < 0) return new Uint32Array(0);
  const { state, hostOf, statusOf, arrived } = survey;
  const [low, high] = statusRange(status);
  const isWanted = wantedStates(name, reason);
  const chosen = new Uint32Array(sorted.length);
  let count = 0;
  for (let k = 0; k < sorted.length; k++) {
    const id = sorted[k];
    if (isWanted[state[id]] === 0 || statusOf[id] < low || statusOf[id] > high) continue;
    if (wantedHost >= 0 && hostOf[id] !== wantedHost) continue;
    if (reason !== undefined && arrived[id] === 0) continue;
    chosen[count++] = id;
  }
  return chosen.slice(0, count);
}

/** Sorted by time, URLs without a final outcome come last, most important first. */
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

/** By the number of a state, 1 for each that has this name and this reason. */
function wantedStates(name: PageStateName | undefined, reason: MissingReason | undefined): Uint8Array {
  const states = PageState.Refused + refusalReasons.length;
  return Uint8Array.from({ length: states }, (_, state) => {
    const hasName = name === undefined || stateName(state) === name;
    return hasName && (reason === undefined || missingReason(state, "everything") === reason) ? 1 : 0;
  });
}

function statusRange(status: string | undefined): readonly [number, number] {
  if (status === undefined) return [0, 999];
  const hundred = 100 * Number(status[0]);
  return status.endsWith("xx") ? [hundred, hundred + 99] : [Number(status), Number(status)];
}
