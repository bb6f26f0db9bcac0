/** How to go on after a crawl, as commands of ours that make sense: none that would fetch nothing, none that asks for what cannot be had. */
import type { MissingShare } from "../../coverage/index.ts";
import type { CrawlStatus, Limits, StopReason } from "../../crawl/index.ts";

export interface WhereItStands {
  readonly reason: StopReason;
  readonly limits: Limits;
  /** As a shell reads it. */
  readonly dir: string;
  readonly status: Pick<CrawlStatus, "pages" | "bytes" | "frontier">;
  readonly coverage: number;
  readonly missing?: readonly MissingShare[] | undefined;
}

export function nextSteps(where: WhereItStands): string[] {
  const { dir, status, missing } = where;
  const more = status.frontier === 0 ? undefined : wayToMore(where);
  const isAnythingMissing = missing === undefined || missing.some(({ mass }) => mass > 0);
  return [
    ...(more === undefined ? [] : [`crawl --dir ${dir}${more}`]),
    ...(status.pages > 0 && isAnythingMissing ? [`coverage ${dir}   # where the rest is`] : []),
    ...(status.pages > 0 ? [`export ${dir} --format csv --out pages.csv   # the pages as a table`] : []),
  ];
}

/** The end of a command that goes on; undefined where none would bring more. */
function wayToMore(where: WhereItStands): string | undefined {
  const { reason, limits, status } = where;
  switch (reason) {
    case "frontier-empty":
      return undefined;
    case "coverage-reached": {
      const level = levelAbove(where);
      return level === undefined ? undefined : ` --coverage ${level}   # cover more`;
    }
    case "page-limit":
      return limits.pages !== undefined && status.pages >= limits.pages
        ? ` --max-pages ${2 * Math.max(limits.pages, status.pages)}   # fetch more`
        : ` --max-pages-per-host ${2 * (limits.pagesPerHost ?? 1)}   # fetch more of each host`;
    case "byte-limit":
      return ` --max-bytes ${2 * Math.max(limits.bytes ?? 1, status.bytes)}   # fetch more`;
    case "depth-limit":
      return ` --max-depth ${(limits.depth ?? 0) + 1}   # go deeper`;
    default:
      return "   # go on";
  }
}

/**
 * Half the way from what is covered to what can be reached: only what was not fetched yet, for no other reason than that, can still
 * be covered. Undefined where that is next to nothing.
 */
function levelAbove({ limits, coverage, missing }: WhereItStands): number | undefined {
  const outOfReach = (missing ?? []).reduce(
    (sum, { reason, mass }) => sum + (reason === "not-fetched" ? 0 : mass),
    0,
  );
  const reached = Math.max(limits.coverage ?? 0, coverage);
  const level = Math.floor(1e4 * (reached + (1 - outOfReach - reached) / 2) + 1e-6) / 1e4;
  return level > reached ? level : undefined;
}
