/** Events of a crawl in words, for terminal and log: what became of pages, hosts, seeds and the crawl itself. */
import { formatSeconds, percentAtLeast } from "../base/index.ts";
import type { CrawlEvent, SeedInTrouble } from "../crawl/index.ts";
import type { Outcome } from "../log/index.ts";
import type { WindowVisit } from "../store/index.ts";
import { lossInWords, reasonInWords, refusalInWords } from "./outcomes.ts";

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
    case "limits-changed": {
      const { coverage } = event.limits;
      return coverage === undefined
        ? "limits were changed"
        : `limits were changed; the target is ${percentAtLeast(coverage)}`;
    }
    case "stopping":
      return `stopping: ${event.reason.replaceAll("-", " ")}`;
  }
}

function failingSeedInWords({ url, reason, isRobots, waitMs }: SeedInTrouble): string {
  // A status concerns robots.txt alone; no response at all concerns the whole host.
  const what = isRobots && reason.startsWith("status-") ? "the robots.txt of the seed" : "the seed";
  return `${what} ${url} ${reasonInWords(reason)}; next attempt in ${waitInWords(waitMs)}`;
}

/** Whole seconds, at least one. */
export function waitInWords(ms: number): string {
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
