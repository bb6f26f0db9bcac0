/** `tidemark report` */
import { basename, resolve } from "node:path";
import { existsSync, statSync } from "node:fs";
import { counted, formatBytes, VERSION, percentAtLeast, UsageError } from "../../base/index.ts";
import {
  crawlReport,
  gatherContents,
  summaryLine,
  tideChart,
  renderChartSvg,
  simulationReport,
} from "../../report/index.ts";
import { momentInWords } from "../../text/index.ts";
import { surveyOf } from "../../survey/index.ts";
import { openWindow } from "../../store/index.ts";
import { hostOfOrigin, splitUrl } from "../../web/index.ts";
import type { Answer, CommonOptions } from "../options/command.ts";
import { parseSettings } from "../../crawl/index.ts";
import { shellWord } from "../terminal/words.ts";
import { withFile } from "../terminal/endings.ts";
import { readSimulation } from "../input/simulation-file.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { checkOutputs, type OutputFile, writeOutputs } from "../output/output-file.ts";
import { crawlCommands } from "../report/crawl-commands.ts";
import { standardOutput } from "../terminal/streams.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ReportOptions extends CommonOptions {
  readonly out: string;
  readonly title?: string;
  readonly picture?: string;
}

export async function report(source: string, options: ReportOptions, terminal: Terminal): Promise<Answer> {
  checkOptions(options);
  const isFile = source === "-" || (existsSync(source) && !statSync(source).isDirectory());
  return isFile ? reportSimulation(source, options) : reportCrawl(source, options, terminal);
}

async function reportCrawl(dir: string, options: ReportOptions, { progress }: Terminal): Promise<Answer> {
  const settings = settingsOf(dir);
  const commands = crawlCommands({ dir, out: options.out, settings });
  const survey = await surveyOf(dir, { progress });
  try {
    const contents = gatherContents(dir, survey);
    const { facts } = survey;
    const html = crawlReport(contents, {
      title: options.title ?? titleOf(settings.seeds),
      subtitle: [
        ...(facts.lastVisitMs === null ? [] : [`As of ${momentInWords(facts.lastVisitMs)}`]),
        `folder ${basename(resolve(dir))}`,
        `Tidemark ${VERSION}`,
      ].join(" · "),
      commands,
    });
    const picture = options.picture === undefined ? undefined : renderChartSvg(tideChart(contents));
    const bytes = await write(options, html, picture);
    const document = {
      file: options.out,
      bytes,
      coverage: facts.certificate.coverage,
      pages: facts.status.pages,
      ...(options.picture === undefined ? {} : { picture: options.picture }),
    };
    return answer(options, document, summaryLine(contents));
  } finally {
    survey.close();
  }
}

async function reportSimulation(path: string, options: ReportOptions): Promise<Answer> {
  const { out, title, picture } = options;
  if (picture !== undefined) {
    throw new UsageError(`--picture is for the tide of a crawl; tidemark simulate draws its own --picture`);
  }
  const { simulation, title: ownTitle } = await readSimulation(path);
  const { graph, trust, runs } = simulation;
  const html = simulationReport(simulation, {
    title: title ?? ownTitle ?? "Crawl orders side by side",
    subtitle: `${path === "-" ? "standard input" : path}: ${counted(graph.pages, "page")}, ${counted(graph.arcs, "link")}, ${counted(trust.pages, "trusted page")}`,
    command: `tidemark report ${shellWord(path)} --out ${shellWord(out === "-" ? "report.html" : out)}`,
  });
  const bytes = await write(options, html, undefined);
  const coverage = Math.max(...runs.map(({ final }) => final.certified));
  const document = { file: out, bytes, coverage, pages: graph.pages, orders: runs.map(({ order }) => order) };
  const best = runs.find(({ final }) => final.certified === coverage)!;
  return answer(
    options,
    document,
    `${counted(runs.length, "order")}; ${best.order} certifies most, ${percentAtLeast(coverage)}`,
  );
}

function checkOptions({ out, picture, json = false }: ReportOptions): void {
  if (json && out === "-") {
    throw new UsageError("standard output cannot hold both the page and --json; give the page --out FILE");
  }
  if (picture !== undefined && !picture.endsWith(".svg")) {
    throw new UsageError(`--picture ${picture}: pictures are SVG; give a name that ends in .svg`);
  }
  checkOutputs(filesOf({ out, picture }));
}

/** Says at once what is no crawl. */
function settingsOf(dir: string): ReturnType<typeof parseSettings> {
  const window = openWindow(dir);
  try {
    return withFile(dir, () => parseSettings(window.settings()));
  } finally {
    window.close();
  }
}

function titleOf(seeds: readonly { readonly url: string }[]): string {
  const hosts = [...new Set(seeds.map(({ url }) => hostOfOrigin(splitUrl(url).origin)))];
  if (hosts.length === 0) return "A crawl";
  return hosts.length === 1
    ? `Crawl of ${hosts[0]}`
    : `Crawl of ${hosts[0]} and ${counted(hosts.length - 1, "more host")}`;
}

/** Of page and picture, in this order; what goes to standard output is no file. */
function filesOf({ out, picture }: { readonly out: string; readonly picture: string | undefined }): string[] {
  return [out, picture].filter((path): path is string => path !== undefined && path !== "-");
}

async function write(
  { out, picture }: ReportOptions,
  html: string,
  svg: string | undefined,
): Promise<number> {
  const contents = [...(out === "-" ? [] : [html]), ...(svg === undefined ? [] : [svg])];
  if (out === "-") writeText(standardOutput, html);
  await writeOutputs(filesOf({ out, picture }), async (files) => {
    for (const [i, file] of files.entries()) writeText(file, contents[i]);
  });
  return Buffer.byteLength(html);
}

function writeText(file: OutputFile, text: string): void {
  const sink = new ByteSink(file);
  sink.writeText(text);
  sink.finish();
}

/** What goes to standard output is the page itself: nothing may follow it there. */
function answer(options: ReportOptions, document: object & { readonly bytes: number }, text: string): Answer {
  const line = `${options.out}: ${text}; ${formatBytes(document.bytes)}\n`;
  return { document, text: () => (options.out === "-" ? "" : line) };
}
