/** What is proved, in words: the share of the universe that is covered, the stricter number beside it, the ceiling. */
import { counted, formatCount, formatPercent, percentAtLeast } from "../base/index.ts";
import type { MissingShare } from "../coverage/index.ts";
import type { CrawlStatus, SampledClaim, SampleStop, TargetUnreachable } from "../crawl/index.ts";
import type { LoginWall } from "../log/index.ts";
import { hundredthsAtMost, targetInWords } from "./figures.ts";
import { shown } from "./foreign.ts";
import { LOSSES, REASONS } from "./reasons.ts";

/** What coverage is measured against, as the setting names it, or as the certificate does. */
export type UniverseName = "allowed" | "scope" | "web" | "everything";

/** Of a tide, where pages were read again. */
export const TIDE_OF_NOW =
  "Pages have been read again. Each counts from its first download on, by its newest links, so this is not what was " +
  "proven at the time: tidemark coverage DIR --at TIME says that.";

export interface ProvedCoverage {
  readonly coverage: number;
  readonly strict: number;
  readonly universe: UniverseName;
}

/** Follows "98.60% of". */
export function wholeInWords(universe: UniverseName): string {
  return universe === "allowed" ? "what may be fetched" : "all importance";
}

/** The same where pages are weighed, not counted. */
export function importanceInWords(universe: UniverseName): string {
  return universe === "allowed" ? "all importance of what may be fetched" : "all importance";
}

/** Follows "coverage is measured over". */
export function universeInWords(universe: UniverseName): string {
  if (universe === "allowed") return "the pages of the scope that exist and may be fetched";
  return universe === "web"
    ? "the whole web (--universe web)"
    : "the whole scope, forbidden and dead pages included (--universe scope)";
}

/** What rounding may leave of nothing. */
const NEGLIGIBLE = 1e-6;
/** Smaller differences are not worth a second number. */
const DIFFERENCE_MIN = 5e-4;

/** "77.40% if forbidden and dead pages count as the worst"; undefined where it is the same number. */
export function strictInWords({ coverage, strict, universe }: ProvedCoverage): string | undefined {
  if (universe !== "allowed" || coverage - strict < DIFFERENCE_MIN) return undefined;
  return `${percentAtLeast(strict)} if forbidden and dead pages count as the worst`;
}

/** "Counting pages by their value, at least 80.00% is certainly covered.": a second number beside the coverage. */
export function valuedInWords(valued: number): string {
  return `Counting pages by their value, at least ${percentAtLeast(valued)} is certainly covered.`;
}

/**
 * "Sampling shows at least 95.00%, with confidence 99.9% (64 walks, 180 pages fetched for them).": never called proven
 * or certain.
 */
function sampledInWords({ coverage, confidence, walks, fetched }: SampledClaim): string {
  const basis = `${counted(walks, "walk")}, ${counted(fetched, "page")} fetched for them`;
  const sure = `confidence ${targetInWords(confidence)}`;
  if (coverage === 0) return `Sampling shows nothing yet with ${sure} (${basis}).`;
  return `Sampling shows at least ${percentAtLeast(coverage)}, with ${sure} (${basis}).`;
}

/** What sampling shows, where it is more than what is proven. */
export function sampledBeyond({ coverage, sampled }: Pick<CrawlStatus, "coverage" | "sampled">): string | undefined {
  return sampled === undefined || sampled.coverage <= coverage ? undefined : sampledInWords(sampled);
}

export interface SampleTaken {
  /** Undefined where the user ended it. */
  readonly stopped: SampleStop | undefined;
  /** Pages that it fetched, and how many it might. */
  readonly fetched: number;
  readonly budget: number;
}

/** What a sample with a budget did, and why it stopped. */
export function sampleInWords({ stopped, fetched, budget }: SampleTaken): string {
  const why = stopped === undefined ? "was interrupted: what was sampled so far counts" : `stopped: ${STOPS[stopped]}`;
  return `The sample fetched ${counted(fetched, "page")} of at most ${formatCount(budget)} and ${why}.`;
}

const STOPS: Readonly<Record<SampleStop, string>> = {
  shown: "it shows as much as was expected of this budget",
  "shown-before": "an earlier sample shows as much as was expected of this one. A larger --budget may show more",
  "no-page": "no page is downloaded yet, so there is nothing to cover",
  "nothing-open": "nothing is left to walk to",
  "walks-spent":
    "its walks led to pages beyond a limit of the crawl, which are not fetched. A wider limit, such as a greater " +
    "--max-depth, may show more",
  "budget-spent": "the budget is spent. A larger --budget may show more",
};

