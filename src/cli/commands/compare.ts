/** `tidemark compare` */
import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { formatBytes, shellWord, systemSeed, UsageError, VERSION } from "../../base/index.ts";
import type { ComparedCrawl, ComparisonContents } from "../../report/index.ts";
import type { Survey } from "../../survey/index.ts";
import {
  type CommonOptions,
  commonOptions,
  examples,
  integer,
  notes,
  type Output,
  perform,
} from "../options/command.ts";
import { orImport } from "../options/foreign-file.ts";
import { checkOutputs, writeTexts } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface CompareOptions extends CommonOptions {
  readonly out?: string;
  readonly title?: string;
  readonly top?: number;
}

const TOP_IN_TEXT = 10;
const TOP_IN_DOCUMENTS = 100;
/** More would not fit into one JSON document. */
const TOP_MAX = 100_000;

export function declare(command: Command): void {
  command
    .argument("<A>", "the directory of the earlier crawl")
    .argument("<B>", "the directory of the later crawl")
    .option("--out <file>", "also write one HTML page; - writes it to standard output")
    .option("--title <text>", "title of the page")
    .option(
      "--top <n>",
      `how many pages to list of each kind (default: ${TOP_IN_TEXT}, in JSON and HTML ${TOP_IN_DOCUMENTS})`,
      integer(1, TOP_MAX),
    );
  commonOptions(command).action((a: string, b: string, options: CompareOptions) =>
    perform(options, (terminal) => orImport([a, b], () => compare({ a, b }, options, terminal))),
  );
  notes(command, [
    "A page is gone only if B was told so by a server. What B did not fetch is listed apart, and what A knew but did " +
      "not fetch is not called new. Pages are matched by their URLs, contents by a digest of the whole body.",
  ]);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir before --no-serve",
    "tidemark demo --coverage 0.8 --dir after --no-serve",
    "tidemark compare before after --out changes.html",
  ]);
}

interface Directories {
  readonly a: string;
  readonly b: string;
}

async function compare(dirs: Directories, options: CompareOptions, { progress }: Terminal): Promise<Output> {
  const { out, json = false, title } = options;
  if (json && out === "-") {
    throw new UsageError("--json prints its answer on standard output; write the page to a file with --out FILE");
  }
  if (title !== undefined && out === undefined)
    throw new UsageError("--title is for the page: give --out FILE as well");
  checkOutputs([out]);
  expectTwoCrawls(dirs);
  const { compareReport, gatherComparison } = await import("../../report/index.ts");
  const { surveyHere } = await import("../../survey/index.ts");
  const { settingsOf } = await import("../crawl/plan.ts");
  // Throws at once if there is no crawl.
  for (const dir of [dirs.a, dirs.b]) await settingsOf(dir);
  const top = options.top ?? (json || out !== undefined ? TOP_IN_DOCUMENTS : TOP_IN_TEXT);
  const surveys: Survey[] = [];
  try {
    for (const dir of [dirs.a, dirs.b]) surveys.push(await surveyHere(dir, { progress }));
    const [a, b] = surveys;
    progress({ task: "comparing", done: 0, unit: "URLs" });
    const contents = await gatherComparison(
      { dir: dirs.a, survey: a },
      { dir: dirs.b, survey: b },
      { top, seed: systemSeed() },
    );
    if (out === undefined) return await answer(contents, options);
    const html = compareReport(contents, {
      title: title ?? `Changes from ${nameOf(dirs.a)} to ${nameOf(dirs.b)}`,
      subtitle: `A: ${nameOf(dirs.a)} · B: ${nameOf(dirs.b)} · Tidemark ${VERSION}`,
      command:
        `tidemark compare ${shellWord(dirs.a)} ${shellWord(dirs.b)} --out ` +
        `${shellWord(out === "-" ? "changes.html" : out)}`,
    });
    await writeTexts([{ path: out, text: html }]);
    return await answer(contents, options, { file: out, bytes: Buffer.byteLength(html) });
  } finally {
    for (const survey of surveys) survey.close();
  }
}

function nameOf(dir: string): string {
  return basename(resolve(dir));
}

function expectTwoCrawls({ a, b }: Directories): void {
  for (const dir of [a, b]) {
    if (statSync(dir, { throwIfNoEntry: false })?.isFile() === true) {
      throw new UsageError(`${dir} is a file; expected the directory of a crawl (tidemark report shows simulations)`);
    }
  }
  const [first, second] = [a, b].map((dir) => (isThere(dir) ? realpathSync(dir) : dir));
  if (first === second) {
    throw new UsageError(`${a} and ${b} are the same directory; expected the directories of two crawls`);
  }
}

function isThere(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false }) !== undefined;
}

interface WrittenPage {
  readonly file: string;
  readonly bytes: number;
}

/** A page on standard output is itself the answer: nothing may follow it there. */
async function answer(contents: ComparisonContents, options: CompareOptions, page?: WrittenPage): Promise<Output> {
  const { comparisonText } = await import("../compare/text.ts");
  const written = page === undefined ? "" : `\n${page.file}: ${formatBytes(page.bytes)}\n`;
  return {
    document: { ...documentOf(contents), ...page },
    text: (style) => {
      if (page?.file === "-") return "";
      return `${comparisonText(contents, { top: options.top ?? TOP_IN_TEXT, style })}${written}`;
    },
  };
}

function documentOf({ a, b, comparison, ...contents }: ComparisonContents): object {
  const { common, counts, notFetched, titles, moved } = comparison;
  return {
    a: crawlDocument(a),
    b: crawlDocument(b),
    differences: contents.differences,
    isContentComparable: contents.isContentComparable,
    common,
    counts: { ...counts, "title-changed": titles.count, moved: moved.up + moved.down },
    notFetched,
    moved: { up: moved.up, down: moved.down, possible: moved.possible, pages: contents.moved },
    titles: contents.titles,
    pages: contents.pages,
  };
}

function crawlDocument({ dir, facts, settings, end }: ComparedCrawl): object {
  const { pages, known, strict, ceiling } = facts.status;
  const { coverage } = facts.certificate;
  const [firstVisit, lastVisit] = [facts.firstVisitMs, facts.lastVisitMs].map(isoOf);
  const { universe } = settings.web;
  return { dir, pages, known, coverage, strict, ceiling, universe, firstVisit, lastVisit, end };
}

function isoOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
