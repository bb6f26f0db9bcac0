/** The pages of a crawl as exports have them: in the order of discovery, or the downloaded ones by importance. */
import type { Progress } from "../../base/index.ts";
import { isDownloaded, type PageStateName } from "../../coverage/index.ts";
import { statesOfLog } from "../../crawl/index.ts";
import { PageLookup } from "../../findings/index.ts";
import { asSeen } from "../../log/index.ts";
import type { PageRow, RankOf, SqliteStore } from "../../store/index.ts";
import { intervalsOf, rankOf } from "../input/crawl-graph.ts";

export interface CrawlPagesOptions {
  /** False where it would take too long to compute. */
  readonly importance: boolean;
  /** Only so many of the downloaded pages, the most important ones; this takes importance. */
  readonly top?: number | undefined;
  readonly progress: Progress;
}

export interface CrawlPages {
  /** The downloaded pages, the most important first; without importance, as they were discovered. */
  readonly ids: Uint32Array;
  readonly rankOf: RankOf | undefined;
  /** The share of all importance that these hold at least; undefined without importance. */
  readonly importance: number | undefined;
  readonly row: (id: number) => PageRow;
  readonly downloaded: () => Iterable<PageRow>;
  /** Every URL in these states, in any if undefined, in the order of discovery. */
  readonly inStates: (states: ReadonlySet<PageStateName> | undefined) => Iterable<PageRow>;
}

export async function crawlPages(store: SqliteStore, options: CrawlPagesOptions): Promise<CrawlPages> {
  const { importance, progress } = options;
  progress({ task: importance ? "certifying" : "reading", done: 0, unit: "pages" });
  const { state, ...ranked } = importance ? await byImportance(store, options.top) : asDiscovered(store);
  const lookup = new PageLookup(store, state);
  return {
    ...ranked,
    row: (id) => lookup.row(id),
    *downloaded() {
      for (const id of ranked.ids) yield lookup.row(id);
    },
    *inStates(states) {
      for (const record of store.pages()) {
        const row = asSeen(record, state[record.id]);
        if (states === undefined || states.has(row.state)) yield row;
      }
    },
  };
}

type Ranked = Pick<CrawlPages, "ids" | "rankOf" | "importance"> & { readonly state: Uint8Array };

async function byImportance(store: SqliteStore, top: number | undefined): Promise<Ranked> {
  const { intervals, shareOf, state } = await intervalsOf(store);
  const ids = intervals.ranking().slice(0, top);
  return { ids, rankOf: rankOf(intervals), importance: shareOf(ids), state };
}

function asDiscovered(store: SqliteStore): Ranked {
  const state = statesOfLog(store);
  const ids = Uint32Array.from(state.keys()).filter((id) => isDownloaded(state[id]));
  return { ids, rankOf: undefined, importance: undefined, state };
}
