/** The terminal of a command: progress and notes on standard error, and the style of the answer. */
import { type Clock, formatSeconds, type Progress, type ProgressStep, systemClock } from "../../base/index.ts";
import { report } from "./streams.ts";

export interface TextStyle {
  /** Characters per line; unlimited where the answer goes to a file or a pipe. */
  readonly width: number;
  readonly color: boolean;
}

export interface Terminal {
  readonly progress: Progress;
  readonly style: TextStyle;
  /** Prints a note that is not part of the answer. */
  note(text: string): void;
  /** Removes the progress line, so that something else can be printed. */
  clear(): void;
}

export function openTerminal({ quiet }: { readonly quiet: boolean }): Terminal {
  const { stderr } = process;
  const line = new ProgressLine({
    write: (text) => stderr.write(text),
    rewrites: stderr.isTTY === true,
    // A terminal that does not know its width says 0.
    width: stderr.columns || 80,
  });
  return {
    progress: quiet ? () => {} : (step) => line.show(step),
    style: answerStyle(),
    note: (text) => {
      line.clear();
      if (!quiet) report(text);
    },
    clear: () => line.clear(),
  };
}

/** How standard output looks. */
export function answerStyle(): TextStyle {
  const { stdout, env } = process;
  const isPlain = Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb";
  return { width: stdout.columns || Number.POSITIVE_INFINITY, color: stdout.isTTY === true && !isPlain };
}

export interface ProgressLineOptions {
  readonly write: (text: string) => void;
  /** Whether lines can be overwritten. */
  readonly rewrites: boolean;
  readonly width: number;
  readonly clock?: Clock;
}

const REWRITE_MS = 100;
const PLAIN_MS = 5000;
/** Rates measured over less time are guesses. */
const RATE_MS_MIN = 500;

/**
 * Progress as text: on a terminal one line that is rewritten again and again, elsewhere a plain line every few seconds,
 * so that short work leaves no trace in a log.
 */
export class ProgressLine {
  readonly #options: Required<ProgressLineOptions>;
  #task = "";
  #startedMs = 0;
  #startedAt = 0;
  #shownMs: number;
  #visible = false;

  constructor(options: ProgressLineOptions) {
    this.#options = { clock: systemClock, ...options };
    this.#shownMs = this.#options.clock.nowMs();
  }

  show(step: ProgressStep): void {
    const { clock, rewrites, width, write } = this.#options;
    const nowMs = clock.nowMs();
    if (step.task !== this.#task || step.done < this.#startedAt) {
      this.#task = step.task;
      this.#startedMs = nowMs;
      this.#startedAt = step.done;
    }
    if (nowMs - this.#shownMs < (rewrites ? REWRITE_MS : PLAIN_MS)) return;
    this.#shownMs = nowMs;
    const text = describe(step, step.done - this.#startedAt, nowMs - this.#startedMs);
    write(rewrites ? `\r\u001B[K${text.slice(0, Math.max(0, width - 1))}` : `${text}\n`);
    this.#visible = rewrites;
  }

  clear(): void {
    if (this.#visible) this.#options.write("\r\u001B[K");
    this.#visible = false;
  }
}

function describe({ task, done, total, unit }: ProgressStep, advanced: number, elapsedMs: number): string {
  const parts = [`${task}: ${count(done)}${total === undefined ? "" : ` of ${count(total)}`} ${unit}`];
  if (elapsedMs >= RATE_MS_MIN && advanced > 0) {
    const perSecond = (1000 * advanced) / elapsedMs;
    parts.push(`${count(perSecond)}/s`);
    if (total !== undefined && total > done) {
      parts.push(`ETA ${formatSeconds(Math.max(1, Math.round((total - done) / perSecond)))}`);
    }
  }
  return parts.join(", ");
}

function count(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 });
}
