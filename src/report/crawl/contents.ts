/** What a report about a crawl is made from: a survey, what was asked of the crawl, and the few texts that it shows. */
import type { RefusalReason } from "../../coverage/index.ts";
import type { CrawlSettings } from "../../crawl/index.ts";
import type { RereadOutcome } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";
import type { Standing } from "../../text/index.ts";

export interface CrawlContents {
  readonly survey: Survey;
  readonly settings: CrawlSettings;
  readonly end: Standing;
  readonly chosen: ChosenPages;
  /** Of all URLs that were chosen. */
  readonly texts: ReadonlyMap<number, PageText>;
  /** Left out where no page was read again. */
  readonly rereads?: RereadSummary;
}

export interface PageText {
  readonly url: string;
  readonly title: string | null;
  /** Why it was refused, or is dead, as the log has it. */
  readonly reason: string | null;
  readonly status: number | null;
}

/** The URLs that a report names, each list bounded. */
export interface ChosenPages {
  /** Downloaded, the most important first. */
  readonly top: readonly number[];
  readonly dead: readonly DeadLink[];
  readonly deadCount: number;
  /** Reasons that occur, the one of most mass first. */
  readonly refused: readonly RefusedPages[];
}

export interface DeadLink {
  readonly url: number;
  /** The share of all importance that ends there. */
  readonly mass: number;
  /** Pages that link there, those that lose most by it first. */
  readonly from: readonly number[];
  readonly fromCount: number;
}

export interface RefusedPages {
  readonly reason: RefusalReason;
  /** URLs; those that were only counted by their hosts are not among them. */
  readonly count: number;
  readonly mass: number;
  readonly examples: readonly { readonly url: number; readonly mass: number }[];
}

export interface RereadSummary {
  readonly counts: Readonly<Record<RereadOutcome, number>>;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The most important pages that are gone or have moved since. */
  readonly lost: readonly LostPage[];
  readonly lostCount: number;
}

export interface LostPage {
  readonly url: number;
  readonly outcome: "gone" | "moved";
  readonly reason: string | null;
  readonly atMs: number;
}
