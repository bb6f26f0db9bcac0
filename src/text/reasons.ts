/** Reasons in words: why importance is missing, what that means, what to do about it, and what became of a page. */
import { counted, formatCount } from "../base/index.ts";
import type { MissingReason, MissingShare, RefusalReason } from "../coverage/index.ts";
import type { StopReason } from "../crawl/index.ts";
import { hundredthsAtMost } from "./figures.ts";

export interface ReasonWords {
  readonly name: string;
  readonly meaning: string;
  readonly advice: string;
  /** Follows a share: "3% ...". */
  readonly clause: string;
  /** Its colour in every chart: a name of the theme. */
  readonly colour: string;
}

export const REASONS: Readonly<Record<MissingReason, ReasonWords>> = {
  "not-fetched": {
    name: "Waiting to be fetched",
    meaning: "The crawl has discovered these pages but not fetched them yet.",
    advice: "Resume the crawl. The most important pages come first.",
    clause: "is waiting to be fetched",
    colour: "curve-0",
  },
  dead: {
    name: "Dead links",
    meaning: "Links lead there, but there is no page: not found, gone, no such host, or a redirect loop.",
    advice: "The owners of the linking pages can fix the links or redirect the old addresses.",
    clause: "leads to dead links",
    colour: "curve-5",
  },
  robots: {
    name: "Forbidden by robots.txt",
    meaning:
      "The site's robots.txt forbids crawlers to fetch these pages, or it or a header of the page forbids the " +
      "--purpose of this crawl.",
    advice: "Tidemark obeys. Only the site owner can change this.",
    clause: "is forbidden by robots.txt",
    colour: "curve-1",
  },
  "out-of-scope": {
    name: "Out of scope",
    meaning: "URLs of the scope redirect out of it; with --universe web, links that lead out of it count as well.",
    advice: "Start a crawl with a wider scope if what they lead to belongs to it.",
    clause: "is out of scope",
    colour: "muted",
  },
  nofollow: {
    name: "Marked nofollow",
    meaning: "The links to these pages are marked nofollow.",
    advice: "If the links are your own, start a crawl with --follow-nofollow.",
    clause: "is behind links marked nofollow",
    colour: "curve-6",
  },
  trap: {
    name: "Looks like a trap",
    meaning: "URLs that repeat themselves, grow without end, or show the same content again and again.",
    advice: "Check the addresses. Leave them out with --exclude, or, if the pages are real, add one of them as a seed.",
    clause: "looks like a trap",
    colour: "curve-4",
  },
  limit: {
    name: "Beyond a limit",
    meaning: "Deeper than the depth limit, or on a host that has reached its page limit.",
    advice: "Resume with a higher --max-depth or --max-pages-per-host.",
    clause: "lies beyond a limit",
    colour: "curve-3",
  },
  failed: {
    name: "Could not be fetched",
    meaning: "The server failed or did not respond at every attempt.",
    advice:
      "Look at the pages to see what happened. A refresh tries them again after an hour. If they are not wanted, " +
      "start a crawl with --exclude.",
    clause: "could not be fetched",
    colour: "curve-7",
  },
  forbidden: {
    name: "Forbidden by the server",
    meaning: "The server responds with 401, 403 or 451: these pages are not for everybody.",
    advice:
      "Only the site owner can change this. Pages behind a login need --auth-file (401) or --cookie-file (a " +
      "login page).",
    clause: "is forbidden by the server",
    colour: "curve-1",
  },
  blocked: {
    name: "Blocked by the host",
    meaning:
      "The host responds with 401, 403 or 451 to its front page, or to one page after another, or it sends several " +
      "pages to the same address out of the scope. That is no rule about these pages, so they count as missing.",
    advice:
      "If the host wants a login, give --auth-file (401) or --cookie-file (a login page). Else ask the site owner " +
      "for permission, give --contact, and crawl more slowly with --delay.",
    clause: "is on hosts that block this crawler",
    colour: "curve-7",
  },
  logout: {
    name: "Would log out",
    meaning: "The crawl is logged in, and these URLs look as if they end the session.",
    advice: "Look at them: a crawl without cookies and credentials fetches those that do not end the session.",
    clause: "is behind links that look like logout",
    colour: "curve-6",
  },
  "links-unknown": {
    name: "Links unknown",
    meaning:
      "The pages were fetched, but not all of their links are known: a page was cut off, had too many links, has a " +
      "type that is not read for links, or was imported from a crawl that may not tell all of its links.",
    advice:
      "The pages themselves are covered, and each page's view says why. Start a crawl with a higher --links-per-page " +
      "where they have too many links, or with --exclude if they are not wanted.",
    clause: "is behind unknown links",
    colour: "curve-2",
  },
  "trust-unseeded": {
    name: "Trust without a seed",
    meaning: "The weights of the seeds sum to less than 1.",
    advice: "Give the remaining trust to seeds, or scale the weights with --normalise-trust.",
    clause: "is trust given to no seed",
    colour: "ink",
  },
};

