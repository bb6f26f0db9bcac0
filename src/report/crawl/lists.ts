/** Lists of pages and hosts: the most important ones, dead links, and pages that were read again. */
import { counted, formatCount, formatBytes, formatSeconds } from "../../base/index.ts";
import { rereadOutcomes } from "../../log/index.ts";
import type { Survey, SurveyHost } from "../../survey/index.ts";
import {
  momentInWords,
  reasonInWords,
  shareAtMost,
  shareFigure,
  shareInWords,
  spanInWords,
  shortened,
  stateTexts,
} from "../../text/index.ts";
import { type Markup, markup } from "../pieces/markup.ts";
import {
  type ReportSection,
  drawInterval,
  drawPage,
  type RecordRow,
  recordSection,
  drawBar,
} from "../pieces/sections.ts";
import { type CrawlContents, type DeadLink, LINKING_MAX, type PageText } from "./contents.ts";

export function topPagesSection(contents: CrawlContents): ReportSection {
  const { survey, chosen } = contents;
  const { certainPlaces, status } = survey.facts;
  const highest = chosen.top.reduce((most, url) => Math.max(most, survey.interval(url).high), 0);
  return recordSection(
    "Most important pages",
    "Dark bar: the smallest possible share of a page. Pale bar: the largest. " +
      (certainPlaces === 0
        ? "No rank is certain yet: what is missing could still change the order."
        : `The first ${certainPlaces === 1 ? "rank is" : `${formatCount(certainPlaces)} ranks are`} certain, ` +
          "no matter what the unseen part of the web looks like."),
    {
      columns: [
        { title: "Rank", kind: "number" },
        { title: "Page", kind: "text" },
        { title: "Importance", kind: "drawn" },
        { title: "At least", kind: "number", isOptional: true },
        { title: "At most", kind: "number", isOptional: true },
        { title: "Its rank", kind: "text", isOptional: true },
      ],
      nameColumn: 1,
      rows: chosen.top.map((url, index) => topRow(contents, url, index, highest)),
      whenEmpty: "No page has been downloaded yet.",
      more: moreOf(status.pages - chosen.top.length, "page"),
    },
  );
}

function topRow({ survey, texts }: CrawlContents, url: number, index: number, highest: number): RecordRow {
  const interval = survey.interval(url);
  const place = survey.place(url) || index + 1;
  const isCertain = place <= survey.facts.certainPlaces;
  const [low, high] = [shareFigure(interval.low), shareAtMost(interval.high)];
  const certainty = isCertain ? markup`<span class="sure">✓ certain</span>` : "";
  return {
    cells: [
      formatCount(place),
      drawPage(texts.get(url) ?? { url: `URL ${url}` }),
      drawInterval(interval, highest),
      low,
      high,
      certainty,
    ],
    brief: `${low} to ${high}${isCertain ? ", rank certain" : ""}`,
  };
}

