/**
 * The loaded part of the log, newest entries first. Older entries are loaded when the user scrolls there, new ones when
 * the server announces them. Only the server can apply the filter, so new entries are loaded with a request too.
 *
 * New entries wait while the user reads further down, so nothing moves. At most `ENTRIES_MAX` entries are kept.
 */
import type { Arrived, LogEntry, LogList } from "../../protocol/http.ts";

export const ENTRIES_MAX = 20_000;
const OLDER_COUNT = 100;
const HEAD_COUNT = 200;

export type FetchLog = (
  query: { readonly before?: number; readonly count: number },
  signal: AbortSignal,
) => Promise<Arrived<LogList>>;

export class LogStore {
  rows: readonly LogEntry[] = [];
  /** Whether the first entries have arrived. */
  isThere = false;
  /** New entries that wait to be shown. */
  pending: readonly LogEntry[] = [];
  /** There are more new entries than were loaded. */
  isGap = false;
  isOld = false;
  problem: string | undefined;
  /** New entries are shown at once. */
  isFollowing = true;
  readonly #onChange: () => void;
  #fetchLog: FetchLog | undefined;
  #request = new AbortController();
  /** Where older entries begin; undefined if there are none, or the list is full. */
  #next: number | undefined;
  #gapNext: number | undefined;
  #isLoadingOlder = false;
  #isLoadingNewer = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Whether there are older entries. */
  get more(): boolean {
    return this.#next !== undefined;
  }

  get isFull(): boolean {
    return this.rows.length >= ENTRIES_MAX;
  }

  open(fetchLog: FetchLog): void {
    this.#fetchLog = fetchLog;
    this.isOld = this.isThere;
    void this.#restart();
  }

  close(): void {
    this.#request.abort();
    this.#fetchLog = undefined;
  }

  /** Loads older entries. With a rare filter, it repeats the request until some are found. */
  async older(): Promise<void> {
    if (this.#isLoadingOlder || this.isOld) return;
    this.#isLoadingOlder = true;
    const { length } = this.rows;
    while (this.#next !== undefined && !this.isFull && this.rows.length === length) {
      const before = this.#next;
      const list = await this.#list({ before, count: OLDER_COUNT });
      if (list === undefined) return;
      this.rows = [...this.rows, ...list.rows].slice(0, ENTRIES_MAX);
      const next = nextOf(list);
      this.#next = next !== undefined && next < before && !this.isFull ? next : undefined;
    }
    this.#isLoadingOlder = false;
    this.#onChange();
  }

  /** The server has announced new entries. */
  async newer(): Promise<void> {
    if (this.#isLoadingNewer || this.isOld || !this.isThere) return;
    this.#isLoadingNewer = true;
    const list = await this.#list({ count: HEAD_COUNT });
    if (list === undefined) return;
    this.#isLoadingNewer = false;
    const newest = this.rows[0];
    const known = newest === undefined ? -1 : list.rows.findIndex((entry) => isSame(entry, newest));
    const next = nextOf(list);
    this.isGap = known === -1 && newest !== undefined && next !== undefined && next > newest.key;
    this.#gapNext = next;
    this.pending =
      known === -1
        ? list.rows.filter(({ key }) => newest === undefined || key > newest.key)
        : list.rows.slice(0, known);
    if (this.isFollowing) this.show();
    else this.#onChange();
  }

  /** Shows the new entries. */
  show(): void {
    if (this.isGap) {
      this.rows = this.pending;
      this.#next = this.#gapNext;
    } else {
      this.rows = [...this.pending, ...this.rows];
      if (this.rows.length > ENTRIES_MAX) {
        this.rows = this.rows.slice(0, ENTRIES_MAX);
        this.#next = undefined;
      }
    }
    this.pending = [];
    this.isGap = false;
    this.#onChange();
  }

  async #restart(): Promise<void> {
    this.#request.abort();
    this.#request = new AbortController();
    this.#isLoadingOlder = false;
    this.#isLoadingNewer = false;
    this.#onChange();
    const list = await this.#list({ count: OLDER_COUNT });
    if (list === undefined) return;
    this.rows = list.rows;
    this.#next = nextOf(list);
    this.isThere = true;
    this.pending = [];
    this.isGap = false;
    this.isOld = false;
    this.#onChange();
    if (this.rows.length === 0) void this.older();
  }

  /** Undefined if the request was aborted or failed. */
  async #list(query: { readonly before?: number; readonly count: number }): Promise<LogList | undefined> {
    const { signal } = this.#request;
    const answer = await this.#fetchLog?.(query, signal).catch(() => undefined);
    if (signal.aborted || answer === undefined) return undefined;
    this.problem = answer.state === "problem" ? answer.problem : undefined;
    if (answer.state === "there") return answer.value;
    this.#isLoadingOlder = false;
    this.#isLoadingNewer = false;
    this.#onChange();
    return undefined;
  }
}

function nextOf({ rows, more, next }: LogList): number | undefined {
  return more ? (next ?? rows.at(-1)?.key) : undefined;
}

function isSame(a: LogEntry, b: LogEntry): boolean {
  return a.key === b.key && a.event === b.event && a.atMs === b.atMs;
}
