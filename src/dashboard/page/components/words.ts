/** What names of the protocol are called in front of people. */
import type { MissingReason, Overview, StopReason } from "../../protocol.ts";
import type { ViewName } from "../router.ts";

export const viewTitles: Readonly<Record<ViewName, string>> = {
  tide: "Tide",
  rest: "Where the rest is",
  pages: "Pages",
  page: "Page",
  hosts: "Hosts",
  frontier: "Frontier",
  log: "Log",
};

/** What a reason of missing importance is called, what it means, and what one could do about it. */
export interface ReasonWords {
  readonly name: string;
  readonly meaning: string;
  readonly remedy: string;
}

export const reasonWords: Readonly<Record<MissingReason, ReasonWords>> = {
  "not-fetched": {
    name: "Not fetched yet",
    meaning: "Links lead to these pages, and the crawl has not read them.",
    remedy: "Crawl on: a higher target or page limit brings them in, the most important first.",
  },
  dead: {
    name: "Dead links",
    meaning: "Links lead here, and the server says that there is nothing, or there is no server.",
    remedy: "Correct the links, or redirect the old addresses to what replaced them.",
  },
  robots: {
    name: "Forbidden by robots.txt",
    meaning: "The site's robots.txt asks crawlers to stay away.",
    remedy: "Only the owner of the site can allow it.",
  },
  "out-of-scope": {
    name: "Out of scope",
    meaning: "Links leave the part of the web that this crawl was asked to read.",
    remedy: "Crawl with a wider scope, or measure coverage against the scope alone.",
  },
  nofollow: {
    name: "Marked nofollow",
    meaning: "The linking pages ask crawlers not to follow these links.",
    remedy: "Only the linking site can change it; a crawl of your own site may be told to follow them.",
  },
  trap: {
    name: "Suspected trap",
    meaning: "Addresses that look as if a site makes them up without end, such as calendars.",
    remedy: "Look at the addresses; allow them by a pattern if they are real pages.",
  },
  limit: {
    name: "Beyond a limit",
    meaning: "Deeper, larger or more on one host than the limits of this crawl allow.",
    remedy: "Raise the limit of depth or of pages a host, and crawl on.",
  },
  failed: {
    name: "Failed",
    meaning: "Servers that did not answer properly, however often they were asked.",
    remedy: "Try again later: run the same command with the failed pages once more.",
  },
  "links-unknown": {
    name: "Links unknown",
    meaning: "The page was read, but not all of its links are known: it was cut off, or is no HTML.",
    remedy: "Raise the limit of bytes a page if large pages matter.",
  },
  "trust-unseeded": {
    name: "Trust without a seed",
    meaning: "The weights of the seeds sum to less than 1: the rest of the trust lies on no page.",
    remedy: "Add the missing seeds, or have the weights normalised.",
  },
};

const stopWords: Readonly<Record<StopReason, string>> = {
  "coverage-reached": "the target was reached",
  "frontier-empty": "everything that could be reached was read",
  "page-limit": "the page limit was reached",
  "depth-limit": "the depth limit was reached",
  "time-limit": "the time limit was reached",
  "byte-limit": "the byte limit was reached",
  interrupted: "it was interrupted",
  "disk-full": "the disk is full",
  failed: "it failed",
};

/** The state of a crawl as a short label, and in a sentence. */
export function stateWords(overview: Overview): { readonly label: string; readonly sentence: string } {
  switch (overview.state) {
    case "running":
      return { label: "Running", sentence: "The crawl is running." };
    case "paused":
      return { label: "Paused", sentence: "The crawl is paused; requests under way are finished." };
    case "stopping":
      return { label: "Stopping", sentence: "The crawl is stopping; requests under way are finished." };
    case "elsewhere":
      return {
        label: "Running elsewhere",
        sentence: "Another process runs this crawl; this is a view of its file.",
      };
    default:
      return {
        label: "Ended",
        sentence: `The crawl has ended: ${overview.reason === null ? "it was cut off" : stopWords[overview.reason]}.`,
      };
  }
}
