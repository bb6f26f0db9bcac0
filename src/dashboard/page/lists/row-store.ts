/**
 * The rows of a list that is too long to hold. They are loaded in chunks of a hundred as they come into view, and
 * loaded again after a new survey. Old rows stay until new ones arrive, so nothing flickers or jumps.
 *
 * At most `CHUNKS_MAX` chunks are kept, and `REQUESTS_MAX` requests are in progress. Requests for rows that are no
 * longer in view are aborted.
 */
import type { SurveyProgress } from "../../../survey/index.ts";
import type { Arrived } from "../../protocol/http.ts";

export const CHUNK_ROWS = 100;
const CHUNKS_MAX = 50;
const REQUESTS_MAX = 4;
/** Between two requests of a search that is not done. */
const AGAIN_MS = 300;
/** During scrolling, requests are sent this often, and for so many rows ahead. */
const VIEW_MS = 60;
const AHEAD_ROWS = 30;

/** Part of a list. */
export interface RowsAnswer<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  /** Parts with the same number belong together. */
  readonly survey?: number;
  readonly searched?: { readonly done: number; readonly total: number };
}

export type FetchRows<Row> = (from: number, count: number, signal: AbortSignal) => Promise<Arrived<RowsAnswer<Row>>>;

/** What is known about the whole list. */
export interface ListState {
  /** Undefined until the first answer. */
  readonly total: number | undefined;
  readonly searched: RowsAnswer<unknown>["searched"];
  /** The rows shown belong to the previous list: those of the new one have not arrived. */
  readonly isOld: boolean;
  readonly notYet: SurveyProgress | undefined;
  readonly problem: string | undefined;
}

interface Chunk<Row> {
  readonly rows: readonly Row[];
  /** Shown, but to be loaded again. */
  isStale: boolean;
}

export class RowStore<Row> {
  state: ListState = { total: undefined, searched: undefined, isOld: false, notYet: undefined, problem: undefined };
  readonly #onChange: () => void;
  #fetchRows: FetchRows<Row> | undefined;
  #survey: number | undefined;
  /** In the order in which they arrived. */
  readonly #chunks = new Map<number, Chunk<Row>>();
  readonly #requests = new Map<number, AbortController>();
  #first = 0;
  #end = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #viewTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Opens another list. The rows of the previous one are shown until its own arrive. */
  open(fetchRows: FetchRows<Row>): void {
    this.#fetchRows = fetchRows;
    this.#cancelAll();
    this.#set({ isOld: this.state.total !== undefined, problem: undefined, notYet: undefined });
    this.#first = 0;
    this.#end = 1;
    for (const chunk of this.#chunks.values()) chunk.isStale = true;
    this.#load(0);
  }

  /** The rows may have changed, or the server is back: loads those in view again. */
  refresh(): void {
    for (const chunk of this.#chunks.values()) chunk.isStale = true;
    if (this.state.isOld || this.state.total === undefined) this.#load(0);
    else this.#loadView();
  }

  view(first: number, end: number): void {
    this.#first = Math.floor(Math.max(0, first - AHEAD_ROWS) / CHUNK_ROWS);
    this.#end = Math.max(this.#first + 1, Math.ceil((end + AHEAD_ROWS) / CHUNK_ROWS));
    if (this.state.isOld || this.state.total === undefined || this.#viewTimer !== undefined) return;
    this.#viewTimer = setTimeout(() => {
      this.#viewTimer = undefined;
      this.#loadView();
    }, VIEW_MS);
  }

  /** Undefined until it has arrived. */
  row(index: number): Row | undefined {
    return this.#chunks.get(Math.floor(index / CHUNK_ROWS))?.rows[index % CHUNK_ROWS];
  }

  close(): void {
    this.#fetchRows = undefined;
    this.#cancelAll();
  }

  #loadView(): void {
    for (const [index, request] of this.#requests) {
      if (index >= this.#first && index < this.#end) continue;
      request.abort();
      this.#requests.delete(index);
    }
    const last = Math.max(1, Math.ceil((this.state.total ?? 1) / CHUNK_ROWS));
    for (let index = Math.min(this.#first, last - 1); index < Math.min(this.#end, last); index++) {
      const chunk = this.#chunks.get(index);
      if (chunk === undefined || chunk.isStale) this.#load(index);
    }
  }

  #load(index: number): void {
    if (this.#fetchRows === undefined || this.#requests.has(index) || this.#requests.size >= REQUESTS_MAX) return;
    const request = new AbortController();
    this.#requests.set(index, request);
    this.#fetchRows(index * CHUNK_ROWS, CHUNK_ROWS, request.signal).then(
      (answer) => {
        // An aborted request may still be answered.
        if (this.#requests.get(index) !== request) return;
        this.#requests.delete(index);
        this.#take(index, answer);
      },
      () => undefined,
    );
  }

  #take(index: number, answer: Arrived<RowsAnswer<Row>>): void {
    if (answer.state === "not-yet") {
      this.#set({ notYet: answer.progress, problem: undefined });
      return;
    }
    if (answer.state === "problem") {
      this.#set({ problem: answer.problem, notYet: undefined });
      return;
    }
    const { total, rows, survey } = answer.value;
    const searched = unfinished(answer.value.searched);
    if (this.state.isOld) this.#chunks.clear();
    if (survey !== this.#survey) {
      for (const chunk of this.#chunks.values()) chunk.isStale = true;
      this.#survey = survey;
    }
    this.#chunks.delete(index);
    this.#chunks.set(index, { rows, isStale: searched !== undefined });
    this.#trim(Math.ceil(total / CHUNK_ROWS));
    this.#set({ total, searched, isOld: false, notYet: undefined, problem: undefined });
    if (searched === undefined) this.#loadView();
    else this.#loadSoon();
  }

  /** Removes chunks beyond the end, then the oldest ones that are out of view. */
  #trim(chunks: number): void {
    for (const index of this.#chunks.keys()) if (index >= chunks && index > 0) this.#chunks.delete(index);
    for (const index of this.#chunks.keys()) {
      if (this.#chunks.size <= CHUNKS_MAX) return;
      if (index < this.#first || index >= this.#end) this.#chunks.delete(index);
    }
  }

  #loadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#loadView(), AGAIN_MS);
  }

  #cancelAll(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#viewTimer);
    this.#viewTimer = undefined;
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }

  #set(change: Partial<ListState>): void {
    this.state = { ...this.state, ...change };
    this.#onChange();
  }
}

/** Undefined for a search that is done. */
function unfinished(searched: RowsAnswer<unknown>["searched"]): RowsAnswer<unknown>["searched"] {
  return searched !== undefined && searched.done < searched.total ? searched : undefined;
}