/**
 * Why a crawl ended, or that it has not. A crawl that was cut off could not store its reason. "earlier": it is shown as
 * it was known at an earlier moment, after which it has gone on.
 */
export type EndState = StopReason | "running" | "cut-off" | "earlier";

interface ReasonContext {
  readonly pages: number;
  readonly seeds: number;
  readonly end: EndState;
}

/** The words of a reason, as they apply to a crawl. */
export function reasonFor(reason: MissingReason, crawl: ReasonContext | null): ReasonWords {
  const text = REASONS[reason];
  if (reason === "not-fetched" && crawl !== null) {
    return { ...text, advice: `${wayOn(crawl.end)} The most important pages come first.` };
  }
  // Before the first page is read there are no links: only a seed can be dead.
  if (reason !== "dead" || crawl === null || crawl.pages > 0) return text;
  const isOne = crawl.seeds === 1;
  return {
    ...text,
    name: isOne ? "Dead seed" : "Dead seeds",
    meaning: `The ${isOne ? "seed does" : "seeds do"} not exist: not found, gone, no such host, or a redirect loop.`,
    advice: `Check the address of ${isOne ? "the seed" : "each seed"}, or find out where the page has moved.`,
    clause: isOne ? "is at a dead seed" : "is at dead seeds",
  };
}

function wayOn(end: EndState): string {
  if (end === "running") return "The crawl is still fetching.";
  if (end === "earlier") return "The crawl may have fetched them since.";
  if (end === "coverage-reached") return "Resume the crawl with a higher target.";
  return `Resume the crawl${end.endsWith("-limit") ? " with a higher limit" : ""}.`;
}

/** What waits without any share: nothing leads there from a seed. Empty if there is none. */
export function withoutShareInWords({ waiting, pages }: { readonly waiting: number; readonly pages: number }): string {
  const more = waiting - pages;
  if (more <= 0) return "";
  const verbs = more === 1 ? ["is", "holds"] : ["are", "hold"];
  return `${formatCount(more)} more ${verbs[0]} known only through sitemaps and ${verbs[1]} no proven share`;
}

const HOSTS_NAMED = 3;
/** Smaller shares are summed up: nobody acts on them. */
const SHARE_NAMED_MIN = 1e-4;

/**
 * "Missing at most: 3.10% is waiting to be fetched (a.example 1.20%, 1 more host); 1.20% is forbidden by robots.txt."
 */
export function missingInWords(missing: readonly MissingShare[]): string {
  const large = missing.filter(({ mass }) => mass >= SHARE_NAMED_MIN);
  const small = missing.reduce((sum, { mass }) => sum + (mass < SHARE_NAMED_MIN ? mass : 0), 0);
  const parts = large.map(({ reason, mass, hosts }) => {
    const named = hosts.slice(0, HOSTS_NAMED).filter(({ mass }) => mass >= SHARE_NAMED_MIN);
    const more = hosts.length - named.length;
    const names = [
      ...named.map(({ host, mass }) => `${host} ${hundredthsAtMost(mass)}`),
      ...(more > 0 && named.length > 0 ? [counted(more, "more host")] : []),
    ];
    return `${hundredthsAtMost(mass)} ${REASONS[reason].clause}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
  });
  if (small > 0) parts.push(`${large.length === 0 ? "" : "and "}less than 0.1% has other reasons`);
  return parts.length === 0 ? "Nothing is missing." : `Missing at most: ${parts.join("; ")}.`;
}

/** What became of a page, in a sentence about it. */
export const LOSSES: Readonly<Record<RefusalReason | "dead", string>> = {
  dead: "is dead",
  robots: "is forbidden by robots.txt",
  "out-of-scope": "is out of scope",
  nofollow: "is marked nofollow",
  trap: "looks like a trap",
  limit: "is beyond a limit",
  failed: "could not be fetched",
  forbidden: "is forbidden by the server",
  blocked: "is on a host that blocks this crawler",
  logout: "looks like logout",
};

/** Names of reasons in a narrow column. */
export const SHORT: Readonly<Record<RefusalReason, string>> = {
  robots: "robots.txt",
  "out-of-scope": "out of scope",
  nofollow: "nofollow",
  trap: "trap",
  limit: "limit",
  failed: "failed",
  forbidden: "forbidden",
  blocked: "blocked",
  logout: "logout",
};
