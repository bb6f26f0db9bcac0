/** `tidemark seeds` */
import { counted, formatSeconds, percentAtLeast, systemClock, UsageError } from "../../base/index.ts";
import { renderTable } from "../../report/index.ts";
import {
  checkMethod,
  paperValues,
  type SeedSelection,
  selectSeeds,
  selectSeedsBySite,
  type SiteShare,
} from "../../seeds/index.ts";
import type { Answer } from "../options/command.ts";
import { readPages } from "../input/page-list.ts";
import { urlsOfPages } from "../input/urls.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { checkOutputs, writeOutputs } from "../output/output-file.ts";
import { type CrawledWeb, type CrawledWebOptions, loadCrawledWeb } from "../seeds/crawled-web.ts";
import { readValues } from "../seeds/page-values.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";

export interface SeedsOptions extends CrawledWebOptions {
  readonly seeds: number;
  readonly hops: number;
  readonly method: string;
  readonly depth: number;
  readonly random: number;
  readonly weights?: string;
  readonly spam?: string;
  readonly clicked?: string;
  readonly perSite?: boolean;
  readonly importance: "pagerank" | "value";
  readonly trustOut?: string;
}

export async function seeds(path: string, options: SeedsOptions, terminal: Terminal): Promise<Answer> {
  const method = checkMethod(options.method);
  const outputs = options.trustOut === undefined ? [] : [options.trustOut];
  checkOutputs(outputs);
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
  const names = web.urls === undefined ? undefined : await urlsOfPages(web.urls, new Set(chosen));
  const urls = names === undefined ? undefined : chosen.map((id) => names.get(id)!);
  if (options.trustOut !== undefined) {
    if (chosen.length === 0) throw new UsageError("no seed gains anything, so there is no trust to write");
    await writeTrust(options.trustOut, urls ?? chosen.map(String));
    terminal.note(`the trust file is ${options.trustOut}`);
  }
  const { covered, total, greedy, sites } = selection;
  const share = total.value > 0 ? Math.max(0, Math.min(1, covered.value / total.value)) : 0;
  return {
    document: {
      method,
      seeds: chosen,
      ...(urls === undefined ? {} : { urls }),
      hops: options.hops,
      ...(["maxweight", "maxscc", "rootscc", "greedy"].includes(method) ? { depth: options.depth } : {}),
      covered: { ...covered, share },
      total,
      seconds,
      ...(greedy === undefined ? {} : { greedy }),
      ...(sites === undefined ? {} : { sites }),
    },
    text: (style) =>
      seedTable(chosen, urls, style) + summary(selection, { share, seconds, hops: options.hops }),
  };
}

/** By the file, or else by the paper's rule from what is known. */
async function valuesOf(
  web: CrawledWeb,
  options: SeedsOptions,
  { progress }: Terminal,
): Promise<Float64Array> {
  const { ids, allPages, urls } = web;
  const isWhole = ids.length === allPages;
  if (options.weights !== undefined) {
    const needed = isWhole ? undefined : ids;
    const all = await readValues(options.weights, { pages: allPages, needed, urls, progress });
    return Float64Array.from(ids, (page) => all[page]);
  }
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

/** Without weights: whoever reads it trusts all alike. */
async function writeTrust(path: string, lines: readonly string[]): Promise<void> {
  await writeOutputs([path], async ([file]) => {
    const sink = new ByteSink(file);
    for (const line of lines) sink.writeText(`${line}\n`);
    sink.finish();
  });
}

function seedTable(chosen: readonly number[], urls: readonly string[] | undefined, style: TextStyle): string {
  return renderTable(
    [
      { title: "seed", kind: "text" },
      ...(urls === undefined ? [] : [{ title: "url", kind: "text" } as const]),
    ],
    chosen.map((id, i) => [String(id), ...(urls === undefined ? [] : [urls[i]])]),
    style,
  );
}

function summary(
  { seeds, covered, total, greedy, method }: SeedSelection,
  { share, seconds, hops }: { readonly share: number; readonly seconds: number; readonly hops: number },
): string {
  const reach = `With ${seeds.length === 1 ? "this seed" : `these ${seeds.length} seeds`} and ${counted(hops, "hop")} you would find ${percentAtLeast(share)} of the value`;
  const what = `${counted(covered.pages, "page")} of ${counted(total.pages, "page").replace(/ .*/, "")}, worth ${Number(covered.value.toPrecision(6))} of ${Number(total.value.toPrecision(6))}`;
  const how =
    greedy === undefined || greedy.winner === "greedy"
      ? method
      : `${method}, which took over from ${greedy.winner}`;
  return `\n${reach}:\n${what}. By ${how}, in ${formatSeconds(seconds)}.\n`;
}
