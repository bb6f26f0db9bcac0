/**
 * The log as far as it was looked at: the newest entries first, older ones asked for when somebody scrolls there, new ones asked for as
 * the server tells that there are some. The server alone knows what a filter lets through, so news are asked for too.
 *
 * What is new waits while somebody reads further down, so that nothing moves under their eyes. At most `ENTRIES_MAX` entries are held.
 */
import type { Answer } from "../answer.ts";
import type { LogEntry, LogList } from "../../protocol.ts";

export const ENTRIES_MAX = 20_000;
const ASK_COUNT = 100;
const HEAD_COUNT = 200;

export type AskLog = (
  query: { readonly before?: number; readonly count: number },
  signal: AbortSignal,
) => Promise<Exclude<Answer<LogList>, { state: "loading" }>>;

export class LogStore {
  rows: readonly LogEntry[] = [];
  /** Undefined until the first answer; whether there are older ones. */
  more: boolean | undefined;
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
  #isAskingOlder = false;
  #isAskingNewer = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isFull(): boolean {
    return this.rows.length >= ENTRIES_MAX;
  }

  question(ask: AskLog): void {
    this.#ask = ask;
    this.isOld = this.more !== undefined;
    void this.#restart();
  }

  close(): void {
    this.#asking.abort();
    this.#ask = undefined;
  }

  /** Asks for what is older than the last row. */
  async older(): Promise<void> {
    const last = this.rows.at(-1);
    if (this.#ask === undefined || last === undefined || this.more !== true) return;
    if (this.#isAskingOlder || this.isOld || this.isFull) return;
    this.#isAskingOlder = true;
    const list = await this.#list({ before: last.key, count: ASK_COUNT });
    if (list === undefined) return;
    this.#isAskingOlder = false;
    this.rows = [...this.rows, ...list.rows].slice(0, ENTRIES_MAX);
    this.more = list.more && !this.isFull;
    this.#onChange();
  }

  /** The server has told of something new. */
  async newer(): Promise<void> {
    if (this.#ask === undefined || this.#isAskingNewer || this.isOld || this.more === undefined) return;
    this.#isAskingNewer = true;
    const list = await this.#list({ count: HEAD_COUNT });
    if (list === undefined) return;
    this.#isAskingNewer = false;
    const newest = this.rows[0];
    const known = newest === undefined ? -1 : list.rows.findIndex((entry) => isSame(entry, newest));
    this.isGap = known === -1 && newest !== undefined && list.rows.length > 0;
    this.pending = known === -1 ? list.rows : list.rows.slice(0, known);
    if (this.isGap) this.#gapMore = list.more;
    if (this.isFollowing) this.show();
    else this.#onChange();
  }

  #gapMore = false;

  /** Shows what is new. */
  show(): void {
    if (this.isGap) {
      this.rows = this.pending;
      this.more = this.#gapMore;
    } else {
      this.rows = [...this.pending, ...this.rows];
      if (this.rows.length > ENTRIES_MAX) {
        this.rows = this.rows.slice(0, ENTRIES_MAX);
        this.more = false;
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
    this.more = list.more;
    this.pending = [];
    this.isGap = false;
    this.isOld = false;
    this.#onChange();
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

function isSame(a: LogEntry, b: LogEntry): boolean {
  return a.key === b.key && a.event === b.event && a.atMs === b.atMs;
}
