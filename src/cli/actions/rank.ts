/** `tidemark rank` */
import { counted, FailureError, formatSeconds, systemClock } from "../../base/index.ts";
import type { Graph } from "../../graph/index.ts";
import { renderTable } from "../../report/index.ts";
import { startRankTeam } from "../../lab/index.ts";
import { type DanglingRule, type Norm, pagerank, type Ranking, topPages } from "../../rank/index.ts";
import type { Answer, SurferOptions } from "../options/command.ts";
import { loadGraph, noteSinks, surfed } from "../input/graph-file.ts";
import { readTrust, type Trust } from "../input/page-list.ts";
import { nameOfUrls, urlLines, type UrlSource, urlsOfPages } from "../input/urls.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { checkOutputs, nextTurn, writeOutputs } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface RankOptions extends SurferOptions {
  readonly trust?: string;
  readonly dangling: DanglingRule;
  readonly norm: Norm;
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly threads?: number;
  readonly top: number;
  readonly out?: string;
}

export async function rank(path: string, options: RankOptions, terminal: Terminal): Promise<Answer> {
  if (options.out !== undefined) checkOutputs([options.out]);
  const loaded = await loadGraph(path, options, terminal.progress);
  noteSinks(loaded, terminal.note);
  const { pages } = loaded.graph;
  const { graph } = surfed(loaded.graph, options.selfLinks);
  const trust =
    options.trust === undefined
      ? loaded.trust
      : await readTrust(options.trust, {
          pages,
          urls: loaded.urls,
          progress: terminal.progress,
          normalise: options.normaliseTrust ?? false,
        });
  const { ranking, seconds } = await computeRanks(graph, trust, options, terminal);
  const converged = ranking.residual <= ranking.tolerance;
  if (!converged) terminal.note(shortfall(ranking));
  if (options.out !== undefined) await writeRanks(options.out, ranking.ranks, loaded.urls);
  const best = topPages(ranking.ranks, options.top);
  const urls = loaded.urls === undefined ? undefined : await urlsOfPages(loaded.urls, new Set(best));
  const top = Array.from(best, (id) => {
    const url = urls?.get(id);
    return { id, ...(url === undefined ? {} : { url }), rank: ranking.ranks[id] };
  });
  const { ranks, trust: kind, ...settings } = ranking;
  return {
    document: {
      pages: ranks.length,
      ...settings,
      converged,
      trust: { kind, pages: trust?.pages.length ?? pages, total: trust?.total ?? 1 },
      seconds,
      top,
    },
    text: ({ width, color }) =>
      renderTable(
        [
          { title: "page", kind: "text" },
          { title: "rank", kind: "text", importance: 2 },
          ...(urls === undefined ? [] : [{ title: "url", kind: "text", importance: 1 } as const]),
        ],
        top.map(({ id, url, rank }) => [String(id), rank.toPrecision(6), url ?? null]),
        { width, color },
      ) + `\n${convergence(ranking, pages, seconds)}\n`,
  };
}

/** Below this many arcs, starting a thread takes longer than ranking. */
const ARCS_WORTH_THREADS = 1_000_000;

async function computeRanks(
  graph: Graph,
  trust: Trust | undefined,
  { damping, dangling, norm, tolerance, maxIterations, threads }: RankOptions,
  { progress }: Terminal,
): Promise<{ ranking: Ranking; seconds: number }> {
  const team = await startRankTeam(threads ?? (graph.arcs < ARCS_WORTH_THREADS ? 1 : undefined));
  try {
    const startMs = systemClock.nowMs();
    const ranking = pagerank(graph, {
      damping,
      dangling,
      stopping: { norm, tolerance, maxIterations },
      trust: trust?.weights,
      team,
      progress,
    });
    return { ranking, seconds: (systemClock.nowMs() - startMs) / 1000 };
  } finally {
    await team.close();
  }
}

function shortfall({ residual, tolerance, iterations, maxIterations }: Ranking): string {
  const remedy =
    iterations < maxIterations
      ? `rounding allows no less than that, so ask for no less than about ${residual.toExponential(0)}`
      : `allow more than ${maxIterations} iterations`;
  return `not converged: the residual is ${residual.toExponential(1)}, more than ${tolerance}; ${remedy}`;
}

function convergence(ranking: Ranking, pages: number, seconds: number): string {
  const { iterations, residual, norm, damping, dangling, trust } = ranking;
  return (
    `${counted(pages, "page")} ranked in ${formatSeconds(seconds)}: ${counted(iterations, "sweep")}, ` +
    `${residual <= ranking.tolerance ? "converged" : "NOT converged"}, ${norm} residual ${residual.toExponential(1)}, damping ${damping}, ${trust} trust, dangling pages: ${dangling}.`
  );
}

const PAGES_PER_STEP = 1 << 14;

async function writeRanks(path: string, ranks: Float64Array, urls: UrlSource | undefined): Promise<void> {
  await writeOutputs([path], async ([file]) => {
    const sink = new ByteSink(file, { gzip: path.endsWith(".gz") });
    let page = 0;
    for await (const endings of urls === undefined ? noUrls(ranks.length) : urlLines(urls)) {
      for (const url of endings) {
        if (page === ranks.length) break;
        sink.writeText(`${page}\t${ranks[page].toPrecision(17)}${url === "" ? "" : `\t${url.trim()}`}\n`);
        page++;
      }
    }
    if (page < ranks.length)
      throw new FailureError(`${nameOfUrls(urls ?? "")} has become shorter while it was used`);
    sink.finish();
  });
}

/** As many empty lines as there are pages, some at a time. */
async function* noUrls(pages: number): AsyncGenerator<string[]> {
  for (let page = 0; page < pages; page += PAGES_PER_STEP) {
    yield Array.from({ length: Math.min(PAGES_PER_STEP, pages - page) }, () => "");
    await nextTurn();
  }
}
