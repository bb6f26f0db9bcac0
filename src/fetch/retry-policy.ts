/**
 * What happens next, for every status and every failure: the one table of the crawler for that.
 *
 * `meaning` is what the reply says about the URL, by the rules of the certificate (docs/coverage.md): a dead page links
 * nowhere, a forbidden one is none of what may be fetched, a failed one exists with links that we cannot see. The
 * difference decides how much coverage may be claimed, so only 404, 410 and a host without address are dead, and only
 * 401, 403 and 451 are forbidden.
 *
 * Backoff: the wait before the second attempt at a URL is in the table and doubles with each attempt. If the host
 * fails, not the page, the whole host waits, longer with every such reply in a row, and after HOST_FAILURES_MAX of them
 * it is given up. No wait is longer than an hour, Retry-After included: a server that wants more can say so again at
 * the next request.
 */
import type { FailureName, Reply } from "./contract.ts";

/** What a reply means for its URL and its host. */
export interface Verdict {
  readonly meaning: "page" | "not-modified" | "redirect" | "dead" | "forbidden" | "failed" | "try-again";
  /** How often the URL is requested in all. When the attempts are used up, "try-again" means "failed". */
  readonly attemptsMax: number;
  /** The wait before the second attempt, or the first pause of the host; doubles each time. */
  readonly waitMs: number;
  /** Whether the host has failed: then the whole host waits, and the reply counts towards HOST_FAILURES_MAX. */
  readonly pausesHost: boolean;
  /** The name of the failure, or "status-503". */
  readonly reason: string;
}

/** After this many pausing replies in a row, with no other reply between them, a host is given up. */
export const HOST_FAILURES_MAX = 8;
export const WAIT_MS_MAX = 3_600_000;
/** The shortest wait, even if a server asks for less. */
const SERVER_WAIT_MS_MIN = 1000;

type Row = Omit<Verdict, "reason">;

export function verdictOf(reply: Reply): Verdict {
  if (reply.kind === "failure") return { ...failureRows[reply.failure], reason: reply.failure };
  const { status, headers } = reply;
  const row = rowOfStatus(status);
  const withoutTarget = row === redirect && (headers["location"] ?? "").trim() === "";
  return { ...(withoutTarget ? failed : row), reason: `status-${status}` };
}

/** What the status of an answer whose redirects were followed says about its URL. */
export function meaningOfStatus(status: number): Verdict["meaning"] {
  return rowOfStatus(status).meaning;
}

/**
 * How long to wait after attempt number `attempts` (1 is the first) at one URL. The wait that a server asks for
 * (`serverWaitMs`, or null) replaces the value of the table; it doubles all the same.
 */
export function retryWaitMs(attempts: number, verdict: Verdict, serverWaitMs: number | null): number {
  const firstMs = serverWaitMs === null ? verdict.waitMs : Math.max(SERVER_WAIT_MS_MIN, serverWaitMs);
  return Math.min(WAIT_MS_MAX, firstMs * 2 ** (attempts - 1));
}

/** How long a host waits after its n-th pausing reply in a row (1 is the first); Infinity if it is given up. */
export function hostPauseMs(failures: number, verdict: Verdict, serverWaitMs: number | null): number {
  return failures >= HOST_FAILURES_MAX ? Number.POSITIVE_INFINITY : retryWaitMs(failures, verdict, serverWaitMs);
}

/**
 * Retry-After (RFC 9110, 10.2.3) in milliseconds, at most WAIT_MS_MAX; null if it is missing or invalid. A date is
 * measured from the Date of the response, so that wrong clocks do not matter, or else from `nowMs` since 1970.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d*)?$/.test(text)) return Math.min(WAIT_MS_MAX, Math.ceil(Number(text) * 1000));
  const until = dateMs(text);
  if (until === null) return null;
  return Math.min(WAIT_MS_MAX, Math.max(0, until - (dateMs(headers["date"] ?? "") ?? nowMs)));
}

const page: Row = { meaning: "page", attemptsMax: 1, waitMs: 0, pausesHost: false };
const notModified: Row = { meaning: "not-modified", attemptsMax: 1, waitMs: 0, pausesHost: false };
const redirect: Row = { meaning: "redirect", attemptsMax: 1, waitMs: 0, pausesHost: false };
const dead: Row = { meaning: "dead", attemptsMax: 1, waitMs: 0, pausesHost: false };
const forbidden: Row = { meaning: "forbidden", attemptsMax: 1, waitMs: 0, pausesHost: false };
const failed: Row = { meaning: "failed", attemptsMax: 1, waitMs: 0, pausesHost: false };
const again: Row = { meaning: "try-again", attemptsMax: 3, waitMs: 5_000, pausesHost: false };
const onceMore: Row = { meaning: "try-again", attemptsMax: 2, waitMs: 5_000, pausesHost: false };
/** The host asks us to wait. */
const later: Row = { meaning: "try-again", attemptsMax: 4, waitMs: 30_000, pausesHost: true };
const unreachable: Row = { meaning: "try-again", attemptsMax: 3, waitMs: 5_000, pausesHost: true };

/** Statuses that differ from the rest of their hundred. */
const statusRows: ReadonlyMap<number, Row> = new Map([
  [301, redirect],
  [302, redirect],
  [303, redirect],
  [304, notModified],
  [307, redirect],
  [308, redirect],
  [401, forbidden],
  [403, forbidden],
  [404, dead],
  [408, again],
  [410, dead],
  [425, again],
  [429, later],
  [451, forbidden],
  [503, later],
]);

const hundreds: ReadonlyMap<number, Row> = new Map([
  [2, page],
  [5, again],
]);

const failureRows: Readonly<Record<FailureName, Row>> = {
  // A resolver may fail once; the second failure, after caches have expired, is believed.
  "host-not-found": { meaning: "dead", attemptsMax: 2, waitMs: 60_000, pausesHost: false },
  "resolve-failed": unreachable,
  "address-refused": failed,
  "connect-refused": unreachable,
  "connect-failed": unreachable,
  "connect-timeout": unreachable,
  // All pages of the host have the same certificate: retrying one page is useless, and the host is soon given up.
  "tls-failed": { meaning: "failed", attemptsMax: 1, waitMs: 5_000, pausesHost: true },
  "connection-lost": again,
  "headers-timeout": again,
  "body-timeout": again,
  "total-timeout": again,
  "headers-too-large": failed,
  "bad-answer": onceMore,
  "bad-compression": onceMore,
  "proxy-failed": unreachable,
  // We ended it ourselves: it does not count as an attempt, and the URL waits for the next run.
  aborted: { meaning: "try-again", attemptsMax: Number.POSITIVE_INFINITY, waitMs: 0, pausesHost: false },
};

/** Every other status has failed: 1xx, unknown hundreds and the other 4xx. */
function rowOfStatus(status: number): Row {
  return statusRows.get(status) ?? hundreds.get(Math.floor(status / 100)) ?? failed;
}

/** All forms of an HTTP date begin with a day; Date.parse takes other texts too ("7", "-1"). */
function dateMs(text: string): number | null {
  const ms = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(asctimeAsGmt(text)) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The C form, "Sun Nov  6 08:49:37 1994", means GMT without saying so. */
function asctimeAsGmt(text: string): string {
  return /GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`;
}
