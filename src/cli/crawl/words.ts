/** The end of a crawl in words that a person understands: why it stopped, what is certain, where the rest is; and what it met. */
import { counted, percent, percentAtLeast } from "../../base/index.ts";
import type { MissingShare } from "../../coverage/index.ts";
import { eventInWords, REASONS } from "../../text/index.ts";
import { type SeedLost, type StopReason } from "../../crawl/index.ts";

const STOPS: Readonly<Record<StopReason, string>> = {
  "coverage-reached": "Stopped",
  "frontier-empty": "Done, nothing is left to fetch",
  "page-limit": "Stopped at the limit of pages",
  "depth-limit": "Stopped at the limit of depth",
  "time-limit": "Stopped at the limit of time",
  "byte-limit": "Stopped at the limit of bytes",
  interrupted: "Interrupted",
  "disk-full": "Stopped since the disk is full",
  failed: "Stopped since the disk failed",
};

const HOSTS_NAMED = 3;

export interface Findings {
  readonly reason: StopReason;
  readonly coverage: number;
  readonly pages: number;
  /** The coverage that was asked for. */
  readonly goal?: number;
  /** Left out where it would have taken too long to find out. */
  readonly missing?: readonly MissingShare[];
}

export function closingSentence({ reason, coverage, pages, goal, missing }: Findings): string {
  const covered =
    pages === 0
      ? "no page was fetched, so nothing is covered"
      : `${percentAtLeast(coverage)} of all importance is certainly covered, by ${counted(pages, "page")}`;
  const short = goal === undefined || coverage >= goal ? "" : ` ${shortSentence(goal, reason)}`;
  const rest = missing === undefined || pages === 0 ? "" : ` ${restSentence(missing)}`;
  return `${STOPS[reason]}: ${covered}.${short}${rest}`;
}

function shortSentence(goal: number, reason: StopReason): string {
  return `The target of ${percentAtLeast(goal)} ${reason === "frontier-empty" ? "cannot be" : "is not"} reached.`;
}

/** Shares below this are told together: nobody acts on them. */
const SHARE_NAMED_MIN = 1e-4;

export function restSentence(missing: readonly MissingShare[]): string {
  const large = missing.filter(({ mass }) => mass >= SHARE_NAMED_MIN);
  const small = missing.reduce((sum, { mass }) => sum + (mass < SHARE_NAMED_MIN ? mass : 0), 0);
  const parts = large.map(({ reason, mass, hosts }) => {
    const named = hosts.slice(0, HOSTS_NAMED).filter(({ mass }) => mass >= SHARE_NAMED_MIN);
    const more = hosts.length - named.length;
    const names = [
      ...named.map(({ host, mass }) => `${host} ${shortPercent(mass)}`),
      ...(more > 0 && named.length > 0 ? [counted(more, "more host")] : []),
    ];
    return `${shortPercent(mass)} ${REASONS[reason].clause}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
  });
  if (small > 0) parts.push(`${large.length === 0 ? "" : "and "}less than 0.1% has other reasons`);
  return parts.length === 0 ? "Nothing is missing." : `The rest: ${parts.join("; ")}.`;
}

/** "4.36%"; smaller ones never as 0. */
function shortPercent(share: number): string {
  return share < 5e-5 ? "less than 0.01%" : `${(100 * share).toFixed(2)}%`;
}

/**
 * How much of all importance a lost seed takes with it at the least, when all else is fetched. What leads on unseen counts with all of its
 * trust w, since every path from there is unknown; a dead seed only with its own visits, (1-d) w of a whole of (1-w) + (1-d) w.
 */
export function outOfReach({ reason, weight }: Pick<SeedLost, "reason" | "weight">, damping: number): number {
  if (reason !== "dead") return weight;
  const visits = (1 - damping) * weight;
  return visits / (1 - weight + visits);
}

/** What became of a seed, and what that costs. */
export function lossSentence(loss: SeedLost, damping: number): string {
  return `${eventInWords(loss)}; ${percent(outOfReach(loss, damping))} of all importance is out of reach with it`;
}
