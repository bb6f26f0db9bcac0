/** What the owner of a site would fix: broken links page by page, redirects, duplicates and near-duplicates. */
import { counted, formatCount } from "../../base/index.ts";
import type { FindingsSummary } from "../../findings/index.ts";
import { stateName } from "../../log/index.ts";
import { linkEndInWords, orphansInWords, redirectsInWords, shownInLine } from "../../text/index.ts";
import { type Markup, markup } from "../pieces/markup.ts";
import { drawPage, drawUrl, type RecordRow, recordSection, type ReportSection } from "../pieces/sections.ts";
import type { CrawlContents } from "./contents.ts";
import { pathOf } from "./lists.ts";

/** Rows of each list. The survey has more of them, but a report stays below a megabyte, whatever the URLs are. */
const ROWS_MAX = 14;
/** Groups of each list, and pages of one group. */
const GROUPS_MAX = 12;
const GROUP_MAX = 3;
const URL_LENGTH_MAX = 80;

type Groups = FindingsSummary["duplicates"];

export function findingsSections(contents: CrawlContents): ReportSection[] {
  return [
    brokenSection(contents),
    redirectsSection(contents),
    duplicatesSection(contents),
    ...nearDuplicatesSection(contents),
    ...orphansSection(contents),
  ];
}

function brokenSection(contents: CrawlContents): ReportSection {
  const { links, pages, first: all } = contents.survey.facts.findings.brokenLinks;
  const first = all.slice(0, ROWS_MAX);
  const texts = contents.linkTexts.slice(0, ROWS_MAX);
  const hasTexts = texts.some((text) => text !== null);
  const amount = links === 0 ? "" : `${counted(links, "link")} on ${counted(pages, "page")} lead to nothing. `;
  return recordSection(
    "Pages with broken links",
    `${amount}A link is broken if its target is dead, failed or forbidden, or redirects to such a URL. The most ` +
      "important pages come first.",
    {
      columns: [
        { title: "Page", kind: "text" },
        ...(hasTexts ? [{ title: "Link text", kind: "text", isOptional: true } as const] : []),
        { title: "Links to", kind: "text", isOptional: true },
        { title: "Response", kind: "text", isOptional: true },
      ],
      nameColumn: 0,
      rows: first.map(({ source, way }, k) => {
        const response = endInWords(contents, way);
        const target = contents.texts.get(way[0])?.url ?? "";
        return {
          cells: [
            nameOf(contents, source),
            ...(hasTexts ? [drawText(texts[k])] : []),
            drawWay(contents, way),
            response,
          ],
          brief: `${pathOf(target)}: ${response}`,
        };
      }),
      whenEmpty: "No broken link was found.",
      more: moreIn("broken-links", links - first.length, "broken link"),
    },
  );
}

function redirectsSection(contents: CrawlContents): ReportSection {
  const { first: all, ...counts } = contents.survey.facts.findings.redirects;
  const { urls } = counts;
  const first = all.slice(0, ROWS_MAX);
  return recordSection(
    "Redirects",
    `${urls === 0 ? "" : `${redirectsInWords(counts)} `}Those with most links come first: link to the last URL ` +
      "instead.",
    {
      columns: [
        { title: "Pages link", kind: "number" },
        { title: "URL", kind: "text" },
        { title: "Leads to", kind: "text", isOptional: true },
        { title: "Response", kind: "text", isOptional: true },
      ],
      nameColumn: 1,
      rows: first.map(({ way, linkedFrom }): RecordRow => {
        const response = endInWords(contents, way);
        const end = contents.texts.get(way[way.length - 1])?.url ?? "";
        return {
          cells: [
            formatCount(linkedFrom),
            nameOf(contents, way[0]),
            way.length === 1 ? "–" : drawWay(contents, way.slice(1)),
            response,
          ],
          brief: way.length === 1 ? response : `${pathOf(end)}: ${response}`,
        };
      }),
      whenEmpty: "No URL redirects.",
      more: moreIn("redirects", urls - first.length, "redirect"),
    },
  );
}

function duplicatesSection(contents: CrawlContents): ReportSection {
  return groupsSection(contents, contents.survey.facts.findings.duplicates, {
    title: "Duplicate pages",
    subject: "Pages whose content is the same byte by byte, under several addresses.",
    count: "Copies",
    format: "duplicates",
    whenEmpty: "No two pages have the same content.",
  });
}

