/**
 * What has changed between two crawls, as one HTML file that people can send. Every list is bounded: a comparison of
 * crawls of a million pages has a report of the same size as one of a thousand.
 */
import { basename, resolve } from "node:path";
import { counted, formatCount, percentAtLeast } from "../../base/index.ts";
import { type PageChange, pageChanges } from "../../compare/index.ts";
import { keyOf } from "../../crawl/settings/index.ts";
import {
  aspectTexts,
  changeTexts,
  comparisonNotes,
  momentInWords,
  movedFigure,
  notFetchedInWords,
  shortened,
  strictInWords,
  wholeInWords,
} from "../../text/index.ts";
import { renderReport } from "../pieces/html.ts";
import { markup } from "../pieces/markup.ts";
import {
  card,
  commandsSection,
  drawFacts,
  type Fact,
  type ReportSection,
  recordSection,
  tableSection,
} from "../pieces/sections.ts";
import type { ComparedCrawl, ComparisonContents } from "./contents.ts";
import { changeSection, movedSection, titlesSection } from "./lists.ts";

/** Options of `compareReport`. */
export interface CompareReportOptions {
  readonly title: string;
  readonly subtitle: string;
  /** The command that writes this report. */
  readonly command: string;
}

/** A comparison as one self-contained HTML page. */
export function compareReport(contents: ComparisonContents, options: CompareReportOptions): string {
  const { title, subtitle, command } = options;
  const { counts, titles, moved } = contents.comparison;
  const listed = pageChanges.filter((change) => change !== "unchanged" && counts[change] > 0);
  return renderReport({
    title,
    subtitle,
    hasContents: true,
    sections: [
      summarySection(contents),
      crawlsSection(contents),
      ...(contents.differences.length === 0 ? [] : [differencesSection(contents)]),
      ...listed.map((change) => changeSection(contents, change)),
      ...(titles.count === 0 ? [] : [titlesSection(contents)]),
      ...(moved.pages.length === 0 ? [] : [movedSection(contents)]),
      commandsSection("How to reproduce this", "The report depends only on what the two crawls have stored.", [
        { purpose: "Write this report again:", command },
      ]),
    ],
  });
}

function summarySection(contents: ComparisonContents): ReportSection {
  const { comparison } = contents;
  const { counts, titles, moved } = comparison;
  const number = (change: PageChange): Fact => [changeTexts[change].name, formatCount(counts[change])];
  const facts: Fact[] = [
    ...pageChanges.filter((change) => change !== "content-unknown" || counts[change] > 0).map(number),
    ["Titles changed", formatCount(titles.count)],
    ["Moved in importance", movedFigure(moved)],
  ];
  const notes = notesOf(contents).map((note) => markup`<p><b>Note:</b> ${note}</p>`);
  return card(
    {
      heading: "Summary",
      paragraphs: [
        `Both crawls know ${counted(comparison.common, "URL")} in common. A page is gone only if B was told so: ` +
          "what B did not fetch is listed apart.",
      ],
    },
    () => markup`${notes}${drawFacts(facts)}`,
  );
}

export function notesOf({ a, b, comparison, isContentComparable, differences }: ComparisonContents): string[] {
  const side = ({ facts, end }: ComparedCrawl) => ({
    coverage: facts.certificate.coverage,
    isRunning: end === "running",
  });
  const { common } = comparison;
  const fairness =
    differences.length === 0
      ? []
      : [`The crawls differ in ${counted(differences.length, "setting")}, so the comparison is not quite fair.`];
  return [...comparisonNotes({ a: side(a), b: side(b), common, isContentComparable }), ...fairness];
}

const NAME_LENGTH_MAX = 60;

function crawlsSection({ a, b }: ComparisonContents): ReportSection {
  const rows: readonly (readonly [string, (crawl: ComparedCrawl) => string])[] = [
    ["Folder", ({ dir }) => shortened(basename(resolve(dir)), NAME_LENGTH_MAX)],
    ["As of", ({ facts }) => (facts.lastVisitMs === null ? "–" : momentInWords(facts.lastVisitMs))],
    ["Pages downloaded", ({ facts }) => formatCount(facts.status.pages)],
    ["URLs known", ({ facts }) => formatCount(facts.status.known)],
    ["Covered, at least", ({ facts }) => percentAtLeast(facts.certificate.coverage)],
    ["Measured over", ({ facts }) => wholeInWords(facts.certificate.universe)],
    ["If forbidden and dead pages count as the worst", ({ facts }) => percentAtLeast(facts.certificate.strict)],
    ["State", ({ end }) => (end === "running" ? "still running" : "ended")],
  ];
  return tableSection(
    { heading: "The two crawls" },
    {
      columns: [
        { title: "", kind: "text" },
        { title: "A", kind: "text" },
        { title: "B", kind: "text" },
      ],
      rows: rows.map(([name, value]) => [name, value(a), value(b)]),
    },
  );
}

/** "98.60% of what may be fetched (77.40% if ...)". */
export function coverageInWords(certificate: ComparedCrawl["facts"]["certificate"]): string {
  const strict = strictInWords(certificate);
  const covered = `${percentAtLeast(certificate.coverage)} of ${wholeInWords(certificate.universe)}`;
  return strict === undefined ? covered : `${covered} (${strict})`;
}

const VALUE_LENGTH_MAX = 200;

function differencesSection({ differences }: ComparisonContents): ReportSection {
  return recordSection(
    "Settings that differ",
    "They make the comparison unfair: what is listed below may come from them, not from the web.",
    {
      columns: [
        { title: "Setting", kind: "text" },
        { title: "In A", kind: "text" },
        { title: "In B", kind: "text" },
        { title: "Consequence", kind: "text", isOptional: true },
      ],
      nameColumn: 0,
      rows: differences.map(({ setting, a, b, aspects }) => {
        const consequence = aspects.map((aspect) => aspectTexts[aspect]).join("; ");
        const [inA, inB] = [a, b].map((value) => markup`<bdi>${shortened(value, VALUE_LENGTH_MAX)}</bdi>`);
        return { cells: [keyOf(setting), inA, inB, consequence], brief: consequence };
      }),
      whenEmpty: "",
    },
  );
}

/** In one line, for a terminal. */
export function comparisonLine({ comparison }: ComparisonContents): string {
  const { counts, notFetched } = comparison;
  const parts = pageChanges
    .filter((change) => counts[change] > 0)
    .map((change) => `${formatCount(counts[change])} ${changeTexts[change].name.toLowerCase()}`);
  const why = notFetchedInWords(notFetched);
  return `${parts.length === 0 ? "no page in either crawl" : parts.join(", ")}${why === "" ? "" : ` (${why})`}`;
}
