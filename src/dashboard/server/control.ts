/** Parses what the user wants from a crawl in this process. */
import { quoted, UsageError } from "../../base/index.ts";
import { checkedLimits, type Limits, limitNames } from "../../crawl/index.ts";
import type { Control } from "../protocol/http.ts";
import { HttpError } from "./query.ts";

type LimitChanges = Extract<Control, { limits: object }>["limits"];

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
  if (name !== undefined)
    throw new HttpError(400, `unknown field ${quoted(name)}: expected none besides action`);
}

function wrong(name: string, value: unknown, expected: string): HttpError {
  const got = value === undefined ? "missing" : quoted(JSON.stringify(value));
  return new HttpError(400, `${name} is ${got}: expected ${expected}`);
}
