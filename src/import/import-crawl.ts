/** Other people's crawls as crawl directories: from files to a log with the same facts as one of ours. */
import { noProgress, type Progress, systemTimers, UsageError } from "../base/index.ts";
import {
  crawlSettings,
  type CrawlOptions,
  evenSeeds,
  type Intake,
  seedUrl,
  type StoredSettings,
} from "../crawl/index.ts";
import { enterHostGraph, type HostGraph, mostLinked, readHostGraph } from "./cc-graph.ts";
import type { Damage, ImportFile, ImportFormat, PageSource, ReadOptions } from "./contract.ts";
import { HostSurvey, SEEDS_MAX } from "./default-seeds.ts";
import { detectFiles } from "./detect.ts";
import { Breather, expectFree, newDirectory } from "./new-directory.ts";
import { nutchPages } from "./nutch.ts";
import { scrapyPages } from "./scrapy.ts";
import { screamingFrogPages } from "./screaming-frog.ts";
import { isForRobots, warcPages } from "./warc-pages.ts";
import { watPages } from "./wat.ts";

export interface ImportOptions {
  readonly paths: readonly string[];
  /** The directory to make. */
  readonly out: string;
  /** Default: detected from the files. */
  readonly format?: ImportFormat | undefined;
  /** Where trust goes; default: the front pages of the hosts. */
  readonly seeds?: readonly string[];
  /** The links of each page are all that it has, as far as a format names links (default: false). */
  readonly linksComplete?: boolean;
  /** Scope and the like, as of a crawl. */
  readonly settings?: CrawlOptions;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
  /** Called once, before anything is written: where trust goes, and why. */
  readonly onSeeds?: (chosen: ChosenSeeds) => void;
}

export interface ChosenSeeds {
  readonly urls: readonly string[];
  readonly areGiven: boolean;
  /** Hosts that were crawled, of which these are some; 0 where nobody has counted. */
  readonly hosts: number;
}

export interface ImportResult {
  readonly format: ImportFormat;
  readonly files: readonly ImportFile[];
  readonly seeds: readonly string[];
  /** Seeds that were given and are not among the pages of the files. */
  readonly absentSeeds: readonly string[];
  /** Responses, or rows of a graph, by what became of them. */
  readonly counts: Readonly<Record<Intake | "for-robots", number>>;
  /** Pages whose links are unknown although `linksComplete` was said: by the files themselves they have more. */
  readonly lackingLinks: number;
  readonly damages: readonly Damage[];
}

const SOURCES: Readonly<Record<Exclude<ImportFormat, "cc-graph">, PageSource>> = {
  warc: warcPages,
  wat: watPages,
  scrapy: scrapyPages,
  nutch: nutchPages,
  "screaming-frog": screamingFrogPages,
};

/** Makes a crawl directory of files. Nothing is left of it if it fails or is aborted. */
export async function importCrawl(options: ImportOptions): Promise<ImportResult> {
  const { paths, out, format: given } = options;
  if (paths.length === 0) throw new UsageError("nothing to import: name at least one file");
  expectFree(out);
  const { format, files } = await detectFiles(paths, given);
  expectUseful(options, format);
  const work = new Import(format === "warc" ? withBodies(options) : options, files);
  const result = format === "cc-graph" ? await work.hostGraph() : await work.pages(format, SOURCES[format]);
  return { format, files, ...result };
}

/** What only a body has. */
const BODY_SETTINGS = ["store", "anchors", "nearDuplicates"] as const;

/** An option that would be ignored is a mistake. */
function expectUseful({ linksComplete = false, settings = {} }: ImportOptions, format: ImportFormat): void {
  if (format === "warc") {
    if (!linksComplete) return;
    throw new UsageError("WARC files hold the pages, whose links are read from them: leave out --links-complete");
  }
  const given = BODY_SETTINGS.find((name) => settings[name] !== undefined);
  if (given === undefined) return;
  const flag = given === "nearDuplicates" ? "near-duplicates" : given;
  throw new UsageError(`--${flag} is about the text of pages, which ${format} does not have: leave it out`);
}

/** So that whatever shows text works, the HTML is stored, which costs the least to make. */
function withBodies(options: ImportOptions): ImportOptions {
  return { ...options, settings: { store: ["html"], ...options.settings } };
}

/** Pages are read twice: what is wrong is told the second time. */
function surveyingWith(reading: ReadOptions): ReadOptions {
  return { ...reading, damaged: () => {}, addressless: () => {}, linksLacking: () => {}, isSurvey: true };
}

