/**
 * Events of a crawl in words, for terminal and log: what became of pages, hosts, seeds and the crawl itself. Reasons
 * come from the log as names. A name that is not known here is shown as it is, short and printable.
 */
import { LOSSES, SHORT } from "./reasons.ts";
import { formatSeconds, formatPercent, quoted } from "../base/index.ts";
import type { RefusalReason } from "../coverage/index.ts";
import type { CrawlEvent, LinksUnknownCause, SeedFailing, SeedLost } from "../crawl/index.ts";
import type { FailureName } from "../fetch/index.ts";
import type { Outcome, Visit } from "../log/index.ts";
import type { WindowVisit } from "../store/index.ts";
import type { SitemapTruncation } from "../web/index.ts";
import { shownInLine } from "./foreign.ts";
import { unreachableInWords } from "./coverage.ts";
import { limitsInWords } from "./crawl.ts";

/** Without a capital letter and a full stop, so that it fits into a line. */
export function eventInWords(event: CrawlEvent): string {
  switch (event.name) {
    case "host-paused":
      return `${event.host} ${reasonInWords(event.reason)}: paused for ${waitInWords(event.forMs)}`;
    case "host-given-up":
      return `${event.host} is given up: it ${reasonInWords(event.reason)}`;
    case "host-blocked":
      return hostBlocked(event);
    case "scope-widened":
      return `a seed leads to ${event.url}; the scope is now ${event.scope}`;
    case "sitemap-failed":
      return sitemapFailureInWords(event);
    case "render-decided":
      return event.isRendered
        ? `${event.host} is rendered from now on: ${event.url} has more when its scripts have run`
        : `${event.host} is not rendered, except for samples and pages without content: its scripts add no links`;
    case "script-made":
      return `${event.url} shows hardly anything without its scripts: start a new crawl with --render auto to run them`;
    case "target-unreachable":
      return unreachableInWords(event);
    case "value-failed":
      return `${event.url} counts nothing: its value failed (${plain(event.message)})`;
    case "seed-lost":
      return `${seedInWords(event)} ${lossInWords(event.reason, event.detail)}${seedAdvice(event)}`;
    case "seed-in-trouble":
      return failingSeedInWords(event);
    case "paused":
      return "paused: no new requests are sent";
    case "resumed":
      return "resumed";
    case "limits-changed":
      return `new limits: ${limitsInWords(event.limits)}`;
    case "stopping":
      return `stopping: ${event.reason.replaceAll("-", " ")}`;
  }
}

/** What is wrong with the file itself comes in words already; a root element and a namespace come from the web. */
export function sitemapFailureInWords({ url, reason }: Pick<SitemapFailed, "url" | "reason">): string {
  const part = SITEMAP_PARTS.get(reason);
  if (part !== undefined) return `the sitemap ${url} is read only in part, and may list more: it ${part}`;
  return `the sitemap ${url} is not read: ${reason === "robots" ? "robots.txt forbids it" : failureOfSitemap(reason)}`;
}

type SitemapFailed = Extract<CrawlEvent, { name: "sitemap-failed" }>;

function failureOfSitemap(reason: string): string {
  const known = knownReason(reason);
  return known === undefined ? shownInLine(reason) : `it ${known}`;
}

const SITEMAP_PARTS: ReadonlyMap<string, string> = new Map<SitemapTruncation, string>([
  ["cut-off", "is cut off"],
  ["too-large", "has more than 50,000 URLs or 50 MiB, or its elements are nested too deeply"],
]);

function failingSeedInWords(failing: SeedFailing): string {
  const { url, reason, isRobots, waitMs } = failing;
  const next = `next attempt in ${waitInWords(waitMs)}`;
  // A failure is no response at all, which concerns the whole host; anything else concerns robots.txt alone.
  if (isRobots && !Object.hasOwn(FAILURES, reason)) {
    return `the robots.txt of the seed ${url} ${robotsInWords(reason)}; ${next}`;
  }
  return `${seedInWords(failing)} ${reasonInWords(reason)}; ${next}`;
}

