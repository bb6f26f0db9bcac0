/** What pages count in coverage of value, by a function of the user. */
import { userValue } from "../coverage/index.ts";
import type { Visit } from "../log/index.ts";
import type { EffectQueue } from "./machine.ts";

/** A page as `valueOfPage` sees it. */
export interface ValuedPage extends Pick<Visit, "title" | "language" | "status" | "contentType"> {
  readonly url: string;
}

/** From 0, a page that is of no interest, to 1. */
export type ValueOfPage = (page: ValuedPage) => number;

/** Whatever the function does, no page is lost: one without a value that makes sense counts nothing. */
export class PageValues {
  readonly #valueOf: ValueOfPage;
  readonly #effects: EffectQueue;
  #hasFailed = false;

  constructor(valueOf: ValueOfPage, effects: EffectQueue) {
    this.#valueOf = valueOf;
    this.#effects = effects;
  }

  of(page: ValuedPage, atMs: number): number {
    const given = userValue(() => this.#valueOf(page));
    if (given.value !== undefined) return given.value;
    this.#failed(page.url, given.problem, atMs);
    return 0;
  }

  /** Once per run: a function that is wrong is wrong for many pages. */
  #failed(url: string, message: string, atMs: number): void {
    if (!this.#hasFailed) this.#effects.emit({ name: "value-failed", atMs, url, message });
    this.#hasFailed = true;
  }
}
