/** What became of pages, hosts and the crawl itself, in words. */
import type { EventName, PageWord, Politeness } from "../../protocol/http.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import type { Outcome, Source } from "../../../log/index.ts";
import { formatSeconds } from "../../../base/index.ts";

export const stateNames: Readonly<Record<PageWord, string>> = {
  waiting: "Waiting",
  downloaded: "Downloaded",
  "links-unknown": "Partly read",
  dead: "Dead",
  redirected: "Redirected",
  refused: "Refused",
};

export const stateSentences: Readonly<Record<PageWord, string>> = {
  waiting: "It waits to be fetched: links lead to it, and nobody has read it.",
  downloaded: "It was downloaded, and all of its links are known.",
  "links-unknown": "It was downloaded, but not all of its links are known.",
  dead: "It leads nowhere: a surfer who comes here starts again.",
  redirected: "It is no page of its own: all that arrives here moves on to where it leads.",
  refused: "It was not fetched, and will not be.",
};

export const stateVerbs: Readonly<Record<PageWord, string>> = {
  waiting: "waits to be fetched",
  downloaded: "was downloaded",
  "links-unknown": "was read in part",
  dead: "leads nowhere",
  redirected: "leads elsewhere",
  refused: "was refused",
};

export const outcomeNames: Readonly<Record<Outcome, string>> = { ...stateNames, "try-again": "Try again" };

export const eventNames: Readonly<Record<EventName, string>> = {
  ...outcomeNames,
  "host-paused": "Host paused",
  "host-given-up": "Host given up",
  "seed-lost": "Seed lost",
  "seed-in-trouble": "Seed in trouble",
  paused: "Paused",
  resumed: "Resumed",
  "limits-changed": "Limits changed",
  stopping: "Stopping",
};

/** How a badge looks: well, not yet, leads elsewhere, lost. */
export const stateTones: Readonly<Record<Outcome | "waiting", "good" | "calm" | "moved" | "bad">> = {
  waiting: "calm",
  downloaded: "good",
  "links-unknown": "good",
  dead: "bad",
  redirected: "moved",
  refused: "bad",
  "try-again": "calm",
};

const SHORT_REASONS: Readonly<Partial<Record<string, string>>> = {
  robots: "robots.txt",
  "out-of-scope": "out of scope",
  "links-unknown": "links unknown",
} satisfies Partial<Record<MissingReason, string>>;

/** "failed:connection-reset" is "failed: connection reset", "status-503" is "status 503". */
export function reasonText(reason: string): string {
  const [head = "", ...rest] = reason.split(":");
  const first = SHORT_REASONS[head] ?? head.replaceAll("-", " ");
  return rest.length === 0 ? first : `${first}: ${rest.join(":").replaceAll("-", " ").trim()}`;
}

export const sourceWords: Readonly<Record<Source, string>> = {
  seed: "a seed of the crawl",
  link: "found through a link",
  redirect: "found through a redirect",
  sitemap: "found in a sitemap",
  canonical: "named as canonical by another page",
  remote: "discovered by another process",
};

/** "resting between two requests, 1 s each time". */
export function politenessWords({ state, pausedForMs, delayMs, underWay }: Politeness): string {
  const delay = formatSeconds(delayMs / 1000);
  switch (state) {
    case "free":
      return "may be asked now";
    case "busy":
      return underWay > 0 ? `${underWay} under way` : "its address is busy";
    case "resting":
      return `resting ${delay}`;
    case "paused":
      return pausedForMs === null ? "paused" : `paused for ${formatSeconds(Math.ceil(pausedForMs / 1000))}`;
    case "robots":
      return "robots.txt is being read";
    case "full":
      return "its page limit is reached";
    default:
      return "given up";
  }
}
