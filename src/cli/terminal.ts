/** What a command shows while it works, on standard error, and how its answer may look. */
import type { Progress } from "../base/index.ts";
import { ProgressLine } from "./progress-line.ts";
import { report } from "./streams.ts";

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
