/** Lines of numbers: what is covered, pages, URLs, time. */
import { counted, formatBytes, formatCount, formatSeconds, percentAtLeast } from "../../base/index.ts";
import type { Limits } from "../../crawl/index.ts";
import type { Canvas } from "./canvas.ts";
import { barOf } from "./glyphs.ts";
import type { Scene } from "./scene.ts";
import { type Line, lineColumns, span } from "./spans.ts";

const BAR_CELLS_MAX = 60;
const BAR_CELLS_MIN = 5;
const BAR_ENDS = 2;

export function coverageLine(scene: Scene, canvas: Canvas): Line {
  const { status, limits } = scene;
  const label = coverageLabel(scene, canvas);
  const cells = barCells(label, canvas);
  if (cells < BAR_CELLS_MIN) return label;
  return [...barOf(status.coverage, limits.coverage, cells, canvas.glyphs), span(" "), ...label];
}

/** Charts below the bar are as wide as it is; so wide with its ends, or all columns where there is none. */
export function barColumns(scene: Scene, canvas: Canvas): number {
  const cells = barCells(coverageLabel(scene, canvas), canvas);
  return cells < BAR_CELLS_MIN ? canvas.columns : cells + BAR_ENDS;
}

function coverageLabel({ status, limits }: Scene, canvas: Canvas): Line {
  const covered = percentAtLeast(status.coverage);
  const goal = limits.coverage;
  const target = goal === undefined ? "" : `, target ${percentAtLeast(goal)}`;
  const words = [` certainly covered${target}`, " certainly covered", " covered"];
  // Words go before a bar that is at least as long as they are.
  const room = canvas.columns - covered.length - BAR_ENDS - 1;
  return [span(covered, "strong"), span(words.find((text) => room >= 2 * text.length) ?? "")];
}

function barCells(label: Line, { columns }: Canvas): number {
  return Math.min(BAR_CELLS_MAX, columns - lineColumns(label) - BAR_ENDS - 1);
}

export function pagesLine({ status, limits, pagesPerSecond }: Scene, canvas: Canvas): Line {
  const { pages, bytes } = status;
  return canvas.fitted([
    limits.pages === undefined
      ? counted(pages, "page")
      : `${formatCount(pages)} of ${counted(limits.pages, "page")}`,
    ...(pagesPerSecond === undefined ? [] : [speedInWords(pagesPerSecond)]),
    formatBytes(bytes),
  ]);
}

export function speedInWords(pagesPerSecond: number): string {
  const rate = pagesPerSecond < 10 ? pagesPerSecond.toFixed(1) : formatCount(Math.round(pagesPerSecond));
  return `${rate} pages/s`;
}

export function urlsLine({ status }: Scene, canvas: Canvas): Line {
  const { frontier, known, failed, redirects, hosts } = status;
  const waiting = `${formatCount(frontier)} of ${counted(known, "known URL")} ${waits(frontier)}`;
  return canvas.fitted([
    waiting.length <= canvas.columns ? waiting : `${counted(frontier, "URL")} ${waits(frontier)}`,
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
    ...(redirects === 0 ? [] : [counted(redirects, "redirect")]),
    counted(hosts, "host"),
  ]);
}

export function waits(count: number): string {
  return count === 1 ? "waits" : "wait";
}

export function timeLine({ status, state, nextLimit, limits }: Scene, canvas: Canvas): Line {
  const soFar = `${formatSeconds(Math.round(status.elapsedMs / 1000))} so far`;
  if (state === "paused" || state === "stopping") return canvas.fitted([state, soFar], "warning");
  if (nextLimit === undefined) return canvas.fitted([soFar]);
  const left = leftInWords(nextLimit.seconds);
  const whole = canvas.fitted([soFar, `${left} until ${limitInWords(nextLimit.limit, limits)}`]);
  return whole.length > 1 ? whole : canvas.fitted([soFar, left]);
}

export function leftInWords(secondsLeft: number): string {
  return `about ${formatSeconds(Math.max(1, Math.round(secondsLeft)))} left`;
}

function limitInWords(limit: keyof Limits, { coverage = 1, pages = 0, bytes = 0 }: Limits): string {
  if (limit === "coverage") return `${percentAtLeast(coverage)} is covered`;
  if (limit === "pages") return counted(pages, "page");
  return limit === "bytes" ? formatBytes(bytes) : "the limit of time";
}
