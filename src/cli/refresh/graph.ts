/** How often to read each page of a graph, given how often it changes. */
import { counted, percent } from "../../base/index.ts";
import { withoutSelfLinks } from "../../graph/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import { bestSchedule, freshness, freshnessOf } from "../../refresh/index.ts";
import { loadGraph } from "../input/graph-file.ts";
import { readRates } from "../input/page-values.ts";
import { urlsOfPages } from "../input/urls.ts";
import type { Answer, GraphOptions } from "../options/command.ts";
import { writeTexts } from "../output/byte-sink.ts";
import { renderTable } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface RefreshOptions extends GraphOptions {
  readonly budget: number;
  readonly plan?: boolean;
  readonly once?: boolean;
  readonly out?: string;
  readonly rates?: string;
  readonly damping: number;
  readonly top: number;
}

export async function scheduleReads(
  path: string,
  ratesPath: string,
  options: RefreshOptions,
  { progress }: Terminal,
): Promise<Answer> {
  const { budget, damping, out, top } = options;
  const loaded = await loadGraph(path, options, progress);
  const graph = withoutSelfLinks(loaded.graph);
  const rates = await readRates(ratesPath, { pages: graph.pages, urls: loaded.urls });
  const importance = pagerank(graph, { damping, progress }).ranks;
  const { reads, freshness: fresh, marginalGain } = bestSchedule(importance, rates, budget);
  const uniform = freshnessOf(importance, rates, new Float64Array(graph.pages).fill(budget / graph.pages));
  if (out !== undefined) await writeTexts([{ path: out, text: linesOf([reads, importance, rates]) }]);
  const best = topPages(reads, top).filter((page) => reads[page] > 0);
  const urls = loaded.urls === undefined ? undefined : await urlsOfPages(loaded.urls, new Set(best));
  const listed = Array.from(best, (id) => {
    const url = urls?.get(id);
    return {
      id,
      ...(url === undefined ? {} : { url }),
      importance: importance[id],
      rate: rates[id],
      reads: reads[id],
      fresh: freshness(rates[id], 1 / reads[id]),
    };
  });
  const read = reads.reduce((count, each) => count + (each > 0 ? 1 : 0), 0);
  const summary =
    `${percent(fresh)} of importance is fresh on average, ${percent(uniform)} if all pages are read alike; ` +
    `${counted(read, "page")} of ${graph.pages} ${read === 1 ? "is" : "are"} worth reading again.`;
  return {
    document: { pages: graph.pages, budget, read, freshness: fresh, uniform, marginalGain, top: listed },
    text: (style) =>
      renderTable(
        [
          { title: "page", kind: "text" },
          { title: "importance", kind: "text", importance: 4 },
          { title: "changes", kind: "text", importance: 3 },
          { title: "reads", kind: "text", importance: 5 },
          { title: "fresh", kind: "text", importance: 2 },
          ...(urls === undefined ? [] : [{ title: "url", kind: "text", importance: 1 } as const]),
        ],
        listed.map((page) => [
          String(page.id),
          percent(page.importance),
          page.rate.toPrecision(3),
          page.reads.toPrecision(3),
          percent(page.fresh),
          page.url ?? null,
        ]),
        style,
      ) + `\n${summary}\n`,
  };
}

/** One line per page: id, then the values with 17 digits; separated by tabs. */
function* linesOf(columns: readonly Float64Array[]): Generator<string> {
  for (let page = 0; page < columns[0].length; page++) {
    const values = columns.map((column) => column[page].toPrecision(17));
    yield `${page}\t${values.join("\t")}\n`;
  }
}
