/** The log: visits from the crawl's files, and between them the events of a crawl in this process. Newest first. */
import type { Outcome } from "../../log/index.ts";
import { encodeReason } from "../../log/index.ts";
import type { CrawlWindow, WindowVisit } from "../../store/index.ts";
import { type EventName, eventInWords, visitInWords } from "../../text/index.ts";
import type { LogEntry, LogList } from "../protocol/http.ts";
import type { KeyedEvent, Live } from "./running-crawl.ts";
import { hostOf } from "./page-detail.ts";
import { ROWS_MAX } from "./requests.ts";

export const LOG_ONLY = ["pages", "trouble", "events"] as const;

const FAILED_VISITS: readonly Outcome[] = ["dead", "refused", "try-again"];
const FAILURE_EVENTS = new Set<EventName>(["host-paused", "host-given-up", "seed-lost", "seed-in-trouble"]);

interface EventFilter {
  readonly only?: (typeof LOG_ONLY)[number] | undefined;
  readonly host?: string | undefined;
}

interface LogFilter extends EventFilter {
  readonly before?: number | undefined;
  readonly count: number;
}

export class Log {
  readonly #window: CrawlWindow;
  readonly #live: Live | undefined;

  constructor(window: CrawlWindow, live: Live | undefined) {
    this.#window = window;
    this.#live = live;
  }

  list({ before = Number.MAX_SAFE_INTEGER, only, host, count }: LogFilter): LogList {
    const events = this.#events(before, { only, host });
    if (only === "events") {
      const rows = events.slice(0, count);
      return listOf(rows, rows.length < events.length ? rows.at(-1)?.key : undefined);
    }
    const { visits, reached } = this.#window.log({
      before: Math.ceil(before),
      count,
      ...(only === "trouble" ? { outcomes: FAILED_VISITS } : {}),
      ...(host === undefined ? {} : { host }),
    });
    // Events before the visits that were read belong to the next request.
    const end = reached > 1 ? reached : 0;
    const near = events.filter(({ key }) => key >= end);
    const all = [...visits.map(visitEntry), ...near].sort((a, b) => b.key - a.key);
    const rows = all.slice(0, count);
    if (rows.length < all.length) return listOf(rows, rows.at(-1)?.key);
    return listOf(rows, reached > 1 ? reached : undefined);
  }

  /** Entries after a key, oldest first; if there are too many, only the newest of them. */
  since(key: number): LogEntry[] {
    return this.list({ count: ROWS_MAX })
      .rows.filter((entry) => entry.key > key)
      .toReversed();
  }

  /** The key of the newest entry. */
  last(): number {
    return Math.max(this.#window.lastVisit(), this.#live?.events.at(-1)?.key ?? 0);
  }

  #events(before: number, { only, host }: EventFilter): LogEntry[] {
    if (only === "pages") return [];
    const entries = (this.#live?.events ?? []).map(eventEntry).filter(({ key }) => key < before);
    return entries
      .filter(({ event }) => only !== "trouble" || FAILURE_EVENTS.has(event))
      .filter((entry) => host === undefined || entry.host === host)
      .toReversed();
  }
}

function listOf(rows: readonly LogEntry[], next: number | undefined): LogList {
  return { rows, more: next !== undefined, ...(next === undefined ? {} : { next }) };
}

function visitEntry(visit: WindowVisit): LogEntry {
  return {
    key: visit.number,
    atMs: visit.atMs,
    event: visit.outcome,
    text: visitInWords(visit),
    reason: encodeReason(visit),
    page: { id: visit.url, url: visit.name },
    host: hostOf(visit.name),
  };
}

function eventEntry({ key, event }: KeyedEvent): LogEntry {
  const isOfHost = event.name === "host-paused" || event.name === "host-given-up" || event.name === "render-decided";
  const isOfSeed = event.name === "seed-lost" || event.name === "seed-in-trouble" || event.name === "script-made";
  return {
    key,
    atMs: event.atMs,
    event: event.name,
    // What begins with a name or an address is left as it is.
    text: isOfHost || event.name === "script-made" ? eventInWords(event) : capitalized(eventInWords(event)),
    reason: "reason" in event ? event.reason : null,
    page: null,
    host: isOfHost ? event.host : isOfSeed ? hostOf(event.url) : null,
  };
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
