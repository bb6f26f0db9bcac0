/**
 * The states of pages and hosts as people read them. Page, report and terminal use these names, so that a state
 * has one name everywhere. The keys are the names in exports, database and JSON, which never change.
 */
import { formatSeconds } from "../base/index.ts";
import type { PageStateName } from "../coverage/index.ts";
import type { CrawlEvent, HostState, HostStatus } from "../crawl/index.ts";
import type { Outcome, Source } from "../log/index.ts";

/** Entries of the log: what became of a page at a visit, and what happened to hosts, seeds and the crawl itself. */
export type EventName = Outcome | CrawlEvent["name"];

interface StateText {
  readonly name: string;
  /** The state in a sentence about "the page". */
  readonly sentence: string;
  /** Follows "A URL that". */
  readonly clause: string;
}

export const stateTexts: Readonly<Record<PageStateName, StateText>> = {
  waiting: {
    name: "Waiting",
    sentence: "It has been discovered but not fetched yet.",
    clause: "is waiting to be fetched",
  },
  downloaded: {
    name: "Downloaded",
    sentence: "It was downloaded, and all of its links are known.",
    clause: "was downloaded",
  },
  "links-unknown": {
    name: "Links unknown",
    sentence: "It was downloaded, but not all of its links are known.",
    clause: "was downloaded, with links unknown",
  },
  dead: {
    name: "Dead",
    sentence: "It does not exist: not found, gone, no such host, or a redirect loop.",
    clause: "is dead",
  },
  redirected: { name: "Redirected", sentence: "It redirects to another URL.", clause: "redirects" },
  refused: {
    name: "Not fetched",
    sentence: "It was skipped, or every attempt failed. It will not be fetched.",
    clause: "was not fetched",
  },
};

/** How serious an event is; the states of fetched pages are good. A badge shows it by colour and shape. */
type Tone = "good" | "neutral" | "moved" | "bad";

export const eventTexts: Readonly<Record<EventName | "waiting", { readonly name: string; readonly tone: Tone }>> = {
  waiting: { name: stateTexts.waiting.name, tone: "neutral" },
  downloaded: { name: stateTexts.downloaded.name, tone: "good" },
  "links-unknown": { name: stateTexts["links-unknown"].name, tone: "good" },
  dead: { name: stateTexts.dead.name, tone: "bad" },
  redirected: { name: stateTexts.redirected.name, tone: "moved" },
  refused: { name: stateTexts.refused.name, tone: "bad" },
  "try-again": { name: "To be retried", tone: "neutral" },
  "host-paused": { name: "Host paused", tone: "neutral" },
  "host-blocked": { name: "Host blocks us", tone: "bad" },
  "target-unreachable": { name: "Target out of reach", tone: "bad" },
  "value-failed": { name: "Value failed", tone: "bad" },
  "host-given-up": { name: "Host given up", tone: "bad" },
  "seed-lost": { name: "Seed lost", tone: "bad" },
  "seed-in-trouble": { name: "Seed failing", tone: "bad" },
  "scope-widened": { name: "Scope widened", tone: "moved" },
  "sitemap-failed": { name: "Sitemap not read", tone: "bad" },
  "render-decided": { name: "Rendering decided", tone: "neutral" },
  "script-made": { name: "Made by scripts", tone: "bad" },
  paused: { name: "Paused", tone: "neutral" },
  resumed: { name: "Resumed", tone: "good" },
  "limits-changed": { name: "Limits changed", tone: "neutral" },
  stopping: { name: "Stopping", tone: "neutral" },
};

export const sourceTexts: Readonly<Record<Source, string>> = {
  seed: "seed of the crawl",
  link: "a link",
  redirect: "a redirect",
  sitemap: "a sitemap",
  canonical: "a canonical link on another page",
  remote: "another process",
};

const hostStateNames: Readonly<Record<HostState, string>> = {
  free: "ready",
  busy: "fetching",
  done: "done",
  resting: "resting",
  paused: "paused",
  robots: "reading robots.txt",
  full: "page limit reached",
  "given-up": "given up",
};

/** "fetching 2", "resting 1 s", "paused for 30 s". */
export function hostStatusInWords({ state, pausedForMs, delayMs, underWay }: HostStatus): string {
  const name = hostStateNames[state];
  if (state === "busy") return underWay > 0 ? `${name} ${underWay}` : "its address is busy";
  if (state === "resting") return `${name} ${formatSeconds(delayMs / 1000)}`;
  if (pausedForMs === null) return name;
  return `${name} for ${formatSeconds(Math.ceil(pausedForMs / 1000))}`;
}
