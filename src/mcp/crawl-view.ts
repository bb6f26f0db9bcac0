/** A crawl as clients see it: whether it runs, how it ended, what is proven. Nothing in it is text from the web. */
import { z } from "zod";
import { formatCoverage } from "../base/index.ts";
import { type CrawlStatus, endOfLastRun, parseSettings, type StopReason, type StoredSettings } from "../crawl/index.ts";
import { openWindow } from "../store/index.ts";
import type { SurveyFacts } from "../survey/index.ts";
import { emptyInWords, endInWords, loginWallInWords, shortened } from "../text/index.ts";
import type { Context } from "./context.ts";
import type { CrawlRun } from "./crawl-runs.ts";
import { messageFor } from "./replies.ts";

const RESUME = "Call crawl with this name to resume it.";

export const crawlView = z.object({
  name: z.string(),
  state: z
    .enum(["running", "finished", "stopped", "failed", "elsewhere", "unreadable"])
    .describe(
      "finished: the target is reached or nothing is left to fetch. stopped: at a limit, or cut off; it can be " +
        "resumed. elsewhere: another process runs it.",
    ),
  why: z.string().describe("the state in a sentence, and what to do"),
  startUrls: z
    .array(z.string())
    .describe("the first URLs that the crawl was given; the middle of a long one is left out"),
  pages: z.number().describe("pages fetched and stored"),
  known: z.number().describe("URLs known"),
  waiting: z.number().describe("URLs that are known and may still be fetched"),
  bytes: z.number(),
  coverage: z.number().describe("share of all importance that is proven to be covered: at least this much"),
  ceiling: z.number().describe("the most coverage that can still be reached"),
  target: z.number().nullable().describe("the coverage at which the crawl stops"),
  seconds: z.number().nullable().describe("how long this run has taken, or the last one of this server"),
});

export type CrawlView = z.infer<typeof crawlView>;

/** So few and so short that the longest list of crawls is no reply that is too long. */
const URLS_SHOWN = 3;
const URL_LENGTH_MAX = 200;

export async function viewOf(context: Context, name: string): Promise<CrawlView> {
  const run = context.runs.of(name);
  const { root } = context.folder;
  const about = emptyView(name);
  try {
    // Before its launch a run may have no directory.
    if (run !== undefined && !run.hasLaunched) return { ...about, ...stateOfRun(run, root) };
    const dir = context.folder.existing(name);
    const window = openWindow(dir);
    try {
      const settings = parseSettings(window.settings());
      const known = { ...about, startUrls: startUrls(settings), target: settings.limits.coverage ?? null };
      if (run !== undefined && !run.isOver) return { ...known, ...figures(run.status), ...stateOfRun(run, root) };
      const isElsewhere = window.isHeld();
      const reason = endOfLastRun(window)?.reason;
      return await context.surveying(dir, ({ facts }) => {
        const state = isElsewhere ? ELSEWHERE : (failureOf(run, root) ?? stateOfEnd(reason, settings, facts));
        const status = { ...facts.status, coverage: facts.certificate.coverage };
        return { ...known, ...figures(status), ...state, seconds: secondsOf(run?.status) };
      });
    } finally {
      window.close();
    }
  } catch (error) {
    if (run?.isOver === false) return { ...about, ...stateOfRun(run, root) };
    return { ...about, state: "unreadable", why: messageFor(error, root) };
  }
}

type State = Pick<CrawlView, "state" | "why">;

const ELSEWHERE: State = {
  state: "elsewhere",
  why: "Another process runs this crawl. What it has stored can be read.",
};

function emptyView(name: string): CrawlView {
  const figures = { pages: 0, known: 0, waiting: 0, bytes: 0, coverage: 0, ceiling: 1, target: null, seconds: null };
  return { name, state: "stopped", why: "", startUrls: [], ...figures };
}

/** What sitemaps listed is no word of the user. */
function startUrls({ seeds, namedSeeds = seeds.length }: StoredSettings): string[] {
  return seeds.slice(0, Math.min(namedSeeds, URLS_SHOWN)).map(({ url }) => shortened(url, URL_LENGTH_MAX));
}

function figures(status: Omit<CrawlStatus, "elapsedMs"> | undefined): Partial<CrawlView> {
  if (status === undefined) return {};
  const { pages, known, frontier: waiting, bytes, coverage, ceiling } = status;
  return { pages, known, waiting, bytes, coverage: atLeast(coverage), ceiling: atMost(ceiling) };
}

function stateOfRun(run: CrawlRun, root: string): State & Pick<CrawlView, "seconds"> {
  const what = run.hasLaunched ? "is running" : "is starting";
  const running: State = { state: "running", why: `The crawl ${what}. Call status again to follow it.` };
  return { ...(failureOf(run, root) ?? running), seconds: secondsOf(run.status) };
}

function failureOf(run: CrawlRun | undefined, root: string): State | undefined {
  if (run?.error === undefined) return undefined;
  return { state: "failed", why: `${messageFor(run.error, root)}. ${RESUME}` };
}

/** A crawl that was cut off has no reason: its server was killed. */
function stateOfEnd(reason: StopReason | undefined, { limits }: StoredSettings, facts: SurveyFacts): State {
  if (reason === undefined || reason === "interrupted") {
    return { state: "stopped", why: `The crawl was cut off before its end. ${RESUME}` };
  }
  const { status, certificate, missing, outside } = facts;
  const { loginWall } = status;
  const words = [
    endInWords(reason, limits, { ...status, coverage: certificate.coverage }, missing),
    // Its address comes from the web.
    loginWall === undefined ? "" : loginWallInWords({ ...loginWall, page: "a login page" }),
    status.pages === 0 ? `No page was fetched. ${emptyInWords(missing, outside) ?? ""}` : "",
    ADVICE[reason],
  ];
  return {
    state: STATES[reason],
    why: words
      .filter((part) => part !== "")
      .join(" ")
      .trim(),
  };
}

const STATES: Readonly<Record<StopReason, CrawlView["state"]>> = {
  "coverage-reached": "finished",
  "frontier-empty": "finished",
  "order-empty": "stopped",
  "page-limit": "stopped",
  "depth-limit": "stopped",
  "time-limit": "stopped",
  "byte-limit": "stopped",
  interrupted: "stopped",
  "disk-full": "failed",
  failed: "failed",
  imported: "finished",
};

const RAISE = "For more pages, call crawl with this name and a higher limit, as far as the operator allows.";

const ADVICE: Readonly<Record<StopReason, string>> = {
  "coverage-reached": "",
  "frontier-empty": "",
  "order-empty": RESUME,
  "page-limit": RAISE,
  "depth-limit": RAISE,
  "time-limit": RESUME,
  "byte-limit": RAISE,
  interrupted: RESUME,
  "disk-full": RESUME,
  failed: RESUME,
  imported: "",
};

function secondsOf(status: CrawlStatus | undefined): number | null {
  return status === undefined ? null : Math.round(status.elapsedMs / 1000);
}

/** A share that was proven: cut, never rounded up. */
export function atLeast(share: number): number {
  return Number(formatCoverage(share, 6));
}

/** A share that is a bound from above: never rounded down. */
export function atMost(share: number): number {
  return Math.min(1, Math.ceil(share * 1e6) / 1e6);
}
