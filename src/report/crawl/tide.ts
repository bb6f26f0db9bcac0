/** The tide: certified coverage, and what sampling shows, page by page. */
import { counted, percentAtLeast } from "../../base/index.ts";
import type { SampledClaim } from "../../crawl/index.ts";
import type { Chart, Series } from "../../lab/index.ts";
import type { TidePoint } from "../../survey/index.ts";
import { ceilingInWords, targetInWords, TIDE_OF_NOW, wholeInWords } from "../../text/index.ts";
import { chartSection, type ReportSection, textSection } from "../pieces/sections.ts";
import type { CrawlContents } from "./contents.ts";

/** More points could not be told apart, and would make the file larger. */
export const POINTS_MAX = 300;

export function tideSection(contents: CrawlContents): ReportSection {
  const chart = tideChart(contents);
  if (chart.series.length === 0 || contents.survey.facts.status.pages === 0) {
    return textSection({ heading: chart.title, paragraphs: ["It starts to rise with the first page."] });
  }
  return chartSection(chart, [
    'How coverage rose with every page. "Certified" is what the downloaded pages prove. "Bound while crawling" is ' +
      "what the crawler knew while it ran. Both are lower bounds: the true coverage is never below them.",
    ...(contents.survey.facts.isTideOfNow === true ? [TIDE_OF_NOW] : []),
    ...sampledText(contents.survey.facts.status.sampled),
  ]);
}

function sampledText(sampled: SampledClaim | undefined): string[] {
  if (sampled === undefined || sampled.coverage === 0) return [];
  const sure = `with confidence ${targetInWords(sampled.confidence)}`;
  return [`"Sampled" is what random walks show, ${sure}: it is not a proof.`];
}

export function tideChart({ survey, settings }: Pick<CrawlContents, "survey" | "settings">): Chart {
  const { facts } = survey;
  const whole = wholeInWords(facts.certificate.universe);
  const ceiling = ceilingInWords(facts.status.ceiling);
  const points = thinned(facts.tide);
  const target = settings.limits.coverage;
  const group = settings.order;
  const curves: Series[] = [
    {
      group,
      measure: "certified",
      line: "solid",
      steps: true,
      area: true,
      points: points.map(([pages, , certified]) => [pages, certified]),
    },
    {
      group,
      measure: "bound while crawling",
      line: "dashed",
      steps: true,
      points: points.flatMap(([pages, , , guaranteed]) => (guaranteed === null ? [] : [[pages, guaranteed]])),
    },
    { group, measure: "sampled", line: "sampled", steps: true, points: sampledPoints(points) },
  ];
  return {
    title: "The tide",
    description:
      `Coverage by pages downloaded. At the end, ${counted(facts.status.pages, "page")} cover at least ` +
      `${percentAtLeast(facts.certificate.coverage)} of ${whole}${ceiling === undefined ? "" : `; ${ceiling}`}.`,
    groupLabel: "Order",
    x: { label: "Pages downloaded", kind: "count", scale: "linear" },
    y: { label: "Coverage", kind: "percent", scale: "linear" },
    series: curves.filter((curve) => curve.points.length > 0),
    ...(target === undefined ? {} : { target: { value: target, label: `target ${targetInWords(target)}` } }),
    ...(ceiling === undefined ? {} : { ceiling: { value: facts.status.ceiling, label: ceiling } }),
  };
}

/** A claim that became void, because a host blocks the crawler, is not drawn. */
function sampledPoints(points: readonly TidePoint[]): (readonly [number, number])[] {
  const first = points.findLastIndex((point) => point[4] === null) + 1;
  return points.slice(first).flatMap(([pages, , , , sampled]) => (sampled === null ? [] : [[pages, sampled] as const]));
}

/**
 * At most `POINTS_MAX`, evenly spaced, with the first and the last point. Of points at one place, the last one counts.
 */
export function thinned(points: readonly TidePoint[]): TidePoint[] {
  const last = points.at(-1);
  if (last === undefined) return [];
  const first = points[0];
  const step = (last[0] - first[0]) / (POINTS_MAX - 2);
  const kept: TidePoint[] = [];
  let slot = Number.NaN;
  for (const point of points) {
    const at = step > 0 ? Math.floor((point[0] - first[0]) / step) : 0;
    // The newest point of a slot represents it; the first point keeps its own slot.
    if (at === slot && kept.length > 1) kept.pop();
    slot = at;
    kept.push(point);
  }
  return kept;
}
