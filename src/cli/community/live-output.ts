/** What a live estimate has found: local rank beside estimated global rank, and what is proven. */
import { counted, formatSeconds, percentAtLeast } from "../../base/index.ts";
import { type CommunityOrder, type CommunityResult, distancesBetween } from "../../community/index.ts";
import { isDownloaded, pageStates, PageState, refusalReasons } from "../../coverage/index.ts";
import type { StopReason } from "../../crawl/index.ts";
import { topPages } from "../../rank/index.ts";
import { reading, type SqliteStore, urlTexts } from "../../store/index.ts";
import { hundredthsAtMost } from "../../text/index.ts";
import { intervalsOf } from "../input/crawl-graph.ts";
import type { Output } from "../options/command.ts";
import { writePageValues } from "../output/output-file.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import type { LiveChoice } from "./rounds-file.ts";
import { choiceSentence } from "./simulation.ts";
import { changeSentence } from "./survey.ts";
import type { CommunityOptions } from "./world.ts";

/** A run of a live estimate that has ended. */
export interface LiveRun {
  readonly dir: string;
  readonly order: CommunityOrder;
  readonly choice: LiveChoice;
  /** How many outside pages are wanted in all. */
  readonly wanted: number;
  readonly reason: StopReason;
  readonly seconds: number;
}

/** Bounds of the share of each local page in what all of them have. */
interface Proven {
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** What the community has of all importance, at least. */
  readonly share: number;
  /** URLs that were chosen and not had, by reason. */
  readonly lost: Readonly<Record<string, number>>;
  readonly urlOf: ReadonlyMap<number, string>;
}

export async function liveOutput(run: LiveRun, { top, out }: CommunityOptions): Promise<Output> {
  const { dir, order, choice, wanted, reason, seconds } = run;
  const { crawled, tried } = order;
  const result = order.result();
  const rounds = order.roundsSoFar.map(({ chosen, crawled: had, change }) => ({
    crawled: had,
    tried: chosen.length,
    change,
  }));
  const isInterrupted = reason === "interrupted";
  const about = { ...choice, dangling: "uniform", dir, wanted, crawled, tried, interrupted: isInterrupted };
  if (result === undefined) {
    const failure = isInterrupted
      ? {}
      : { failure: `no page of the community could be fetched: there is nothing to rank; ${nextStep(dir)}` };
    return {
      document: { ...about, local: 0, rounds, seconds, ranks: [] },
      text: () => (isInterrupted ? resumeSentence(run) : ""),
      ...failure,
    };
  }
  const { local, localRanks, ranks: estimate } = result;
  const proven = await reading(dir, (store) => provenOf(store, result, run));
  const { low, high, share, lost, urlOf } = proven;
  if (out !== undefined) {
    await writePageValues(out, { pages: local, columns: [localRanks, estimate, low, high], urls: urlOf });
  }
  const change = distancesBetween(localRanks, estimate);
  const ranks = Array.from(topPages(estimate, top), (i) => {
    const [id, at] = [local[i], { local: localRanks[i], global: estimate[i], low: low[i], high: high[i] }];
    return { id, url: urlOf.get(id) ?? "", ...at };
  });
  const isFailure = tried > 0 && crawled === 0 && !isInterrupted;
  return {
    document: {
      ...about,
      local: local.length,
      lost,
      rounds,
      choice: result.choice,
      change,
      share,
      seconds,
      ranks,
    },
    text: (style) =>
      rankTable(ranks, style) +
      `\n${SURFERS}\n` +
      `${crawledSentence(run, lost)}${result.choice === undefined ? "" : choiceSentence(result.choice)}` +
      `${changeSentence(change)}\n` +
      `${endSentence(run)}`,
    ...(isFailure ? { failure: `no page outside the community could be fetched: ${inWords(lost)}` } : {}),
  };
}

