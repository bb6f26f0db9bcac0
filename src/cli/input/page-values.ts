/** What pages count in coverage of value: from a list, or from a function of the user. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { FailureError, messageOf, UsageError } from "../../base/index.ts";
import { withFile } from "../terminal/endings.ts";
import { type PageListContext, readWorths } from "./page-list.ts";
import type { UrlReader } from "./urls.ts";

export const VALUE_HELP =
  "one id or URL and a value from 0 to 1 per line (others count 1), or a module whose default export is a function " +
  "of { id, url } that returns the value";

/** A page as the function of a module sees it. */
interface ValuedPage {
  readonly id: number;
  /** Null where URLs are not known. */
  readonly url: string | null;
}

/** The value of every page. */
export async function pageValues(path: string, context: PageListContext): Promise<Float64Array> {
  return /\.[cm]?[jt]s$/.test(path) ? valuesByModule(path, context) : readWorths(path, context);
}

async function valuesByModule(path: string, { pages, urls, progress }: PageListContext): Promise<Float64Array> {
  const valueOf = await functionOf(path);
  const { userValue } = await import("../../coverage/index.ts");
  const values = new Float64Array(pages);
  let id = 0;
  for await (const url of urlsOrNull(urls, pages)) {
    const given = userValue(() => valueOf({ id, url }));
    const name = url === null ? `page ${id}` : `page ${id} (${url})`;
    if (given.value !== undefined) values[id] = given.value;
    else if (given.hasThrown) throw new FailureError(`${path}: the function throws at ${name}: ${given.problem}`);
    else throw new UsageError(`${path}: ${name}: ${given.problem}`);
    if (++id % 10_000 === 0) progress?.({ task: `valuing by ${path}`, done: id, total: pages, unit: "pages" });
  }
  return values;
}

async function functionOf(path: string): Promise<(page: ValuedPage) => unknown> {
  withFile(path, () => statSync(path));
  let module: { readonly default?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as typeof module;
  } catch (error) {
    throw new FailureError(`${path}: the module cannot be loaded: ${messageOf(error)}`);
  }
  if (typeof module.default === "function") return module.default as (page: ValuedPage) => unknown;
  throw new UsageError(`${path}: the module has no function as its default export; expected ({ id, url }) => number`);
}

async function* urlsOrNull(urls: UrlReader | undefined, pages: number): AsyncGenerator<string | null> {
  if (urls === undefined) for (let page = 0; page < pages; page++) yield null;
  else for await (const lines of urls.lines()) for (const line of lines) yield line.trim();
}
