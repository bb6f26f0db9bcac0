/** `tidemark seeds` */
import { type Command, Option } from "commander";
import { counted, formatCount, formatSeconds, percentAtLeast, systemClock, UsageError } from "../../base/index.ts";
import type { SeedSelection, SiteShare } from "../../seeds/index.ts";
import { readPages, readValues } from "../input/page-list.ts";
import { urlsOfPages } from "../input/urls.ts";
import {
  type Output,
  answerWith,
  examples,
  type GraphOptions,
  graphOptions,
  type HelpList,
  isGiven,
  level,
  notes,
  PAGES_HELP,
  integer,
} from "../options/command.ts";
import { checkOutputs, writeTexts } from "../output/output-file.ts";
import type { CrawledWeb } from "../input/crawled-web.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import { atOption, checkMoment } from "../input/moment.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface SeedsOptions extends GraphOptions {
  readonly seeds: number;
  readonly hops: number;
  readonly method: string;
  readonly depth: number;
  readonly random: number;
  readonly weights?: string;
  readonly spam?: string;
  readonly clicked?: string;
  readonly crawled?: string;
  readonly unique?: number;
  readonly perSite?: boolean;
  readonly importance: "pagerank" | "value";
  readonly trustOut?: string;
}

export function declare(command: Command): void {
  graphOptions(command)
    .requiredOption("-k, --seeds <k>", "maximum number of seeds", integer(1))
    .option("--hops <h>", "how many links a crawl follows from a seed", integer(1), 5)
    .option("--method <name>", "how seeds are chosen", "greedy")
    .option("--depth <d>", "how many links ahead maxweight, maxscc and rootscc look", integer(1), 2)
    .option("--random <n>", "random seed, for --method random", integer(0, 0xffffffff), 1)
    .addOption(
      new Option(
        "--weights <file>",
        "values of all pages: one per line, or an id or URL and a value per line (default: the paper's rule)",
      ).conflicts(["spam", "clicked", "crawled", "unique"]),
    )
    .option("--spam <file>", `pages worth -10, ${PAGES_HELP}`)
    .option("--clicked <file>", `pages worth 10, ${PAGES_HELP}`)
    .option("--crawled <file>", "for a graph: crawled pages; links to others add value (default: all pages)")
    .option("--unique <p>", "with --crawled: probability that a new page is unique (default: 1)", level)
    .option("--per-site", "choose site by site; each site gets seeds by its importance")
    .addOption(
      new Option("--importance <what>", "how the importance of a site is measured, with --per-site")
        .choices(["pagerank", "value"])
        .default("pagerank"),
    )
    .option("--trust-out <file>", "write the seeds as a trust file, for tidemark crawl --trust");
  atOption(command);
  answerWith(command, seeds);
  notes(command, NOTES);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark seeds web.arcs --urls web.urls -k 10 --hops 3 --trust-out trust.txt",
    "tidemark simulate web.arcs --urls web.urls --trust trust.txt --order rankmass",
    "tidemark seeds web.arcs --urls web.urls -k 10 --method maxweight --depth 3 --per-site --json",
  ]);
}

/** Written out here: loading the methods takes longer than printing this help. */
const NOTES: readonly (string | HelpList)[] = [
  {
    title: "Methods",
    lines: [
      ["greedy", "adds the page with the largest gain, then improves by swaps; covers at least as much as any other"],
      ["maxweight", "most value within --depth links; pages already covered do not count"],
      ["maxscc", "the same within the heaviest strongly connected component"],
      ["rootscc", "the same within the heaviest component without parents that leads to the heaviest component"],
      ["maxout", "most links to pages that are not covered"],
      ["outdegree", "most links"],
      ["pagerank", "highest PageRank"],
      ["random", "random pages"],
    ],
  },
  "Without --weights a page is worth 1, spam -10, a clicked page 10. Each link to a page that was not crawled adds " +
    "the probability that a new page of its site is unique. For a crawl directory, both come from its own records.",
];

