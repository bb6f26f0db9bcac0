/**
 * Findings as tables: one row each, with the same columns in CSV and in JSON lines. Rows are made as they are written,
 * so the length of a table costs no memory.
 */
import { csvLine, inChunks, type PageRow, rankColumns, type RankColumns, type RankOf } from "../store/index.ts";
import { brokenLinks } from "./broken-links.ts";
import { type CrawledSite, downloadedPages, linksInto, redirectsFrom } from "./crawled-site.ts";
import type { FindingsFacts } from "./log-facts.ts";
import type { PageLookup } from "./page-lookup.ts";
import { isRedirectStatus } from "./redirect-status.ts";

/** A URL on the way of a redirect, and how it answered; the status is null where no answer came. */
interface Hop {
  readonly url: string;
  readonly status: number | null;
}

type Cell = string | number | null | readonly Hop[];
type Row = Readonly<Record<string, Cell>>;

export interface FindingsTable {
  /** In the order of the columns; in CSV with underscores. */
  readonly columns: readonly string[];
  readonly rows: () => Iterable<Row>;
}

/** Where the rows of tables come from. */
export interface FindingsSource {
  readonly site: CrawledSite;
  readonly lookup: PageLookup;
  /** All URLs that are no sinks, in the order of their discovery, as the whole log tells them. */
  readonly rows: () => Iterable<PageRow>;
  readonly facts: FindingsFacts;
  /** The downloaded pages, most important first, and their ranks; left out where importance is not wanted. */
  readonly ranking?: { readonly pages: Uint32Array; readonly rankOf: RankOf };
}

export type FindingsFormat = "broken-links" | "redirects" | "duplicates" | "near-duplicates" | "orphans";

/** The table of a format. */
export function findingsTable(format: FindingsFormat, source: FindingsSource): FindingsTable {
  return TABLES[format](source);
}

const TABLES: Readonly<Record<FindingsFormat, (source: FindingsSource) => FindingsTable>> = {
  "broken-links": brokenLinksTable,
  redirects: redirectsTable,
  duplicates: duplicatesTable,
  "near-duplicates": nearDuplicatesTable,
  orphans: orphansTable,
};

const RANK: readonly (keyof RankColumns)[] = ["rank", "rankLow", "rankHigh"];

function brokenLinksTable(from: FindingsSource): FindingsTable {
  const { site, lookup } = from;
  return {
    columns: ["source", "anchorText", "target", "status", "reason", "chain", ...rankNames(from)],
    rows: function* () {
      for (const { source, target, place } of brokenLinks(site, pagesOf(from))) {
        const { chain, end } = chainFrom(from, target);
        yield {
          source: lookup.row(source).url,
          anchorText: lookup.anchor(source, place),
          target: lookup.row(target).url,
          status: end.status,
          reason: end.reason,
          chain,
          ...rankOf(from, source),
        };
      }
    },
  };
}

function redirectsTable(from: FindingsSource): FindingsTable {
  const linkedFrom = linksInto(from.site);
  return {
    columns: ["url", "linkedFrom", "length", "chain", "end", "state", "status", "reason"],
    rows: function* () {
      for (const row of from.rows()) {
        if (!isRedirect(row)) continue;
        const { chain, end } = chainFrom(from, row.id);
        // Where the last redirect leads is not known: it closes a loop, or was not followed.
        const isOpen = isRedirect(end);
        yield {
          url: row.url,
          linkedFrom: linkedFrom[row.id],
          length: redirectsFrom(from.site, row.id).hops.length + (isOpen ? 1 : 0),
          chain,
          end: isOpen ? null : end.url,
          state: end.state,
          status: end.status,
          reason: end.reason,
        };
      }
    },
  };
}

function duplicatesTable(from: FindingsSource): FindingsTable {
  return {
    columns: ["group", "copies", "url", "title", ...rankNames(from)],
    rows: function* () {
      for (const { group, pages, page } of members(from.facts.digests.groups(pagesOf(from)))) {
        yield { group, copies: pages.length, ...pageColumns(from, page) };
      }
    },
  };
}

