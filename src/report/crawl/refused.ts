/** What was refused and why, with examples. */
import { counted } from "../../base/index.ts";
import { reasonInWords, refusalInWords, REASONS, shareInWords } from "../../text/index.ts";
import { recordGroupsSection, type Records } from "../records.ts";
import type { Section, SectionText } from "../card.ts";
import type { CrawlContents, RefusedPages } from "./contents.ts";
import { urlOf } from "./pages.ts";

const HOSTS_NAMED_MAX = 3;

export function refusedSection(contents: CrawlContents): Section {
  return recordGroupsSection(
    {
      heading: "What was refused, and why",
      paragraphs: [
        "URLs that exist, or may exist, and were not fetched for a reason, with the share of all importance that is missing there and the most important examples.",
      ],
    },
    contents.chosen.refused.map((group) => groupOf(group, contents)),
    "Nothing was refused.",
  );
}

function groupOf(
  { reason, count, mass, examples }: RefusedPages,
  { survey, texts }: CrawlContents,
): SectionText & { readonly figure: string; readonly records: Records } {
  const { name, meaning } = REASONS[reason];
  const share = survey.facts.missing.find((each) => each.reason === reason);
  const hosts = (share?.hosts ?? []).map(({ host }) => survey.facts.hosts[host]?.host ?? "");
  const more = hosts.length - HOSTS_NAMED_MAX;
  const named = [...hosts.slice(0, HOSTS_NAMED_MAX), ...(more > 0 ? [`${counted(more, "more host")}`] : [])];
  return {
    heading: name,
    figure: shareInWords(mass),
    paragraphs: [
      `${meaning} ${counted(Math.max(count, share?.pages ?? 0), "URL")}${named.length === 0 ? "" : ` on ${named.join(", ")}`}.`,
    ],
    records: {
      columns: [
        { title: "Example", kind: "text" },
        { title: "What happened", kind: "text", isOptional: true },
        { title: "Missing", kind: "number" },
      ],
      nameColumn: 0,
      rows: examples.map(({ url, mass: lost }) => {
        const text = texts.get(url);
        const detail = detailInWords(text?.reason ?? null, text?.status ?? null) || name.toLowerCase();
        return { cells: [urlOf(texts, url), detail, shareInWords(lost)], brief: detail };
      }),
      whenEmpty: "They are counted by their hosts only, and never asked for one by one.",
    },
  };
}

/** What the log says of a refusal beyond its reason: "failed:connect-timeout" is "does not answer". Empty where it says no more. */
function detailInWords(reason: string | null, status: number | null): string {
  if (reason?.includes(":") !== true) return status === null ? "" : reasonInWords(`status-${status}`);
  const words = refusalInWords(reason);
  return status === null || words.includes(String(status)) ? words : `${words} (status ${status})`;
}
