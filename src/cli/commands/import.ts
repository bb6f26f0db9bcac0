/** `tidemark import` */
import { type Command, Option } from "commander";
import { counted, formatCount, percentAtLeast, shellWord } from "../../base/index.ts";
import type { CommandOptions } from "../../crawl/index.ts";
import { type SettingsTable, settingsTable } from "../../crawl/settings/index.ts";
import type { ChosenSeeds, ImportFormat, ImportResult } from "../../import/index.ts";
import { missingInWords, stepsWithPages, strictInWords, wholeInWords } from "../../text/index.ts";
import { commonOptions, type CommonOptions, examples, notes, type Output, perform } from "../options/command.ts";
import { declareSettings, givenSettings, settingsFor } from "../options/settings.ts";
import { Interruption, onInterrupt } from "../terminal/interrupts.ts";
import type { Terminal } from "../terminal/terminal.ts";

const FORMATS: readonly ImportFormat[] = ["warc", "wat", "scrapy", "cc-graph", "nutch", "screaming-frog"];

const { scope, include, exclude, universe, damping } = settingsTable;
const { stripParameters, followNofollow, honourCanonical, duplicatesCountNothing, linksPerPage } = settingsTable;
const { store, anchors, nearDuplicates } = settingsTable;
/** What defines the measured web. */
const WEB = { scope, include, exclude, universe, stripParameters, followNofollow, honourCanonical };
const SETTINGS: SettingsTable = {
  ...WEB,
  duplicatesCountNothing,
  linksPerPage,
  damping,
  store,
  anchors,
  nearDuplicates,
};

interface ImportFlags extends CommonOptions {
  readonly out: string;
  readonly from?: ImportFormat;
  readonly seed?: readonly string[];
  readonly seedFile?: string;
  readonly linksComplete?: boolean;
}

export function declare(command: Command): void {
  command
    .argument("<files...>", "files of another crawler, all of one format, optionally gzipped")
    .requiredOption("--out <dir>", "the crawl directory to make")
    .addOption(
      new Option("--from <format>", "format of the files")
        .choices(FORMATS)
        .default(undefined, "detected from the files"),
    )
    .option(
      "--seed <url>",
      "where that crawl started: importance comes from there; may be repeated (default: the front pages of " +
        "the hosts with the most pages, or the most linked hosts of a graph, at most 1,000)",
      (url: string, before: readonly string[] = []) => [...before, url],
    )
    .option("--seed-file <file>", "more seeds, one per line")
    .option(
      "--links-complete",
      "the files name all links of each page: without this, links of every format but WARC count as incomplete",
    );
  declareSettings(command, SETTINGS);
  commonOptions(command).action((files: string[], options: ImportFlags) =>
    perform(options, (terminal) => run(files, options, givenSettings(command, SETTINGS), terminal)),
  );
  notes(command, [
    {
      title: "Formats",
      lines: [
        ["warc", "WARC files; links are read from the pages, and their HTML is stored unless --store says otherwise"],
        ["wat", "extracts of WARC files by Common Crawl"],
        ["scrapy", 'JSON lines with "url", "links", optionally "status", "title", "content_type"'],
        ["cc-graph", "host graph in the format of Common Crawl: vertices and edges"],
        ["nutch", "nutch readdb -dump -format csv, and nutch readlinkdb -dump"],
        ["screaming-frog", "internal_all.csv and all_outlinks.csv"],
      ],
    },
    "What the files do not show is never assumed: a page that is only linked waits, and a page whose links may be " +
      "incomplete counts, but what lies behind it is unknown. Nothing is fetched; tidemark crawl --dir DIR fetches " +
      "the rest. A file that is damaged is imported up to there; the exit code is then 1.",
  ]);
  examples(command, [
    `printf '{"url":"https://a.example/","links":["/b"]}\\n{"url":"https://a.example/b","links":[]}\\n' > items.jl`,
    "tidemark import items.jl --out imported --links-complete",
    "tidemark coverage imported",
    "tidemark import items.jl --out from-b --seed https://a.example/b --json",
  ]);
}

