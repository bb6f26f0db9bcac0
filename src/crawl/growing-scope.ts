/**
 * The scope of a crawl, to which the places belong where its seeds turn out to lead.
 *
 * Links are judged by the scope when their page is read, and a redirect when it comes. So the scope has to be settled
 * before the first page is read: what was out of the scope until then would be lost, and would look as if it were not
 * there. A seed that is slower than that must lead to a place that is in the scope already.
 *
 * In a list (`page`) every seed stands for its own page only, and may redirect at any time: a link counts there if its
 * target was on the list when the page was read.
 */
import type { CrawlStore } from "../store/index.ts";
import { Scope, type ScopeOptions } from "../web/index.ts";
import { changeStored } from "./settings/settings.ts";

export class GrowingScope extends Scope {
  /** Where seeds have led in this run, outside the scope that it started with. */
  readonly widened: string[] = [];
  readonly #isList: boolean;
  #isSettled: boolean;
  #saved = 0;

  constructor(options: ScopeOptions) {
    super(options);
    this.#isList = options.kind === "page";
    this.#isSettled = options.kind === "any";
  }

  /** Whether it does not matter when pages are read. */
  get isSettled(): boolean {
    return this.#isList || this.#isSettled;
  }

  settle(): void {
    this.#isSettled = true;
  }

  /** Whether a seed may lead to a canonical URL. */
  admits(url: string): boolean {
    return this.#isSettled && !this.#isList ? this.contains(url) : this.permits(url);
  }

  /** A seed has led to this page. */
  widen(url: string): void {
    this.add(url);
    this.widened.push(url);
  }

  /** Leaves what was added to later runs, all at once: a list may have a hundred thousand seeds. */
  save(store: Pick<CrawlStore, "settings" | "replaceSettings">): void {
    const added = this.widened.slice(this.#saved);
    if (added.length === 0) return;
    this.#saved = this.widened.length;
    changeStored(store, ({ web }) => {
      return { web: { ...web, scope: { ...web.scope, seeds: [...web.scope.seeds, ...added] } } };
    });
  }
}
