/**
 * Which URLs a list holds, and in which order: a scan over the survey's arrays, which takes milliseconds for a million URLs and is done once
 * for a question. Without a filter the survey's own arrays are the list.
 */
import { type MissingReason, PageState, refusalReasons } from "../../coverage/index.ts";
import type { PageQuery, PageWord } from "../protocol.ts";
import type { Survey } from "../survey/survey.ts";
import { type Questions, Refusal } from "./questions.ts";

const SORTS = ["importance", "newest", "oldest"] as const;
const WORDS: readonly PageWord[] = [
  "waiting",
  "downloaded",
  "downloaded-partly",
  "dead",
  "redirected",
  "refused",
];
export const MISSING_REASONS: readonly MissingReason[] = [
  "not-fetched",
  "dead",
  ...refusalReasons,
  "links-unknown",
  "trust-unseeded",
];
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
    state: asked.oneOf("state", WORDS),
    reason: asked.oneOf("reason", MISSING_REASONS),
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
  const { host, state, reason, status } = filter;
  const sorted = sortedIds(survey, filter.sort);
  if (host === undefined && state === undefined && reason === undefined && status === undefined)
    return sorted;
  const hostIndex = host === undefined ? -1 : survey.facts.hosts.findIndex((each) => each.host === host);
  if (host !== undefined && hostIndex < 0) return new Uint32Array(0);
  const [low, high] = statusRange(status);
  const chosen = new Uint32Array(sorted.length);
  let count = 0;
  for (let k = 0; k < sorted.length; k++) {
    const id = sorted[k];
    if (hostIndex >= 0 && survey.hostOf[id] !== hostIndex) continue;
    if (survey.statusOf[id] < low || survey.statusOf[id] > high) continue;
    if (state !== undefined && wordOf(survey.state[id]) !== state) continue;
    if (reason !== undefined && survey.missing(id)?.reason !== reason) continue;
    chosen[count++] = id;
  }
  return chosen.slice(0, count);
}

/** By time, URLs without a last word stand after all others, the most important first. */
function sortedIds(survey: Survey, sort: PageFilter["sort"]): Uint32Array {
  if (sort === "importance") return survey.byImportance;
  const ids = new Uint32Array(survey.byImportance.length);
  const isVisited = new Uint8Array(survey.state.length);
  let count = 0;
  for (const id of sort === "oldest" ? survey.byVisit : survey.byVisit.toReversed()) {
    isVisited[id] = 1;
    ids[count++] = id;
  }
  for (const id of survey.byImportance) if (isVisited[id] === 0) ids[count++] = id;
  return ids.subarray(0, count);
}

/** The word of a URL as the survey knows it. */
export function wordOf(state: number): PageWord {
  if (state >= PageState.Refused) return "refused";
  return WORDS[state];
}

function statusRange(status: string | undefined): readonly [number, number] {
  if (status === undefined) return [0, 999];
  const hundred = 100 * Number(status[0]);
  return status.endsWith("xx") ? [hundred, hundred + 99] : [Number(status), Number(status)];
}
