/** Parses requests: query parameters and controls. A 400 says what was received and what was expected. */
import { didYouMean, formatCount, quoted, UsageError } from "../../base/index.ts";
import { checkedLimits, limitNames, type Limits } from "../../crawl/index.ts";
import type { SurveyProgress } from "../../survey/index.ts";
import type { Control, LimitChanges } from "../protocol/http.ts";

export const ROWS_MAX = 200;
const ROWS_DEFAULT = 50;
/** Longer than the longest host name with a port; no search needs more. */
const TEXT_LENGTH_MAX = 260;
/** Far more than the rows of any list. */
const FROM_MAX = 2 ** 32;

/** A request that gets an error status and a sentence about what is wrong. */
export class HttpError extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 503;
  /** The progress of the first survey, if the request has to wait for it. */
  readonly surveying: SurveyProgress | undefined;

  constructor(status: HttpError["status"], problem: string, surveying?: SurveyProgress) {
    super(problem);
    this.status = status;
    this.surveying = surveying;
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

export function parseControl(body: string): Control {
  const { action, ...rest } = fields(parsed(body), "the body");
  if (action === "limits") {
    const { limits, ...more } = rest;
    expectNoMore(more);
    return { action, limits: parseLimits(fields(limits, "limits")) };
  }
  expectNoMore(rest);
  if (action === "pause" || action === "resume" || action === "stop") return { action };
  throw wrong("action", action, "one of pause, resume, stop, limits");
}

/** Checked by the crawl's own rules; null removes a limit. */
function parseLimits(given: Readonly<Record<string, unknown>>): LimitChanges {
  const limits = new Map<keyof Limits, number | null>();
  for (const [name, value] of Object.entries(given)) {
    const limit = limitNames.find((each) => each === name);
    if (limit === undefined) {
      throw new HttpError(400, `unknown limit ${quoted(name)}: expected one of ${limitNames.join(", ")}`);
    }
    if (value !== null && typeof value !== "number") throw wrong(name, value, "a number, or null for none");
    limits.set(limit, value);
  }
  expectValid(Object.fromEntries([...limits].filter(([, value]) => value !== null)));
  return Object.fromEntries(limits);
}

function expectValid(limits: Limits): void {
  try {
    checkedLimits(limits);
  } catch (error) {
    throw error instanceof UsageError ? new HttpError(400, error.message) : error;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new HttpError(400, "the body is not JSON: expected an object with an action");
  }
}

function fields(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(name, value, "an object");
}

function expectNoMore(rest: object): void {
  const [name] = Object.keys(rest);
  if (name !== undefined) throw new HttpError(400, `unknown field ${quoted(name)}: expected none besides action`);
}

function wrong(name: string, value: unknown, expected: string): HttpError {
  const got = value === undefined ? "missing" : quoted(JSON.stringify(value));
  return new HttpError(400, `${name} is ${got}: expected ${expected}`);
}
