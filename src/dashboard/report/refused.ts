/** What was refused and why, with examples. */
import { counted, percent } from "../../base/index.ts";
import { recordSection, type RecordRow, type Section } from "../../lab/index.ts";
import type { CrawlContents, RefusedPages } from "./contents.ts";
import { urlOf } from "./pages.ts";
import { detailInWords, REASONS } from "./words.ts";

export function refusedSection(contents: CrawlContents): Section {
  return recordSection(
    {
      heading: "What was refused, and why",
      paragraphs: [
        "URLs that exist, or may exist, and were not fetched for a reason: their share of all importance, and the most important examples of each reason.",
      ],
    },
    {
      columns: [
        { title: "Reason", kind: "text" },
        { title: "Missing", kind: "number" },
        { title: "Example", kind: "text" },
        { title: "What happened", kind: "text", isOptional: true },
      ],
      nameColumn: 0,
      rows: contents.chosen.refused.flatMap((group) => rowsOf(group, contents)),
      whenEmpty: "Nothing was refused.",
    },
  );
}

/** One row for the reason as a whole, one for each example. */
function rowsOf(
  { reason, count, mass, examples }: RefusedPages,
  { survey, texts }: CrawlContents,
): RecordRow[] {
  const { name, meaning } = REASONS[reason];
  const share = survey.facts.missing.find((each) => each.reason === reason);
  const hosts = (share?.hosts ?? []).slice(0, 3).map(({ host }) => survey.facts.hosts[host]?.host ?? "");
  const where = hosts.length === 0 ? "" : `, most of it on ${hosts.join(", ")}`;
  const size = Math.max(count, share?.pages ?? 0);
  return [
    { cells: [name, percent(mass), `${counted(size, "URL")}${where}. ${meaning}`, ""] },
    ...examples.map(({ url, mass: lost }) => {
      const text = texts.get(url);
      const detail = detailInWords(text?.reason ?? null, text?.status ?? null);
      return { cells: ["", percent(lost), urlOf(texts, url), detail === "" ? "–" : detail] };
    }),
  ];
}
