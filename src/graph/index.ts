export {
  countSelfLinks,
  type Graph,
  GrowingLinks,
  type LinkTable,
  linksOf,
  outDegree,
  sharedFloat64,
  sharedUint32,
  successors,
  transpose,
  withoutSelfLinks,
} from "./graph.ts";
export { ArcsDecoder, ArcsEncoder, type ArcsOptions, encodeArcs } from "./arcs.ts";
export { GraphBuilder, PAGE_ID_MAX } from "./builder.ts";
export { type Components, components } from "./components.ts";
export { type Hosts, HostsDecoder, type HostsOptions, hostsOf } from "./hosts.ts";
export { type GraphInfo, graphInfo, interHostArcs } from "./info.ts";
export { BvRandomAccess, decodeBv } from "./bv/decode.ts";
export { BvEncoder, encodeBv } from "./bv/encode.ts";
export type { BvFiles, BvOptions } from "./bv/properties.ts";
export { generateGraph, GeneratedWeb, type GeneratorOptions } from "./generator.ts";
