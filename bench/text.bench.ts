/**
 * The main part of real pages whose text is known, compared with two libraries that extract it (on linkedom, a tree
 * that needs no browser): precision and recall of words, and CPU time per 40 KB of HTML. The HTML that the peers give is
 * made text by the converter that Tidemark uses, which counts in our time and not in theirs.
 *
 * Then what texts cost a crawl: a reader with `--store text` and `--store markdown`, and without.
 */
import { Readability } from "@mozilla/readability";
import { DefuddleClass } from "defuddle/node";
import { parseHTML } from "linkedom";
import { htmlToMarkdown } from "mdream/wasm";
import { pageText } from "../src/content/index.ts";
import { defaultWebSettings, InlineReader } from "../src/crawl/index.ts";
import type { TextForm } from "../src/log/index.ts";
import { bestCpuSeconds } from "./measure.ts";
import { generatedSets, type KnownSet, knownSets } from "./text/known-pages.ts";
import { meanScore, type Score, scoreOf } from "./text/words.ts";

interface ExtractorFigures extends Score {
  readonly millisecondsPer40KB: number;
}

interface SetFigures {
  readonly set: string;
  readonly pages: number;
  readonly megabytes: number;
  readonly tidemark: ExtractorFigures;
  readonly readability: ExtractorFigures;
  readonly defuddle: ExtractorFigures;
  /** All that a reader does with a page, by what is stored of its text. */
  readonly readerMillisecondsPer40KB: {
    readonly nothing: number;
    readonly text: number;
    readonly markdown: number;
  };
}

const URL_OF_PAGES = "https://docs.example/page.html";

export async function benchText({ tiny }: { readonly tiny: boolean }): Promise<SetFigures[]> {
  const figures: SetFigures[] = [];
  for (const set of tiny ? generatedSets() : knownSets()) figures.push(await compare(set, tiny ? 1 : 3));
  return figures;
}

async function compare({ name, pages }: KnownSet, runs: number): Promise<SetFigures> {
  const bytes = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
  const milliseconds = (work: (html: string) => unknown, times: number): number =>
    (bestCpuSeconds(times, () => pages.forEach(({ html }) => work(html))) * 1000 * 40_000) / bytes;
  const score = (textOf: (html: string) => string): Score =>
    meanScore(pages.map(({ html, text }) => scoreOf(textOf(html), text)));
  // Once for the score, which warms it up, and once for the time: peers are slow.
  const peer = (part: (html: string) => string): ExtractorFigures => ({
    ...score((html) => plainText(part(html))),
    millisecondsPer40KB: milliseconds(part, 1),
  });
  const reader = async (texts: readonly TextForm[]): Promise<number> => milliseconds(await readingWith(texts), runs);
  return {
    set: name,
    pages: pages.length,
    megabytes: bytes / 1e6,
    tidemark: { ...score(pageText), millisecondsPer40KB: milliseconds(pageText, runs) },
    readability: peer(readabilityPart),
    defuddle: peer(defuddlePart),
    readerMillisecondsPer40KB: {
      nothing: await reader([]),
      text: await reader(["text"]),
      markdown: await reader(["markdown"]),
    },
  };
}

function readabilityPart(html: string): string {
  return new Readability(parseHTML(html).document).parse()?.content ?? "";
}

function defuddlePart(html: string): string {
  return new DefuddleClass(parseHTML(html).document, { url: URL_OF_PAGES }).parse().content;
}

/** As `pageText` makes it of the part that it has chosen; that has loaded the converter. */
function plainText(part: string): string {
  return htmlToMarkdown(part.replace(/<(\/?)d[ltd](?=[\s>/])[^>]*>/gi, "<$1div>"), { format: "text" });
}

async function readingWith(texts: readonly TextForm[]): Promise<(html: string) => void> {
  const web = defaultWebSettings({ kind: "host", seeds: [URL_OF_PAGES] }, 0);
  const reader = await InlineReader.create({ web, productToken: "tidemark", texts: [...texts] });
  const encoder = new TextEncoder();
  const job = { url: URL_OF_PAGES, truncated: false, contentType: "text/html; charset=utf-8", robotsTag: null };
  return (html) => reader.page({ ...job, body: encoder.encode(html) });
}
