/** The log: visits as the crawl's file has them, and between them the events of a crawl in this process. The newest first. */
import type { CrawlWindow } from "../../store/index.ts";
import type { Outcome } from "../../log/index.ts";
import type { EventName, LogEntry, LogList, LogQuery } from "../protocol/http.ts";
import type { Live } from "./live.ts";
import { eventEntry, visitEntry } from "./log-words.ts";
import { ROWS_MAX } from "./questions.ts";

export const LOG_ONLY = ["pages", "trouble", "events"] as const;

const TROUBLED_VISITS: readonly Outcome[] = ["dead", "refused", "try-again"];
const TROUBLED_EVENTS: ReadonlySet<EventName> = new Set([
  "host-paused",
  "host-given-up",
  "seed-lost",
  "seed-in-trouble",
]);

export type LogFilter = Pick<LogQuery, "before" | "only" | "host"> & { readonly count: number };

interface EventFilter {
  readonly before: number;
  readonly only: LogQuery["only"] | undefined;
  readonly host: string | undefined;
}

export class Log {
  readonly #window: CrawlWindow;
  readonly #live: Live | undefined;

  constructor(window: CrawlWindow, live: Live | undefined) {
    this.#window = window;
    this.#live = live;
  }

  list({ before = Number.MAX_SAFE_INTEGER, only, host, count }: LogFilter): LogList {
    const events = this.#events({ before, only, host });
    if (only === "events") {
      const rows = events.slice(0, count);
      return listOf(rows, rows.length < events.length ? rows.at(-1)?.key : undefined);
    }
    const { visits, reached } = this.#window.log({
      before: Math.ceil(before),
      count,
      ...(only === "trouble" ? { outcomes: TROUBLED_VISITS } : {}),
      ...(host === undefined ? {} : { host }),
    });
    // Events before the visits that were looked at belong to the next question.
    const end = reached > 1 ? reached : 0;
    const near = events.filter(({ key }) => key >= end);
    const all = [...visits.map(visitEntry), ...near].sort((a, b) => b.key - a.key);
    const rows = all.slice(0, count);
    if (rows.length < all.length) return listOf(rows, rows.at(-1)?.key);
    return listOf(rows, reached > 1 ? reached : undefined);
  }

  /** What was added after a key, the oldest first; where that is too much, only the newest of it. */
  since(key: number): LogEntry[] {
    return this.list({ count: ROWS_MAX })
      .rows.filter((entry) => entry.key > key)
      .toReversed();
  }

  /** The key of what was added last. */
  last(): number {
    return Math.max(this.#window.lastVisit(), this.#live?.events.at(-1)?.key ?? 0);
  }

  #events({ before, only, host }: EventFilter): LogEntry[] {
    if (only === "pages") return [];
    const entries = (this.#live?.events ?? []).map(eventEntry).filter(({ key }) => key < before);
    return entries
      .filter(({ event }) => only !== "trouble" || TROUBLED_EVENTS.has(event))
      .filter((entry) => host === undefined || entry.host === host)
      .toReversed();
  }
}

function listOf(rows: readonly LogEntry[], next: number | undefined): LogList {
  return { rows, more: next !== undefined, ...(next === undefined ? {} : { next }) };
}
