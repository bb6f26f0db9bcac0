/**
 * Dumps of Nutch: of its CrawlDb (`readdb DB -dump DIR -format csv`), which knows what was fetched, and of its LinkDb
 * (`readlinkdb DB -dump DIR`), which knows the links, by their targets.
 *
 * By default, a LinkDb leaves out links inside a host and keeps no more than 10,000 per target, so links are complete
 * only if the user says so. What Nutch calls gone is dead only if its protocol status says so: a page that robots.txt
 * denies is gone for Nutch as well.
 */
import { UsageError } from "../base/index.ts";
import type { ImportedPage } from "../crawl/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { damaged, tellDamage } from "./files.ts";
import { answerWith } from "./http-message.ts";
import { linesOf } from "./lines.ts";
import { LinkRows } from "./link-rows.ts";
import { isLinkless, oddLines } from "./reported.ts";

/** Quotation marks inside a cell are not doubled, so the line is read from its start. */
const ROW = /^"(.*?)",(-?\d+),"(\w+)",(.*)$/;
const FETCHED = new Set(["db_fetched", "db_notmodified", "db_duplicate"]);
const MOVED = /\b(?:temp_)?moved\(1[23]\)[^|]*?: (https?:\S+?)(?=\||$)/;
const DEAD = /\b(?:notfound\(14\)|gone\(11\))/;
const DENIED = /\baccess_denied\(17\)/;

export async function* nutchPages(files: readonly ImportFile[], options: ReadOptions): AsyncGenerator<ImportedPage> {
  const { linksComplete = false, nowMs } = options;
  const databases = files.filter(({ kind }) => kind === "nutch-crawldb");
  const linkDatabases = files.filter(({ kind }) => kind === "nutch-linkdb");
  if (databases.length === 0) {
    throw new UsageError(
      "a LinkDb does not say which pages were fetched; give a dump of the CrawlDb as well: " +
        "nutch readdb crawl/crawldb -dump DIR -format csv",
    );
  }
  if (linksComplete && linkDatabases.length === 0) {
    throw new UsageError("--links-complete: no file has links; give a dump of the LinkDb as well (nutch readlinkdb)");
  }
  const links = new LinkRows();
  let isWhole = true;
  for (const { path } of linkDatabases) {
    try {
      await readLinks(path, links, options);
    } catch (error) {
      isWhole = false;
      tellDamage(path, error, options);
    }
  }
  for (const { path } of databases) {
    try {
      for await (const row of rowsOf(path, options)) {
        const contentType = /\bContent-Type:([^|]+)/.exec(row.metadata)?.[1] ?? null;
        const answer = answerFor(row, contentType);
        if (answer === undefined) continue;
        const isComplete = (linksComplete && isWhole) || isLinkless(contentType);
        const reported = { links: links.of(row.url), linksUnknown: isComplete ? null : ("not-recorded" as const) };
        yield { url: row.url, atMs: nowMs, answer, reported };
      }
    } catch (error) {
      tellDamage(path, error, options);
    }
  }
}

interface CrawlDatum {
  readonly url: string;
  readonly status: string;
  /** With everything else that the row has. */
  readonly metadata: string;
}

async function* rowsOf(path: string, options: ReadOptions): AsyncGenerator<CrawlDatum> {
  let number = 0;
  const odd: number[] = [];
  for await (const lines of linesOf(path, options.progress)) {
    for (const line of lines) {
      number++;
      const [, url, , status, metadata] = ROW.exec(line) ?? [];
      if (url !== undefined) yield { url, status, metadata };
      else if (line !== "" && !line.startsWith("Url,")) odd.push(number);
    }
  }
  if (odd.length > 0)
    options.damaged({ path, message: `${path}: ${oddLines(odd)} not a row of a CrawlDb, and left out` });
}

/** Undefined for what was not fetched, or may be there though it was not: it waits. */
function answerFor({ status, metadata }: CrawlDatum, contentType: string | null) {
  if (FETCHED.has(status)) {
    return answerWith({ status: 200, headers: contentType === null ? {} : { "content-type": contentType } });
  }
  const location = status.startsWith("db_redir_") ? MOVED.exec(metadata)?.[1].replace(/"$/, "") : undefined;
  if (location !== undefined) {
    return answerWith({ status: status === "db_redir_perm" ? 301 : 302, headers: { location } });
  }
  if (status !== "db_gone") return undefined;
  if (DEAD.test(metadata)) return answerWith({ status: 404 });
  return DENIED.test(metadata) ? answerWith({ status: 403 }) : undefined;
}

/** A target, then a line for each link to it. */
async function readLinks(path: string, links: LinkRows, { progress }: ReadOptions): Promise<void> {
  let target: string | undefined;
  let number = 0;
  let odd: number | undefined;
  for await (const lines of linesOf(path, progress)) {
    for (const line of lines) {
      number++;
      const [, source] = /^\s+fromUrl: (\S+)/.exec(line) ?? [];
      const [, next] = /^(\S+)\tInlinks:/.exec(line) ?? [];
      if (next !== undefined) target = next;
      else if (source !== undefined && target !== undefined) links.add(links.idOf(source), links.idOf(target), false);
      else if (line.trim() !== "") {
        odd ??= number;
        if (number === odd && target === undefined) throw damaged(path, 0, oddLine(odd));
        // What stands below it may be about something else.
        if (!/^\s/.test(line)) target = undefined;
      }
    }
  }
  if (odd !== undefined) throw damaged(path, 0, oddLine(odd));
}

function oddLine(number: number): string {
  return `line ${number} is not one of a LinkDb`;
}
