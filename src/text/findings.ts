/** What the owner of a site would fix, in words. */
import { formatCount } from "../base/index.ts";
import type { PageStateName } from "../coverage/index.ts";
import type { Visit } from "../log/index.ts";
import { shortReason } from "./events.ts";
import { stateTexts } from "./states.ts";

interface LinkEnd extends Pick<Visit, "reason" | "detail"> {
  readonly state: PageStateName;
  readonly status: number | null;
}

/** "404", "redirect loop", "leaves the scope", "connect timeout", "waiting". */
export function linkEndInWords({ state, status, reason, detail }: LinkEnd): string {
  if (status !== null && status >= 300 && status < 400) {
    if (reason === "out-of-scope") return "leaves the scope";
    return shortReason({ reason, detail }) || "redirect loop";
  }
  if (status !== null) return String(status);
  return shortReason({ reason, detail }) || stateTexts[state].name.toLowerCase();
}

export interface RedirectCounts {
  readonly urls: number;
  /** Those that redirect more than once, and those that never end. */
  readonly chains: number;
  readonly loops: number;
}

/** "12 URLs redirect, 3 of them more than once, 1 in a loop." */
export function redirectsInWords({ urls, chains, loops }: RedirectCounts): string {
  const parts = [
    urls === 1 ? "1 URL redirects" : `${formatCount(urls)} URLs redirect`,
    ...(chains > 0 ? [`${formatCount(chains)} of them more than once`] : []),
    ...(loops > 0 ? [`${formatCount(loops)} in a loop`] : []),
  ];
  return `${parts.join(", ")}.`;
}

/** Instead of a list of near-duplicates that would be empty. */
export const NO_SIMHASHES =
  "Near-duplicates are found only in a crawl with --near-duplicates, which stores a fingerprint of the words of each " +
  "page that has at least 20.";

export function orphansInWords(urls: number): string {
  const subject = urls === 1 ? "1 URL is" : `${formatCount(urls)} URLs are`;
  return `${subject} listed in a sitemap, but no downloaded page links there.`;
}
