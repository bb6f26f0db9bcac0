/** What is missing: the missing share by reason and host, and examples of the URLs that were not fetched. */
import { counted, percentAtLeast } from "../../base/index.ts";
import type { MissingReason } from "../../coverage/index.ts";
import type { SurveyFacts, SurveyMissing } from "../../survey/index.ts";
import {
  atMostInWords,
  emptyInWords,
  OUTSIDE_HEADING,
  OUTSIDE_WORDS,
  reasonFor,
  reasonInWords,
  REASONS,
  type ReasonWords,
  refusalInWords,
  shareInWords,
  shortened,
  wholeInWords,
  withoutShareInWords,
} from "../../text/index.ts";
import { type Markup, markup, nothing, percent } from "../pieces/markup.ts";
import {
  recordGroupsSection,
  type Records,
  type ReportSection,
  type SectionText,
  textSection,
  drawBar,
  card,
} from "../pieces/sections.ts";
import { type CrawlContents, type PageText, type RefusedPages, shareOfReason } from "./contents.ts";
import { urlOf } from "./lists.ts";

export const HOSTS_MAX = 10;
const HOST_LENGTH_MAX = 60;

export function missingSection(contents: CrawlContents): ReportSection {
  const { facts } = contents.survey;
  const { coverage, universe } = facts.certificate;
  const heading = "What is missing";
  const missing = facts.missing.filter(({ mass }) => mass > 0);
  if (missing.length === 0 || facts.status.known === 0) {
    return textSection({ heading, paragraphs: [nothingMissing(facts)] });
  }
  return sharesSection(
    heading,
    `What is not covered, by reason. Each share is an upper bound, as a part of ${wholeInWords(universe)}. Together ` +
      "with the coverage they sum to 100%.",
    {
      covered: { name: "Covered", share: coverage, figure: `at least ${percentAtLeast(coverage)}` },
      groups: missing.map((share) => shareGroup(share, contents)),
    },
  );
}

function nothingMissing({ status, missing, outside }: SurveyFacts): string {
  if (status.known === 0) return "Nothing is known about this web yet.";
  const empty = status.pages === 0 ? emptyInWords(missing, outside) : undefined;
  return empty ?? "Nothing is missing: a surfer who starts at the seeds never leaves the downloaded pages.";
}

/** What the universe leaves out. */
export function outsideSection(contents: CrawlContents): ReportSection[] {
  const outside = contents.survey.facts.outside.filter(({ mass }) => mass > 0);
  if (outside.length === 0) return [];
  const groups = outside.map((share) => shareGroup(share, contents));
  return [sharesSection(OUTSIDE_HEADING, OUTSIDE_WORDS, { groups })];
}

/** The words of a reason, as they apply to this crawl. */
function reasonIn({ survey, settings, end }: CrawlContents, reason: MissingReason): ReasonWords {
  return reasonFor(reason, { pages: survey.facts.status.pages, seeds: settings.seeds.length, end });
}

function shareGroup({ reason, mass, pages, hosts }: SurveyMissing, contents: CrawlContents): ShareGroup {
  const { facts } = contents.survey;
  const { name, meaning, advice } = reasonIn(contents, reason);
  const counts = `${counted(pages, "URL")} on ${counted(hosts.length, "host")}`;
  const others = reason === "not-fetched" ? withoutShareInWords({ waiting: facts.status.frontier, pages }) : "";
  const more = hosts.length - HOSTS_MAX;
  return {
    name,
    fill: `fill-${reason}`,
    share: mass,
    figure: atMostInWords(mass),
    ...(pages === 0 ? {} : { note: others === "" ? counts : `${counts}; ${others}` }),
    words: `${meaning} ${advice}`,
    parts: hosts.slice(0, HOSTS_MAX).map((part) => ({
      name: shortened(facts.hosts[part.host]?.host ?? "", HOST_LENGTH_MAX),
      share: part.mass,
      figure: atMostInWords(part.mass),
      note: counted(part.pages, "URL"),
    })),
    ...(more > 0 ? { more: `and ${counted(more, "more host")}` } : {}),
  };
}

const HOSTS_NAMED_MAX = 3;

export function refusedSection(contents: CrawlContents): ReportSection {
  return recordGroupsSection(
    "What was not fetched, and why",
    "URLs that were skipped or failed, with the share that is missing or left out there, at most, and the most " +
      "important examples.",
    contents.chosen.refused.map((group) => refusedGroup(group, contents)),
    "Every known URL was fetched or is waiting.",
  );
}

