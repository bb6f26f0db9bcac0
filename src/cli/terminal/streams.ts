/** Standard output and standard error: answers go to the first, progress, remarks and errors to the second. */
import { once } from "node:events";
import { wrapped } from "./words.ts";

/** On a terminal in lines that fit it; elsewhere as it is, for whoever searches it. */
export function report(message: string): void {
  const { stderr } = process;
  const width = stderr.isTTY === true ? stderr.columns || 80 : Number.POSITIVE_INFINITY;
  stderr.write(
    `tidemark: ${message}`
      .split("\n")
      .map((line) => wrapped(line, { width, hanging: 2 }))
      .join(""),
  );
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

/** For whoever writes bytes to files; a slow reader is waited for by `standardOutputDrained`. */
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
