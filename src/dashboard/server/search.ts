/**
 * Searches of the text. The index is brought up to date in steps, some with each request, so that no other request
 * waits for long: the page repeats its request until the index is complete, and shows what was found so far.
 */
import { FailureError, type ProgressStep, type Timers, UsageError } from "../../base/index.ts";
import { hasTexts, searchCrawl, SearchIndex, TextReader } from "../../content/index.ts";
import { type CrawlWindow, openCrawlReadOnly, type ReadOptions } from "../../store/index.ts";
import { type NumberedSurvey, searchImportance, type Survey } from "../../survey/index.ts";
import type { SearchList } from "../protocol/http.ts";
import type { Pages } from "./pages.ts";
import { HttpError, type Rows } from "./requests.ts";

/** How long a request indexes; the step under way ends in any case. */
const BUDGET_MS = 200;
/** A running crawl always has new pages: how long the index may be without them. */
const PAUSE_MS = 10_000;

interface SearchFilter {
  readonly q: string | undefined;
  readonly host: string | undefined;
}

/** The window shows the same moment. */
interface SearchesOptions extends ReadOptions {
  readonly dir: string;
  readonly window: CrawlWindow;
  readonly pages: Pages;
  readonly timers: Timers;
}

export class Searches {
  readonly #options: SearchesOptions;
  #index: SearchIndex | undefined;
  /** The update under way. */
  #update: Generator<ProgressStep> | undefined;
  #updatedMs = Number.NEGATIVE_INFINITY;

  constructor(options: SearchesOptions) {
    this.#options = options;
  }

  list({ number, survey }: NumberedSurvey, { q, host }: SearchFilter, rows: Rows): SearchList {
    const { dir, window, pages, atMs } = this.#options;
    if (!hasTexts(dir, window)) {
      throw new HttpError(404, "this crawl has no text of its pages: crawl with --store text");
    }
    const store = openCrawlReadOnly(dir, { atMs });
    try {
      this.#index ??= new SearchIndex(dir, { atMs });
      const searched = this.#advance(this.#index);
      const found = searchCrawl(
        { index: this.#index, store, texts: new TextReader(dir, store) },
        { query: q ?? "", importance: searchImportance(survey), isWanted: onHost(survey, host), ...rows },
      );
      const lines = pages.lines(
        survey,
        found.pages.map(({ id }) => id),
      );
      const excerpts = new Map(found.pages.map(({ id, excerpt }) => [id, excerpt]));
      return {
        survey: number,
        total: found.total,
        rows: lines.map((line) => ({ ...line, excerpt: excerpts.get(line.id) ?? [] })),
        ...(searched !== undefined && { searched: { done: searched.done, total: searched.total ?? searched.done } }),
      };
    } catch (error) {
      if (error instanceof UsageError) throw new HttpError(400, error.message);
      if (!(error instanceof FailureError)) throw error;
      // The next request opens it again.
      this.close();
      throw new HttpError(503, error.message);
    } finally {
      store.close();
    }
  }

  close(): void {
    this.#index?.close();
    this.#index = undefined;
    this.#update = undefined;
    this.#updatedMs = Number.NEGATIVE_INFINITY;
  }

  /** Undefined if the index is complete, or was a moment ago. */
  #advance(index: SearchIndex): ProgressStep | undefined {
    const { timers } = this.#options;
    if (this.#update === undefined && timers.nowMs() - this.#updatedMs < PAUSE_MS) return undefined;
    this.#update ??= index.update();
    const until = timers.nowMs() + BUDGET_MS;
    for (;;) {
      const step = this.#update.next();
      if (step.done === true) break;
      if (timers.nowMs() >= until) return step.value;
    }
    this.#update = undefined;
    this.#updatedMs = timers.nowMs();
    return undefined;
  }
}

function onHost({ facts, hostOf }: Survey, name: string | undefined): (id: number) => boolean {
  if (name === undefined) return () => true;
  const host = facts.hosts.findIndex((each) => each.host === name);
  return (id) => host >= 0 && hostOf[id] === host;
}