async function run(
  paths: readonly string[],
  options: ImportFlags,
  given: CommandOptions,
  { progress, note }: Terminal,
): Promise<Output> {
  const { out, from, seedFile, linksComplete = false } = options;
  const { importCrawl } = await import("../../import/index.ts");
  const { readSeedFile } = await import("../input/seed-file.ts");
  const { importSummary } = await import("../output/import-summary.ts");
  const { stepsText } = await import("../crawl/messages.ts");
  const seeds = [...(options.seed ?? []), ...(seedFile === undefined ? [] : await readSeedFile(seedFile))];
  const interrupted = new AbortController();
  const unmade = new Interruption(`interrupted: ${out} was not made`, { leavesNothing: true });
  const forget = onInterrupt(() => interrupted.abort(unmade));
  try {
    const result = await importCrawl({
      paths,
      out,
      format: from,
      seeds,
      linksComplete,
      settings: settingsFor(given),
      progress,
      signal: interrupted.signal,
      onSeeds: (chosen) => note(seedsInWords(chosen)),
    });
    for (const text of leftOut(result)) note(text);
    progress({ task: "certifying", done: 0, unit: "pages" });
    const summary = await importSummary(out);
    const { pages, waiting, known, links, hosts, certificate, missing, ceiling, searchable } = summary;
    const { coverage, strict } = certificate;
    const { counts, damages, format } = result;
    const measured = given.universe ?? "allowed";
    return {
      document: {
        dir: out,
        format,
        files: paths,
        seeds: result.seeds.length,
        pages,
        waiting,
        known,
        links,
        hosts,
        coverage,
        strict,
        ceiling,
        universe: measured,
        missing: missing.map(({ reason, mass }) => ({ reason, mass })),
        responses: { ...counts },
        lackingLinks: result.lackingLinks,
        damaged: damages,
      },
      text: () =>
        `${out}: ${counted(pages, "page")}, ${counted(links, "link")}, ${counted(hosts, "host")}, ` +
        `${formatCount(waiting)} more known.\n` +
        `The ${pages === 1 ? "page holds" : "pages hold"} at least ${percentAtLeast(coverage)} of ` +
        `${wholeInWords(measured)}${strictSuffix(strictInWords({ coverage, strict, universe: measured }))}.\n` +
        `${missingInWords(missing)}\n${stepsText(stepsWithPages({ dir: shellWord(out), pages, searchable }))}`,
      ...(damages.length === 0 ? {} : { failure: damages.map(({ message }) => message).join("; ") }),
    };
  } finally {
    forget();
  }
}

function strictSuffix(strict: string | undefined): string {
  return strict === undefined ? "" : ` (${strict})`;
}

const SEEDS_NAMED = 3;

function listed(urls: readonly string[]): string {
  const more = urls.length - SEEDS_NAMED;
  return `${urls.slice(0, SEEDS_NAMED).join(", ")}${more > 0 ? ` and ${formatCount(more)} more` : ""}`;
}

function seedsInWords({ urls, areGiven, hosts }: ChosenSeeds): string {
  const named = listed(urls);
  if (areGiven) return `importance is measured from ${named}`;
  const some = hosts > urls.length ? ` (of ${formatCount(hosts)} hosts)` : "";
  return `no seeds were given: importance is measured from ${named}${some}; name others with --seed`;
}

function absentInWords(seeds: readonly string[]): string {
  const [first, ...others] = seeds;
  if (others.length === 0) return `this seed is not among the pages of the files: ${first}`;
  return `${formatCount(seeds.length)} seeds are not among the pages of the files: ${listed(seeds)}`;
}

function leftOut({ counts, format, absentSeeds, lackingLinks }: ImportResult): string[] {
  const notes: string[] = [];
  const thing = format === "scrapy" ? "item" : "response";
  const told = (count: number, why: string): void => {
    if (count > 0) notes.push(`${counted(count, thing)} left out: ${why}`);
  };
  if (absentSeeds.length > 0) notes.push(absentInWords(absentSeeds));
  told(counts["out-of-scope"], "out of the scope; --scope domain or any takes in more");
  told(counts.again, "of a URL whose outcome is known from an earlier one");
  told(counts["for-robots"], "robots.txt and sitemaps, which are no pages");
  told(counts["no-page"], "no web address");
  if (lackingLinks > 0) {
    const pages = lackingLinks === 1 ? "1 page has" : `${formatCount(lackingLinks)} pages have`;
    notes.push(`${pages} more outlinks than the files name: counted as pages whose links are unknown`);
  }
  return notes;
}
