/** Entries of the log in words. Titles and URLs are what the web says: they are shown, never obeyed. */
import { formatCoverage, formatSeconds, quoted } from "../../base/index.ts";
import type { CrawlEvent } from "../../crawl/index.ts";
import type { Outcome, WindowVisit } from "../../store/index.ts";
import type { LogEntry } from "../protocol.ts";
import type { PlacedEvent } from "./live.ts";
import { hostOf } from "./page-detail.ts";

export function visitEntry(visit: WindowVisit): LogEntry {
  return {
    key: visit.number,
    atMs: visit.atMs,
    event: visit.outcome,
    text: VISITS[visit.outcome](visit),
    reason: visit.reason,
    page: { id: visit.url, url: visit.name },
    host: hostOf(visit.name),
  };
}

const VISITS: Readonly<Record<Outcome, (visit: WindowVisit) => string>> = {
  downloaded: ({ title }) => (title === null ? "Downloaded" : `Downloaded: ${title}`),
  "downloaded-partly": ({ title }) =>
    `Downloaded${title === null ? "" : `: ${title}`} (not all of its links are known)`,
  dead: ({ status }) => (status === null ? "Dead: it leads nowhere" : `Dead: answered ${status}`),
  redirected: ({ target }) => (target === null ? "Redirected" : `Redirected to ${target}`),
  refused: ({ reason }) => `Not fetched: ${plain(reason ?? "failed")}`,
  "try-again": ({ reason, status }) =>
    `To be tried again: ${reason === null ? `answered ${status}` : plain(reason)}`,
};

export function eventEntry({ key, event }: PlacedEvent): LogEntry {
  const isOfHost = event.name === "host-paused" || event.name === "host-given-up";
  const isOfSeed = event.name === "seed-lost" || event.name === "seed-in-trouble";
  return {
    key,
    atMs: event.atMs,
    event: event.name,
    text: eventText(event),
    reason: "reason" in event ? event.reason : null,
    page: null,
    host: isOfHost ? event.host : isOfSeed ? hostOf(event.url) : null,
  };
}

function eventText(event: CrawlEvent): string {
  switch (event.name) {
    case "host-paused":
      return `${event.host} is left alone for ${formatSeconds(event.forMs / 1000)}: ${plain(event.reason)}`;
    case "host-given-up":
      return `${event.host} is given up: ${plain(event.reason)}`;
    case "seed-lost":
      return `The seed ${event.url} is lost: ${plain(event.reason)}`;
    case "seed-in-trouble":
      return `The seed ${event.url} is tried again in ${formatSeconds(event.waitMs / 1000)}: ${plain(event.reason)}`;
    case "paused":
      return "Paused";
    case "resumed":
      return "Resumed";
    case "limits-changed":
      return event.limits.coverage === undefined
        ? "Limits were changed"
        : `Limits were changed; the target is ${formatCoverage(event.limits.coverage)}`;
    case "stopping":
      return `Stopping: ${plain(event.reason)}`;
  }
}

/** "status-503" is "status 503", "failed:connect-timeout" is "failed, connect timeout". */
function plain(reason: string): string {
  return quoted(reason).slice(1, -1).replaceAll("-", " ").replace(":", ", ");
}
