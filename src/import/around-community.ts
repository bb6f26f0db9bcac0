/**
 * From the crawl of a community to the directory of a crawl around it, whose scope is the whole web. A crawl drops the
 * links that leave its scope, so pages are read again from what it has stored: its HTML, its archive, or, where its
 * scope was the whole web, its log. Nothing is fetched.
 *
 * The pages of the community are the seeds, with equal trust. Pages of the crawl beside the community come first in the
 * log, so that whoever reads it knows all of them once it knows the community. What was forbidden or failed there
 * waits here: nothing is claimed of it.
 */
import { noProgress, type Progress, UsageError } from "../base/index.ts";
import { TextReader } from "../content/index.ts";
import { evenSeeds, type ImportedPage, type ReportedLinks, type StoredSettings } from "../crawl/index.ts";
import { isFinal, type UrlRecord, type Visit } from "../log/index.ts";
import { reading, type SqliteStore, WarcReader } from "../store/index.ts";
import { mediaType, type ScopeOptions } from "../web/index.ts";
import { answerWith } from "./http-message.ts";
import { expectFree, newDirectory } from "./new-directory.ts";

export interface AroundOptions {
  /** The directory of the crawl of the community. */
  readonly dir: string;
  /** Its settings. */
  readonly settings: StoredSettings;
  /** The directory to make. */
  readonly out: string;
  /** The pages of the community that were downloaded. */
  readonly local: readonly string[];
  readonly damping: number;
  /** The pages of the community are to be fetched again, so nothing is taken from `dir` but their URLs. */
  readonly again: boolean;
  /** Is called with the directory when it is whole, before it has its name. */
  readonly finish: (dir: string) => void;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
}

export interface AroundResult {
  /** Pages that should have links and were not stored: only their links inside the scope are known. */
  readonly notStored: number;
}

/** Makes the directory whole, or leaves nothing. Throws a `UsageError` if `dir` has no links out of its scope. */
export async function startAround(options: AroundOptions): Promise<AroundResult> {
  const { dir, out, local, settings, damping, again, finish, progress = noProgress, signal } = options;
  expectFree(out);
  if (!again) expectLinks(dir, settings);
  const place = { out, settings: settingsAround(settings, local, damping), signal, finish };
  if (again) {
    await newDirectory(place, async () => {});
    return { notStored: 0 };
  }
  return reading(dir, async (store) => {
    const crawl = new StoredPages(dir, store, settings);
    await newDirectory(place, async (pages, turn) => {
      for (const page of crawl.pages(new Set(local))) {
        pages.take(page);
        progress({ task: `reading the pages of ${dir}`, done: ++crawl.read, unit: "pages" });
        await turn();
      }
    });
    return { notStored: crawl.notStored };
  });
}

/** Manners and network of the crawl, without its limits: those were about the community. */
function settingsAround(before: StoredSettings, local: readonly string[], damping: number): StoredSettings {
  const { confidence: _, seed: __, namedSeeds: ___, ...others } = before;
  const { session: ____, ...network } = before.network;
  const { exclude, hosts } = before.web.scope;
  const scope: ScopeOptions = {
    kind: "any",
    seeds: [...local],
    ...(exclude === undefined ? {} : { exclude }),
    ...(hosts === undefined ? {} : { hosts }),
  };
  const web = { ...before.web, scope, universe: "allowed" as const, sitemaps: false };
  return { ...others, web, network, damping, order: "rankmass", limits: {}, seeds: evenSeeds(local), sitemap: [] };
}

function expectLinks(dir: string, settings: StoredSettings): void {
  if (logHasAllLinks(settings)) return;
  const { texts = [], web } = settings;
  const isPlain = web.render === "never";
  // The archive has pages as they came, before their scripts ran.
  if (texts.includes("html") || (isPlain && new WarcReader(dir).stamp !== "")) return;
  throw new UsageError(
    `${dir} has neither the links that leave its scope nor the pages to read them from: crawl with --store html` +
      `${isPlain ? " or --warc" : ""} (or --scope any), or give --again to fetch the pages of the community again`,
  );
}

