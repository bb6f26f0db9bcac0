/** From what a client wishes to the options of a crawl, within what the operator allows. */
import { counted, formatBytes, formatSeconds } from "../base/index.ts";
import type { CrawlOptions, StoredSettings } from "../crawl/index.ts";
import type { McpOptions, OperatorLimits } from "./options.ts";

export interface Wishes {
  readonly coverage?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly maxSeconds?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxDepth?: number | undefined;
  readonly scope?: "page" | "prefix" | "host" | "domain" | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export interface Granted {
  readonly options: CrawlOptions;
  readonly limits: OperatorLimits;
  /** Wishes that were not granted, in sentences. */
  readonly notes: readonly string[];
}

/** What the operator has set, a client cannot set. */
const OF_OPERATOR = ["scope", "include", "exclude", "maxDepth"] as const;

/** `before` are the settings of the crawl that is resumed. */
export function granted(
  wishes: Wishes,
  { settings, limits: most }: Pick<McpOptions, "settings" | "limits">,
  before: StoredSettings | undefined,
): Granted {
  const notes: string[] = [];
  const cut = (name: keyof OperatorLimits, wish: number | undefined): number => {
    if (wish !== undefined && wish > most[name]) {
      const { option, inWords } = LIMITS[name];
      notes.push(
        `${option}: ${inWords(wish)} was cut to ${inWords(most[name])}, the most that the operator of this ` +
          "server allows",
      );
    }
    return Math.min(wish ?? before?.limits[name] ?? Number.POSITIVE_INFINITY, most[name]);
  };
  const { maxPages, maxSeconds, maxBytes, coverage, ...others } = wishes;
  const limits = {
    pages: cut("pages", maxPages),
    bytes: cut("bytes", maxBytes),
    timeMs: cut("timeMs", maxSeconds === undefined ? undefined : maxSeconds * 1000),
  };
  const allowed: { -readonly [Name in (typeof OF_OPERATOR)[number]]?: Wishes[Name] } = { ...others };
  for (const name of OF_OPERATOR) {
    if (settings[name] === undefined || allowed[name] === undefined) continue;
    delete allowed[name];
    notes.push(`${name} was ignored: the operator of this server has set it`);
  }
  const texts = new Set([...(before?.texts ?? settings.store ?? []), "markdown" as const]);
  const options: CrawlOptions = {
    ...settings,
    ...defined(allowed),
    ...(coverage === undefined ? {} : { coverage }),
    maxPages: limits.pages,
    maxBytes: limits.bytes,
    maxTime: limits.timeMs,
    store: [...texts],
    // What is handed to a model is input of a model: pages whose owners forbid that are left out.
    ...(before === undefined ? { purpose: settings.purpose ?? "ai-input" } : {}),
    // Also for a crawl that was allowed more when it was started.
    allowPrivate: settings.allowPrivate ?? false,
  };
  return { options, limits, notes };
}

interface LimitWords {
  readonly option: keyof Wishes;
  readonly inWords: (value: number) => string;
}

const LIMITS: Readonly<Record<keyof OperatorLimits, LimitWords>> = {
  pages: { option: "maxPages", inWords: (count) => counted(count, "page") },
  bytes: { option: "maxBytes", inWords: formatBytes },
  timeMs: { option: "maxSeconds", inWords: (ms) => formatSeconds(ms / 1000) },
};

function defined<T extends object>(options: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
