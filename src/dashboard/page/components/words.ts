/** What names of the protocol are called in front of people. */
import type { MissingReason } from "../../../coverage/index.ts";
import type { Overview } from "../../protocol/http.ts";
import { endInWords, REASONS, type ReasonWords } from "../../../text/index.ts";
import type { ViewName } from "../client/router.ts";

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

/** Nothing links anywhere before the first page is read: what is dead then are the seeds themselves. */
export function reasonWordsOf(
  reason: MissingReason,
  overview: Overview | null,
): Pick<ReasonWords, "name" | "meaning" | "advice"> {
  if (reason !== "dead" || overview === null || overview.status.pages > 0) return REASONS[reason];
  const isOne = overview.seeds.length === 1;
  return {
    name: isOne ? "Dead seed" : "Dead seeds",
    meaning: "The crawl was to begin there, and nothing is there: not found, gone, or no such host.",
    advice: `Look for a mistake in the address of ${isOne ? "the seed" : "each seed"}, or for where the page has moved, and begin with that.`,
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