/** Links that are excluded are none in the new directory either. */
function logHasAllLinks({ web: { scope } }: StoredSettings): boolean {
  return scope.kind === "any" && (scope.include ?? []).length === 0;
}

class StoredPages {
  read = 0;
  notStored = 0;
  readonly #store: SqliteStore;
  readonly #reader: TextReader;
  readonly #isLogEnough: boolean;
  readonly #origins: readonly string[];
  readonly #urls: readonly UrlRecord[];

  constructor(dir: string, store: SqliteStore, settings: StoredSettings) {
    this.#store = store;
    this.#reader = new TextReader(dir, store);
    this.#isLogEnough = logHasAllLinks(settings);
    this.#origins = [...store.origins()];
    this.#urls = [...store.urls()];
  }

  /** What became of each URL in the end, as far as an answer says so; the community last. Of each, one visit counts. */
  *pages(local: ReadonlySet<string>): Generator<ImportedPage> {
    for (const isOfCommunity of [false, true]) {
      for (const visit of this.#store.visits()) {
        if (!isFinal(visit.outcome)) continue;
        const url = this.#textOf(visit.url);
        if (local.has(url) !== isOfCommunity) continue;
        const page = this.#pageOf(url, visit);
        if (page !== undefined) yield page;
      }
    }
  }

  #pageOf(url: string, visit: Visit): ImportedPage | undefined {
    const { atMs, status, target, location, outcome } = visit;
    if (visit.links !== null) return this.#downloaded(url, visit, visit.links);
    const to = target === null ? location : this.#textOf(target);
    if (to !== null) return { url, atMs, answer: answerWith({ status: 301, headers: { location: to } }) };
    // Without an answer, as of a host that does not exist, it waits.
    return outcome === "dead" && status !== null ? { url, atMs, answer: answerWith({ status }) } : undefined;
  }

  #downloaded(url: string, visit: Visit, links: Uint32Array): ImportedPage {
    const { atMs, outcome, wireBytes, milliseconds } = visit;
    const isCut = outcome === "links-unknown";
    const html = this.#isLogEnough ? undefined : this.#reader.read(visit.url, url, "html");
    const headers = headersOf(visit);
    if (html !== undefined) {
      const body = Buffer.from(html);
      return {
        url,
        atMs,
        answer: answerWith({ status: 200, headers, body, truncated: isCut, wireBytes, milliseconds }),
      };
    }
    const isWhole = this.#isLogEnough || !mayHaveLinks(visit);
    if (!isWhole) this.notStored++;
    const reported: ReportedLinks = {
      title: visit.title,
      language: visit.language,
      links: this.#linksOf(links),
      linksUnknown: isCut || !isWhole ? "not-recorded" : null,
    };
    return { url, atMs, answer: answerWith({ status: 200, headers, wireBytes, milliseconds }), reported };
  }

  *#linksOf(links: Uint32Array): ReportedLinks["links"] {
    for (const link of links) {
      const { path, origin, reason } = this.#urls[link];
      if (path !== null) yield { href: this.#textOf(link), nofollow: false };
      else if (reason === "nofollow") yield { href: `${this.#origins[origin]}/`, nofollow: true };
    }
  }

  #textOf(url: number): string {
    const { origin, path } = this.#urls[url];
    return this.#origins[origin] + (path ?? "");
  }
}

/** Its body is stored as UTF-8. */
function headersOf({ contentType, robotsTag, etag, lastModified }: Visit): Record<string, string> {
  const type = contentType === null ? "text/html" : mediaType(contentType);
  return {
    "content-type": `${type}; charset=utf-8`,
    ...(robotsTag === null ? {} : { "x-robots-tag": robotsTag }),
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { "last-modified": lastModified }),
  };
}

function mayHaveLinks({ contentType, links }: Visit): boolean {
  return (links ?? []).length > 0 || contentType === null || /html|xml/.test(contentType);
}
