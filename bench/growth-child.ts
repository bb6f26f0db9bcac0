/** One size of the growth benchmark, in a separate process so that its peak memory can be measured. */
import { generateGraph } from "../src/graph/index.ts";
import { topPages } from "../src/rank/index.ts";
import { cpuSeconds } from "./measure.ts";
import { crawl } from "./orders.bench.ts";

const [order, pages] = [process.argv[2], Number(process.argv[3])];
let graph!: ReturnType<typeof generateGraph>["graph"];
const generate = cpuSeconds(() => {
  graph = generateGraph({ pages, seed: 1 }).graph;
});
const inDegrees = new Float64Array(graph.pages);
for (let k = 0; k < graph.arcs; k++) inDegrees[graph.targets[k]]++;
const trust = Array.from(topPages(inDegrees, 160), (page) => [page, 1 / 160] as const);
let result = { downloads: 0, pushes: 0 };
const seconds = cpuSeconds(() => {
  result = crawl(order, graph, trust, {});
});
const peakBytes = 1024 * process.resourceUsage().maxRSS;
process.stdout.write(JSON.stringify({ order, pages, arcs: graph.arcs, generate, seconds, peakBytes, ...result }));
