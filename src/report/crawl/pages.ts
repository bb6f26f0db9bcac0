/** Lists of pages: the most important ones, dead links, and pages that were read again. */
import { counted, formatCount } from "../../base/index.ts";
import { type RereadOutcome, rereadOutcomes } from "../../log/index.ts";
import type { Survey } from "../../survey/index.ts";
import {
  momentInWords,
  reasonInWords,
  shareAtMost,
  shareFigure,
  shareInWords,
  spanInWords,
} from "../../text/index.ts";
import type { Section } from "../pieces/card.ts";
import { type Markup, markup } from "../pieces/markup.ts";
import { drawInterval, drawPage, type RecordRow, recordSection } from "../pieces/records.ts";
import { type CrawlContents, type DeadLink, LINKING_MAX, type PageText } from "./contents.ts";

export function topPagesSection({ survey, chosen, texts }: CrawlContents): Section {
  const { certainPlaces, status } = survey.facts;
  const highest = chosen.top.reduce((most, url) => Math.max(most, survey.interval(url).high), 0);
  return recordSection(
    {
      heading: "Most important pages",
      paragraphs: [
        "The dark bar is what a page certainly has of all importance, the faint one what it may have at most. " +
          (certainPlaces === 0
            ? "No place is certain yet: what is missing could still change the order."
            : `The first ${certainPlaces === 1 ? "place is" : `${formatCount(certainPlaces)} places are`} certain, whatever the rest of the web looks like.`),
      ],
    },
    {
      columns: [
        { title: "Place", kind: "number" },
        { title: "Page", kind: "text" },
        { title: "Importance", kind: "drawn" },
        { title: "At least", kind: "number", isOptional: true },
        { title: "At most", kind: "number", isOptional: true },
        { title: "Its place is", kind: "text", isOptional: true },
      ],
      nameColumn: 1,
      rows: chosen.top.map((url, index) => topRow(survey, url, { index, texts, highest })),
      whenEmpty: "No page has been downloaded yet.",
      more: moreOf(status.pages - chosen.top.length, "page"),
    },
  );
}

function topRow(
  survey: Survey,
  url: number,
  about: {
    readonly index: number;
    readonly texts: ReadonlyMap<number, PageText>;
    readonly highest: number;
  },
): RecordRow {
  const interval = survey.interval(url);
  const place = survey.place(url) || about.index + 1;
  const isCertain = place <= survey.facts.certainPlaces;
  const [low, high] = [shareFigure(interval.low), shareAtMost(interval.high)];
  const certainty = isCertain
    ? markup`<span class="sure">✓ certain</span>`
    : markup`<span class="unsure">not yet certain</span>`;
  return {
    cells: [
      formatCount(place),
      pageOf(about.texts, url),
      drawInterval(interval, about.highest),
      low,
      high,
      certainty,
    ],
    brief: `${low} to ${high}${isCertain ? ", place certain" : ""}`,
  };
}

export function deadSection({ survey, chosen, texts }: CrawlContents): Section {
  return recordSection(
    {
      heading: "Dead links",
      paragraphs: [
        "URLs that lead nowhere although pages link to them, by the importance that ends there and is lost to all other pages. Repairing the first ones gains most.",
      ],
    },
    {
      columns: [
        { title: "Lost", kind: "number" },
        { title: "Dead URL", kind: "text" },
        { title: "Answer", kind: "text", isOptional: true },
        { title: "Linked from", kind: "text", isOptional: true },
      ],
      nameColumn: 1,
      rows: chosen.dead.map((link) => deadRow(survey, link, texts)),
      whenEmpty: "No dead link was found.",
      more: moreOf(chosen.deadCount - chosen.dead.length, "dead URL"),
    },
  );
}

function deadRow(survey: Survey, link: DeadLink, texts: ReadonlyMap<number, PageText>): RecordRow {
  const text = texts.get(link.url);
  const why = deathInWords(survey.statusOf[link.url] ?? 0, text?.reason ?? null);
  const more = link.fromCount - LINKING_MAX;
  const from = markup`<ul class="from">${link.from.map((page) => markup`<li>${urlOf(texts, page)}</li>`)}${
    more > 0 ? [markup`<li class="note">and ${counted(more, "more page")}</li>`] : []
  }</ul>`;
  const first = link.from[0] === undefined ? undefined : texts.get(link.from[0])?.url;
  const others = link.fromCount > 1 ? ` and ${counted(link.fromCount - 1, "other page")}` : "";
  return {
    cells: [
      shareInWords(link.mass),
      urlOf(texts, link.url),
      why,
      link.fromCount === 0 ? "no page directly" : from,
    ],
    brief:
      first === undefined
        ? `${why}; no page links to it directly`
        : `${why}; linked from ${pathOf(first)}${others}`,
  };
}

/** A URL that redirects is dead where its redirects lead in a circle. */
function deathInWords(status: number, reason: string | null): string {
  if (status >= 300 && status < 400) return "redirects in a circle";
  if (status > 0) return String(status);
  return reason === null ? "no answer" : reasonInWords(reason);
}

/** A URL that is not known by text is not in this crawl any more; its number is all there is. */
function pageOf(texts: ReadonlyMap<number, PageText>, url: number): Markup {
  return drawPage(texts.get(url) ?? { url: `URL ${url}` });
}

export function urlOf(texts: ReadonlyMap<number, PageText>, url: number): Markup {
  return drawPage({ url: texts.get(url)?.url ?? `URL ${url}` });
}

export function moreOf(count: number, noun: string): string | undefined {
  return count > 0 ? `and ${counted(count, `more ${noun}`)}` : undefined;
}

const PATH_LENGTH_MAX = 60;

/** The end of a URL, which tells pages of a host apart. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/, "");
  return path.length <= PATH_LENGTH_MAX ? path : `…${path.slice(-PATH_LENGTH_MAX)}`;
}

export function rereadsSection({ rereads, texts }: CrawlContents): Section[] {
  if (rereads === undefined) return [];
  const { counts, firstMs, lastMs, lost, lostCount } = rereads;
  const said = rereadOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${formatCount(counts[outcome])} ${WORDS[outcome]}`);
  const section = recordSection(
    {
      heading: "Pages read again",
      paragraphs: [
        `Pages were read again ${spanInWords(firstMs, lastMs)}: ${said.join(", ")}. Coverage is computed from the links as they were first seen.`,
      ],
    },
    {
      columns: [
        { title: "Page", kind: "text" },
        { title: "Since then", kind: "text" },
        { title: "Why", kind: "text", isOptional: true },
        { title: "Seen", kind: "text", isOptional: true },
      ],
      nameColumn: 0,
      rows: lost.map(({ url, outcome, reason, atMs }) => ({
        cells: [
          urlOf(texts, url),
          outcome,
          reason === null ? "–" : reasonInWords(reason),
          momentInWords(atMs),
        ],
        brief: momentInWords(atMs),
      })),
      whenEmpty: "Every page that was read again is still there.",
      more: moreOf(lostCount - lost.length, "page that is gone or has moved"),
    },
  );
  return [section];
}

const WORDS: Readonly<Record<RereadOutcome, string>> = {
  unchanged: "as before",
  changed: "changed",
  gone: "gone",
  moved: "moved",
  failed: "not readable at the time",
};