async function provenOf(store: SqliteStore, { local }: CommunityResult, { order }: LiveRun): Promise<Proven> {
  const chosen = new Set(order.roundsSoFar.flatMap((round) => round.chosen));
  const { state, ...bounds } = await boundsInside(store, local);
  const isLocal = new Set(local);
  const lost: Record<string, number> = {};
  const urlOf = new Map<number, string>();
  for (const [id, url] of urlTexts(store)) {
    if (isLocal.has(id)) urlOf.set(id, url);
    if (!chosen.has(url) || isDownloaded(state[id]) || state[id] === PageState.Redirected) continue;
    const why = refusalReasons[state[id] - PageState.Refused] ?? pageStates[state[id]];
    lost[why] = (lost[why] ?? 0) + 1;
  }
  return { ...bounds, lost, urlOf };
}

/**
 * The certificate bounds the share of a page in all importance; divided by bounds of what the community has, they bound
 * its share in the community. What outside pages have for certain, the community has not. `local` are downloaded.
 */
export async function boundsInside(store: SqliteStore, local: Uint32Array) {
  const { intervals, shareOf, state } = await intervalsOf(store);
  const isLocal = new Set(local);
  const outside = Uint32Array.from(state.keys()).filter((page) => isDownloaded(state[page]) && !isLocal.has(page));
  const [share, most] = [shareOf(local), 1 - shareOf(outside)];
  const bounds = Array.from(local, (page) => intervals.of(page));
  return {
    low: Float64Array.from(bounds, ({ low = 0 }) => (share === 0 ? 0 : Math.max(0, (low / most) * (1 - ROUNDING)))),
    high: Float64Array.from(bounds, ({ high = 1 }) => Math.min(1, (high / share) * (1 + ROUNDING))),
    share,
    state,
  };
}

/** More than two divisions and a difference can err. */
const ROUNDING = 1e-12;

const SURFERS =
  "Estimated global: of surfers who start anywhere in the web. At least, at most: proven, of surfers who start at " +
  "the pages of the community. All are shares of what the community has.";

interface RankedPage {
  readonly id: number;
  readonly url: string;
  readonly local: number;
  readonly global: number;
  readonly low: number;
  readonly high: number;
}

/** Where it is narrow, bounds are left out before URLs: a page without its URL says nothing. */
export function rankTable(ranks: readonly RankedPage[], style: TextStyle): string {
  return renderTable(
    [
      column("page"),
      column("local rank", 4),
      column("estimated global", 5),
      column("at least", 3, "number"),
      column("at most", 2, "number"),
      column("url", 6),
    ],
    ranks.map(({ id, url, local, global, low, high }) => [
      String(id),
      local.toPrecision(4),
      global.toPrecision(4),
      percentAtLeast(low),
      hundredthsAtMost(high),
      url,
    ]),
    style,
  );
}

function crawledSentence(
  { order: { crawled, tried, rounds }, wanted, seconds }: LiveRun,
  lost: Proven["lost"],
): string {
  const without = Object.keys(lost).length === 0 ? "" : `; not had: ${inWords(lost)}`;
  return (
    `${counted(crawled, "page")} of ${wanted} outside the community fetched in ${counted(rounds, "round")}, ` +
    `${counted(tried, "URL")} tried${without}; ${formatSeconds(seconds)}.\n`
  );
}

function inWords(lost: Proven["lost"]): string {
  return Object.entries(lost)
    .map(([why, count]) => `${count} ${why}`)
    .join(", ");
}

function endSentence(run: LiveRun): string {
  const { order, wanted, reason } = run;
  if (reason === "interrupted") return resumeSentence(run);
  if (order.crawled >= wanted) return `Give more --rounds to go on. The pages are in ${run.dir}.\n`;
  const why = order.isOutOfTries
    ? "Too many URLs could not be had; give more --rounds to go on."
    : "Nothing more is worth trying.";
  return `${why} The pages are in ${run.dir}.\n`;
}

/** Only pages that were to be fetched again can all be missing. */
function nextStep(dir: string): string {
  return (
    `\`tidemark coverage ${dir}\` shows the reasons; give another --dir to try again, ` +
    "without --again if the site was crawled with --store html"
  );
}

function resumeSentence({ dir }: LiveRun): string {
  return `Interrupted; the same command goes on where it was left. The pages are in ${dir}.\n`;
}
