/** Events of a crawl in words, for terminal and log: what became of pages, hosts, seeds and the crawl itself. */
import { formatSeconds, percent } from "../base/index.ts";
import type { CrawlEvent, SeedInTrouble, SeedLost } from "../crawl/index.ts";
import type { Outcome } from "../log/index.ts";
import type { WindowVisit } from "../store/index.ts";
import { lossInWords, reasonInWords, refusalInWords } from "./outcomes.ts";
import { limitsInWords } from "./stops.ts";

/** Without a capital letter and a full stop, so that it fits into a line. */
export function eventInWords(event: CrawlEvent): string {
  switch (event.name) {
    case "host-paused":
      return `${event.host} ${reasonInWords(event.reason)}: paused for ${waitInWords(event.forMs)}`;
    case "host-given-up":
      return `${event.host} is given up: it ${reasonInWords(event.reason)}`;
    case "seed-lost":
      return `the seed ${event.url} ${lossInWords(event.reason, event.detail)}`;
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

function failingSeedInWords({ url, reason, isRobots, waitMs }: SeedInTrouble): string {
  // A status concerns robots.txt alone; no response at all concerns the whole host.
  const what = isRobots && reason.startsWith("status-") ? "the robots.txt of the seed" : "the seed";
  return `${what} ${url} ${reasonInWords(reason)}; next attempt in ${waitInWords(waitMs)}`;
}

/** A lost seed, and what it costs. */
export function seedLossInWords(loss: SeedLost, damping: number): string {
  const share = percent(unreachableShare(loss, damping));
  return `${eventInWords(loss)}; without it, ${share} of all importance is unreachable`;
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

type VisitView = Pick<WindowVisit, "outcome" | "title" | "target" | "reason" | "status">;

const VISITS: Readonly<Record<Outcome, (visit: VisitView) => string>> = {
  downloaded: ({ title }) => (title === null ? "Downloaded" : `Downloaded: ${title}`),
  "links-unknown": ({ title }) => `Downloaded${title === null ? "" : `: ${title}`} (not all links are known)`,
  dead: (visit) => `Dead: it ${causeInWords(visit)}`,
  redirected: ({ target }) => (target === null ? "Redirected" : `Redirected to ${target}`),
  refused: ({ reason }) => `Not fetched: it ${refusalInWords(reason ?? "failed")}`,
  "try-again": (visit) => `To be retried: it ${causeInWords(visit)}`,
};

function causeInWords({ reason, status }: VisitView): string {
  if (reason !== null) return reasonInWords(reason);
  return status === null ? "does not exist" : reasonInWords(`status-${status}`);
}
