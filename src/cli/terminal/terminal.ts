/** The terminal of a command: progress and notes on standard error, and the style of the answer. */
import { once } from "node:events";
import {
  formatSeconds,
  type Progress,
  type ProgressStep,
  systemTimers,
  type Timers,
  timeStamp,
} from "../../base/index.ts";
import { type TextStyle, wrapped } from "./layout.ts";

export interface Terminal {
  readonly progress: Progress;
  readonly style: TextStyle;
  /** Prints a note that is not part of the answer. */
  note(text: string): void;
  /** Removes the progress line, so that something else can be printed. */
  clear(): void;
}

/** The line that is on the terminal now: whatever is printed replaces it. */
let current: ProgressLine | undefined;

/** `isPlain`: other lines go to standard error meanwhile, so none is overwritten. */
export function openTerminal({
  quiet,
  isPlain = false,
}: {
  readonly quiet: boolean;
  readonly isPlain?: boolean;
}): Terminal {
  const { stderr } = process;
  const line = new ProgressLine({
    write: (text) => stderr.write(text),
    rewrites: stderr.isTTY === true && !isPlain,
    // A terminal that does not know its width says 0.
    width: () => stderr.columns || 80,
  });
  current = line;
  return {
    progress: quiet ? () => {} : (step) => line.show(step),
    style: answerStyle(),
    note: (text) => {
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
  /** It may change while the line is shown. */
  readonly width: () => number;
  readonly clock?: Pick<Timers, "nowMs" | "wallMs">;
}

const REWRITE_MS = 100;
const PLAIN_MS = 5000;
/** Rates measured over less time are guesses. */
const RATE_MS_MIN = 500;

/**
 * Progress as text: on a terminal one line that is rewritten again and again, elsewhere a plain line with the time
 * every few seconds, so that short work leaves no trace in a log.
 */
export class ProgressLine {
  readonly #options: Required<ProgressLineOptions>;
  #task = "";
  #startedMs = 0;
  #startedAt = 0;
  #shownMs: number;
  #visible = false;

  constructor(options: ProgressLineOptions) {
    this.#options = { clock: systemTimers, ...options };
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
    if (nowMs - this.#shownMs < (rewrites ? REWRITE_MS : (step.plainMs ?? PLAIN_MS))) return;
    this.#shownMs = nowMs;
    const parts = describe(step, step.done - this.#startedAt, nowMs - this.#startedMs);
    const room = width() - 1;
    write(rewrites ? `\r\u001B[K${fitting(parts, room)}` : `${timeStamp(clock.wallMs())} ${parts.join(", ")}\n`);
    this.#visible = rewrites;
  }

  clear(): void {
    if (this.#visible) this.#options.write("\r\u001B[K");
    this.#visible = false;
  }
}

/** The first parts, as many as there is room for. */
function fitting(parts: readonly string[], room: number): string {
  let text = parts[0].slice(0, Math.max(0, room));
  for (const part of parts.slice(1)) {
    if (text.length + part.length + 2 > room) break;
    text += `, ${part}`;
  }
  return text;
}

/** The most important part first. */
function describe(
  { task, done, total, unit, notes = [] }: ProgressStep,
  advanced: number,
  elapsedMs: number,
): readonly string[] {
  const parts = [`${task}: ${count(done)}${total === undefined ? "" : ` of ${count(total)}`} ${unit}`, ...notes];
  if (elapsedMs >= RATE_MS_MIN && advanced > 0) {
    const perSecond = (1000 * advanced) / elapsedMs;
    parts.push(`${count(perSecond)}/s`);
    if (total !== undefined && total > done) {
      parts.push(`ETA ${formatSeconds(Math.max(1, Math.round((total - done) / perSecond)))}`);
    }
  }
  return parts;
}

function count(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** Prints to standard error: wrapped on a terminal, as one line elsewhere so that logs can be searched. */
export function report(message: string): void {
  current?.clear();
  const { stderr } = process;
  const width = stderr.isTTY === true ? stderr.columns || 80 : Number.POSITIVE_INFINITY;
  stderr.write(
    `tidemark: ${message}`
      .split("\n")
      .map((line) => wrapped(line, { width, hanging: 2 }))
      .join(""),
  );
}

/** Prints to standard output, which may be the terminal that shows the progress line. */
export function writeOut(text: string): void {
  current?.clear();
  process.stdout.write(text);
}

export function writeJsonLine(document: object): void {
  writeOut(`${JSON.stringify(document)}\n`);
}

/** Options whose value may be a secret. */
const SECRETIVE = /^--(?:header|token)(?:=|$)/;

/** Others see the arguments of a process (`ps`); from now on they see its name alone, if a secret may be among them. */
export function hideArguments(words: readonly string[]): void {
  if (words.some((word) => SECRETIVE.test(word))) process.title = "tidemark";
}

/** A closed pipe (`| head`) is not an error; a full disk behind `>` is. */
export function watchStandardOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    report(`cannot write to standard output: ${error.code === "ENOSPC" ? "the disk is full" : error.message}`);
    process.exit(1);
  });
}

/** Standard output as an output file; `standardOutputDrained` waits for a slow reader. */
export const standardOutput = {
  path: "standard output",
  descriptor: 1,
  write: (bytes: Uint8Array): void => {
    process.stdout.write(bytes);
  },
};

export async function standardOutputDrained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
}
