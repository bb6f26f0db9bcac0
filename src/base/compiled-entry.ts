import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Threads run compiled code, also when the rest is run from its source. `path` is that of a file of the package: "rank/worker.js". */
export function compiledEntry(path: string): URL {
  const beside = new URL(`../${path}`, import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../../dist/${path}`, import.meta.url);
}
