/** The generator: speed and memory per page as the web grows. Streaming memory should not grow with it. */
import { GeneratedWeb } from "../src/graph/index.ts";
import { cpuSeconds } from "./measure.ts";

export interface GenerateFigures {
  readonly pages: number;
  readonly arcs: number;
  readonly arcsPerCpuSecond: number;
  /** Resident memory that streaming added, sampled while it ran. */
  readonly addedMemoryBytesMax: number;
}

const PAGES_PER_SAMPLE = 1 << 17;

export function benchGenerate(sizes: readonly number[], seed = 1): GenerateFigures[] {
  return sizes.map((pages) => {
    const before = process.memoryUsage.rss();
    let rssMax = before;
    let arcs = 0;
    const seconds = cpuSeconds(() => {
      arcs = new GeneratedWeb({ pages, seed }).forEachRow((page) => {
        if (page % PAGES_PER_SAMPLE === 0) rssMax = Math.max(rssMax, process.memoryUsage.rss());
      });
    });
    return { pages, arcs, arcsPerCpuSecond: arcs / seconds, addedMemoryBytesMax: rssMax - before };
  });
}