export function deadSection({ survey, chosen, texts }: CrawlContents): ReportSection {
  return recordSection(
    "Dead links",
    "URLs that do not exist although pages link to them, by the importance that is lost there. Fix those at the " +
      "top first.",
    {
      columns: [
        { title: "Lost", kind: "number" },
        { title: "Dead URL", kind: "text" },
        { title: "Response", kind: "text", isOptional: true },
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
  const why = deathInWords(survey.statusOf[link.url] ?? 0, text?.detail ?? null);
  const more = link.fromCount - LINKING_MAX;
  const from = markup`<ul class="from">${link.from.map((page) => markup`<li>${urlOf(texts, page)}</li>`)}${
    more > 0 ? [markup`<li class="note">and ${counted(more, "more page")}</li>`] : []
  }</ul>`;
  // What no page links to is part of a loop of redirects, or a seed.
  const unlinked = isRedirect(survey.statusOf[link.url] ?? 0) ? "a redirect" : "no page";
  const first = link.from[0] === undefined ? undefined : texts.get(link.from[0])?.url;
  const others = link.fromCount > 1 ? ` and ${counted(link.fromCount - 1, "other page")}` : "";
  return {
    cells: [shareInWords(link.mass), urlOf(texts, link.url), why, link.fromCount === 0 ? unlinked : from],
    brief: `${why}; linked from ${first === undefined ? unlinked : `${pathOf(first)}${others}`}`,
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** A URL that redirects is dead if its redirects form a loop. */
function deathInWords(status: number, detail: string | null): string {
  if (isRedirect(status)) return reasonInWords("redirect-loop");
  if (status > 0) return String(status);
  return detail === null ? "no response" : reasonInWords(detail);
}

/** A URL without text is no longer in this crawl: only its number is known. */
export function urlOf(texts: ReadonlyMap<number, PageText>, url: number): Markup {
  return drawPage({ url: texts.get(url)?.url ?? `URL ${url}` });
}

function moreOf(count: number, noun: string): string | undefined {
  return count > 0 ? `and ${counted(count, `more ${noun}`)}` : undefined;
}

const PATH_LENGTH_MAX = 60;

/** The end of a URL, which differs between the pages of a host. */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/, "");
  return path.length <= PATH_LENGTH_MAX ? path : `…${path.slice(-PATH_LENGTH_MAX)}`;
}

export function rereadsSection({ rereads, texts }: CrawlContents): ReportSection[] {
  if (rereads === undefined) return [];
  const { counts, firstMs, lastMs, lost, lostCount, isAtLeast = false } = rereads;
  const said = rereadOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${formatCount(counts[outcome])} ${outcome}`);
  const section = recordSection(
    "Pages read again",
    `Pages were read again ${spanInWords(firstMs, lastMs)}: ${isAtLeast ? "at least " : ""}${said.join(", ")}. ` +
      "Coverage is computed from the newest visit of each page.",
    {
      columns: [
        { title: "Page", kind: "text" },
        { title: "Now", kind: "text" },
        { title: "Reason", kind: "text", isOptional: true },
        { title: "Seen", kind: "text", isOptional: true },
      ],
      nameColumn: 0,
      rows: lost.map(({ url, outcome, reason, target, atMs }) => ({
        cells: [
          urlOf(texts, url),
          outcome,
          target ?? (reason === null ? "–" : reasonInWords(reason)),
          momentInWords(atMs),
        ],
        brief: momentInWords(atMs),
      })),
      whenEmpty: "Every page that was read again still exists.",
      more: moreOf(lostCount - lost.length, "page that is gone or has moved"),
    },
  );
  return [section];
}

export const HOST_ROWS_MAX = 50;
const HOST_LENGTH_MAX = 100;

export function hostsSection({ survey }: CrawlContents): ReportSection {
  const hosts = largestHosts(survey.facts.hosts, HOST_ROWS_MAX);
  const largest = hosts[0]?.mass ?? 0;
  return recordSection(
    "Hosts",
    "The least share of all importance that is covered on each host, and the most that is missing there. Errors " +
      "are failed attempts.",
    {
      columns: [
        { title: "Host", kind: "text" },
        { title: "Covered", kind: "number" },
        { title: "", kind: "drawn" },
        { title: "Missing", kind: "number" },
        { title: "Pages", kind: "number", isOptional: true },
        { title: "Known", kind: "number", isOptional: true },
        { title: stateTexts.dead.name, kind: "number", isOptional: true },
        { title: stateTexts.refused.name, kind: "number", isOptional: true },
        { title: "Errors", kind: "number", isOptional: true },
        { title: "Bytes", kind: "number", isOptional: true },
        { title: "Response", kind: "number", isOptional: true },
      ],
      nameColumn: 0,
      rows: hosts.map((host) => rowOf(host, largest)),
      whenEmpty: "No host is known yet.",
      more: moreOf(survey.facts.hosts.length - hosts.length, "host"),
    },
  );
}

function rowOf(host: SurveyHost, largest: number): RecordRow {
  const { known, downloaded, dead, refused, errors, bytes, mass, missing, answerMs } = host;
  return {
    cells: [
      markup`<bdi>${shortened(host.host, HOST_LENGTH_MAX)}</bdi>`,
      shareFigure(mass),
      drawBar(mass, largest, "covered"),
      shareInWords(missing),
      formatCount(downloaded),
      formatCount(known),
      formatCount(dead),
      formatCount(refused),
      formatCount(errors),
      formatBytes(bytes),
      answerMs === null ? "–" : formatSeconds(answerMs / 1000),
    ],
    brief:
      `${formatCount(downloaded)} of ${formatCount(known)} pages, ${formatBytes(bytes)}` +
      (dead > 0 ? `, ${formatCount(dead)} dead` : "") +
      (errors > 0 ? `, ${counted(errors, "error")}` : ""),
  };
}

/** By covered share, then by missing share, then by name. There may be millions of hosts, so not all are sorted. */
export function largestHosts(hosts: readonly SurveyHost[], count: number): SurveyHost[] {
  const best: SurveyHost[] = [];
  for (const host of hosts) {
    if (best.length === count && compare(host, best[count - 1]) >= 0) continue;
    let at = best.length;
    while (at > 0 && compare(host, best[at - 1]) < 0) at--;
    best.splice(at, 0, host);
    if (best.length > count) best.pop();
  }
  return best;
}

function compare(a: SurveyHost, b: SurveyHost): number {
  return b.mass - a.mass || b.missing - a.missing || (a.host < b.host ? -1 : 1);
}
