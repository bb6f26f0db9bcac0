/** Lists of pages that have changed between two crawls. */
import { counted, formatCount } from "../../base/index.ts";
import type { PageChange } from "../../compare/index.ts";
import {
  changeTexts,
  intervalFigures,
  comparedStateInWords,
  MOVED_WORDS,
  movedFigure,
  movedInWords,
  notFetchedInWords,
  shareChangeInWords,
  titleInWords,
  TITLES_WORDS,
} from "../../text/index.ts";
import { type Markup, markup } from "../pieces/markup.ts";
import { drawPage, type RecordRow, recordSection, type ReportSection } from "../pieces/sections.ts";
import type { ComparedPage, ComparisonContents, MovedPage } from "./contents.ts";

export function changeSection({ comparison, pages }: ComparisonContents, change: PageChange): ReportSection {
  const { name, meaning, told } = changeTexts[change];
  const why = change === "not-fetched" ? ` Of these, ${notFetchedInWords(comparison.notFetched)}.` : "";
  const listed = pages[change];
  return recordSection(`${name}: ${formatCount(comparison.counts[change])}`, `${meaning}${why}`, {
    columns: [
      { title: "Page", kind: "text" },
      ...(told === undefined
        ? []
        : [{ title: told === "a" ? "In A" : "In B", kind: "text" as const, isOptional: true }]),
      { title: "Importance", kind: "number", isOptional: true },
      { title: "Rank", kind: "number", isOptional: true },
    ],
    nameColumn: 0,
    rows: listed.map((page) => changeRow(page, told)),
    whenEmpty: "",
    more: moreOf(comparison.counts[change] - listed.length),
  });
}

/** With the importance in the crawl that has the page; of both, in the newer one. */
function changeRow(page: ComparedPage, told: "a" | "b" | undefined): RecordRow {
  const ranked = page.b?.rank == null ? page.a : page.b;
  const states = told === undefined ? [] : [comparedStateInWords(page[told])];
  const importance = ranked === null ? "–" : intervalFigures(ranked.importance);
  const rank = ranked?.rank == null ? "–" : formatCount(ranked.rank);
  return {
    cells: [drawPage({ url: page.url, title: ranked?.title ?? null }), ...states.map(foreign), importance, rank],
    brief: [...states, `rank ${rank}`, importance].join(", "),
  };
}

export function titlesSection({ comparison, titles }: ComparisonContents): ReportSection {
  return recordSection(`Titles changed: ${formatCount(comparison.titles.count)}`, TITLES_WORDS, {
    columns: [
      { title: "Page", kind: "text" },
      { title: "Title in A", kind: "text", isOptional: true },
      { title: "Title in B", kind: "text", isOptional: true },
    ],
    nameColumn: 0,
    rows: titles.map(({ url, a, b }) => {
      const [before, after] = [a, b].map((side) => titleInWords(side?.title ?? null));
      return { cells: [drawPage({ url }), foreign(before), foreign(after)], brief: `${before} → ${after}` };
    }),
    whenEmpty: "",
    more: moreOf(comparison.titles.count - titles.length),
  });
}

export function movedSection({ comparison, moved }: ComparisonContents): ReportSection {
  const { up, down, possible } = comparison.moved;
  return recordSection(
    `Moved in importance: ${movedFigure(comparison.moved)}`,
    `${MOVED_WORDS} ${movedInWords(comparison.moved)}`,
    {
      columns: [
        { title: "Change", kind: "number" },
        { title: "Page", kind: "text" },
        { title: "In A", kind: "number", isOptional: true },
        { title: "In B", kind: "number", isOptional: true },
        { title: "Rank in A", kind: "number", isOptional: true },
        { title: "Rank in B", kind: "number", isOptional: true },
        { title: "", kind: "text", isOptional: true },
      ],
      nameColumn: 1,
      rows: moved.map(movedRow),
      whenEmpty: "",
      more: moreOf(up + down + possible - moved.length),
    },
  );
}

function movedRow({ url, a, b, change, isCertain }: MovedPage): RecordRow {
  const [inA, inB] = [a, b].map((side) => (side === null ? "–" : intervalFigures(side.importance)));
  const [rankA, rankB] = [a, b].map((side) => (side?.rank == null ? "–" : formatCount(side.rank)));
  return {
    cells: [
      shareChangeInWords(change),
      drawPage({ url, title: b?.title ?? null }),
      inA,
      inB,
      rankA,
      rankB,
      isCertain ? markup`<span class="sure">✓ certain</span>` : "",
    ],
    brief: `rank ${rankA} → ${rankB}, ${inA} → ${inB}${isCertain ? ", certain" : ""}`,
  };
}

function moreOf(count: number): string | undefined {
  return count > 0 ? `and ${counted(count, "more page")}` : undefined;
}

function foreign(text: string): Markup {
  return markup`<bdi>${text}</bdi>`;
}
