/**
 * Exports of Screaming Frog: `internal_all.csv` (Address, Status Code, and where there are any Content, Title 1,
 * Language, Redirect URL, numbers of outlinks) and `all_outlinks.csv` (Source, Destination, and where there are any
 * Type, Follow, Status Code).
 *
 * Links are those of the rows of type Hyperlink (or Frame). A page is fetched if the first table says so; without it,
 * if it has links. What has another status is taken from either. A configuration may leave out links, so they are
 * complete only if the user says so, and the numbers of outlinks do not say otherwise (outlink-tally.ts).
 */
import { UsageError } from "../base/index.ts";
import type { ImportedPage } from "../crawl/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { csvRows } from "./csv.ts";
import { tellDamage } from "./files.ts";
import { answerWith } from "./http-message.ts";
import { LinkRows } from "./link-rows.ts";
import { OutlinkTally } from "./outlink-tally.ts";
import { isLinkless } from "./reported.ts";

const HYPERLINK_TYPES = /^(?:ahref|hyperlink)$/i;
const FRAME_TYPES = /^(?:frame|iframe)$/i;

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
  const tally = new OutlinkTally(links);
  /** Statuses of what is linked and is no page. */
  const statuses = new Map<string, number>();
  let isWhole = true;
  for (const { path } of outlinks) {
    try {
      await readLinks(path, { links, tally, statuses }, options);
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
  // Tables may overlap.
  const lacking = new Set<string>();
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
        const known = reportedOf(url, contentType);
        const isLacking = known.linksUnknown === null && tally.fallsShort(url, row);
        if (isLacking && linksComplete && isPage(status) && !lacking.has(url)) {
          lacking.add(url);
          options.linksLacking();
        }
        const reported = { ...facts, ...known, ...(isLacking ? LACKING : {}) };
        yield { url, atMs: nowMs, answer: answerWith({ status, headers }), reported };
      }
    } catch (error) {
      tellDamage(path, error, options);
    }
  }
  for (const [url, status] of statuses) yield { url, atMs: nowMs, answer: answerWith({ status }) };
}

/** The page has more links by its own row than the other table has of it. */
const LACKING = { linksUnknown: "not-recorded" } as const;

interface LinkTables {
  readonly links: LinkRows;
  readonly tally: OutlinkTally;
  readonly statuses: Map<string, number>;
}

async function readLinks(path: string, tables: LinkTables, { progress, isSurvey = false }: ReadOptions): Promise<void> {
  const { links, tally, statuses } = tables;
  try {
    for await (const row of csvRows(path, ["source", "destination"], progress)) {
      const [source = "", target = ""] = [row("source"), row("destination")];
      const type = row("type") || "hyperlink";
      const isHyperlink = HYPERLINK_TYPES.test(type);
      if (source === "" || target === "" || !(isHyperlink || FRAME_TYPES.test(type))) continue;
      const [page, to] = [links.idOf(source), links.idOf(target)];
      // Which pages there are does not depend on it.
      if (isHyperlink && !isSurvey) tally.add(page, to);
      links.add(page, to, isNofollow(row("follow"), row("rel")));
      const status = Number(row("status code"));
      // Whether a page that was fetched was read for links, and where redirects lead, only the other table says.
      if (status >= 400) statuses.set(target, status);
    }
  } finally {
    // Also of a damaged file: its rows are not those of the next.
    tally.endOfFile();
  }
}

function isPage(status: number): boolean {
  return status >= 200 && status < 300;
}

function isNofollow(follow: string | undefined, rel = ""): boolean {
  return /^false$/i.test(follow ?? "") || /(?:^|\s)nofollow(?:\s|$)/i.test(rel);
}
