/** Text arcs: how fast a file in memory is decoded and a graph encoded, compared with other linear passes. */
import { ArcsDecoder, components, encodeArcs, type Graph, transpose } from "../src/graph/index.ts";
import { bestCpuSeconds, cpuSeconds } from "./measure.ts";

export interface ArcsFigures {
  readonly pages: number;
  readonly arcs: number;
  /** The first run of the process, including compilation. */
  readonly firstDecodeArcsPerCpuSecond: number;
  readonly decodeArcsPerCpuSecond: number;
  readonly encodeArcsPerCpuSecond: number;
  readonly transposeArcsPerCpuSecond: number;
  readonly componentsArcsPerCpuSecond: number;
}

const CHUNK_BYTES = 1 << 16;

export function benchArcs(text: Uint8Array, runs = 10): ArcsFigures {
  const firstDecode = cpuSeconds(() => decode(text));
  const graph = decode(text);
  const perCpuSecond = (work: () => void) => graph.arcs / bestCpuSeconds(runs, work);
  return {
    pages: graph.pages,
    arcs: graph.arcs,
    firstDecodeArcsPerCpuSecond: graph.arcs / firstDecode,
    decodeArcsPerCpuSecond: perCpuSecond(() => decode(text)),
    encodeArcsPerCpuSecond: perCpuSecond(() => encode(graph)),
    transposeArcsPerCpuSecond: perCpuSecond(() => transpose(graph)),
    componentsArcsPerCpuSecond: perCpuSecond(() => components(graph)),
  };
}

function decode(text: Uint8Array): Graph {
  const decoder = new ArcsDecoder();
  for (let at = 0; at < text.length; at += CHUNK_BYTES) decoder.push(text.subarray(at, at + CHUNK_BYTES));
  return decoder.finish();
}

function encode(graph: Graph): number {
  let bytes = 0;
  for (const chunk of encodeArcs(graph)) bytes += chunk.length;
  return bytes;
}
