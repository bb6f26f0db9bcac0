/**
 * The log as far as it was looked at: the newest entries first, older ones asked for when somebody scrolls there, new ones asked for as
 * the server tells that there are some. The server alone knows what a filter lets through, so news are asked for too.
 *
 * What is new waits while somebody reads further down, so that nothing moves under their eyes. At most `ENTRIES_MAX` entries are held.
 */
import type { Answer, LogEntry, LogList } from "../../protocol/http.ts";

export const ENTRIES_MAX = 20_000;
const ASK_COUNT = 100;
const HEAD_COUNT = 200;

export type AskLog = (
  query: { readonly before?: number; readonly count: number },
  signal: AbortSignal,
) => Promise<Exclude<Answer<LogList>, { state: "loading" }>>;

export class LogStore {
  rows: readonly LogEntry[] = [];
  /** Whether there was an answer. */
  isThere = false;
  /** New ones that wait to be shown. */
  pending: readonly LogEntry[] = [];
  /** There are more new ones than were asked for. */
  isGap = false;
  isOld = false;
  problem: string | undefined;
  /** New ones are shown as they come. */
  isFollowing = true;
  readonly #onChange: () => void;
  #ask: AskLog | undefined;
  #asking = new AbortController();
  /** Where older ones begin; undefined where there are none, or no more is held. */
  #next: number | undefined;
  #gapNext: number | undefined;
  #isAskingOlder = false;
  #isAskingNewer = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Whether there are older ones. */
  get more(): boolean {
    return this.#next !== undefined;
  }

  get isFull(): boolean {
    return this.rows.length >= ENTRIES_MAX;
  }

  question(ask: AskLog): void {
    this.#ask = ask;
    this.isOld = this.isThere;
    void this.#restart();
  }

  close(): void {
    this.#asking.abort();
    this.#ask = undefined;
  }

  /** Asks for what is older than the last row: again and again where a filter lets nothing through for long. */
  async older(): Promise<void> {
    if (this.#isAskingOlder || this.isOld) return;
    this.#isAskingOlder = true;
    const { length } = this.rows;
    while (this.#next !== undefined && !this.isFull && this.rows.length === length) {
      const before = this.#next;
      const list = await this.#list({ before, count: ASK_COUNT });
      if (list === undefined) return;
      this.rows = [...this.rows, ...list.rows].slice(0, ENTRIES_MAX);
      const next = nextOf(list);
      this.#next = next !== undefined && next < before && !this.isFull ? next : undefined;
    }
    this.#isAskingOlder = false;
    this.#onChange();
  }

  /** The server has told of something new. */
  async newer(): Promise<void> {
    if (this.#isAskingNewer || this.isOld || !this.isThere) return;
    this.#isAskingNewer = true;
    const list = await this.#list({ count: HEAD_COUNT });
    if (list === undefined) return;
    this.#isAskingNewer = false;
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

  /** Shows what is new. */
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
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#isAskingOlder = false;
    this.#isAskingNewer = false;
    this.#onChange();
    const list = await this.#list({ count: ASK_COUNT });
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

  /** Undefined where the question was taken back, or could not be answered. */
  async #list(query: { readonly before?: number; readonly count: number }): Promise<LogList | undefined> {
    const { signal } = this.#asking;
    const answer = await this.#ask?.(query, signal).catch(() => undefined);
    if (signal.aborted || answer === undefined) return undefined;
    this.problem = answer.state === "problem" ? answer.problem : undefined;
    if (answer.state === "there") return answer.value;
    this.#isAskingOlder = false;
    this.#isAskingNewer = false;
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
