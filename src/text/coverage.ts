/** What is proved, in words: the share of the universe that is covered, the stricter number beside it, the ceiling. */
import { counted, formatPercent, percentAtLeast } from "../base/index.ts";
import type { SampledClaim, TargetUnreachable } from "../crawl/index.ts";
import { hundredthsAtMost, targetInWords } from "./figures.ts";
import { REASONS } from "./reasons.ts";

/** What coverage is measured against, as the setting names it, or as the certificate does. */
export type UniverseName = "allowed" | "scope" | "web" | "everything";

export interface ProvedCoverage {
  readonly coverage: number;
  readonly strict: number;
  readonly universe: UniverseName;
}

/** Follows "98.60% of". */
export function wholeInWords(universe: UniverseName): string {
  return universe === "allowed" ? "what may be fetched" : "all importance";
}

/** Follows "coverage is measured over". */
export function universeInWords(universe: UniverseName): string {
  if (universe === "allowed") return "the pages of the scope that exist and may be fetched";
  return universe === "web" ? "the whole web" : "the whole scope, forbidden and dead pages included";
}

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
 * "Sampling shows at least 95.00%, with confidence 99.9% (64 walks, 180 pages fetched for them).": never called proven or
 * certain.
 */
export function sampledInWords({ coverage, confidence, walks, fetched }: SampledClaim): string {
  const basis = `${counted(walks, "walk")}, ${counted(fetched, "page")} fetched for them`;
  const sure = `confidence ${targetInWords(confidence)}`;
  if (coverage === 0) return `Sampling shows nothing yet with ${sure} (${basis}).`;
  return `Sampling shows at least ${percentAtLeast(coverage)}, with ${sure} (${basis}).`;
}

/** "at most 85.30% can be reached": undefined where everything can, or nearly. */
export function ceilingInWords(ceiling: number): string | undefined {
  return ceiling > 1 - DIFFERENCE_MIN ? undefined : `at most ${hundredthsAtMost(ceiling)} can be reached`;
}

/** Without a capital letter and a full stop. */
export function unreachableInWords({ target, ceiling, losses }: Omit<TargetUnreachable, "name" | "atMs">): string {
  const causes = losses.map(({ reason, mass, url }) => {
    const example = url === null ? "" : ` (such as ${url})`;
    return `${formatPercent(mass)} ${REASONS[reason].clause}${example}`;
  });
  const way = losses[0] === undefined ? "" : `. ${REASONS[losses[0].reason].advice.replace(/\.$/, "")}`;
  const most = `at most ${hundredthsAtMost(ceiling)} can be reached`;
  return `the target of ${formatPercent(target)} is out of reach: ${most}; ${causes.join("; ")}${way}`;
}
