export { type Graph, outDegree, sharedFloat64, sharedUint32, successors } from "./graph.ts";
export { ArcsEncoder, encodeArcs } from "./arcs-encoder.ts";
export { ArcsDecoder, type ArcsOptions } from "./arcs-text.ts";
export { GraphBuilder, PAGE_ID_MAX } from "./builder.ts";
export { countSelfLinks, withoutSelfLinks } from "./self-links.ts";
export { transpose } from "./transpose.ts";
export { type Components, components } from "./components.ts";
export { type Hosts, HostsDecoder, type HostsOptions, hostsOf } from "./hosts.ts";
export { type GraphInfo, graphInfo, interHostArcs } from "./info.ts";
export { GrowingLinks, type LinkTable, linksOf } from "./links.ts";
export {
  BvEncoder,
  type BvFiles,
  type BvOptions,
  BvRandomAccess,
  type BvSink,
  decodeBv,
  encodeBv,
} from "./bv/index.ts";
export { generateGraph, GeneratedWeb, type RowVisitor, type WebOptions } from "./generator.ts";
