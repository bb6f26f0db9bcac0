/**
 * What a crawl shows while it runs, on standard error: on a terminal a few lines that are written again, elsewhere a plain line now and
 * then. All of it is committed by the time it is shown.
 */
import { counted, formatBytes, formatCount, formatSeconds, percentAtLeast } from "../../base/index.ts";
import type { CrawlStatus, Limits } from "../../crawl/index.ts";
import { Estimate } from "./estimate.ts";

export interface HostProgress {
  readonly name: string;
  readonly pages: number;
  readonly errors: number;
}

export interface DisplayOptions {
  readonly write: (text: string) => void;
  readonly rewrites: boolean;
  readonly color: boolean;
  /** Asked anew each time: terminals change their width. */
  readonly width: () => number;
  readonly limits: Limits;
  readonly hosts: () => readonly HostProgress[];
}

const PLAIN_MS = 10_000;
const HOSTS_SHOWN = 3;
const BAR_WIDTH_MAX = 40;

export class CrawlDisplay {
  readonly #options: DisplayOptions;
  readonly #estimate: Estimate;
  #shownLines = 0;
  #plainMs = 0;

  constructor(options: DisplayOptions) {
    this.#options = options;
    this.#estimate = new Estimate(options.limits);
  }

  show(status: CrawlStatus): void {
    this.#estimate.add(status);
    const { rewrites, write } = this.#options;
    if (rewrites) return this.#redraw(status);
    if (status.elapsedMs - this.#plainMs < PLAIN_MS) return;
    this.#plainMs = status.elapsedMs;
    write(`${this.#plainLine(status)}\n`);
  }

  /** Takes the lines away, so that something else can be printed. */
  clear(): void {
    if (this.#shownLines > 0) this.#options.write(`\u001B[${this.#shownLines}A\r\u001B[J`);
    this.#shownLines = 0;
  }

  #redraw(status: CrawlStatus): void {
    const width = Math.max(20, this.#options.width() - 1);
    const lines = this.#lines(status, width).map((line) => line.slice(0, width));
    const back = this.#shownLines === 0 ? "" : `\u001B[${this.#shownLines}A\r`;
    // Line by line, so that nothing flickers; what a larger picture left below is cleared.
    this.#options.write(
      `${back}${lines.map((line) => `${this.#coloured(line)}\u001B[K\n`).join("")}\u001B[J`,
    );
    this.#shownLines = lines.length;
  }

  #lines(status: CrawlStatus, width: number): string[] {
    const { limits } = this.#options;
    const { frontier, known, failed, bytes, elapsedMs } = status;
    const left = this.#estimate.secondsLeft();
    return [
      fitted([this.#pages(status), this.#speed(), `${formatBytes(bytes)}`], width),
      coverageBar(status.coverage, limits.coverage, width),
      fitted(
        [
          `${formatCount(frontier)} of ${counted(known, "known URL")} ${waits(frontier)}`,
          ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
        ],
        width,
      ),
      ...hostLines(this.#options.hosts(), width),
      fitted(
        [
          `${formatSeconds(Math.round(elapsedMs / 1000))} so far`,
          ...(left === undefined ? [] : [`about ${formatSeconds(Math.max(1, Math.round(left)))} left`]),
          "Ctrl-C stops cleanly",
        ],
        width,
      ),
    ];
  }

  #plainLine(status: CrawlStatus): string {
    const left = this.#estimate.secondsLeft();
    const parts = [
      this.#pages(status),
      this.#speed(),
      `${percentAtLeast(status.coverage)} covered`,
      `${counted(status.frontier, "URL")} ${waits(status.frontier)}`,
      ...(left === undefined ? [] : [`about ${formatSeconds(Math.max(1, Math.round(left)))} left`]),
    ];
    return parts.filter((part) => part !== "").join(", ");
  }

  #pages({ pages }: CrawlStatus): string {
    const limit = this.#options.limits.pages;
    return limit === undefined
      ? counted(pages, "page")
      : `${formatCount(pages)} of ${counted(limit, "page")}`;
  }

  #speed(): string {
    const rate = this.#estimate.pagesPerSecond();
    return rate === undefined ? "" : `${rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))} pages/s`;
  }

  #coloured(line: string): string {
    return this.#options.color ? line.replace(/█+/, (bar) => `\u001B[36m${bar}\u001B[39m`) : line;
  }
}

/** The hosts that gave most pages. */
export function bestHosts(hosts: readonly HostProgress[], count = HOSTS_SHOWN): HostProgress[] {
  const best: HostProgress[] = [];
  for (const host of hosts) {
    const last = best.at(-1);
    if (host.pages === 0 || (best.length === count && last !== undefined && host.pages <= last.pages))
      continue;
    best.push(host);
    best.sort((a, b) => b.pages - a.pages);
    if (best.length > count) best.pop();
  }
  return best;
}

function coverageBar(coverage: number, goal: number | undefined, width: number): string {
  const label = `${percentAtLeast(coverage)} certainly covered`;
  const aim = goal === undefined ? "" : ` of ${percentAtLeast(goal)}`;
  const text =
    width >= label.length + aim.length + 10 ? `${label}${aim}` : `${percentAtLeast(coverage)} covered`;
  const size = Math.min(BAR_WIDTH_MAX, width - text.length - 3);
  if (size < 5) return text;
  const full = Math.floor(coverage * size);
  const mark = goal === undefined ? -1 : Math.min(size - 1, Math.floor(goal * size));
  const cells = Array.from({ length: size }, (_, k) => (k < full ? "█" : k === mark ? "|" : "·"));
  return `[${cells.join("")}] ${text}`;
}

function hostLines(hosts: readonly HostProgress[], width: number): string[] {
  const best = bestHosts(hosts);
  const nameWidth = Math.min(Math.max(0, ...best.map(({ name }) => name.length)), Math.max(8, width - 24));
  return best.map(({ name, pages, errors }) => {
    const shown = name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth);
    return `  ${shown}  ${counted(pages, "page")}${errors === 0 ? "" : `, ${counted(errors, "error")}`}`;
  });
}

function waits(count: number): string {
  return count === 1 ? "waits" : "wait";
}

/** As many parts as fit in a line. */
function fitted(parts: readonly string[], width: number): string {
  let line = "";
  for (const part of parts) {
    if (part === "") continue;
    const longer = line === "" ? part : `${line}, ${part}`;
    if (longer.length > width) break;
    line = longer;
  }
  return line;
}
