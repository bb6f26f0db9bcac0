/**
 * `tidemark/graph`: link graphs in memory, the file formats for them, and a generator of realistic webs.
 *
 * @example
 * ```js
 * import { encodeArcs, generateGraph, GraphBuilder, graphInfo, successors } from "tidemark/graph";
 *
 * const builder = new GraphBuilder();
 * for (const [source, target] of [[0, 1], [0, 2], [1, 2], [2, 0]]) builder.add(source, target);
 * const graph = builder.finish();
 * console.log([...successors(graph, 0)], Buffer.concat([...encodeArcs(graph)]).toString().split("\n")[0]);
 * const { pages, dangling } = graphInfo(generateGraph({ pages: 1000, seed: 1 }).graph);
 * console.log(pages, dangling > 0);
 * ```
 *
 * It prints:
 *
 * ```text
 * [ 1, 2 ] # pages 3 arcs 4
 * 1000 true
 * ```
 * @packageDocumentation
 */
export {
  ArcsDecoder,
  type ArcsOptions,
  type BvFiles,
  type BvOptions,
  BvRandomAccess,
  type ChunkFile,
  type Components,
  components,
  decodeBv,
  encodeArcs,
  encodeBv,
  type GeneratorOptions,
  generateGraph,
  type Graph,
  GraphBuilder,
  type GraphInfo,
  graphInfo,
  GrowingLinks,
  type Hosts,
  hostsOf,
  type HostsOptions,
  type LinkRow,
  type LinkTable,
  linksOf,
  outDegree,
  successors,
  transpose,
  withoutSelfLinks,
} from "../graph/index.ts";
