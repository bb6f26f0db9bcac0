/** The demonstration web for tests of commands: served by the test's own process, gone when the test ends. */
import { onTestFinished } from "vitest";
import type { CrawlOptions } from "../../src/crawl/index.ts";
import { startDemoServer } from "../../src/demo/index.ts";

export const SEED = "http://www.demo.test/";

/** Options with which `crawl` finds the web and does not dawdle. */
export async function demoOptions(): Promise<CrawlOptions & { readonly resolve: readonly string[] }> {
  const server = await startDemoServer();
  onTestFinished(() => server.close());
  return { resolve: server.resolve, allowPrivate: true, delay: 0, perHost: 4, perAddress: 32, scope: "domain" };
}

/** The same for `tidemark crawl`. */
export async function demoWeb(): Promise<string[]> {
  const { resolve, delay, perHost, perAddress, scope } = await demoOptions();
  const values = { "--delay": delay, "--per-host": perHost, "--per-address": perAddress, "--scope": scope };
  return [
    ...resolve.flatMap((rule) => ["--resolve", rule]),
    "--allow-private",
    ...Object.entries(values).flatMap(([flag, value]) => [flag, `${value}`]),
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