/** "at most 85.30% can be reached": undefined where everything can, or nearly. */
export function ceilingInWords(ceiling: number): string | undefined {
  if (ceiling < NEGLIGIBLE) return "nothing can be reached";
  return ceiling > 1 - DIFFERENCE_MIN ? undefined : `at most ${hundredthsAtMost(ceiling)} can be reached`;
}

/** A reason and its share: of what is missing, of what is lost, or of what the universe leaves out. */
export type ReasonShare = Pick<MissingShare, "reason" | "mass">;

/**
 * Of a crawl that is without a page and in which nothing is missing: why there is nothing to cover. Undefined if
 * something is missing, or if nothing is known.
 */
export function emptyInWords(missing: readonly ReasonShare[], outside: readonly ReasonShare[]): string | undefined {
  const [largest, ...others] = outside.filter(({ mass }) => mass > 0);
  if (largest === undefined || missing.some(({ mass }) => mass > 0)) return undefined;
  const { reason } = largest;
  const advice = reason === "dead" ? "Check the addresses of the seeds." : REASONS[reason].advice;
  const all =
    others.length === 0
      ? `all that the seeds lead to ${lossOf(largest)}`
      : [largest, ...others].map((share) => `${hundredthsAtMost(share.mass)} ${lossOf(share)}`).join("; ");
  return `Coverage is 0%, because nothing may be fetched: ${all}. ${advice}`;
}

function lossOf({ reason }: ReasonShare): string {
  return Object.hasOwn(LOSSES, reason) ? LOSSES[reason as keyof typeof LOSSES] : REASONS[reason].clause;
}

/** Above a list of what the universe leaves out. */
export const OUTSIDE_HEADING = "Left out: not part of what may be fetched";
export const OUTSIDE_WORDS =
  "These pages do not exist, or a rule forbids fetching them. Coverage is measured without them. Each share is an " +
  "upper bound, as a part of everything, with forbidden pages counted as the worst.";

/** What the universe leaves out, in a sentence; undefined where that is nothing, or too little to be named. */
export function outsideInWords(outside: readonly ReasonShare[]): string | undefined {
  const named = outside.filter(({ mass }) => mass >= DIFFERENCE_MIN);
  if (named.length === 0) return undefined;
  const parts = named.map(({ reason, mass }, k) => {
    return `at most ${hundredthsAtMost(mass)}${k === 0 ? " of everything" : ""} ${REASONS[reason].clause}`;
  });
  return `Left out: ${parts.join("; ")}.`;
}

/** That a site shows a login page instead of its pages; the coverage knows nothing of what is behind it. */
export function loginWallInWords({ page, urls, seeds, last }: LoginWall): string {
  if (last > 0) {
    const [one, more] = ["The last URL redirects", `The last ${formatCount(last)} URLs redirect, one after the other,`];
    return (
      `${last === 1 ? one : more} to ${shown(page)}: the session may have ended, and nothing behind it was seen ` +
      "since. Crawl again in a new directory, with new cookies."
    );
  }
  const [one, all] = ["The seed leads", `All ${formatCount(seeds)} seeds lead`];
  const most = `${counted(urls, "URL")}, nearly all that answered, redirect`;
  const what = seeds === 0 ? most : seeds === 1 ? one : all;
  return (
    `${what} to ${shown(page)}: the site may want a login, and nothing behind it was seen. Log in with a browser and ` +
    "give its cookies with --cookie-file, or credentials with --auth-file."
  );
}

/** Without a capital letter and a full stop. */
export function unreachableInWords({ target, ceiling, losses }: Omit<TargetUnreachable, "name" | "atMs">): string {
  const causes = losses.map(({ reason, mass, url }) => {
    const example = url === null ? "" : ` (such as ${url})`;
    return `${formatPercent(mass)} ${REASONS[reason].clause}${example}`;
  });
  const way = losses[0] === undefined ? "" : `. ${REASONS[losses[0].reason].advice.replace(/\.$/, "")}`;
  const most = ceilingInWords(ceiling) ?? `at most ${hundredthsAtMost(ceiling)} can be reached`;
  const why = [most, ...causes].join("; ");
  return `the target of ${formatPercent(target)} is out of reach: ${why}${way}`;
}