class Import {
  readonly #options: ImportOptions;
  readonly #files: readonly ImportFile[];
  readonly #damages: Damage[] = [];
  readonly #counts = { taken: 0, again: 0, "out-of-scope": 0, "no-page": 0, "for-robots": 0 };
  readonly #breather: Breather;
  #lackingLinks = 0;

  constructor(options: ImportOptions, files: readonly ImportFile[]) {
    this.#options = options;
    this.#files = files;
    this.#breather = new Breather(options.signal);
  }

  async pages(format: ImportFormat, source: PageSource): Promise<Omit<ImportResult, "format" | "files">> {
    const { out, signal } = this.#options;
    const reading = this.#reading();
    const seeds = this.#given() ?? (await this.#survey(source, surveyingWith(reading)));
    const absent = new Set(seeds);
    const settings = this.#settings(seeds, {});
    await newDirectory({ out, settings, signal }, async (pages, turn) => {
      for await (const page of source(this.#files, reading)) {
        if (absent.size > 0) absent.delete(pages.canonical(page.url) ?? "");
        const isNone = format === "warc" && isForRobots(page) && !pages.isKnown(page.url);
        this.#counts[isNone ? "for-robots" : pages.take(page)]++;
        await turn();
      }
    });
    return { seeds, absentSeeds: this.#absent(absent), ...this.#told };
  }

  async hostGraph(): Promise<Omit<ImportResult, "format" | "files">> {
    const { linksComplete = false, progress = noProgress, out, signal } = this.#options;
    const reading = this.#reading();
    const graph = await readHostGraph(this.#files, reading);
    const seeds = this.#given() ?? this.#mostLinked(graph);
    // Every host is a page of the graph: the hosts of the seeds alone would be none.
    const settings = this.#settings(seeds, { scope: "any" });
    await newDirectory({ out, settings, signal }, async (pages, turn) => {
      const { nowMs } = reading;
      this.#counts.taken = await enterHostGraph(graph, pages, { seeds, linksComplete, nowMs, progress, onStep: turn });
    });
    const hosts = new Set(graph.urls);
    const absent = seeds.filter((url) => !hosts.has(url));
    return { seeds, absentSeeds: this.#absent(absent), ...this.#told };
  }

  get #told(): Pick<ImportResult, "counts" | "lackingLinks" | "damages"> {
    return { counts: this.#counts, lackingLinks: this.#lackingLinks, damages: this.#damages };
  }

  /** Seeds that nobody has given need not be fetched. */
  #absent(seeds: Iterable<string>): readonly string[] {
    return (this.#options.seeds ?? []).length === 0 ? [] : [...seeds];
  }

  #reading(): ReadOptions {
    const { progress = noProgress, linksComplete = false, signal } = this.#options;
    return {
      progress: (step) => {
        signal?.throwIfAborted();
        progress(step);
      },
      linksComplete,
      nowMs: systemTimers.wallMs(),
      damaged: (damage) => this.#damages.push(damage),
      addressless: () => void this.#counts["no-page"]++,
      linksLacking: () => void this.#lackingLinks++,
    };
  }

  #given(): readonly string[] | undefined {
    const { seeds = [], settings = {}, onSeeds } = this.#options;
    if (seeds.length === 0) return undefined;
    const { stripParameters = false } = settings;
    const urls = [...new Set(seeds.map((url) => seedUrl(url, { stripParameters })))];
    onSeeds?.({ urls, areGiven: true, hosts: 0 });
    return urls;
  }

  async #survey(source: PageSource, reading: ReadOptions): Promise<readonly string[]> {
    const survey = new HostSurvey();
    for await (const page of source(this.#files, reading)) {
      if (!isForRobots(page)) survey.add(page);
      await this.#breather.take();
    }
    const { urls, hosts } = survey.seeds;
    if (urls.length === 0) {
      throw new UsageError(
        `no page was found in ${this.#files.map(({ path }) => path).join(", ")}; expected at least one response with ` +
          "a status of 2xx and a web address",
      );
    }
    this.#options.onSeeds?.({ urls, areGiven: false, hosts });
    return urls;
  }

  #mostLinked(graph: HostGraph): readonly string[] {
    if (graph.urls.length === 0) throw new UsageError("the host graph has no vertices; expected at least one");
    const urls = mostLinked(graph, SEEDS_MAX);
    this.#options.onSeeds?.({ urls, areGiven: false, hosts: graph.urls.length });
    return urls;
  }

  #settings(seeds: readonly string[], defaults: CrawlOptions): StoredSettings {
    const { settings = {} } = this.#options;
    return crawlSettings({ ...defaults, ...settings }, { seeds: evenSeeds(seeds) });
  }
}
