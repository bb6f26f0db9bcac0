/** `tidemark graph info` */
import { formatCount, percent } from "../../base/index.ts";
import { type GraphInfo, graphInfo } from "../../graph/index.ts";
import type { Answer, GraphOptions } from "../options/command.ts";
import { loadGraph } from "../input/graph-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { facts } from "../terminal/words.ts";

export async function describeGraph(
  path: string,
  options: GraphOptions,
  terminal: Terminal,
): Promise<Answer> {
  const { graph, hosts } = await loadGraph(path, options, terminal.progress);
  terminal.progress({ task: "finding components", done: 0, total: graph.pages, unit: "pages" });
  const info = graphInfo(graph, hosts);
  return { document: info, text: () => facts(factsOf(info, options.by)) };
}

function factsOf(info: GraphInfo, by: string): [string, string][] {
  const { pages, arcs, hosts, interHostArcs, dangling, selfLinks, largestScc } = info;
  const share = (part: number, whole: number): string =>
    `${formatCount(part)} (${percent(whole === 0 ? 0 : part / whole)})`;
  return [
    ["pages", formatCount(pages)],
    ["arcs", formatCount(arcs)],
    ...(hosts === null ? [] : [[`${by}s`, formatCount(hosts)] as [string, string]]),
    ...(interHostArcs === null
      ? []
      : [[`arcs between ${by}s`, share(interHostArcs, arcs)] as [string, string]]),
    ["pages without links", share(dangling, pages)],
    ["self links", share(selfLinks, arcs)],
    ["largest strongly connected component", share(largestScc, pages)],
  ];
}
