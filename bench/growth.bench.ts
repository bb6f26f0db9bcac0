/** Whether memory and time per page stay constant as the web grows: each size and order in a separate process. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface GrowthFigures {
  readonly order: string;
  readonly pages: number;
  readonly arcs: number;
  readonly downloads: number;
  readonly pushes: number;
  /** CPU seconds to generate the web, and to crawl all of it. */
  readonly generate: number;
  readonly seconds: number;
  readonly peakBytes: number;
}

export function benchGrowth(sizes: readonly number[]): GrowthFigures[] {
  const child = fileURLToPath(new URL("./growth-child.js", import.meta.url));
  return ["fpr", "rankmass"].flatMap((order) =>
    sizes.map((pages) => {
      const text = execFileSync(process.execPath, [child, order, String(pages)], { encoding: "utf8" });
      return JSON.parse(text) as GrowthFigures;
    }),
  );
}
