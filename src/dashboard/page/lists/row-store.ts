/**
 * Rows of a list that is too long to hold: asked for in pages of a hundred as they come into view, kept while there is room, asked for
 * anew when the crawl was surveyed again. What is shown stays until what replaces it has come, so that nothing flickers or jumps.
 *
 * At most `PAGES_MAX` pages are kept and `ASKING_MAX` questions are under way; questions about rows that are out of view again are taken
 * back.
 */
import type { Answer } from "../../protocol/http.ts";
import type { SurveyProgress } from "../../../survey/index.ts";

export const PAGE_ROWS = 100;
const PAGES_MAX = 50;
const ASKING_MAX = 4;
/** Between two questions about a search that is not done. */
const AGAIN_MS = 300;
/** While somebody scrolls on and on, questions are asked this often; and this many rows ahead. */
const LOOK_MS = 60;
const AHEAD_ROWS = 30;

/** A piece of a list as servers answer it. */
export interface RowsAnswer<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  /** Pieces of one number belong together. */
  readonly survey?: number;
  readonly searched?: { readonly done: number; readonly total: number };
}

export type AskRows<Row> = (
  from: number,
  count: number,
  signal: AbortSignal,
) => Promise<Exclude<Answer<RowsAnswer<Row>>, { state: "loading" }>>;

/** What is known of the list as a whole. */
export interface ListState {
  /** Undefined until the first answer. */
  readonly total: number | undefined;
  readonly searched: RowsAnswer<unknown>["searched"];
  /** The question has changed and its answer is not there: what is shown answers the one before. */
  readonly isOld: boolean;
  readonly notYet: SurveyProgress | undefined;
  readonly problem: string | undefined;
}

interface Piece<Row> {
  readonly rows: readonly Row[];
  /** Shown, but to be asked for anew. */
  isStale: boolean;
}

export class RowStore<Row> {
  state: ListState = {
    total: undefined,
    searched: undefined,
    isOld: false,
    notYet: undefined,
    problem: undefined,
  };
  readonly #onChange: () => void;
  #ask: AskRows<Row> | undefined;
  #survey: number | undefined;
  /** In the sequence in which they came. */
  readonly #pieces = new Map<number, Piece<Row>>();
  readonly #asking = new Map<number, AbortController>();
  #first = 0;
  #end = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lookTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Asks another question; what answered the one before is shown until its answer comes. */
  question(ask: AskRows<Row>): void {
    this.#ask = ask;
    this.#cancelAll();
    this.#set({ isOld: this.state.total !== undefined, problem: undefined, notYet: undefined });
    this.#first = 0;
    this.#end = 1;
    for (const piece of this.#pieces.values()) piece.isStale = true;
    this.#askFor(0);
  }

  /** The answers may have changed, or there is somebody to answer again: those in view are asked for. */
  refresh(): void {
    for (const piece of this.#pieces.values()) piece.isStale = true;
    if (this.state.isOld || this.state.total === undefined) this.#askFor(0);
    else this.#askInView();
  }

  /** Rows in view, from `first` to before `end`. */
  look(first: number, end: number): void {
    this.#first = Math.floor(Math.max(0, first - AHEAD_ROWS) / PAGE_ROWS);
    this.#end = Math.max(this.#first + 1, Math.ceil((end + AHEAD_ROWS) / PAGE_ROWS));
    if (this.state.isOld || this.state.total === undefined || this.#lookTimer !== undefined) return;
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined;
      this.#askInView();
    }, LOOK_MS);
  }

  /** Undefined while it is not there. */
  row(index: number): Row | undefined {
    return this.#pieces.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS];
  }

  close(): void {
    this.#ask = undefined;
    this.#cancelAll();
  }

  #askInView(): void {
    for (const [page, asking] of this.#asking) {
      if (page >= this.#first && page < this.#end) continue;
      asking.abort();
      this.#asking.delete(page);
    }
    const last = Math.max(1, Math.ceil((this.state.total ?? 1) / PAGE_ROWS));
    for (let page = Math.min(this.#first, last - 1); page < Math.min(this.#end, last); page++) {
      const piece = this.#pieces.get(page);
      if (piece === undefined || piece.isStale) this.#askFor(page);
    }
  }

  #askFor(page: number): void {
    if (this.#ask === undefined || this.#asking.has(page) || this.#asking.size >= ASKING_MAX) return;
    const asking = new AbortController();
    this.#asking.set(page, asking);
    this.#ask(page * PAGE_ROWS, PAGE_ROWS, asking.signal).then(
      (answer) => {
        // A question that was taken back may be answered all the same.
        if (this.#asking.get(page) !== asking) return;
        this.#asking.delete(page);
        this.#take(page, answer);
      },
      () => undefined,
    );
  }

  #take(page: number, answer: Exclude<Answer<RowsAnswer<Row>>, { state: "loading" }>): void {
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
    if (this.state.isOld) this.#pieces.clear();
    if (survey !== this.#survey) {
      for (const piece of this.#pieces.values()) piece.isStale = true;
      this.#survey = survey;
    }
    this.#pieces.delete(page);
    this.#pieces.set(page, { rows, isStale: searched !== undefined });
    this.#trim(Math.ceil(total / PAGE_ROWS));
    this.#set({ total, searched, isOld: false, notYet: undefined, problem: undefined });
    if (searched === undefined) this.#askInView();
    else this.#askSoon();
  }

  /** Pages beyond the end go, then those that came first and are out of view. */
  #trim(pages: number): void {
    for (const page of this.#pieces.keys()) if (page >= pages && page > 0) this.#pieces.delete(page);
    for (const page of this.#pieces.keys()) {
      if (this.#pieces.size <= PAGES_MAX) return;
      if (page < this.#first || page >= this.#end) this.#pieces.delete(page);
    }
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#askInView(), AGAIN_MS);
  }

  #cancelAll(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lookTimer);
    this.#lookTimer = undefined;
    for (const asking of this.#asking.values()) asking.abort();
    this.#asking.clear();
  }

  #set(change: Partial<ListState>): void {
    this.state = { ...this.state, ...change };
    this.#onChange();
  }
}

/** A search that is done may still say how far it went. */
function unfinished(searched: RowsAnswer<unknown>["searched"]): RowsAnswer<unknown>["searched"] {
  return searched !== undefined && searched.done < searched.total ? searched : undefined;
}
