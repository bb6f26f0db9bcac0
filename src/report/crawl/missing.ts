/** What is missing: the missing share by reason and host, and examples of the URLs that were not fetched. */
import { counted, percentAtLeast } from "../../base/index.ts";
import type { SurveyFacts, SurveyMissing } from "../../survey/index.ts";
import { reasonInWords, REASONS, refusalInWords, shareInWords, shortened } from "../../text/index.ts";
import { recordGroupsSection, type Records } from "../pieces/records.ts";
import { type Section, type SectionText, textSection } from "../pieces/sections.ts";
import { type ShareGroup, sharesSection } from "../pieces/shares.ts";
import type { CrawlContents, RefusedPages } from "./contents.ts";
import { urlOf } from "./pages.ts";

export const HOSTS_MAX = 10;
const HOST_LENGTH_MAX = 60;

export function missingSection({ survey }: CrawlContents): Section {
  const { facts } = survey;
  const { coverage } = facts.certificate;
  const heading = "What is missing";
  const missing = facts.missing.filter(({ mass }) => mass > 0);
  if (missing.length === 0 || facts.status.known === 0) {
    const text =
      facts.status.known === 0
        ? "Nothing is known about this web yet."
        : "Nothing is missing: a surfer who starts at the seeds never leaves the downloaded pages.";
    return textSection({ heading, paragraphs: [text] });
  }
  const groups = missing.map((share) => shareGroup(share, facts));
  return sharesSection(
    {
      heading,
      paragraphs: [
        "What is not covered, by reason. The shares are parts of all importance. Together with the coverage they sum " +
          "to 100%.",
      ],
    },
    {
      covered: { name: "Covered", share: coverage, figure: percentAtLeast(coverage) },
      groups,
      label: [`Covered ${percentAtLeast(coverage)}`, ...groups.map(labelOf)].join("; "),
    },
  );
}

function labelOf({ name, figure }: ShareGroup): string {
  return `${name.toLowerCase()} ${figure}`;
}

function shareGroup({ reason, mass, pages, hosts }: SurveyMissing, facts: SurveyFacts): ShareGroup {
  const { name, meaning, advice } = REASONS[reason];
  const more = hosts.length - HOSTS_MAX;
  return {
    name,
    fill: `fill-${reason}`,
    share: mass,
    figure: shareInWords(mass),
    ...(pages === 0 ? {} : { note: `${counted(pages, "URL")} on ${counted(hosts.length, "host")}` }),
    words: [`${meaning} ${advice}`],
    parts: hosts.slice(0, HOSTS_MAX).map((part) => ({
      name: shortened(facts.hosts[part.host]?.host ?? "", HOST_LENGTH_MAX),
      share: part.mass,
      figure: shareInWords(part.mass),
      note: counted(part.pages, "URL"),
    })),
    ...(more > 0 ? { more: `and ${counted(more, "more host")}` } : {}),
  };
}

const HOSTS_NAMED_MAX = 3;

export function refusedSection(contents: CrawlContents): Section {
  return recordGroupsSection(
    {
      heading: "What was not fetched, and why",
      paragraphs: [
        "URLs that were skipped or failed, with the share of all importance that is missing there, and the most " +
          "important examples.",
      ],
    },
    contents.chosen.refused.map((group) => refusedGroup(group, contents)),
    "Every known URL was fetched or is waiting.",
  );
}

function refusedGroup(
  { reason, count, mass, examples }: RefusedPages,
  { survey, texts }: CrawlContents,
): SectionText & { readonly figure: string; readonly records: Records } {
  const { name, meaning } = REASONS[reason];
  const share = survey.facts.missing.find((each) => each.reason === reason);
  const hosts = (share?.hosts ?? []).map(({ host }) => survey.facts.hosts[host]?.host ?? "");
  const more = hosts.length - HOSTS_NAMED_MAX;
  const named = [...hosts.slice(0, HOSTS_NAMED_MAX), ...(more > 0 ? [`${counted(more, "more host")}`] : [])];
  const where = named.length === 0 ? "" : ` on ${named.join(", ")}`;
  return {
    heading: name,
    figure: shareInWords(mass),
    paragraphs: [`${meaning} ${counted(Math.max(count, share?.pages ?? 0), "URL")}${where}.`],
    records: {
      columns: [
        { title: "Example", kind: "text" },
        { title: "Reason", kind: "text", isOptional: true },
        { title: "Missing", kind: "number" },
      ],
      nameColumn: 0,
      rows: examples.map(({ url, mass: lost }) => {
        const text = texts.get(url);
        const detail = detailInWords(text?.reason ?? null, text?.status ?? null) || name.toLowerCase();
        return { cells: [urlOf(texts, url), detail, shareInWords(lost)], brief: detail };
      }),
      whenEmpty: "They are only counted per host.",
    },
  };
}

/** The detail of a reason in the log: "failed:connect-timeout" is "does not respond". Empty without a detail. */
function detailInWords(reason: string | null, status: number | null): string {
  if (reason?.includes(":") !== true) return status === null ? "" : reasonInWords(`status-${status}`);
  const words = refusalInWords(reason);
  return status === null || words.includes(String(status)) ? words : `${words} (status ${status})`;
}
