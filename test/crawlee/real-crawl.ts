/**
 * A real crawler of Crawlee on the demo web, in a process of its own, in an empty folder. Crawlee is a peer of the
 * benchmarks (`bench/package.json`), which `npm test` prepares: as a dependency for development it would bring 400
 * packages to everyone who builds Tidemark.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { DemoFigures, DemoTask } from "../../bench/crawlee/demo-task.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const CHILD = fileURLToPath(new URL("../../bench/out/bench/crawlee/crawl-demo-child.js", import.meta.url));
const TIMEOUT_MS = 150_000;

export const ROUNDING = 1e-9;

export async function realCrawl(task: DemoTask): Promise<DemoFigures> {
  if (!existsSync(CHILD)) throw new Error(`there is no ${CHILD}; run "npm run bench:prepare" first`);
  const cwd = temporaryDirectory();
  const options = { cwd, timeout: TIMEOUT_MS, killSignal: "SIGKILL" } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, JSON.stringify(task)], options);
  expect(readdirSync(cwd), "what Crawlee leaves on the disk").toEqual([]);
  return JSON.parse(stdout) as DemoFigures;
}
