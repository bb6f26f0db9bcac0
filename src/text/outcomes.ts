/**
 * Why a URL was not fetched, in words that follow "it". Reasons come from the log as names. A name that is not known
 * here is shown as it is, short and printable.
 */
import { quoted } from "../base/index.ts";
import type { RefusalReason } from "../coverage/index.ts";
import type { FailureName } from "../fetch/index.ts";

/** The name of a failure, a status ("status-503"), or a redirect that could not be followed. */
export function reasonInWords(reason: string): string {
  return knownReason(reason) ?? `failed: ${plain(reason)}`;
}

/** Of a URL that was not fetched or is dead; a detail says which failure or which rule. */
export function lossInWords(reason: RefusalReason | "dead", detail: string | null): string {
  if (detail === null) return LOSSES[reason];
  const known = knownReason(detail);
  return `${LOSSES[reason]}: ${known === undefined ? plain(detail) : `it ${known}`}`;
}

/** Of a visit with the outcome `refused`: "failed:connect-refused" is "refuses connections". */
export function refusalInWords(reason: string): string {
  const [head, detail] = parts(reason);
  if (head === "failed" && detail !== undefined) return reasonInWords(detail);
  if (!Object.hasOwn(LOSSES, head)) return reasonInWords(reason);
  return lossInWords(head as keyof typeof LOSSES, detail ?? null);
}

/**
 * For a badge: "failed:connection-lost" is "connection lost", "trap:identical-content" is "trap: identical content".
 */
export function shortReason(reason: string): string {
  const [head, detail] = parts(reason);
  const first = Object.hasOwn(SHORT, head) ? SHORT[head as RefusalReason] : head.replaceAll("-", " ");
  if (detail === undefined) return first;
  const rest = detail.replaceAll("-", " ").trim();
  return head === "failed" ? rest : `${first}: ${rest}`;
}

function parts(reason: string): readonly [head: string, detail?: string] {
  const at = reason.indexOf(":");
  return at < 0 ? [reason] : [reason.slice(0, at), reason.slice(at + 1)];
}

function knownReason(reason: string): string | undefined {
  const status = /^status-(\d+)$/.exec(reason)?.[1];
  if (status !== undefined) return statusInWords(Number(status));
  if (Object.hasOwn(FAILURES, reason)) return FAILURES[reason as FailureName];
  return CRAWL_REASONS.get(reason);
}

function statusInWords(status: number): string {
  const named = STATUSES[status];
  if (named !== undefined) return `responds with ${status} (${named})`;
  return `responds with ${status >= 500 ? `server error ${status}` : `status ${status}`}`;
}

function plain(reason: string): string {
  return quoted(reason).slice(1, -1).replaceAll("-", " ");
}

const STATUSES: Readonly<Record<number, string>> = {
  401: "login required",
  403: "forbidden",
  404: "not found",
  410: "gone",
  429: "too many requests",
  503: "overloaded",
};

const FAILURES: Readonly<Record<FailureName, string>> = {
  "host-not-found": "has a host that does not exist",
  "resolve-failed": "has a host name that could not be resolved",
  "address-refused": "has a private address",
  "connect-refused": "refuses connections",
  "connect-failed": "is unreachable",
  "connect-timeout": "does not respond",
  "tls-failed": "offers no secure connection (its certificate is not valid, or it does not speak https: try http://)",
  "connection-lost": "closes the connection",
  "headers-timeout": "does not respond in time",
  "body-timeout": "stops in the middle of its response",
  "total-timeout": "takes too long",
  "headers-too-large": "sends too many headers",
  "bad-answer": "responds with something that is not HTTP",
  "bad-compression": "is not compressed as it says",
  "proxy-failed": "cannot be reached through the proxy",
  aborted: "was cancelled",
};

/** What the crawl itself finds out, besides the failures of single requests. */
const CRAWL_REASONS: ReadonlyMap<string, string> = new Map([
  ["host-given-up", "is on a host that failed too often"],
  ["redirect-loop", "redirects in a loop"],
  ["too-many-redirects", "redirects too often"],
  ["bad-location", "redirects to an invalid URL"],
  ["redirect", "redirects there"],
]);

const LOSSES: Readonly<Record<RefusalReason | "dead", string>> = {
  dead: "is dead",
  robots: "is forbidden by robots.txt",
  "out-of-scope": "is out of scope",
  nofollow: "is marked nofollow",
  trap: "looks like a trap",
  limit: "is beyond a limit",
  failed: "could not be fetched",
};

const SHORT: Readonly<Record<RefusalReason, string>> = {
  robots: "robots.txt",
  "out-of-scope": "out of scope",
  nofollow: "nofollow",
  trap: "trap",
  limit: "limit",
  failed: "failed",
};
