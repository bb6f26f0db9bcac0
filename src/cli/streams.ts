/** Standard output and standard error: answers go to the first, progress, remarks and errors to the second. */

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
