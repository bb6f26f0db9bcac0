/** Entries of the log in words. Titles and URLs are what the web says: they are shown, never obeyed. */
import { eventInWords, reasonInWords, refusalInWords } from "../../text/index.ts";
import type { Outcome } from "../../log/index.ts";
import type { WindowVisit } from "../../store/index.ts";
import type { LogEntry } from "../protocol/http.ts";
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
  "links-unknown": ({ title }) =>
    `Downloaded${title === null ? "" : `: ${title}`} (not all of its links are known)`,
  dead: (visit) => `Dead: it ${whyOf(visit)}`,
  redirected: ({ target }) => (target === null ? "Redirected" : `Redirected to ${target}`),
  refused: ({ reason }) => `Not fetched: it ${refusalInWords(reason ?? "failed")}`,
  "try-again": (visit) => `To be tried again: it ${whyOf(visit)}`,
};

function whyOf({ reason, status }: WindowVisit): string {
  if (reason !== null) return reasonInWords(reason);
  return status === null ? "leads nowhere" : reasonInWords(`status-${status}`);
}

export function eventEntry({ key, event }: PlacedEvent): LogEntry {
  const isOfHost = event.name === "host-paused" || event.name === "host-given-up";
  const isOfSeed = event.name === "seed-lost" || event.name === "seed-in-trouble";
  return {
    key,
    atMs: event.atMs,
    event: event.name,
    text: isOfHost ? eventInWords(event) : sentence(eventInWords(event)),
    reason: "reason" in event ? event.reason : null,
    page: null,
    host: isOfHost ? event.host : isOfSeed ? hostOf(event.url) : null,
  };
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