type HostBlocked = Extract<CrawlEvent, { name: "host-blocked" }>;

function hostBlocked({ host, status, location }: HostBlocked): string {
  if (status === LOGIN_REQUIRED) {
    return (
      `${host} wants a user name and a password (401): give them, or correct them, in --auth-file; its ` +
      "pages count as missing"
    );
  }
  if (location !== undefined) {
    return `${host} sends one page after another out of the scope, to ${location}; they count as missing`;
  }
  return `${host} blocks this crawler; its pages count as missing`;
}

/** The subject of a sentence. */
function seedInWords({ url, seed }: Pick<SeedLost, "url" | "seed">): string {
  return seed === undefined ? `the seed ${url}` : `the seed ${seed} leads to ${url}, which`;
}

function seedAdvice({ reason, detail }: Pick<SeedLost, "reason" | "detail">): string {
  if (reason === "out-of-scope") {
    return " (it came too late, or --include or --exclude keeps it out: start a new crawl at where it leads)";
  }
  // Sites that expect their cookie back send whoever does not return it round and round.
  return detail === "redirect-loop" || detail === "too-many-redirects" ? " (some sites do so without --cookies)" : "";
}

export function seedLossInWords(loss: SeedLost, damping: number): string {
  const share = formatPercent(unreachableShare(loss, damping));
  return `${eventInWords(loss)}; without it, at least ${share} of all importance is unreachable`;
}

/**
 * The share of all importance that a lost seed makes unreachable at least, when everything else is fetched. A seed that
 * leads on unseen counts with all of its trust w: every path from there is unknown. A dead seed counts only with its
 * own visits, (1-d) w of a whole of (1-w) + (1-d) w.
 */
export function unreachableShare({ reason, weight }: Pick<SeedLost, "reason" | "weight">, damping: number): number {
  if (reason !== "dead") return weight;
  const visits = (1 - damping) * weight;
  return visits / (1 - weight + visits);
}

/** Whole seconds, at least one. */
function waitInWords(ms: number): string {
  return formatSeconds(Math.max(1, Math.round(ms / 1000)));
}

/** What became of a page at a visit. Titles and URLs come from the web: they are shown, never interpreted. */
export function visitInWords(visit: VisitView): string {
  return VISITS[visit.outcome](visit);
}

type VisitView = Pick<WindowVisit, "outcome" | "title" | "target" | "reason" | "detail" | "status">;

const VISITS: Readonly<Record<Outcome, (visit: VisitView) => string>> = {
  downloaded: ({ title }) => (title === null ? "Downloaded" : `Downloaded: ${title}`),
  "links-unknown": ({ title, detail }) =>
    `Downloaded${title === null ? "" : `: ${title}`} (${linksUnknownInWords(detail)})`,
  dead: (visit) => `Dead: it ${causeInWords(visit)}`,
  redirected: ({ target }) => (target === null ? "Redirected" : `Redirected to ${target}`),
  refused: ({ reason, detail }) => `Not fetched: it ${refusalInWords(reason ?? "failed", detail)}`,
  "try-again": (visit) => `To be retried: it ${causeInWords(visit)}`,
};

function causeInWords({ detail, status }: VisitView): string {
  if (detail !== null) return reasonInWords(detail);
  return status === null ? "does not exist" : reasonInWords(`status-${status}`);
}

/** Why not all links of a page are known. Directories of 0.1.0 do not say. */
function linksUnknownInWords(detail: string | null): string {
  const cause = detail === null ? undefined : LINKS_UNKNOWN.get(detail);
  return `not all links are known${cause === undefined ? "" : `: ${cause}`}`;
}

const LINKS_UNKNOWN: ReadonlyMap<string, string> = new Map<LinksUnknownCause, string>([
  ["cut-off", "only a part of the page came"],
  ["too-many-links", "it has more links than --links-per-page allows"],
  ["too-complex", "its HTML is too large or nested too deeply"],
  ["unreadable", "it could not be parsed"],
  ["not-recorded", "it was imported, and its links may be incomplete"],
  ["not-rendered", "its scripts could not be run to the end, or wanted what is not fetched"],
]);