function refusedGroup(
  { reason, count, mass, examples }: RefusedPages,
  { survey, texts }: CrawlContents,
): SectionText & { readonly figure: string; readonly records: Records } {
  const { name, meaning } = REASONS[reason];
  const share = shareOfReason(survey.facts, reason);
  const hosts = (share?.hosts ?? []).map(({ host }) => survey.facts.hosts[host]?.host ?? "");
  const more = hosts.length - HOSTS_NAMED_MAX;
  const named = [...hosts.slice(0, HOSTS_NAMED_MAX), ...(more > 0 ? [`${counted(more, "more host")}`] : [])];
  const where = named.length === 0 ? "" : ` on ${named.join(", ")}`;
  return {
    heading: name,
    figure: atMostInWords(mass),
    paragraphs: [`${meaning} ${counted(Math.max(count, share?.pages ?? 0), "URL")}${where}.`],
    records: {
      columns: [
        { title: "Example", kind: "text" },
        { title: "Reason", kind: "text", isOptional: true },
        { title: "At most", kind: "number" },
      ],
      nameColumn: 0,
      rows: examples.map(({ url, mass: lost }) => {
        const text = texts.get(url);
        const detail = (text === undefined ? "" : detailInWords(text)) || name.toLowerCase();
        return { cells: [urlOf(texts, url), detail, shareInWords(lost)], brief: detail };
      }),
      whenEmpty: "They are only counted per host.",
    },
  };
}

/** The detail of a refusal in the log: "connect-timeout" is "does not respond". Empty without a detail. */
function detailInWords({ reason, detail, status }: PageText): string {
  if (reason === null || detail === null) return status === null ? "" : reasonInWords(`status-${status}`);
  const words = refusalInWords(reason, detail);
  return status === null || words.includes(String(status)) ? words : `${words} (status ${status})`;
}

interface SharePart {
  readonly name: string;
  readonly share: number;
  /** The share as text, then a note. */
  readonly figure: string;
  readonly note?: string;
}

interface ShareGroup extends SharePart {
  /** The class that sets its colour. */
  readonly fill: string;
  readonly words: string;
  readonly parts: readonly SharePart[];
  /** The parts that are left out: "and 12 more hosts". */
  readonly more?: string;
}

interface Shares {
  /** The part of the whole that no group has: drawn first. Without it, the groups are no parts of one whole. */
  readonly covered?: SharePart;
  /** Largest first: bars are drawn in proportion to the first one. */
  readonly groups: readonly ShareGroup[];
}

/** A whole and its parts as bars: each part with an explanation and with its own parts. */
export function sharesSection(heading: string, intro: string, shares: Shares): ReportSection {
  const groups = shares.groups.map((group) => drawGroup(group, shares.groups[0].share));
  const { covered } = shares;
  const whole = covered === undefined ? nothing : drawWhole(covered, shares.groups);
  const body = markup`${whole}<div class="shares">${groups}</div>`;
  return card({ heading, paragraphs: [intro], isLong: true }, () => body);
}

/** The whole in one bar. */
function drawWhole(covered: SharePart, groups: readonly ShareGroup[]): Markup {
  let left = 0;
  const parts = [{ ...covered, colour: "covered" }, ...groups.map((group) => ({ ...group, colour: colourOf(group) }))];
  const pieces = parts.map(({ share, colour }) => {
    const piece = markup`<rect class="${colour}" x="${percent(left)}" width="${percent(share)}" height="100%"/>`;
    left += share;
    return piece;
  });
  const entries = parts.map(
    ({ name, figure, colour }) => markup`<li>${drawDot(colour)}<span>${name}</span> <b>${figure}</b></li>`,
  );
  const words = groups.map(({ name, figure }) => `${name.toLowerCase()} ${figure}`);
  const label = [`${covered.name} ${covered.figure}`, ...words].join("; ");
  const bar = markup`<svg width="100%" height="26" role="img" aria-label="${label}">${pieces}</svg>`;
  return markup`<div class="whole">${bar}<ul>${entries}</ul></div>`;
}

function colourOf({ fill }: ShareGroup): string {
  return `piece ${fill}`;
}

function drawDot(colour: string): Markup {
  const rect = markup`<rect class="${colour}" width="12" height="12" rx="3"/>`;
  return markup`<svg class="dot" width="12" height="12" aria-hidden="true">${rect}</svg>`;
}

function drawGroup(group: ShareGroup, largest: number): Markup {
  const { name, fill, figure, note, words, parts, more } = group;
  const rows = parts.map((part) => {
    const bar = drawBar(part.share, group.share, fill);
    const text = markup`<span class="name"><bdi>${part.name}</bdi></span><span class="figure">${part.figure}</span>`;
    return markup`<li>${text}${bar}<span class="note">${part.note ?? ""}</span></li>`;
  });
  return markup`<div class="share">
<h3>${drawDot(colourOf(group))}${name}</h3><p class="figure">${figure}</p>
${drawBar(group.share, largest, fill)}
<p class="note">${note ?? ""}</p>
<p class="words">${words}</p>
${rows.length === 0 ? nothing : markup`<ol>${rows}</ol>`}
${more === undefined ? nothing : markup`<p class="note">${more}</p>`}
</div>`;
}
