/** `tidemark search` */
import type { Command } from "commander";
import { counted, didYouMean, formatCount, quoted, shellWord, UsageError } from "../../base/index.ts";
import type { ExcerptPart, Found, FoundPage } from "../../content/index.ts";
import type { SqliteStore } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";
import { harmless, noPagesInWords, shownInLine } from "../../text/index.ts";
import { atOption, checkMoment, type MomentOptions } from "../input/moment.ts";
import {
  type Output,
  type CommonOptions,
  commonOptions,
  examples,
  integer,
  notes,
  perform,
} from "../options/command.ts";
import { orImport } from "../options/foreign-file.ts";
import { bold, type TextStyle, wrapped } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface SearchOptions extends CommonOptions, MomentOptions {
  readonly host?: string;
  readonly top: number;
}

const TOP_MAX = 1000;
const PROSE_WIDTH_MAX = 100;

export function declare(command: Command): void {
  command
    .argument("<dir>", "the directory of a crawl with texts (crawl --store text, or --warc)")
    .argument("<words...>", "what to look for: pages have all of these words")
    .option("--host <name>", "only pages of this host")
    .option("--top <n>", "how many pages to list", integer(1, TOP_MAX), 10);
  atOption(command)
    // A word with a minus is not an option; `expectWords` refuses options that do not exist.
    .allowUnknownOption();
  commonOptions(command).action((dir: string, words: readonly string[], options: SearchOptions) =>
    perform(options, (terminal) => orImport([dir], () => search(dir, words, options, terminal))),
  );
  notes(command, [
    {
      title: "Words",
      lines: [
        ["tide moon", "pages with both words, in their title, URL or text; case and accents do not matter"],
        [
          `'"spring tide"'`,
          "these words one after the other; the outer quotes keep the shell from taking the inner ones",
        ],
        ["'tid*'", "words that begin with tid"],
        ["-moon", "not pages with this word (after --, if it could be an option)"],
      ],
    },
    "The best pages come first: how well the words fit (BM25; a title counts eight times) times a factor from 1 to " +
      "2, by the importance of the page. The first search makes an index, search.sqlite, in the directory; later " +
      "ones add what is new and replace what has changed. With --at, an index of that time is made from it, which " +
      "takes as long as the changes since then take to be indexed; search-at-N.sqlite keeps it until another time is " +
      "searched.",
  ]);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark search demo harbour",
    `tidemark search demo '"harbour news"' -shop --top 3`,
    "tidemark search demo 'harb*' --host news.demo.test --json",
    "tidemark search demo harbour --at 2999-12-31",
  ]);
}

async function search(
  dir: string,
  words: readonly string[],
  options: SearchOptions,
  { progress, note }: Terminal,
): Promise<Output> {
  expectWords(words);
  const { host, top, at: atMs } = options;
  const { hasTexts, searchExpression } = await import("../../content/index.ts");
  const { searchDirectory, surveyHere } = await import("../../survey/index.ts");
  const { reading } = await import("../../store/index.ts");
  const query = words.join(" ");
  // Throws before the work begins.
  searchExpression(query);
  await checkMoment(dir, options, { note });
  const expectTexts = (store: SqliteStore): void => {
    if (!hasTexts(dir, store)) throw noTexts(dir, store);
  };
  await reading(dir, expectTexts, { atMs });
  const survey = await surveyHere(dir, { progress, atMs });
  try {
    const isWanted = hostFilter(survey, host);
    const sought = { query, isWanted, from: 0, count: top };
    const found = await searchDirectory(dir, { survey, ...sought, onStep: progress, atMs });
    if (found.isIndexTemporary) {
      note(`${dir} may not be written or has no room, so the index was made for this search alone`);
    }
    return {
      document: { query, total: found.total, results: found.pages.map((page) => resultOf(page, survey)) },
      text: (style) => listed(found, style),
    };
  } finally {
    survey.close();
  }
}

/** A mistyped option must not be taken for a word. */
function expectWords(words: readonly string[]): void {
  const option = words.find((word) => /^--\w/.test(word));
  const known = ["--host", "--top", "--at", "--json", "--quiet", "--help"];
  if (option === undefined) return;
  throw new UsageError(
    `unknown option ${quoted(option)}.${didYouMean(option, known)} ` +
      "Options of tidemark search are --host, --top, --at, --json and --quiet",
  );
}

function noTexts(dir: string, { hasPages }: { readonly hasPages: boolean }): UsageError {
  if (!hasPages) return new UsageError(noPagesInWords(dir));
  const word = shellWord(dir);
  return new UsageError(
    `${dir} has no text of its pages to search: crawl with --store text (or --warc); tidemark crawl --dir ${word} ` +
      "--store text goes on with this crawl and stores the text of pages fetched from now on",
  );
}

function hostFilter({ facts, hostOf }: Survey, name: string | undefined): (id: number) => boolean {
  if (name === undefined) return () => true;
  const host = facts.hosts.findIndex((each) => each.host === name.toLowerCase());
  if (host >= 0) return (id) => hostOf[id] === host;
  const near = didYouMean(
    name,
    facts.hosts.map((each) => each.host),
  );
  throw new UsageError(`--host ${quoted(name)}: the crawl knows no such host.${near}`);
}

function resultOf({ id, url, title, score, excerpt }: FoundPage, survey: Survey): object {
  const isKnown = id < survey.facts.urls;
  const importance = isKnown ? survey.interval(id) : { low: 0, high: 1 };
  const rank = isKnown ? survey.place(id) || null : null;
  return { url, title, score, rank, importance, snippet: excerpt.map(({ text }) => text).join("") };
}

function listed({ total, pages }: Found, style: TextStyle): string {
  if (total === 0) return "No page matches.\n";
  const width = Math.min(style.width, PROSE_WIDTH_MAX);
  const digits = String(pages.length).length;
  const indent = digits + 2;
  const entries = pages.map(({ url, title, excerpt }, k) => {
    const name = shownInLine(title ?? "") || "(no title)";
    const number = String(k + 1);
    const lines = [
      wrapped(`${number}. ${name}`, { width, indent: digits - number.length, hanging: indent }),
      `${" ".repeat(indent)}${harmless(url)}\n`,
    ];
    if (excerpt.length > 0) lines.push(wrapped(marked(excerpt, style), { width, indent }));
    return lines.join("");
  });
  const rest = total > pages.length ? `: the best ${formatCount(pages.length)} of them` : "";
  return `${counted(total, "page")}${rest}\n\n${entries.join("\n")}`;
}

/** Each word by itself, since a line may end within a phrase. */
function marked(excerpt: readonly ExcerptPart[], { color }: TextStyle): string {
  return excerpt
    .map(({ text, isMatch }) => {
      const piece = harmless(text);
      return isMatch ? piece.replaceAll(/\S+/g, (word) => bold(word, color)) : piece;
    })
    .join("");
}
