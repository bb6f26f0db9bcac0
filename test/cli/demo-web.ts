/** The demonstration web for tests of commands: served by the test's own process, gone when the test ends. */
import { onTestFinished } from "vitest";
import { startDemoServer } from "../../src/demo/index.ts";

export const SEED = "http://www.demo.test/";

/** Options with which `tidemark crawl` finds the web and does not dawdle. */
export async function demoWeb(): Promise<string[]> {
  const server = await startDemoServer();
  onTestFinished(() => server.close());
  return [
    ...server.resolve.flatMap((rule) => ["--resolve", rule]),
    "--allow-private",
    "--delay",
    "0",
    "--per-host",
    "4",
    "--per-address",
    "32",
    "--scope",
    "domain",
  ];
}

export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function linesOf(stdout: string): Line[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
