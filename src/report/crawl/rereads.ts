/** What has become of pages that were read again. */
import { formatCount, zeroCounts } from "../../base/index.ts";
import { reasonInWords, momentInWords, spanInWords } from "../../text/index.ts";
import { recordSection } from "../records.ts";
import { type Section } from "../card.ts";
import { type Reread, type RereadOutcome, rereadOutcomes } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";
import type { CrawlContents, LostPage, RereadSummary } from "./contents.ts";
import { moreOf, urlOf } from "./pages.ts";

export const LOST_MAX = 20;

/** Of all rereads; undefined where there is none. What counts for the list is what was seen last of a page. */
export function summariseRereads(rereads: Iterable<Reread>, survey: Survey): RereadSummary | undefined {
  const counts = zeroCounts(rereadOutcomes);
  const lost = new Map<number, LostPage>();
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { url, outcome, reason, atMs } of rereads) {
    counts[outcome]++;
    firstMs = Math.min(firstMs, atMs);
    lastMs = Math.max(lastMs, atMs);
    if (outcome === "gone" || outcome === "moved") lost.set(url, { url, outcome, reason, atMs });
    else if (outcome !== "failed") lost.delete(url);
  }
  if (lastMs < firstMs) return undefined;
  const low = (url: number): number => (url < survey.state.length ? survey.interval(url).low : 0);
  return {
    counts,
    firstMs,
    lastMs,
    lost: [...lost.values()].sort((a, b) => low(b.url) - low(a.url) || a.url - b.url).slice(0, LOST_MAX),
    lostCount: lost.size,
  };
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