function nearDuplicatesTable(from: FindingsSource): FindingsTable {
  const { simhashes } = from.facts;
  return {
    columns: ["group", "pages", "distance", "url", "title", ...rankNames(from)],
    rows: function* () {
      for (const { group, pages, page } of members(from.facts.nearDuplicates(pagesOf(from)))) {
        const distance = simhashes.distance(pages[0], page);
        yield { group, pages: pages.length, distance, ...pageColumns(from, page) };
      }
    },
  };
}

/** The pages of groups, which are numbered from 1. */
function* members(groups: Iterable<Uint32Array>) {
  let group = 0;
  for (const pages of groups) {
    group++;
    for (const page of pages) yield { group, pages, page };
  }
}

function pageColumns(from: FindingsSource, page: number): Row {
  const { url, title } = from.lookup.row(page);
  return { url, title, ...rankOf(from, page) };
}

function orphansTable(from: FindingsSource): FindingsTable {
  const { site, lookup, facts } = from;
  const linkedFrom = linksInto(site);
  return {
    columns: ["url", "sitemap", "state", "status", "reason", "title"],
    rows: function* () {
      for (const id of facts.sitemapUrls.orphans(site, (url) => linkedFrom[url])) {
        const { url, sitemap, state, status, reason, title } = lookup.row(id);
        yield { url, sitemap, state, status, reason, title };
      }
    },
  };
}

function pagesOf({ site, ranking }: FindingsSource): Uint32Array {
  return ranking?.pages ?? downloadedPages(site);
}

function rankNames({ ranking }: FindingsSource): readonly string[] {
  return ranking === undefined ? [] : RANK;
}

function rankOf({ ranking }: FindingsSource, page: number): RankColumns | undefined {
  return ranking && rankColumns(ranking.rankOf(page));
}

/** Also one that was not followed: it closes a loop, leaves the scope, or is one too many. */
function isRedirect({ state, target, status }: PageRow): boolean {
  return target !== null || ((state === "dead" || state === "refused") && isRedirectStatus(status));
}

/** The way of the redirects from a URL, and where it ends. A URL that does not redirect has no chain. */
function chainFrom({ site, lookup }: FindingsSource, url: number): { chain: readonly Hop[]; end: PageRow } {
  const { hops, end: last } = redirectsFrom(site, url);
  const end = lookup.row(last);
  if (hops.length === 0 && !isRedirect(end)) return { chain: [], end };
  const chain: Hop[] = [...hops.map((hop) => lookup.row(hop)), end].map(({ url, status }) => ({ url, status }));
  // The redirect that closes a loop is not followed a second time.
  if (end.target !== null) chain.push({ url: end.target, status: null });
  return { chain, end };
}

type OnRow = () => void;

/** A table as CSV: a line of names, then one line per row. `onRow` is called for each. */
export function* tableAsCsv({ columns, rows }: FindingsTable, onRow?: OnRow): Generator<string> {
  yield csvLine(columns.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)));
  yield* inChunks(rows(), (row) => {
    onRow?.();
    return csvLine(columns.map((name) => cellOf(row[name])));
  });
}

/** A table as JSON lines, with the same keys in every line; null where there is nothing to say. */
export function tableAsJsonLines({ rows }: FindingsTable, onRow?: OnRow): Iterable<string> {
  return inChunks(rows(), (row) => {
    onRow?.();
    return `${JSON.stringify(row)}\n`;
  });
}

/** Canonical URLs have no blanks, so a chain can be split again. */
function cellOf(cell: Cell | undefined): string | number | null {
  if (cell === undefined || cell === null || typeof cell !== "object") return cell ?? null;
  return cell.map(({ url, status }) => (status === null ? url : `${url} ${status}`)).join(" -> ");
}
