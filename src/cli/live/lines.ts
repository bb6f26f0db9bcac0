/** The lines of the live view: coverage, pages, URLs, time, hosts, events. */
import { counted, formatBytes, formatCount, formatSeconds, percentAtLeast } from "../../base/index.ts";
import type { CrawlEvent, HostState, HostStatus, Limits } from "../../crawl/index.ts";
import {
  ceilingInWords,
  eventInWords,
  hostStatusInWords,
  sampledBeyond,
  seedLossInWords,
  stateTexts,
  strictInWords,
} from "../../text/index.ts";
import { barOf, type Canvas, type Levels } from "./canvas.ts";
import type { Scene } from "./scene.ts";
import { columnsOf, type Line, lineColumns, type Look, type Span, span } from "./screen.ts";

const BAR_CELLS_MAX = 60;
const BAR_CELLS_MIN = 5;
const BAR_ENDS = 2;

export function coverageLine(scene: Scene, canvas: Canvas): Line {
  const { status } = scene;
  const label = coverageLabel(scene, canvas);
  const cells = barCells(label, canvas);
  if (cells < BAR_CELLS_MIN) return label;
  return [...barOf(status.coverage, levelsOf(scene), cells, canvas.glyphs), span(" "), ...label];
}

/** The target, and the ceiling where it is worth showing. */
export function levelsOf({ status: { ceiling }, limits }: Scene): Levels {
  return { goal: limits.coverage, ceiling: ceilingInWords(ceiling) === undefined ? undefined : ceiling };
}

/** What belongs to the coverage: the most that can be reached, what sampling shows, and the stricter number. */
export function proofLines({ status, universe }: Scene, canvas: Canvas): Line[] {
  const ceiling = ceilingInWords(status.ceiling);
  const sampled = sampledBeyond(status);
  const strict = status.pages === 0 ? undefined : strictInWords({ ...status, universe });
  return [
    ...(ceiling === undefined ? [] : [[span(canvas.cut(ceiling, canvas.columns), "warning")]]),
    ...(sampled === undefined ? [] : [[span(canvas.cut(sampled, canvas.columns), "speed")]]),
    ...(strict === undefined ? [] : [[span(canvas.cut(strict, canvas.columns))]]),
  ];
}

/** The width of the charts below the bar: that of the bar with its ends, or all columns where there is no bar. */
export function barColumns(scene: Scene, canvas: Canvas): number {
  const cells = barCells(coverageLabel(scene, canvas), canvas);
  return cells < BAR_CELLS_MIN ? canvas.columns : cells + BAR_ENDS;
}

function coverageLabel({ status, limits }: Scene, canvas: Canvas): Line {
  const covered = percentAtLeast(status.coverage);
  const goal = limits.coverage;
  const target = goal === undefined ? "" : `, target ${percentAtLeast(goal)}`;
  const words = [` certainly covered${target}`, " certainly covered", " covered"];
  // Words are shown only if the bar stays at least as long as they are.
  const room = canvas.columns - covered.length - BAR_ENDS - 1;
  return [span(covered, "strong"), span(words.find((text) => room >= 2 * text.length) ?? "")];
}

function barCells(label: Line, { columns }: Canvas): number {
  return Math.min(BAR_CELLS_MAX, columns - lineColumns(label) - BAR_ENDS - 1);
}

export function pagesLine({ status, limits, pagesPerSecond }: Scene, canvas: Canvas): Line {
  const { pages, bytes } = status;
  return canvas.fitted([
    limits.pages === undefined ? counted(pages, "page") : `${formatCount(pages)} of ${counted(limits.pages, "page")}`,
    ...(pagesPerSecond === undefined ? [] : [speedInWords(pagesPerSecond)]),
    formatBytes(bytes),
  ]);
}

export function speedInWords(pagesPerSecond: number): string {
  const rate = pagesPerSecond < 10 ? pagesPerSecond.toFixed(1) : formatCount(Math.round(pagesPerSecond));
  return `${rate} pages/s`;
}

export function urlsLine({ status }: Scene, canvas: Canvas): Line {
  const { frontier, known, dead, refused, redirects, hosts } = status;
  const waiting = `${formatCount(frontier)} of ${counted(known, "known URL")} waiting`;
  return canvas.fitted([
    waiting.length <= canvas.columns ? waiting : `${counted(frontier, "URL")} waiting`,
    ...(dead === 0 ? [] : [`${formatCount(dead)} ${stateTexts.dead.name.toLowerCase()}`]),
    ...(refused === 0 ? [] : [`${formatCount(refused)} ${stateTexts.refused.name.toLowerCase()}`]),
    ...(redirects === 0 ? [] : [counted(redirects, "redirect")]),
    counted(hosts, "host"),
  ]);
}

