/** What the formats have in common: files that are given, what they yield, and what may be wrong with them. */
import { FailureError, type Progress } from "../base/index.ts";
import type { ImportedPage } from "../crawl/index.ts";

/** Whose crawls can be imported. */
export const formats = ["warc", "wat", "scrapy", "cc-graph", "nutch", "screaming-frog"] as const;
export type ImportFormat = (typeof formats)[number];

/** What a file holds: a format may need files of two kinds. */
export type FileKind =
  | "warc"
  | "wat"
  | "scrapy"
  | "cc-vertices"
  | "cc-edges"
  | "nutch-crawldb"
  | "nutch-linkdb"
  | "screaming-frog-pages"
  | "screaming-frog-links";

export interface ImportFile {
  readonly path: string;
  readonly kind: FileKind;
}

/** The part of a file that could not be read: what came before it is imported. */
export interface Damage {
  readonly path: string;
  /** Where and what: "at byte 4711: the gzipped data is damaged". */
  readonly message: string;
}

/** The rest of a file cannot be read. What came before it counts. */
export class DamagedFile extends FailureError {
  override readonly name = "DamagedFile";
}

/** How files are read. */
export interface ReadOptions {
  readonly progress: Progress;
  /** Files end where they are damaged, or leave out a part, and this is told. */
  readonly damaged: (damage: Damage) => void;
  /** Called for each page that is left out because it has no web address. */
  readonly addressless: () => void;
  /** Called for each page that has more links, by the files themselves, than they name, although all were promised. */
  readonly linksLacking: () => void;
  /** The links that a format names are all links of each page (default: false). */
  readonly linksComplete?: boolean;
  /** Bodies are not needed: only URLs and statuses will be looked at (default: false). */
  readonly isSurvey?: boolean;
  /** For what has no date of its own, Unix time in milliseconds. */
  readonly nowMs: number;
}

/** Pages of files of one format, in the order of the files. */
export type PageSource = (files: readonly ImportFile[], options: ReadOptions) => AsyncIterable<ImportedPage>;