/** Follows "it". A reason is a failure, a status ("status-503"), or a redirect that could not be followed. */
export function reasonInWords(reason: string): string {
  return knownReason(reason) ?? `failed: ${plain(reason)}`;
}

/** Of a URL that was not fetched or is dead; a detail says which failure or which rule. */
function lossInWords(reason: RefusalReason | "dead", detail: string | null): string {
  if (detail === null) return LOSSES[reason];
  const known = knownReason(detail);
  // robots.txt may have allowed it.
  if (known !== undefined && USES.has(detail)) return known;
  return `${LOSSES[reason]}: ${known === undefined ? plain(detail) : `it ${known}`}`;
}

/** Of a visit with the outcome `refused`: "failed" with the detail "connect-refused" is "refuses connections". */
export function refusalInWords(reason: RefusalReason, detail: string | null): string {
  return reason === "failed" && detail !== null ? reasonInWords(detail) : lossInWords(reason, detail);
}

/** For a badge: "connection lost" of a failure, "trap: same content" of a trap. */
export function shortReason({ reason, detail }: Pick<Visit, "reason" | "detail">): string {
  const use = USES.get(detail ?? "");
  if (use !== undefined) return use;
  const rest = detail?.replaceAll("-", " ").trim();
  if (reason === null || (reason === "failed" && rest !== undefined)) return rest ?? "";
  return rest === undefined ? SHORT[reason] : `${SHORT[reason]}: ${rest}`;
}

function knownReason(reason: string): string | undefined {
  const status = /^status-(\d+)$/.exec(reason)?.[1];
  if (status !== undefined) return statusInWords(Number(status));
  if (reason.startsWith("robots-")) return `has a robots.txt that ${robotsInWords(reason.slice("robots-".length))}`;
  if (Object.hasOwn(FAILURES, reason)) return FAILURES[reason as FailureName];
  return CRAWL_REASONS.get(reason);
}

/** Of a robots.txt that could not be read. */
function robotsInWords(reason: string): string {
  return reason === "cut-off" ? "was cut off" : reasonInWords(reason);
}

function statusInWords(status: number): string {
  const named = STATUSES[status];
  if (named !== undefined) return `responds with ${status} (${named})`;
  return `responds with ${status >= 500 ? `server error ${status}` : `status ${status}`}`;
}

function plain(reason: string): string {
  return quoted(reason).slice(1, -1).replaceAll("-", " ");
}

const LOGIN_REQUIRED = 401;

const STATUSES: Readonly<Record<number, string>> = {
  [LOGIN_REQUIRED]: "login required",
  403: "forbidden",
  404: "not found",
  410: "gone",
  451: "unavailable for legal reasons",
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
  "tls-failed":
    "offers no secure connection (its certificate is not valid: name one of your own with --ca; or it does not " +
    "speak https: try http://)",
  "connection-lost": "closes the connection",
  "headers-timeout": "does not respond in time",
  "body-timeout": "stops in the middle of its response",
  "total-timeout": "takes too long",
  "headers-too-large": "sends too many headers",
  "bad-answer": "responds with something that is not HTTP",
  "bad-compression": "sends a body that cannot be decompressed",
  "proxy-failed": "cannot be reached through the proxy",
  aborted: "was cancelled",
};

/** Details of pages that may be fetched, but not used, by who says so; for a badge. */
const USES: ReadonlyMap<string, string> = new Map([
  ["usage", "purpose: robots.txt"],
  ["usage-header", "purpose: its header"],
]);

/** What the crawl itself finds out, besides the failures of single requests. */
const CRAWL_REASONS: ReadonlyMap<string, string> = new Map([
  ["usage", "may not be used for the --purpose of this crawl: robots.txt forbids it"],
  ["usage-header", "may not be used for the --purpose of this crawl: its own header forbids it"],
  ["host-given-up", "is on a host that failed too often"],
  ["redirect-loop", "redirects in a loop"],
  ["too-many-redirects", "redirects too often"],
  ["bad-location", "redirects to an invalid URL"],
  ["redirect", "redirects there"],
]);
