/**
 * Exports of Screaming Frog: `internal_all.csv` (Address, Status Code, and where there are any Content, Title 1,
 * Language, Redirect URL) and `all_outlinks.csv` (Source, Destination, and where there are any Type, Follow, Status
 * Code).
 *
 * Links are those of the rows of type Hyperlink (or Frame). A page is fetched if the first table says so; without it,
 * if it has links. What has another status is taken from either. A configuration may leave out links, so they are
 * complete only if the user says so.
 */
import { UsageError } from "../base/index.ts";
import type { ImportedPage } from "../crawl/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { csvRows } from "./csv.ts";
import { tellDamage } from "./files.ts";
import { answerWith } from "./http-message.ts";
import { LinkRows } from "./link-rows.ts";
import { isLinkless } from "./reported.ts";

const LINK_TYPES = /^(?:ahref|hyperlink|frame|iframe)$/i;

export async function* screamingFrogPages(
  files: readonly ImportFile[],
  options: ReadOptions,
): AsyncGenerator<ImportedPage> {
  const { linksComplete = false, nowMs } = options;
  const tables = files.filter(({ kind }) => kind === "screaming-frog-pages");
  const outlinks = files.filter(({ kind }) => kind === "screaming-frog-links");
  if (linksComplete && outlinks.length === 0) {
    throw new UsageError(
      "--links-complete: no file has links; give all_outlinks.csv as well (Bulk Export, Links, All Outlinks)",
    );
  }
  const links = new LinkRows();
  /** Statuses of what is linked and is no page. */
  const statuses = new Map<string, number>();
  let isWhole = true;
  for (const { path } of outlinks) {
    try {
      await readLinks(path, links, statuses, options);
    } catch (error) {
      isWhole = false;
      tellDamage(path, error, options);
    }
  }
  // Where a table of links is cut off, any page may have more.
  const isComplete = linksComplete && isWhole;
  const reportedOf = (url: string, contentType: string | null) => ({
    links: links.of(url),
    linksUnknown: isLinkless(contentType) || isComplete ? null : ("not-recorded" as const),
  });
  if (tables.length === 0) {
    for (const url of links.sources()) {
      yield { url, atMs: nowMs, answer: answerWith({ status: 200 }), reported: reportedOf(url, null) };
    }
  }
  for (const { path } of tables) {
    try {
      for await (const row of csvRows(path, ["address", "status code"], options.progress)) {
        const url = row("address") ?? "";
        const status = Number(row("status code"));
        if (url === "") options.addressless();
        if (url === "" || !(status >= 100)) continue;
        const contentType = row("content") || row("content type") || null;
        const location = row("redirect url") || row("redirect uri");
        const headers = {
          ...(contentType === null ? {} : { "content-type": contentType }),
          ...(location ? { location } : {}),
        };
        const facts = { title: row("title 1") || null, language: row("language") || null };
        const isLacking = Number(row("outlinks") ?? 0) > 0 && !links.has(url);
        const known = reportedOf(url, contentType);
        const reported = { ...facts, ...known, ...(isLacking ? NO_ROWS : {}) };
        yield { url, atMs: nowMs, answer: answerWith({ status, headers }), reported };
      }
    } catch (error) {
      tellDamage(path, error, options);
    }
  }
  for (const [url, status] of statuses) yield { url, atMs: nowMs, answer: answerWith({ status }) };
}

/** The page has links by its own row, but no row has one of them. */
const NO_ROWS = { linksUnknown: "not-recorded" } as const;

async function readLinks(
  path: string,
  links: LinkRows,
  statuses: Map<string, number>,
  { progress }: ReadOptions,
): Promise<void> {
  for await (const row of csvRows(path, ["source", "destination"], progress)) {
    const [source = "", target = ""] = [row("source"), row("destination")];
    if (source === "" || target === "" || !LINK_TYPES.test(row("type") || "hyperlink")) continue;
    links.add(source, target, isNofollow(row("follow"), row("rel")));
    const status = Number(row("status code"));
    // Whether a page that was fetched was read for links, and where redirects lead, only the other table says.
    if (status >= 400) statuses.set(target, status);
  }
}

function isNofollow(follow: string | undefined, rel = ""): boolean {
  return /^false$/i.test(follow ?? "") || /(?:^|\s)nofollow(?:\s|$)/i.test(rel);
}
