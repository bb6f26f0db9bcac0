/** The reasons of missing importance in words, with what to do about each. The dashboard's page uses it too: browser-safe. */
import type { MissingReason } from "../coverage/index.ts";

export interface ReasonWords {
  readonly name: string;
  /** What it means, as a sentence. */
  readonly meaning: string;
  readonly advice: string;
  /** As the end of "3% ...". A crawl says the same on a terminal when it ends; a test keeps it so. */
  readonly fate: string;
}

export const REASONS: Readonly<Record<MissingReason, ReasonWords>> = {
  "not-fetched": {
    name: "Not fetched yet",
    meaning: "Links lead there, and nothing speaks against fetching it.",
    advice: "Let the crawl go on: a higher target or page limit brings them in, the most important first.",
    fate: "was not fetched",
  },
  dead: {
    name: "Dead links",
    meaning: "Links lead there, and nothing is there: not found, gone, or no such host.",
    advice: "Whoever owns the linking pages can repair them, or redirect the old addresses.",
    fate: "is on dead links",
  },
  robots: {
    name: "Forbidden by robots.txt",
    meaning: "The site asks crawlers to stay away from these pages.",
    advice: "Only the owner of the site can allow it; the crawler obeys.",
    fate: "is forbidden by robots.txt",
  },
  "out-of-scope": {
    name: "Out of scope",
    meaning: "Links lead out of the part of the web that was to be crawled.",
    advice: "Begin a crawl with a wider scope, or measure coverage inside the scope only (--universe scope).",
    fate: "is out of scope",
  },
  nofollow: {
    name: "Marked nofollow",
    meaning: "The links that lead there ask not to be followed.",
    advice: "Begin a crawl with --follow-nofollow if the links are your own.",
    fate: "is behind links marked nofollow",
  },
  trap: {
    name: "Looks like a trap",
    meaning: "URLs that repeat themselves, grow without end, or show the same content again and again.",
    advice: "Look at the addresses; pages that are real can be reached by a seed of their own.",
    fate: "looks like a trap",
  },
  limit: {
    name: "Beyond a limit",
    meaning: "Deeper, or on a host with more pages, than the crawl was allowed.",
    advice: "Raise the limit of depth or of pages a host, and go on.",
    fate: "lies beyond a limit",
  },
  failed: {
    name: "Could not be fetched",
    meaning: "The server failed, or did not answer, each time it was asked.",
    advice: "Look at the pages for what happened; a host may have been down for a while.",
    fate: "could not be fetched",
  },
  "links-unknown": {
    name: "Links that could not be read",
    meaning:
      "The pages were fetched, but were cut off, had too many links, or were of a kind that is not read for links.",
    advice: "The pages themselves are covered; where they lead is not known.",
    fate: "is behind links that could not be read",
  },
  "trust-unseeded": {
    name: "Trust without a seed",
    meaning: "The weights of the seeds sum to less than 1.",
    advice: "Give the rest of the trust to seeds, or let --normalise-trust share it out.",
    fate: "is trust given to no seed",
  },
};