export function timeLine({ status, state, nextLimit, limits }: Scene, canvas: Canvas): Line {
  const elapsed = `${formatSeconds(Math.round(status.elapsedMs / 1000))} elapsed`;
  if (state === "paused" || state === "stopping") return canvas.fitted([state, elapsed], "warning");
  if (nextLimit === undefined) return canvas.fitted([elapsed]);
  const left = leftInWords(nextLimit.seconds);
  const whole = canvas.fitted([elapsed, `${left} (${limitInWords(nextLimit.limit, limits)})`]);
  return whole.length > 1 ? whole : canvas.fitted([elapsed, left]);
}

export function leftInWords(secondsLeft: number): string {
  return `ETA ${formatSeconds(Math.max(1, Math.round(secondsLeft)))}`;
}

function limitInWords(limit: keyof Limits, { coverage = 1, pages = 0, bytes = 0 }: Limits): string {
  if (limit === "coverage") return `${percentAtLeast(coverage)} covered`;
  if (limit === "pages") return counted(pages, "page");
  return limit === "bytes" ? formatBytes(bytes) : "time limit";
}

const LOOKS: Readonly<Record<HostState, Look>> = {
  free: "faint",
  busy: "plain",
  done: "faint",
  resting: "faint",
  paused: "warning",
  robots: "faint",
  full: "faint",
  "given-up": "error",
};

const NAME_COLUMNS_MIN = 12;
/** Between columns. */
const SPACE = "  ";

export function hostLines(hosts: Scene["hosts"], canvas: Canvas): Line[] {
  const rows = hosts.map(({ name, pages, dead, errors, status }) => ({
    name: canvas.printable(name),
    pages: counted(pages, "page"),
    dead: dead === 0 ? "" : `${formatCount(dead)} dead`,
    errors: errors === 0 ? "" : counted(errors, "error"),
    state: stateSpan(status),
  }));
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(columnsOf));
  const pagesWidth = widest(rows.map(({ pages }) => pages));
  const deadWidth = widest(rows.map(({ dead }) => dead));
  const errorsWidth = widest(rows.map(({ errors }) => errors));
  const stateWidth = widest(rows.map(({ state }) => state.text));
  const others = [pagesWidth, deadWidth, errorsWidth, stateWidth].filter((width) => width > 0);
  const room = canvas.columns - others.reduce((sum, width) => sum + width + SPACE.length, 0);
  const nameWidth = Math.min(widest(rows.map(({ name }) => name)), Math.max(NAME_COLUMNS_MIN, room));
  return rows.map(({ name, pages, dead, errors, state }) => [
    span(canvas.padded(name, nameWidth)),
    span(`${SPACE}${pages.padStart(pagesWidth)}`),
    ...(deadWidth === 0 ? [] : [span(`${SPACE}${dead.padStart(deadWidth)}`)]),
    ...(errorsWidth === 0 ? [] : [span(`${SPACE}${errors.padStart(errorsWidth)}`, "warning")]),
    ...(state.text === "" ? [] : [span(SPACE), state]),
  ]);
}

function stateSpan(status: HostStatus | null): Span {
  return status === null ? span("") : span(hostStatusInWords(status), LOOKS[status.state]);
}

/** With fewer columns, events are shown without their time. */
const TIMED_COLUMNS_MIN = 48;

export function eventLine(event: CrawlEvent, damping: number, canvas: Canvas): Line {
  const words = canvas.printable(event.name === "seed-lost" ? seedLossInWords(event, damping) : eventInWords(event));
  if (canvas.columns < TIMED_COLUMNS_MIN) return [span(canvas.cut(words, canvas.columns), lookOf(event))];
  const time = `${timeOfDay(event.atMs)}  `;
  return [span(time, "faint"), span(canvas.cut(words, canvas.columns - time.length), lookOf(event))];
}

function lookOf({ name }: CrawlEvent): Look {
  if (name === "host-given-up" || name === "host-blocked" || name === "seed-lost") return "error";
  const isWarning = name === "host-paused" || name === "seed-in-trouble" || name === "target-unreachable";
  return isWarning ? "warning" : "plain";
}

/** Local time: "14:03:22". */
function timeOfDay(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
