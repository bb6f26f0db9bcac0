/** What a user may ask of a crawl in this process: checked here, done there. */
import { quoted, UsageError } from "../../base/index.ts";
import { checkedLimits, limitNames, type Limits } from "../../crawl/index.ts";
import type { Control } from "../protocol/http.ts";
import { Refusal } from "./questions.ts";

type Limitation = Extract<Control, { limits: object }>["limits"];

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

/** By the crawl's own rules; where it is null, a limit is taken away. */
function parseLimits(given: Readonly<Record<string, unknown>>): Limitation {
  const limits = new Map<keyof Limits, number | null>();
  for (const [name, value] of Object.entries(given)) {
    const limit = limitNames.find((each) => each === name);
    if (limit === undefined) {
      throw new Refusal(400, `unknown limit ${quoted(name)}: expected one of ${limitNames.join(", ")}`);
    }
    if (value !== null && typeof value !== "number") throw wrong(name, value, "a number, or null for none");
    limits.set(limit, value);
  }
  expectSense(Object.fromEntries([...limits].filter(([, value]) => value !== null)));
  return Object.fromEntries(limits);
}

function expectSense(limits: Limits): void {
  try {
    checkedLimits(limits);
  } catch (error) {
    throw error instanceof UsageError ? new Refusal(400, error.message) : error;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, "the body is no JSON: expected an object with an action");
  }
}

function fields(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(name, value, "an object");
}

function expectNoMore(rest: object): void {
  const [name] = Object.keys(rest);
  if (name !== undefined)
    throw new Refusal(400, `unknown field ${quoted(name)}: expected none beside action`);
}

function wrong(name: string, value: unknown, expected: string): Refusal {
  const got = value === undefined ? "missing" : quoted(JSON.stringify(value));
  return new Refusal(400, `${name} is ${got}: expected ${expected}`);
}
