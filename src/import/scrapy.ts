/**
 * Items of Scrapy as JSON lines, or as the JSON array that Scrapy writes, one item per line: `url`, `links` (URLs, or
 * objects with `url` and `nofollow`), and where there are any `status`, `title`, `language`, `content_type`, `date`.
 *
 * Scrapy follows what a spider chooses, and an item has the links that its author kept. So links are complete only if
 * the user says so, and those of an item without `links` never are.
 */
import { UsageError } from "../base/index.ts";
import type { ImportedPage, ReportedLinks } from "../crawl/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { tellDamage } from "./files.ts";
import { answerWith } from "./http-message.ts";
import { linesOf } from "./lines.ts";
import { isLinkless, oddLines } from "./reported.ts";

type Item = Readonly<Record<string, unknown>>;

export async function* scrapyPages(files: readonly ImportFile[], options: ReadOptions): AsyncGenerator<ImportedPage> {
  for (const { path } of files) {
    try {
      yield* itemsOf(path, options);
    } catch (error) {
      tellDamage(path, error, options);
    }
  }
}

async function* itemsOf(path: string, options: ReadOptions): AsyncGenerator<ImportedPage> {
  let number = 0;
  let pages = 0;
  let fields: readonly string[] = [];
  const broken: number[] = [];
  for await (const lines of linesOf(path, options.progress)) {
    for (const line of lines) {
      number++;
      const items = line.trim() === "" ? [] : itemsIn(line);
      if (items === undefined) broken.push(number);
      for (const item of items ?? []) {
        if (fields.length === 0) fields = Object.keys(item);
        const page = pageOf(item, options);
        if (page === undefined) {
          options.addressless();
          continue;
        }
        pages++;
        yield page;
      }
    }
  }
  if (broken.length > 0) {
    options.damaged({ path, message: `${path}: ${oddLines(broken)} not an item in JSON, and left out` });
  }
  if (pages > 0 || number === 0) return;
  throw new UsageError(
    `${path}: expected items with a "url" of a web page; got ${fields.length === 0 ? "none" : fields.join(", ")}`,
  );
}

/** An item, one of the array that Scrapy writes, or all of an array; undefined for what is no JSON. */
function itemsIn(line: string): readonly Item[] | undefined {
  const value = parsed(line.replace(/^\ufeff?\s*\[?\s*/, "").replace(/\s*[,\]]\s*$/, "") || "[]") ?? parsed(line);
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "object" && each !== null) as Item[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pageOf(item: Item, { nowMs, linksComplete = false }: ReadOptions): ImportedPage | undefined {
  const { url } = item;
  const status = statusOf(item["status"]);
  if (typeof url !== "string" || status === undefined) return undefined;
  const links = Array.isArray(item["links"]) ? item["links"].map(linkOf) : undefined;
  const contentType = textOf(item["content_type"]);
  const date = Date.parse(textOf(item["date"]) ?? "");
  // A link of another shape leads somewhere, too.
  const isComplete = (linksComplete && links?.includes(undefined) === false) || isLinkless(contentType);
  const reported: ReportedLinks = {
    title: textOf(item["title"]),
    language: textOf(item["language"]),
    links: links?.filter((link) => link !== undefined) ?? [],
    linksUnknown: isComplete ? null : "not-recorded",
  };
  const location = textOf(item["location"]);
  const headers = {
    ...(contentType === null ? {} : { "content-type": contentType }),
    ...(location === null ? {} : { location }),
  };
  const answer = answerWith({ status, headers });
  return { url, atMs: Number.isNaN(date) ? nowMs : date, answer, reported };
}

/** Items without a status are pages. Undefined for what is no status. */
function statusOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return 200;
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return Number.isInteger(status) ? (status as number) : undefined;
}

/** Undefined for what is no link that we can read. */
function linkOf(link: unknown): { readonly href: string; readonly nofollow: boolean } | undefined {
  if (typeof link === "string") return { href: link, nofollow: false };
  if (typeof link !== "object" || link === null) return undefined;
  const { url, href = url, nofollow } = link as Item;
  return typeof href === "string" ? { href, nofollow: nofollow === true } : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
