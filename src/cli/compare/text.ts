/** What has changed between two crawls, as text for a terminal. */
import { basename, resolve } from "node:path";
import { counted, formatCount } from "../../base/index.ts";
import { type PageChange, pageChanges } from "../../compare/index.ts";
import { keyOf } from "../../crawl/settings/index.ts";
import {
  type ComparedCrawl,
  type ComparedPage,
  type ComparisonContents,
  coverageInWords,
  notesOf,
} from "../../report/index.ts";
import {
  aspectTexts,
  changeTexts,
  comparedStateInWords,
  momentInWords,
  MOVED_WORDS,
  movedFigure,
  movedInWords,
  notFetchedInWords,
  shareChangeInWords,
  shareFigure,
  shown,
  shownInLine,
  titleInWords,
  TITLES_WORDS,
} from "../../text/index.ts";
import { column, facts, renderTable, type TextStyle } from "../terminal/layout.ts";

interface TextOptions {
  /** Pages per list, at most. */
  readonly top: number;
  readonly style: TextStyle;
}

export function comparisonText(contents: ComparisonContents, options: TextOptions): string {
  const { a, b, comparison } = contents;
  const { counts, titles, moved } = comparison;
  return [
    `A: ${crawlInWords(a)}\nB: ${crawlInWords(b)}\n`,
    ...notesOf(contents).map((note) => `Note: ${note}\n`),
    differencesText(contents),
    `\n${facts([
      ...pageChanges
        .filter((change) => change !== "content-unknown" || counts[change] > 0)
        .map((change) => [changeTexts[change].name, formatCount(counts[change])] as const),
      ["Titles changed", formatCount(titles.count)],
      ["Moved in importance", movedFigure(moved)],
    ])}`,
    ...pageChanges
      .filter((change) => change !== "unchanged" && counts[change] > 0)
      .map((change) => changeText(contents, change, options)),
    titlesText(contents, options),
    movedText(contents, options),
  ].join("");
}

function crawlInWords({ dir, facts: { status, certificate, lastVisitMs } }: ComparedCrawl): string {
  const when = lastVisitMs === null ? "" : `, as of ${momentInWords(lastVisitMs)}`;
  const pages = `${counted(status.pages, "page")} of ${counted(status.known, "known URL")}`;
  return `${shown(basename(resolve(dir)))}, ${pages}, at least ${coverageInWords(certificate)} covered${when}`;
}

function differencesText({ differences }: ComparisonContents): string {
  const lines = differences.map(({ setting, a, b, aspects }) => {
    const consequence = aspects.map((aspect) => aspectTexts[aspect]).join("; ");
    return `  ${keyOf(setting)}: ${shownInLine(a)} in A, ${shownInLine(b)} in B (${consequence})\n`;
  });
  return lines.join("");
}

function changeText({ comparison, pages }: ComparisonContents, change: PageChange, options: TextOptions): string {
  const { name, meaning, told } = changeTexts[change];
  const why = change === "not-fetched" ? ` ${notFetchedInWords(comparison.notFetched)}.` : "";
  const columns = [
    column("importance", 3, "number"),
    column("rank", 1, "count"),
    ...(told === undefined ? [] : [column(told === "a" ? "in A" : "in B", 2)]),
    column("page", 4),
  ];
  const rows = pages[change].slice(0, options.top).map((page) => {
    const ranked = page.b?.rank == null ? page.a : page.b;
    return [
      ranked === null ? "" : shareFigure(ranked.importance.low),
      ranked?.rank ?? null,
      ...(told === undefined ? [] : [shownInLine(comparedStateInWords(page[told]))]),
      shownInLine(page.url),
    ];
  });
  const rest = moreOf(comparison.counts[change] - rows.length);
  return `\n${name}. ${meaning}${why}\n${renderTable(columns, rows, options.style)}${rest}`;
}

function titlesText({ comparison, titles }: ComparisonContents, { top, style }: TextOptions): string {
  if (titles.length === 0) return "";
  const columns = [column("title in A", 1), column("title in B", 2), column("page", 3)];
  const rows = titles.slice(0, top).map(({ url, a, b }) => [...[a, b].map((side) => titleIn(side)), shownInLine(url)]);
  return (
    "\nTitles changed. " +
    `${TITLES_WORDS}\n${renderTable(columns, rows, style)}${moreOf(comparison.titles.count - rows.length)}`
  );
}

function titleIn(page: ComparedPage["a"]): string {
  return shownInLine(titleInWords(page?.title ?? null));
}

function movedText({ comparison, moved }: ComparisonContents, { top, style }: TextOptions): string {
  if (moved.length === 0) return "";
  const { up, down, possible } = comparison.moved;
  const columns = [
    column("change", 5, "number"),
    column("certain", 2),
    column("in A", 3, "number"),
    column("in B", 3, "number"),
    column("rank in A", 1, "count"),
    column("rank in B", 1, "count"),
    column("page", 4),
  ];
  const rows = moved
    .slice(0, top)
    .map(({ url, a, b, change, isCertain }) => [
      shareChangeInWords(change),
      isCertain ? "yes" : "no",
      a === null ? "" : shareFigure(a.importance.low),
      b === null ? "" : shareFigure(b.importance.low),
      a?.rank ?? null,
      b?.rank ?? null,
      shownInLine(url),
    ]);
  const words = `${MOVED_WORDS} ${movedInWords(comparison.moved)}`;
  return (
    "\nMoved in importance. " +
    `${words}\n${renderTable(columns, rows, style)}${moreOf(up + down + possible - rows.length)}`
  );
}

function moreOf(count: number): string {
  return count > 0 ? `and ${counted(count, "more page")}\n` : "";
}
