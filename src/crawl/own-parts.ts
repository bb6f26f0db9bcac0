/** What a program gives to `crawl`, in JavaScript perhaps: mistakes are told in its words, before they matter. */
import { kindOf, UsageError } from "../base/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { flagOf, type Setting } from "./settings/setting.ts";
import { settingsTable } from "./settings/table.ts";

/** The URLs to start from. */
export function expectUrls(given: unknown): string[] {
  const urls: unknown = typeof given === "string" ? [given] : given;
  if (!Array.isArray(urls)) throw new UsageError(`nothing to crawl: got ${kindOf(given)}; ${URLS_EXPECTED}`);
  if (urls.length === 0) throw new UsageError(`nothing to crawl: got an empty list; ${URLS_EXPECTED}`);
  const other: unknown = urls.find((url) => typeof url !== "string");
  if (other !== undefined) throw new UsageError(`a URL to crawl is ${kindOf(other)}; expected strings`);
  return urls as string[];
}

const URLS_EXPECTED = "expected a URL or a list of URLs, as strings";

/** All that it must have; a store that lacks one would fail in the middle of a crawl. */
const STORE_METHODS: Readonly<
  Record<Exclude<keyof CrawlStore, "urlCount" | "rereadCount" | "generation" | "expectLinks" | "scratch">, true>
> = {
  settings: true,
  origins: true,
  urls: true,
  visits: true,
  trust: true,
  received: true,
  looks: true,
  rounds: true,
  cuts: true,
  listedUrls: true,
  replaceSettings: true,
  meta: true,
  putMeta: true,
  addOrigin: true,
  addUrl: true,
  addVisit: true,
  addAnchors: true,
  addTexts: true,
  addReread: true,
  addLook: true,
  addRound: true,
  addCut: true,
  putReceived: true,
  replaceTrust: true,
  putRobots: true,
  putSitemap: true,
  commit: true,
  anchorsOf: true,
  textsOf: true,
  rereads: true,
  replacedVisits: true,
  deletableVisits: true,
  deleteVisits: true,
  condenseReads: true,
  robots: true,
  pathOf: true,
  close: true,
};

export function expectStore(given: CrawlStore): void {
  expectMethods("the crawlStore", given, Object.keys(STORE_METHODS) as (keyof CrawlStore)[]);
}

/** Settings by their flags. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries<Setting>(settingsTable).map(([name, setting]) => [flagOf(name, setting), name]),
);

/** A mistake of the user's with options by the names that they have in programs; any other error as it is. */
export function inWordsOfPrograms(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  const message = error.message.replace(/(?<![\w/-])--[a-z-]+/g, (flag) => NAMES.get(flag) ?? flag);
  return message === error.message ? error : new UsageError(message, { cause: error });
}

/** Throws a `UsageError` that names what `part` lacks. */
export function expectMethods<Part>(part: string, given: Part, methods: readonly (keyof Part & string)[]): void {
  if (typeof given !== "object" || given === null) {
    throw new UsageError(`${part} is ${kindOf(given)}; expected an object with methods`);
  }
  const missing = methods.filter((name) => typeof given[name] !== "function");
  if (missing.length > 0) throw new UsageError(`${part} has no ${missing.join(", ")}; expected all of its methods`);
}

/** What the hook `transform` has made of a page. */
export function expectHtml(made: unknown): string {
  if (typeof made !== "string") throw new UsageError(`transform returned ${kindOf(made)}; expected HTML, as a string`);
  return made;
}
