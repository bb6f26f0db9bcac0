/** `tidemark report` */
import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { counted, formatBytes, percentAtLeast, shellWord, UsageError, VERSION } from "../../base/index.ts";
import { fileName } from "../input/files.ts";
import { atOption, checkMoment, type MomentOptions } from "../input/moment.ts";
import { type Output, answerWith, type CommonOptions, examples } from "../options/command.ts";
import { checkOutputs, expectSvg, writeTexts } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ReportOptions extends CommonOptions, MomentOptions {
  readonly out: string;
  readonly title?: string;
  readonly picture?: string;
}

const SOURCES = "the directory of a crawl, or the output of tidemark simulate --json";

export function declare(command: Command): void {
  command
    .argument("<source>", SOURCES)
    .option("--out <file>", "where to write the page; - is standard output", "report.html")
    .option("--title <text>", "title of the page")
    .option("--picture <file>", "for a crawl: also write its tide as an SVG picture");
  atOption(command);
  answerWith(command, report);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark report demo --out demo.html",
    "tidemark report demo --at 2999-12-31 --out then.html",
    "tidemark graph generate --pages 2000 --out web.arcs",
    "tidemark simulate web.arcs --order rankmass,fpr --json > simulation.json",
    'tidemark report simulation.json --title "Which order suits us?"',
  ]);
}

async function report(source: string, options: ReportOptions, terminal: Terminal): Promise<Output> {
  const { out, picture, json = false } = options;
  if (json && out === "-") {
    throw new UsageError("--json prints a summary on standard output; write the page to a file with --out FILE");
  }
  expectSvg(picture);
  checkOutputs([out, picture]);
  if (source !== "-" && !existsSync(source)) {
    throw new UsageError(`${source} does not exist; expected ${SOURCES}`);
  }
  await checkMoment(source, options, terminal);
  const isFile = source === "-" || !statSync(source).isDirectory();
  return isFile ? reportSimulation(source, options) : reportCrawl(source, options, terminal);
}

async function reportCrawl(dir: string, options: ReportOptions, { progress }: Terminal): Promise<Output> {
  const { crawlReport, gatherContents, renderChartSvg, summaryLine, tideChart } = await import("../../report/index.ts");
  const { surveyHere } = await import("../../survey/index.ts");
  const { momentInWords } = await import("../../text/index.ts");
  const { settingsOf } = await import("../crawl/plan.ts");
  const { crawlCommands } = await import("../crawl/typed.ts");
  // Throws at once if there is no crawl.
  const settings = await settingsOf(dir);
  const { at: atMs } = options;
  const commands = crawlCommands({ dir, out: options.out, settings, ...(atMs === undefined ? {} : { atMs }) });
  const survey = await surveyHere(dir, { progress, atMs });
  try {
    const contents = gatherContents(dir, survey, { atMs });
    const { facts } = survey;
    const lastVisit = contents.end === "earlier" ? "last visit until then on" : "As of";
    const html = crawlReport(contents, {
      title: options.title ?? (await titleOf(settings.seeds)),
      subtitle: [
        ...(contents.end === "earlier" ? [`As it was known on ${momentInWords(atMs!)}`] : []),
        ...(facts.lastVisitMs === null ? [] : [`${lastVisit} ${momentInWords(facts.lastVisitMs)}`]),
        `folder ${basename(resolve(dir))}`,
        `Tidemark ${VERSION}`,
      ].join(" · "),
      commands,
    });
    const { picture } = options;
    await writeTexts([
      { path: options.out, text: html },
      ...(picture === undefined ? [] : [{ path: picture, text: renderChartSvg(tideChart(contents)) }]),
    ]);
    const { pages, strict, valued, ceiling, sampled } = facts.status;
    const { coverage } = facts.certificate;
    const { universe } = settings.web;
    const claims = { coverage, strict, valued, ceiling, sampled, universe };
    const document = { file: options.out, bytes: Buffer.byteLength(html), ...claims, pages, picture };
    return answer(document, summaryLine(contents));
  } finally {
    survey.close();
  }
}

async function reportSimulation(path: string, { out, title, picture }: ReportOptions): Promise<Output> {
  if (picture !== undefined) {
    throw new UsageError("--picture is for a crawl; for a simulation, use tidemark simulate --picture");
  }
  const { simulationReport } = await import("../../report/index.ts");
  const { readSimulation } = await import("../input/simulation-file.ts");
  const { simulation, title: ownTitle } = await readSimulation(path);
  const { graph, trust, runs } = simulation;
  const html = simulationReport(simulation, {
    title: title ?? ownTitle ?? "Crawl orders side by side",
    subtitle:
      `${fileName(path)}: ${counted(graph.pages, "page")}, ${counted(graph.arcs, "link")}, ` +
      counted(trust.pages, "trusted page"),
    command: `tidemark report ${shellWord(path)} --out ${shellWord(out === "-" ? "report.html" : out)}`,
  });
  await writeTexts([{ path: out, text: html }]);
  const bytes = Buffer.byteLength(html);
  const coverage = Math.max(...runs.map(({ final }) => final.certified));
  const best = runs.find(({ final }) => final.certified === coverage)!;
  const document = { file: out, bytes, coverage, pages: graph.pages, orders: runs.map(({ order }) => order) };
  return answer(
    document,
    `${counted(runs.length, "order")}; ${best.order} certifies most, ${percentAtLeast(coverage)}`,
  );
}

async function titleOf(seeds: readonly { readonly url: string }[]): Promise<string> {
  const { hostOfOrigin, splitUrl } = await import("../../web/index.ts");
  const hosts = [...new Set(seeds.map(({ url }) => hostOfOrigin(splitUrl(url).origin)))];
  if (hosts.length === 0) return "A crawl";
  return hosts.length === 1
    ? `Crawl of ${hosts[0]}`
    : `Crawl of ${hosts[0]} and ${counted(hosts.length - 1, "more host")}`;
}

/** A page on standard output is itself the answer: nothing may follow it there. */
function answer(document: { readonly file: string; readonly bytes: number }, text: string): Output {
  const { file, bytes } = document;
  return { document, text: () => (file === "-" ? "" : `${file}: ${text}; ${formatBytes(bytes)}\n`) };
}
