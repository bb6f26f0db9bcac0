/** The settings that a crawl was begun with, as its directory has them: anything may have happened to them there. */
import { quoted, UsageError } from "../../base/index.ts";
import type { CrawlSettings } from "./settings.ts";

/** What is read of them must be there and of its kind; more may be there. */
export function parseSettings(json: string): CrawlSettings {
  const problem = problemOf(parsed(json), SHAPE, "");
  if (problem === undefined) return JSON.parse(json) as CrawlSettings;
  throw new UsageError(
    `the settings of this crawl are damaged (${problem}); restore them, or begin another directory`,
  );
}

type Shape =
  | "number"
  | "string"
  | "boolean"
  | { readonly each: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const SHAPE: Shape = {
  fields: {
    web: {
      fields: {
        scope: { fields: { kind: "string", seeds: { each: "string" } } },
        universe: "string",
        urlRules: { fields: {} },
        followNofollow: "boolean",
        honourCanonical: "boolean",
        sitemaps: "boolean",
        traps: { fields: {} },
        sameContentMax: "number",
        linksPerPageMax: "number",
        hashSeed: "number",
      },
    },
    seeds: { each: { fields: { url: "string", weight: "number" } } },
    order: "string",
    damping: "number",
    politeness: {
      fields: {
        delayMs: "number",
        concurrency: "number",
        perHost: "number",
        perAddress: "number",
        crawlDelayMsMax: "number",
      },
    },
    limits: { fields: {} },
    productToken: "string",
  },
};

/** Undefined for what is no JSON, which no shape has. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** In words, where something is not of its shape. */
function problemOf(value: unknown, shape: Shape, name: string): string | undefined {
  const wrong = (expected: string): string => {
    if (value === undefined) return name === "" ? "they are no JSON" : `${name} is missing`;
    return `${name === "" ? "they are" : `${name} is`} ${quoted(JSON.stringify(value))}, expected ${expected}`;
  };
  if (typeof shape === "string") return typeof value === shape ? undefined : wrong(`a ${shape}`);
  if ("each" in shape) {
    if (!Array.isArray(value)) return wrong("a list");
    for (const [k, each] of value.entries()) {
      const problem = problemOf(each, shape.each, `${name}[${k}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (typeof value !== "object" || value === null) return wrong("an object");
  for (const [key, inner] of Object.entries(shape.fields)) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    const problem = problemOf(field, inner, name === "" ? key : `${name}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
