/** Files of other crawlers, given to a command that works on crawl directories: the error names the way. */
import { statSync } from "node:fs";
import { shellWord, UsageError } from "../../base/index.ts";
import { programName } from "../terminal/layout.ts";

/** Does the work of a command. If it refuses, and was given a file that `import` takes, the error says that as well. */
export async function orImport<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const path of paths) {
      const format = await foreignFormat(path);
      if (format === undefined) continue;
      const command = `${programName()} import ${shellWord(path)} --out DIR`;
      throw new UsageError(
        `${error.message}. ${path} looks like a file of another crawler (${format}); to make a crawl directory of ` +
          `it: ${command}`,
        { cause: error },
      );
    }
    throw error;
  }
}

async function foreignFormat(path: string): Promise<string | undefined> {
  if (!isFile(path)) return undefined;
  const { importableFormat } = await import("../../import/index.ts");
  return importableFormat(path);
}

/** Only these can be read again: what came from a pipe is gone. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