async function seeds(path: string, options: SeedsOptions, terminal: Terminal, command: Command): Promise<Output> {
  if (options.perSite !== true && isGiven(command, "importance")) {
    throw new UsageError("--importance is for --per-site: give both, or leave out --importance");
  }
  const { checkMethod, selectSeeds, selectSeedsBySite } = await import("../../seeds/index.ts");
  const { loadCrawledWeb } = await import("../input/crawled-web.ts");
  const method = checkMethod(options.method);
  checkOutputs([options.trustOut]);
  await checkMoment(path, options, terminal);
  const { progress } = terminal;
  const web = await loadCrawledWeb(path, options, progress);
  const { graph, hosts } = web;
  const values = await valuesOf(web, options, terminal);
  const problem = { graph, values, count: options.seeds, hops: options.hops };
  const how = { method, depth: options.depth, randomSeed: options.random, progress };
  if (options.perSite === true && hosts === undefined) {
    throw new UsageError("--per-site needs the host of every page: give the URLs with --urls FILE");
  }
  const startMs = systemClock.nowMs();
  const selection: SeedSelection & { readonly sites?: readonly SiteShare[] } =
    options.perSite === true && hosts !== undefined
      ? selectSeedsBySite(problem, { ...how, hosts, importance: options.importance })
      : selectSeeds(problem, how);
  const seconds = (systemClock.nowMs() - startMs) / 1000;
  const chosen = Array.from(selection.seeds, (seed) => web.ids[seed]);
  const urlOf = await urlsOfPages(web.urls, chosen);
  const urls = web.urls === undefined ? undefined : chosen.map((id) => urlOf.get(id)!);
  if (options.trustOut !== undefined) {
    if (chosen.length === 0) throw new UsageError("no page gains anything as a seed, so there is no trust to write");
    // Without weights: all seeds are trusted alike.
    const text = (urls ?? chosen).map((seed) => `${seed}\n`);
    await writeTexts([{ path: options.trustOut, text }]);
    terminal.note(`the trust file is ${options.trustOut}`);
  }
  const { covered, total, greedy, sites } = selection;
  const share = total.value > 0 ? Math.max(0, Math.min(1, covered.value / total.value)) : 0;
  return {
    document: {
      method,
      seeds: chosen,
      urls,
      hops: options.hops,
      ...(["maxweight", "maxscc", "rootscc", "greedy"].includes(method) ? { depth: options.depth } : {}),
      covered: { ...covered, share },
      total,
      seconds,
      greedy,
      sites,
    },
    text: (style) => seedTable(chosen, urls, style) + summary(selection, { share, seconds, hops: options.hops }),
  };
}

/** From the file, or by the paper's rule from what is known. */
async function valuesOf(web: CrawledWeb, options: SeedsOptions, { progress }: Terminal): Promise<Float64Array> {
  const { ids, allPages, urls } = web;
  if (options.weights !== undefined) {
    const needed = ids.length === allPages ? undefined : ids;
    const all = await readValues(options.weights, { pages: allPages, needed, urls, progress });
    return Float64Array.from(ids, (page) => all[page]);
  }
  const { paperValues } = await import("../../seeds/index.ts");
  const place = new Map(Array.from(ids, (page, i) => [page, i]));
  const listed = async (path: string | undefined): Promise<number[]> => {
    if (path === undefined) return [];
    const pages = await readPages(path, { pages: allPages, urls, progress });
    return [...pages].map((page) => place.get(page)).filter((i) => i !== undefined);
  };
  return paperValues({
    pages: ids.length,
    spam: await listed(options.spam),
    clicked: await listed(options.clicked),
    uncrawledLinks: web.uncrawledLinks,
    uniqueness: web.uniqueness,
  });
}

function seedTable(chosen: readonly number[], urls: readonly string[] | undefined, style: TextStyle): string {
  return renderTable(
    [column("seed"), ...(urls === undefined ? [] : [column("url")])],
    chosen.map((id, i) => [String(id), ...(urls === undefined ? [] : [urls[i]])]),
    style,
  );
}

function summary(
  { seeds, covered, total, greedy, method }: SeedSelection,
  { share, seconds, hops }: { readonly share: number; readonly seconds: number; readonly hops: number },
): string {
  const these = seeds.length === 1 ? "This seed finds" : `These ${seeds.length} seeds find`;
  const value = (number: number): number => Number(number.toPrecision(6));
  const winner =
    greedy === undefined || greedy.winner === "greedy" ? "" : `, improved from the seeds of ${greedy.winner}`;
  const found =
    `${these} ${percentAtLeast(share)} of the value within ${counted(hops, "hop")}: ` +
    `${formatCount(covered.pages)} of ${counted(total.pages, "page")}, ` +
    `worth ${value(covered.value)} of ${value(total.value)}.`;
  return `\n${found}\nMethod: ${method}${winner}; ${formatSeconds(seconds)}.\n`;
}
