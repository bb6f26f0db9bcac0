/** Where the rest is: the missing share by reason, with the hosts where it is. */
import { counted, percentAtLeast } from "../../base/index.ts";
import { type Section } from "../card.ts";
import { type ShareGroup, sharesSection } from "../shares.ts";
import { shortened } from "../records.ts";
import { textSection } from "../sections.ts";
import type { SurveyFacts, SurveyMissing } from "../../survey/index.ts";
import type { CrawlContents } from "./contents.ts";
import { REASONS, shareInWords } from "../../text/index.ts";

export const HOSTS_MAX = 10;
const HOST_LENGTH_MAX = 60;

export function missingSection({ survey }: CrawlContents): Section {
  const { facts } = survey;
  const { coverage } = facts.certificate;
  const heading = "Where the rest is";
  const missing = facts.missing.filter(({ mass }) => mass > 0);
  if (missing.length === 0 || facts.status.known === 0) {
    const text =
      facts.status.known === 0
        ? "Nothing is known of this web yet."
        : "Nothing is missing: surfers who start at the seeds never leave the downloaded pages.";
    return textSection({ heading, paragraphs: [text] });
  }
  const groups = missing.map((share) => groupOf(share, facts));
  return sharesSection(
    {
      heading,
      paragraphs: [
        "What is not certified, by the reason why. The shares are of all importance; they and what is covered make up the whole.",
      ],
    },
    {
      rest: { name: "Covered", share: coverage, figure: percentAtLeast(coverage) },
      groups,
      label: `Covered ${percentAtLeast(coverage)}; ${groups.map(({ name, figure }) => `${name.toLowerCase()} ${figure}`).join("; ")}`,
    },
  );
}

function groupOf({ reason, mass, pages, hosts }: SurveyMissing, facts: SurveyFacts): ShareGroup {
  const { name, meaning, advice } = REASONS[reason];
  const more = hosts.length - HOSTS_MAX;
  return {
    name,
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
