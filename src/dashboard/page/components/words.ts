/** What names of the protocol are called in front of people. */
import type { MissingReason, Overview } from "../../protocol.ts";
import { endInWords, REASONS } from "../../words.ts";
import type { ViewName } from "../router.ts";

export const viewTitles: Readonly<Record<ViewName, string>> = {
  tide: "Tide",
  rest: "Where the rest is",
  pages: "Pages",
  page: "Page",
  hosts: "Hosts",
  frontier: "Frontier",
  log: "Log",
  unknown: "No such view",
};

/** What a reason of missing importance is called, what it means, and what one could do about it from here. */
export interface ReasonWords {
  readonly name: string;
  readonly meaning: string;
  readonly remedy: string;
}

const remedies: Readonly<Record<MissingReason, string>> = {
  "not-fetched": "Crawl on: a higher target or page limit brings them in, the most important first.",
  dead: "Whoever owns the linking pages can repair them, or redirect the old addresses.",
  robots: "Only the owner of the site can allow it; the crawler obeys.",
  "out-of-scope": "Crawl with a wider scope, or measure coverage inside the scope only (--universe scope).",
  nofollow: "Begin a crawl with --follow-nofollow if the links are your own.",
  trap: "Look at the addresses; pages that are real can be reached by a seed of their own.",
  limit: "Raise the limit of depth or of pages a host, and crawl on.",
  failed: "Look at the pages for what happened; a host may have been down for a while.",
  "links-unknown": "The pages themselves are covered; where they lead is not known.",
  "trust-unseeded": "Give the rest of the trust to seeds, or let --normalise-trust share it out.",
};

export const reasonWords: Readonly<Record<MissingReason, ReasonWords>> = Object.fromEntries(
  Object.entries(REASONS).map(([reason, { name, meaning }]) => [
    reason,
    { name, meaning, remedy: remedies[reason as MissingReason] },
  ]),
) as Record<MissingReason, ReasonWords>;

/** Nothing links anywhere before the first page is read: what is dead then are the seeds themselves. */
export function reasonWordsOf(reason: MissingReason, overview: Overview | null): ReasonWords {
  if (reason !== "dead" || overview === null || overview.status.pages > 0) return reasonWords[reason];
  const isOne = overview.seeds.length === 1;
  return {
    name: isOne ? "Dead seed" : "Dead seeds",
    meaning: "The crawl was to begin there, and nothing is there: not found, gone, or no such host.",
    remedy: `Look for a mistake in the address of ${isOne ? "the seed" : "each seed"}, or for where the page has moved, and begin with that.`,
  };
}

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
        sentence: endInWords(overview.reason ?? "cut-off", overview.limits, overview.status.coverage),
      };
  }
}
