/**
 * Real web graphs that are not part of the project: looked for in the folder named by TIDEMARK_SHARED, else in
 * `../shared`. Tests that need a file which is not there are skipped, and this says so once for each file.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const projectRoot = fileURLToPath(new URL("../../", import.meta.url));
const sharedRoot = resolve(projectRoot, process.env["TIDEMARK_SHARED"] ?? "../shared");

/** `sharedPath("data/cnr-2000.graph")`: where it is, or undefined. */
export function sharedPath(name: string): string | undefined {
  const path = resolve(sharedRoot, name);
  if (existsSync(path)) return path;
  console.warn(`tests with ${name} did not run: ${path} is not there (TIDEMARK_SHARED names its folder)`);
  return undefined;
}
