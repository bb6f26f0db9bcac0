export { type Graph, outDegree, sharedFloat64, sharedUint32, successors } from "./graph.ts";
