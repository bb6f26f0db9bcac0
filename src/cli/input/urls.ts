/**
 * The file of URLs, line i for page i. It is read as often as it is needed rather than kept: the URLs of ten million
 * pages would take a gigabyte.
 */
import { statSync } from "node:fs";
import { FailureError, type Progress, UsageError } from "../../base/index.ts";
import { type Hosts, HostsDecoder } from "../../graph/index.ts";
import { withFile } from "../terminal/endings.ts";
import { readBytes } from "./bytes.ts";
import { readLines } from "./lines.ts";

/** Where the URLs of pages stand, in order: a file, by its path, or something else that is read as often as asked. */
export type UrlSource = string | UrlReader;

export interface UrlReader {
  /** For messages: where they stand. */
  readonly name: string;
  /** Some at a time. */
  lines(): AsyncIterable<string[]>;
}

export function urlLines(source: UrlSource): AsyncIterable<string[]> {
  return typeof source === "string" ? readLines(source) : source.lines();
}

export function nameOfUrls(source: UrlSource): string {
  return typeof source === "string" ? source : source.name;
}

export async function readHosts(path: string, by: "host" | "domain", progress: Progress): Promise<Hosts> {
  if (!withFile(path, () => statSync(path)).isFile()) {
    throw new UsageError(`${path} is not a regular file; URLs are read more than once, store them in one`);
  }
  const decoder = new HostsDecoder({ by });
  for await (const chunk of readBytes(path, progress)) withFile(path, () => decoder.push(chunk));
  return withFile(path, () => decoder.finish());
}

/** The pages of some URLs; those that the file lacks are left out, of those it has twice the first page counts. */
export async function pagesOfUrls(
  source: UrlSource,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let page = 0;
  for await (const lines of urlLines(source)) {
    for (const line of lines) {
      const url = line.trim();
      if (wanted.has(url) && !found.has(url)) found.set(url, page);
      page++;
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

/** The URLs of some pages. */
export async function urlsOfPages(
  source: UrlSource,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  let page = 0;
  for await (const lines of urlLines(source)) {
    for (const line of lines) {
      if (wanted.has(page)) found.set(page, line.trim());
      page++;
    }
    if (found.size === wanted.size) return found;
  }
  throw new FailureError(`${nameOfUrls(source)} has become shorter while it was used`);
}
