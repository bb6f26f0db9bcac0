/** What a user may ask of a crawl in this process: checked here, done there. */
import { quoted } from "../../base/index.ts";
import type { Control, Limits } from "../protocol.ts";
import { Refusal } from "./questions.ts";

const WHOLE: ReadonlySet<keyof Limits> = new Set(["pages", "depth", "timeMs", "bytes", "pagesPerHost"]);

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

function parseLimits(
  given: Readonly<Record<string, unknown>>,
): Extract<Control, { limits: object }>["limits"] {
  const limits: { -readonly [name in keyof Limits]?: number | null } = {};
  for (const [name, value] of Object.entries(given)) {
    const isCoverage = name === "coverage";
    if (!isCoverage && !WHOLE.has(name as keyof Limits)) {
      throw new Refusal(
        400,
        `unknown limit ${quoted(name)}: expected one of coverage, ${[...WHOLE].join(", ")}`,
      );
    }
    limits[name as keyof Limits] = isCoverage ? share(value) : whole(name, value);
  }
  return limits;
}

function share(value: unknown): number | null {
  if (value === null || (typeof value === "number" && value > 0 && value <= 1)) return value;
  throw wrong("coverage", value, "a share above 0 and at most 1, or null for none");
}

function whole(name: string, value: unknown): number | null {
  if (value === null || (Number.isSafeInteger(value) && (value as number) > 0)) return value as number | null;
  throw wrong(name, value, "a whole number above 0, or null for none");
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