/** Only of a crawl with `--near-duplicates`. */
function nearDuplicatesSection(contents: CrawlContents): ReportSection[] {
  const { nearDuplicates } = contents.survey.facts.findings;
  if (nearDuplicates === null) return [];
  const section = groupsSection(contents, nearDuplicates, {
    title: "Near-duplicate pages",
    subject: "Pages with nearly the same words, without exact copies.",
    count: "Group size",
    format: "near-duplicates",
    whenEmpty: "No two pages have nearly the same words.",
  });
  return [section];
}

interface GroupsText {
  readonly title: string;
  /** What the pages of a group have in common. */
  readonly subject: string;
  /** The title of a column. */
  readonly count: string;
  readonly format: string;
  readonly whenEmpty: string;
}

function groupsSection(
  contents: CrawlContents,
  { pages, groups, first: all }: Groups,
  text: GroupsText,
): ReportSection {
  const first = all.slice(0, GROUPS_MAX);
  const amount = groups === 0 ? "" : `${counted(pages, "page")} in ${counted(groups, "group")}. `;
  return recordSection(text.title, `${text.subject} ${amount}The most important page of a group comes first.`, {
    columns: [
      { title: text.count, kind: "number" },
      { title: "Pages", kind: "text" },
    ],
    nameColumn: 1,
    rows: first.map(({ pages, copies }) => {
      const shown = pages.slice(0, GROUP_MAX).map((page) => nameOf(contents, page));
      return { cells: [formatCount(copies), drawList(shown, copies - shown.length)] };
    }),
    whenEmpty: text.whenEmpty,
    more: moreIn(text.format, groups - first.length, "group"),
  });
}

/** Only where there are some: most crawls read no sitemap that lists more than is linked. */
function orphansSection(contents: CrawlContents): ReportSection[] {
  const { urls, first: all } = contents.survey.facts.findings.orphans;
  if (urls === 0) return [];
  const first = all.slice(0, ROWS_MAX);
  const section = recordSection("Orphans", orphansInWords(urls), {
    columns: [
      { title: "URL", kind: "text" },
      { title: "Response", kind: "text" },
    ],
    nameColumn: 0,
    rows: first.map((url) => ({ cells: [nameOf(contents, url), endInWords(contents, [url])] })),
    whenEmpty: "",
    more: moreIn("orphans", urls - first.length, "orphan"),
  });
  return [section];
}

/** The text of a link, which may try to reorder what stands around it. */
function drawText(text: string | null): Markup {
  return text === null ? markup`–` : markup`<bdi>${shownInLine(text)}</bdi>`;
}

/** A URL; only a short one is a link, so that the lists stay small. */
function nameOf({ texts }: CrawlContents, id: number): Markup {
  const url = texts.get(id)?.url ?? `URL ${id}`;
  return url.length <= URL_LENGTH_MAX ? drawPage({ url }) : drawUrl(url, URL_LENGTH_MAX);
}

function drawList(items: readonly Markup[], more: number): Markup {
  return markup`<ul class="from">${items.map((item) => markup`<li>${item}</li>`)}${
    more > 0 ? [markup`<li class="note">and ${counted(more, "more page")}</li>`] : []
  }</ul>`;
}

/** The first and the last URL of a way: a long chain would fill the page. */
function drawWay(contents: CrawlContents, way: readonly number[]): Markup {
  const [first, last] = [nameOf(contents, way[0]), nameOf(contents, way[way.length - 1])];
  if (way.length === 1) return first;
  const between = way.length === 2 ? "→" : `→ ${formatCount(way.length - 2)} more →`;
  return markup`<ul class="from"><li>${first}</li><li>${between} ${last}</li></ul>`;
}

/** What came at the end of the way. */
function endInWords({ survey, texts }: CrawlContents, way: readonly number[]): string {
  const end = way[way.length - 1];
  const text = texts.get(end);
  return linkEndInWords({
    state: stateName(survey.state[end]),
    status: survey.statusOf[end] || null,
    reason: text?.reason ?? null,
    detail: text?.detail ?? null,
  });
}

function moreIn(format: string, count: number, noun: string): string | undefined {
  if (count <= 0) return undefined;
  return `and ${counted(count, `more ${noun}`)}: tidemark export DIR --format ${format} lists all of them`;
}
