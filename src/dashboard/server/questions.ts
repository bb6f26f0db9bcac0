/** What is asked in an address, checked before anything is done with it: each answer of 400 says what was got and what was expected. */
import { didYouMean, formatCount, quoted } from "../../base/index.ts";

export const ROWS_MAX = 200;
const ROWS_USUAL = 50;
/** The longest name of a host with its port is shorter, and no search needs more. */
const TEXT_LENGTH_MAX = 260;
/** Far beyond the rows of any list. */
const FROM_MAX = 2 ** 32;

/** A question that gets no answer but a sentence about what is wrong with it. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 415;

  constructor(status: Refusal["status"], problem: string) {
    super(problem);
    this.status = status;
  }
}

export class Questions {
  readonly #given: URLSearchParams;

  constructor(given: URLSearchParams, known: readonly string[]) {
    for (const name of new Set(given.keys())) {
      if (!known.includes(name)) {
        throw new Refusal(
          400,
          `unknown parameter ${quoted(name)}: expected ${listed(known)}.${didYouMean(name, known)}`,
        );
      }
      if (given.getAll(name).length > 1) throw new Refusal(400, `${name} is given twice: expected it once`);
    }
    this.#given = given;
  }

  /** Undefined where it is left out or empty. */
  text(name: string): string | undefined {
    const text = this.#given.get(name) ?? "";
    if (text.length > TEXT_LENGTH_MAX) {
      throw new Refusal(
        400,
        `${name} has ${formatCount(text.length)} characters: expected at most ${TEXT_LENGTH_MAX}`,
      );
    }
    return text === "" ? undefined : text;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new Refusal(
      400,
      `${name} is ${quoted(text)}: expected ${listed(words)}.${didYouMean(text, words)}`,
    );
  }

  from(): number {
    return this.#number("from", 0, FROM_MAX, 0);
  }

  count(): number {
    return this.#number("count", 1, ROWS_MAX, ROWS_USUAL);
  }

  /** A number that need not be whole. */
  position(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,15}(\.\d{1,17})?$/.test(text)) return Number(text);
    throw new Refusal(400, `${name} is ${quoted(text)}: expected a number from 0`);
  }

  #number(name: string, least: number, most: number, usual: number): number {
    const text = this.text(name);
    if (text === undefined) return usual;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new Refusal(
      400,
      `${name} is ${quoted(text)}: expected a whole number from ${least} to ${formatCount(most)}`,
    );
  }
}

/** An id in a path, which need not exist. */
export function wholeId(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Refusal(400, `${quoted(text)} is no page: expected its number`);
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? "no parameter" : `one of ${words.join(", ")}`;
}
