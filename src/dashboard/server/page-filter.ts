/**
 * Which URLs a list holds, and in which order: a scan over the survey's arrays, which takes milliseconds for a million URLs and is done once
 * for a question. Without a filter the survey's own arrays are the list.
 */
import {
  type MissingReason,
  missingReason,
  missingReasons,
  PageState,
  refusalReasons,
} from "../../coverage/index.ts";
import { pageStates } from "../../store/index.ts";
import type { PageQuery, PageWord } from "../protocol.ts";
import type { Survey } from "../../survey/index.ts";
import { type Questions, Refusal } from "./questions.ts";

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
export function filteredIds(survey: Survey, filter: PageFilter): Uint32Array {
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
export function wordOf(state: number): PageWord {
  if (state >= PageState.Refused) return "refused";
  return pageStates[state];
}

function statusRange(status: string | undefined): readonly [number, number] {
  if (status === undefined) return [0, 999];
  const hundred = 100 * Number(status[0]);
  return status.endsWith("xx") ? [hundred, hundred + 99] : [Number(status), Number(status)];
}
