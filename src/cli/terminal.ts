/** Standard output and standard error: answers go to the first, progress, remarks and errors to the second. */
import type { Progress } from "../base/index.ts";
import { ProgressLine } from "./progress-line.ts";

export interface TextStyle {
  /** Characters in a line; unlimited where the answer goes to a file or a pipe. */
  readonly width: number;
  readonly color: boolean;
}

export interface Terminal {
  readonly progress: Progress;
  readonly style: TextStyle;
  /** A remark that is not part of the answer. */
  note(text: string): void;
  /** Takes the progress away, so that something else can be printed. */
  clear(): void;
}

export function openTerminal({ quiet }: { readonly quiet: boolean }): Terminal {
  const { stdout, stderr } = process;
  const line = new ProgressLine({
    write: (text) => stderr.write(text),
    rewrites: stderr.isTTY === true,
    // A terminal that does not know its width says 0.
    width: stderr.columns || 80,
  });
  const plain = process.env["NO_COLOR"] || process.env["TERM"] === "dumb";
  return {
    progress: quiet ? () => {} : (step) => line.show(step),
    style: { width: stdout.columns || Number.POSITIVE_INFINITY, color: stdout.isTTY === true && !plain },
    note: (text) => {
      line.clear();
      if (!quiet) report(text);
    },
    clear: () => line.clear(),
  };
}

export function report(message: string): void {
  process.stderr.write(`tidemark: ${message}\n`);
}

export function writeOut(text: string): void {
  process.stdout.write(text);
}

/** A reader who has seen enough (`| head`) is no error; a full disk behind `>` is. */
export function watchStandardOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    report(
      `cannot write to standard output: ${error.code === "ENOSPC" ? "the disk is full" : error.message}`,
    );
    process.exit(1);
  });
}
