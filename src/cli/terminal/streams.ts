/** Standard output takes the answer; standard error takes progress, notes and errors. */
import { once } from "node:events";
import { wrapped } from "./words.ts";

/** Prints to standard error: wrapped on a terminal, as one line elsewhere so that logs can be searched. */
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

export function writeJsonLine(document: object): void {
  writeOut(`${JSON.stringify(document)}\n`);
}

/** A reader who closes the pipe (`| head`) is no error; a full disk behind `>` is. */
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
