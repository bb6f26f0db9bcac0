/** Query parameters, checked before anything is done with them. A 400 says what was received and what was expected. */
import { didYouMean, formatCount, quoted } from "../../base/index.ts";

export const ROWS_MAX = 200;
const ROWS_DEFAULT = 50;
/** Longer than the longest host name with a port; no search needs more. */
const TEXT_LENGTH_MAX = 260;
/** Far more than the rows of any list. */
const FROM_MAX = 2 ** 32;

/** A request that gets an error status and a sentence about what is wrong. */
export class HttpError extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 415;

  constructor(status: HttpError["status"], problem: string) {
    super(problem);
    this.status = status;
  }
}

export interface Rows {
  readonly from: number;
  readonly count: number;
}

export class Query {
  readonly #given: URLSearchParams;

  constructor(url: string, known: readonly string[]) {
    this.#given = expectParameters(url, known);
  }

  /** Undefined if it is left out or empty. */
  text(name: string): string | undefined {
    const text = this.#given.get(name) ?? "";
    if (text.length > TEXT_LENGTH_MAX) {
      const problem = `${name} has ${formatCount(text.length)} characters: expected at most ${TEXT_LENGTH_MAX}`;
      throw new HttpError(400, problem);
    }
    return text === "" ? undefined : text;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    const problem = `${name} is ${quoted(text)}: expected ${listed(words)}.${didYouMean(text, words)}`;
    throw new HttpError(400, problem);
  }

  rows(): Rows {
    return { from: this.#integer("from", { min: 0, max: FROM_MAX, byDefault: 0 }), count: this.count() };
  }

  count(): number {
    return this.#integer("count", { min: 1, max: ROWS_MAX, byDefault: ROWS_DEFAULT });
  }

  /** A number that may have a fraction. */
  position(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,15}(\.\d{1,17})?$/.test(text)) return Number(text);
    throw new HttpError(400, `${name} is ${quoted(text)}: expected a number from 0`);
  }

  #integer(
    name: string,
    { min, max, byDefault }: { readonly min: number; readonly max: number; readonly byDefault: number },
  ): number {
    const text = this.text(name);
    if (text === undefined) return byDefault;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const expected = `expected a whole number from ${min} to ${formatCount(max)}`;
    throw new HttpError(400, `${name} is ${quoted(text)}: ${expected}`);
  }
}

/** Each at most once. */
export function expectParameters(url: string, known: readonly string[]): URLSearchParams {
  const given = new URL(url).searchParams;
  for (const name of new Set(given.keys())) {
    if (!known.includes(name)) {
      const problem = `unknown parameter ${quoted(name)}: expected ${listed(known)}.${didYouMean(name, known)}`;
      throw new HttpError(400, problem);
    }
    if (given.getAll(name).length > 1) throw new HttpError(400, `${name} is given twice: expected it once`);
  }
  return given;
}

/** An id in a path. There may be no such page. */
export function pageId(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new HttpError(400, `${quoted(text)} is not a page: expected its number`);
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? "no parameter" : `one of ${words.join(", ")}`;
}
