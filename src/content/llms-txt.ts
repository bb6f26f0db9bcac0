/**
 * A list of pages for language models (https://llmstxt.org): a title, a line about the whole, and the pages in
 * sections, each as a link with the first sentence of its text. The most important page of a section comes first, and
 * so does the section that has it.
 *
 * Two passes over the pages, one for sections and one for lines, so that only numbers and the names of sections are
 * kept.
 */
import { counted, percentAtLeast } from "../base/index.ts";
import type { PageRow } from "../store/index.ts";
import { firstSentence } from "./first-sentence.ts";
import { decodedSegment } from "./path-segment.ts";

export interface LlmsTxtSource {
  /** Most important first. */
  readonly pages: Uint32Array;
  readonly row: (id: number) => PageRow;
  /** The share of all importance that they hold at least; left out where importance is not wanted. */
  readonly importance?: number | undefined;
  /** Undefined where nothing of the page was stored. */
  readonly textOf: (row: PageRow) => string | undefined;
}

/** Of pages in no folder. */
const MAIN_SECTION = "Main pages";

export function* llmsTxt(source: LlmsTxtSource): Generator<string> {
  const { title, sections } = outlineOf(source);
  yield `# ${plain(title)}\n\n> ${summary(source)}\n`;
  for (const [name, pages] of sections) {
    yield `\n## ${plain(name)}\n\n`;
    for (const page of pages) yield lineOf(source, source.row(page));
  }
}

interface Outline {
  readonly title: string;
  readonly sections: ReadonlyMap<string, readonly number[]>;
}

/** A first segment of paths on a host. */
interface Place {
  readonly host: string;
  readonly segment: string;
  /** Whether anything is below it: `/about` alone is no section. */
  isFolder: boolean;
  readonly pages: number[];
}

function outlineOf({ pages, row }: LlmsTxtSource): Outline {
  const places = new Map<string, Place>();
  let title: string | undefined;
  let firstHost: string | undefined;
  for (const page of pages) {
    const { url, title: ownTitle } = row(page);
    const { host, pathname, search } = new URL(url);
    firstHost ??= host;
    if (host === firstHost && pathname === "/" && search === "") title ??= ownTitle?.trim() || undefined;
    const [, segment, ...below] = pathname.split("/");
    const key = `${host}/${segment}`;
    const place = places.get(key) ?? { host, segment, isFolder: false, pages: [] };
    places.set(key, place);
    place.isFolder ||= below.length > 0;
    place.pages.push(page);
  }
  return { title: title ?? firstHost ?? "No pages", sections: sectionsOf([...places.values()], pages) };
}

/** By host if there are several, else by first segment. Places come in the order of their most important pages. */
function sectionsOf(places: readonly Place[], ranking: Uint32Array): Outline["sections"] {
  const isByHost = places.some(({ host }) => host !== places[0].host);
  const sections = new Map<string, number[]>();
  const joined = new Set<number[]>();
  for (const { host, segment, isFolder, pages } of places) {
    const name = isByHost ? host : isFolder && segment !== "" ? decodedSegment(segment) : MAIN_SECTION;
    const section = sections.get(name);
    if (section === undefined) sections.set(name, pages);
    else {
      for (const page of pages) section.push(page);
      joined.add(section);
    }
  }
  const rankOf = new Map(joined.size === 0 ? [] : Array.from(ranking, (page, k) => [page, k]));
  for (const section of joined) section.sort((a, b) => rankOf.get(a)! - rankOf.get(b)!);
  return sections;
}

function summary({ pages, importance }: LlmsTxtSource): string {
  const count = counted(pages.length, "page");
  if (importance === undefined) return `${count}.`;
  return `${count}, the most important first, with at least ${percentAtLeast(importance)} of all importance.`;
}

function lineOf({ textOf }: LlmsTxtSource, row: PageRow): string {
  const { url, title } = row;
  // Programs that read such lists take the first bracket and parenthesis that close.
  const name =
    plain(title ?? "")
      .replaceAll("[", "(")
      .replaceAll("]", ")") || url;
  const address = url.replaceAll("(", "%28").replaceAll(")", "%29");
  const sentence = firstSentence(textOf(row) ?? "");
  return `- [${name}](${address})${sentence === undefined ? "" : `: ${plain(sentence)}`}\n`;
}

/** One line without HTML: titles and texts come from the web. */
function plain(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .replaceAll("<", "&lt;");
}
