/** `tidemark rank` */
import { type Command, Option } from "commander";
import { counted, formatSeconds, percentAtLeast, systemClock, UsageError } from "../../base/index.ts";
import type { Graph } from "../../graph/index.ts";
import type { DanglingRule, Norm, Ranking } from "../../rank/index.ts";
import { hundredthsAtMost } from "../../text/index.ts";
import { isCrawlDirectory, loadSurferGraph, noteSinks } from "../input/graph-file.ts";
import { readTrust, type Trust } from "../input/page-list.ts";
import { becameShorter, topPagesOf, type UrlReader } from "../input/urls.ts";
import {
  type Output,
  answerWith,
  examples,
  positiveNumber,
  type SurferOptions,
  surferOptions,
  TRUST_HELP,
  integer,
} from "../options/command.ts";
import { checkOutputs, writeTexts } from "../output/output-file.ts";
import { column, renderTable } from "../terminal/layout.ts";
import type { SqliteStore } from "../../store/index.ts";
import { atOption, checkMoment } from "../input/moment.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RankOptions extends SurferOptions {
  readonly trust?: string;
  readonly dangling: DanglingRule;
  readonly norm: Norm;
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly threads?: number;
  readonly top: number;
  readonly out?: string;
  readonly format: "tidemark" | "cc";
  readonly uniform?: boolean;
}

export function declare(command: Command): void {
  surferOptions(command)
    .option("--trust <file>", `${TRUST_HELP} (default: all pages equally, or the seeds of a crawl)`)
    .option("--uniform", "trust all pages equally, though it is a crawl with seeds")
    .addOption(
      new Option("--dangling <rule>", "where the surfer goes from a page without links")
        .choices(["restart", "uniform", "none"])
        .default("restart"),
    )
    .addOption(new Option("--norm <norm>", "norm of the residual").choices(["l1", "linf"]).default("l1"))
    .option("--tolerance <r>", "stop at this residual", positiveNumber, 1e-10)
    .option("--max-iterations <n>", "stop after this many iterations", integer(1), 1000)
    .option("--threads <n>", "threads (default: all processors for large graphs, else 1)", integer(1))
    .option("--top <n>", "how many pages to list", integer(1), 10)
    .option("--out <file>", "write one line per page: id, rank, URL where known, separated by tabs")
    .addOption(
      new Option("--format <format>", "of --out: tidemark, or cc for graphs of hosts (Common Crawl's file of ranks)")
        .choices(["tidemark", "cc"])
        .default("tidemark"),
    );
  atOption(command);
  answerWith(command, rank);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark rank web.arcs --urls web.urls --top 5",
    "echo http://host0.example/ > trust.txt",
    "tidemark rank web.arcs --urls web.urls --trust trust.txt --out ranks.tsv --json",
  ]);
}

async function rank(path: string, options: RankOptions, terminal: Terminal): Promise<Output> {
  check(options);
  checkOutputs([options.out]);
  await checkMoment(path, options, terminal);
  const { progress } = terminal;
  const loaded = await loadSurferGraph(path, options, progress);
  noteSinks(loaded, terminal.note);
  const { graph } = loaded;
  const trust =
    options.trust === undefined
      ? ofSeeds(loaded, options)
      : await readTrust(options.trust, {
          pages: graph.pages,
          urls: loaded.urls,
          progress,
          normalise: options.normaliseTrust,
        });
  const { ranking, seconds } = await computeRanks(graph, trust, options, terminal);
  const converged = ranking.residual <= ranking.tolerance;
  if (!converged) terminal.note(shortfall(ranking));
  if (options.out !== undefined) {
    const text =
      options.format === "cc" ? await hostRanks(ranking.ranks, loaded.urls) : rankLines(ranking.ranks, loaded.urls);
    await writeTexts([{ path: options.out, text }]);
  }
  const best = await topPagesOf(ranking.ranks, { count: options.top, urls: loaded.urls });
  const proven = await provenBounds(path, best, options);
  const top = best.map(({ value, ...page }) => ({ ...page, rank: value, ...proven.get(page.url ?? "") }));
  const { ranks, trust: kind, ...settings } = ranking;
  return {
    document: {
      pages: ranks.length,
      ...settings,
      converged,
      trust: { kind, pages: trust?.pages.length ?? graph.pages, total: trust?.total ?? 1 },
      seconds,
      top,
    },
    text: (style) =>
      renderTable(
        [
          column("page"),
          column("rank", 2),
          ...(proven.size === 0 ? [] : [column("at least", 2, "number"), column("at most", 1, "number")]),
          ...(loaded.urls === undefined ? [] : [column("url", 3)]),
        ],
        top.map(({ id, url, rank, low, high }) => [
          String(id),
          rank.toPrecision(6),
          ...(proven.size === 0 ? [] : [low === undefined ? "" : percentAtLeast(low), hundredthsAtMost(high ?? 1)]),
          url ?? null,
        ]),
        style,
      ) +
      (proven.size === 0 ? "" : "\nRank: in the known web. At least, at most: proven, whatever is not fetched yet.\n") +
      `\n${convergence(ranking, graph.pages, seconds)}\n`,
  };
}

