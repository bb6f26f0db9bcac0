/**
 * BV graphs: how fast a graph is decoded, encoded and read row by row, and how small it becomes. Figures are per CPU
 * second, the best of several runs, so that a busy machine does not distort them.
 */
import { Random } from "../src/base/index.ts";
import { type BvFiles, BvRandomAccess, decodeBv, encodeBv } from "../src/graph/index.ts";
import { bestCpuSeconds, cpuSeconds } from "./measure.ts";

export interface BvFigures {
  readonly pages: number;
  readonly arcs: number;
  /** The first run of the process, including compilation. */
  readonly firstDecodeArcsPerCpuSecond: number;
  readonly decodeArcsPerCpuSecond: number;
  readonly encodeArcsPerCpuSecond: number;
  readonly randomRowsPerCpuSecond: number;
  readonly randomArcsPerCpuSecond: number;
  readonly bitsPerArcRead: number;
  readonly bitsPerArcWritten: number;
}

export function benchBv(files: BvFiles, runs = 10): BvFigures {
  const firstDecode = cpuSeconds(() => decodeBv(files));
  const graph = decodeBv(files);
  const decode = bestCpuSeconds(runs, () => decodeBv(files));
  const encode = bestCpuSeconds(Math.ceil(runs / 3), () => encodeBv(graph));
  const access = new BvRandomAccess(files);
  const random = new Random(1);
  const sample = Uint32Array.from({ length: Math.min(graph.pages, 100_000) }, () => random.below(graph.pages));
  let sampledArcs = 0;
  const rows = bestCpuSeconds(Math.ceil(runs / 3), () => {
    sampledArcs = 0;
    for (const page of sample) sampledArcs += access.successors(page).length;
  });
  return {
    pages: graph.pages,
    arcs: graph.arcs,
    firstDecodeArcsPerCpuSecond: graph.arcs / firstDecode,
    decodeArcsPerCpuSecond: graph.arcs / decode,
    encodeArcsPerCpuSecond: graph.arcs / encode,
    randomRowsPerCpuSecond: sample.length / rows,
    randomArcsPerCpuSecond: sampledArcs / rows,
    bitsPerArcRead: (8 * files.graph.byteLength) / graph.arcs,
    bitsPerArcWritten: (8 * encodeBv(graph).graph.byteLength) / graph.arcs,
  };
}
