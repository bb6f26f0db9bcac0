/** The commands that make sense after a crawl has ended: the terminal prints them, and the dashboard shows them. */
import { counted, formatCount } from "../base/index.ts";
import type { CrawlStatus, Limits, StopReason } from "../crawl/index.ts";
import type { ReasonShare } from "./coverage.ts";

/** With its pages, or with those of its hosts. */
interface CountedShare extends ReasonShare {
  readonly pages?: number;
  readonly hosts?: readonly { readonly pages: number }[];
}

export interface WhereItStands {
  readonly reason: StopReason;
  readonly limits: Limits;
  /** As a shell reads it. */
  readonly dir: string;
  readonly status: Pick<CrawlStatus, "pages" | "bytes" | "frontier">;
  readonly coverage: number;
  readonly ceiling: number;
  readonly missing?: readonly CountedShare[] | undefined;
  /** Options of the run that fetched, as a shell reads them, which the directory does not keep (default: none). */
  readonly runFlags?: string;
  /** Whether there is text of its pages: stored, or in its archive. */
  readonly searchable: boolean;
}

export interface NextStep {
  /** Without the name of the program. */
  readonly command: string;
  readonly purpose: string;
}

/** Commands to go on with: none that would fetch nothing, none whose target is unreachable. */
export function nextSteps(where: WhereItStands): NextStep[] {
  const { dir, status, missing, searchable, runFlags = "" } = where;
  const more = status.frontier === 0 ? undefined : wayToMore(where);
  const isAnythingMissing = missing === undefined || missing.some(({ mass }) => mass > 0);
  return [
    ...(more === undefined ? [] : [{ ...more, command: `crawl --dir ${dir}${more.command}${runFlags}` }]),
    ...againOf(where),
    ...(status.pages > 0 && isAnythingMissing ? [{ command: `coverage ${dir}`, purpose: "what is missing" }] : []),
    ...stepsWithPages({ dir, pages: status.pages, searchable }),
  ];
}

/** A crawl that is resumed leaves what has failed, and a refresh does not: in an outage of its host, say. */
function againOf({ reason, dir, missing = [] }: WhereItStands): NextStep[] {
  const share = missing.find((each) => each.reason === "failed");
  if (reason !== "frontier-empty" || share === undefined) return [];
  const { hosts = [], pages = hosts.reduce((sum, host) => sum + host.pages, 0) } = share;
  if (pages === 0) return [];
  const what = pages === 1 ? "the page" : `the ${formatCount(pages)} pages`;
  return [{ command: `refresh ${dir} --once --budget ${pages}`, purpose: `in an hour: try ${what} again that failed` }];
}

const TOP = 20;
const TOKENS = 50_000;

export interface StoredPages extends Pick<WhereItStands, "dir" | "searchable"> {
  readonly pages: number;
}

/** What can be had of the pages that are there: where there is text, that, and else a table. */
export function stepsWithPages({ dir, pages, searchable }: StoredPages): NextStep[] {
  if (pages === 0) return [];
  if (!searchable) return [{ command: `export ${dir} --format csv --out pages.csv`, purpose: "the pages as a table" }];
  const isMany = pages > TOP;
  return [
    {
      command: `export ${dir} --format markdown${isMany ? ` --top ${TOP}` : ""} --out best.md`,
      purpose: `${isMany ? `the ${TOP} most important pages` : counted(pages, "page")} as Markdown`,
    },
    {
      command: `pack ${dir} --tokens ${TOKENS} --out pack.md`,
      purpose: `what is worth most within ${formatCount(TOKENS)} tokens`,
    },
    { command: `search ${dir} WORDS`, purpose: "find pages by their text" },
  ];
}

/** The options of a command that fetches more; undefined where none would. */
function wayToMore(where: WhereItStands): NextStep | undefined {
  const { reason, limits, status } = where;
  switch (reason) {
    case "frontier-empty":
      return undefined;
    case "coverage-reached": {
      const level = levelAbove(where);
      return level === undefined ? undefined : { command: ` --coverage ${level}`, purpose: "cover more" };
    }
    case "page-limit":
      if (limits.pages !== undefined && status.pages >= limits.pages) {
        return { command: ` --max-pages ${2 * Math.max(limits.pages, status.pages)}`, purpose: "fetch more" };
      }
      // Without a limit for all hosts, some have limits of their own, from a config file.
      return limits.pagesPerHost === undefined
        ? { command: " --config crawl.yaml", purpose: "fetch more, with other rules for hosts" }
        : { command: ` --max-pages-per-host ${2 * limits.pagesPerHost}`, purpose: "fetch more per host" };
    case "byte-limit":
      return { command: ` --max-bytes ${2 * Math.max(limits.bytes ?? 1, status.bytes)}`, purpose: "fetch more" };
    case "depth-limit":
      return { command: ` --max-depth ${(limits.depth ?? 0) + 1}`, purpose: "go deeper" };
    default:
      return { command: "", purpose: "resume" };
  }
}

/** Halfway from what is covered to what can be reached. Undefined where that is next to nothing. */
function levelAbove({ limits, coverage, ceiling }: WhereItStands): number | undefined {
  const reached = Math.max(limits.coverage ?? 0, coverage);
  const level = Math.floor(1e4 * (reached + (ceiling - reached) / 2) + 1e-6) / 1e4;
  return level > reached ? level : undefined;
}