/** An option that would be ignored is a mistake. */
function check({ format, out, trust, uniform = false }: RankOptions): void {
  if (format === "cc" && out === undefined) throw new UsageError("--format is about --out FILE: give it as well");
  if (uniform && trust !== undefined)
    throw new UsageError("--uniform and --trust contradict each other: leave one out");
}

/** Of a crawl its seeds; of anything else nothing, which is all pages equally. */
function ofSeeds({ trust }: { readonly trust?: Trust }, { uniform = false }: RankOptions): Trust | undefined {
  return uniform ? undefined : trust;
}

async function hostRanks(ranks: Float64Array, urls: UrlReader | undefined): Promise<AsyncGenerator<string>> {
  const { ccRankLines } = await import("../output/cc-ranks.ts");
  return ccRankLines(ranks, urls);
}

interface ProvenBounds {
  readonly low?: number;
  readonly high?: number;
}

/** Of a crawl, by its own trust: between which bounds the importance of the best pages lies for certain, by URL. */
async function provenBounds(
  path: string,
  best: readonly { readonly url?: string | undefined }[],
  { trust, uniform = false, damping, dangling, at }: RankOptions,
): Promise<ReadonlyMap<string, ProvenBounds>> {
  const found = new Map<string, ProvenBounds>();
  if (trust !== undefined || uniform || dangling === "uniform" || !(await isCrawlDirectory(path))) return found;
  const { intervalsOf } = await import("../input/crawl-graph.ts");
  const { reading, urlTexts } = await import("../../store/index.ts");
  const { parseSettings } = await import("../../crawl/index.ts");
  const wanted = new Set(best.map(({ url }) => url));
  const read = async (store: SqliteStore): Promise<ReadonlyMap<string, ProvenBounds>> => {
    // What is proven holds for the surfer of the crawl.
    if (parseSettings(store.settings()).damping !== damping) return found;
    const { intervals } = await intervalsOf(store);
    for (const [id, url] of urlTexts(store)) if (wanted.has(url)) found.set(url, intervals.of(id));
    return found;
  };
  return reading(path, read, { atMs: at });
}

/** Below this many arcs, starting threads takes longer than they save. */
const ARCS_WORTH_THREADS = 4_000_000;

async function computeRanks(
  graph: Graph,
  trust: Trust | undefined,
  { damping, dangling, norm, tolerance, maxIterations, threads }: RankOptions,
  { progress }: Terminal,
): Promise<{ ranking: Ranking; seconds: number }> {
  const { startRankTeam } = await import("../../lab/index.ts");
  const { pagerank } = await import("../../rank/index.ts");
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
      ? `rounding allows no smaller residual: give a --tolerance of at least ${residual.toExponential(0)}`
      : `allow more than ${maxIterations} with --max-iterations`;
  return `not converged: the residual is ${residual.toExponential(1)}, above the tolerance of ${tolerance}; ${remedy}`;
}

function convergence(ranking: Ranking, pages: number, seconds: number): string {
  const { iterations, residual, norm, damping, dangling, trust } = ranking;
  return (
    `${counted(pages, "page")} ranked in ${formatSeconds(seconds)}: ${counted(iterations, "iteration")}, ` +
    `${residual <= ranking.tolerance ? "converged" : "NOT converged"}, ` +
    `${norm} residual ${residual.toExponential(1)}, damping ${damping}, ${trust} trust, dangling pages: ${dangling}.`
  );
}

const PAGES_PER_STEP = 1 << 14;

/** Some lines at a time. */
async function* rankLines(ranks: Float64Array, urls: UrlReader | undefined): AsyncGenerator<string> {
  let page = 0;
  for await (const some of urls === undefined ? noUrls(ranks.length) : urls.lines()) {
    const lines = some.slice(0, ranks.length - page).map((url, i) => {
      const rank = ranks[page + i].toPrecision(17);
      return `${page + i}\t${rank}${url === "" ? "" : `\t${url.trim()}`}\n`;
    });
    page += lines.length;
    yield lines.join("");
  }
  if (urls !== undefined && page < ranks.length) throw becameShorter(urls);
}

/** As many empty lines as there are pages, some at a time. */
function* noUrls(pages: number): Generator<string[]> {
  for (let page = 0; page < pages; page += PAGES_PER_STEP) {
    yield Array.from({ length: Math.min(PAGES_PER_STEP, pages - page) }, () => "");
  }
}
