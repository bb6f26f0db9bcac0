/** The state of the crawl: from the crawl itself if it runs in this process, else from its files and the survey. */
import { basename, resolve } from "node:path";
import { VERSION, zeroCounts } from "../../base/index.ts";
import { type CrawlSettings, type CrawlStatus, endOfLastRun, Estimate, parseSettings } from "../../crawl/index.ts";
import { hasTexts } from "../../content/index.ts";
import type { CrawlWindow } from "../../store/index.ts";
import { Scope } from "../../web/index.ts";
import type { NumberedSurvey, SurveyProgress, SurveySource, TidePoint } from "../../survey/index.ts";
import type { RunState } from "../../text/index.ts";
import type { Overview, Tide } from "../protocol/http.ts";
import { type Live, RATE_WINDOW_MS } from "./running-crawl.ts";

interface OverviewOptions {
  readonly dir: string;
  readonly window: CrawlWindow;
  readonly source: SurveySource;
  readonly live: Live | undefined;
  /** A refresh that goes on runs in this process. */
  readonly isRefreshed: () => boolean;
  /** The moment that is shown, Unix time in milliseconds (default: now). */
  readonly asOfMs?: number | undefined;
}

export class Overviews {
  readonly #options: OverviewOptions;
  readonly #name: string;
  readonly #elsewhere = new Estimate({}, { windowMs: RATE_WINDOW_MS });
  #settingsJson = "";
  #settings: CrawlSettings | undefined;
  #scope = "";
  #estimated = -1;

  constructor(options: OverviewOptions) {
    this.#options = options;
    this.#name = basename(resolve(options.dir));
  }

  /** False before the first survey of an old crawl: then all counts of `status` are zero, whatever they are. */
  get isCounted(): boolean {
    const { source, window } = this.#options;
    return this.#sent() !== undefined || source.current() !== undefined || window.lastVisit() === 0;
  }

  /** From the crawl's files, since another run may have changed them. */
  get settings(): CrawlSettings {
    const json = this.#options.window.settings();
    if (this.#settings === undefined || json !== this.#settingsJson) {
      this.#settings = parseSettings(json);
      this.#scope = new Scope(this.#settings.web.scope).describe();
      this.#settingsJson = json;
    }
    return this.#settings;
  }

  now(): Overview {
    const { window, source } = this.#options;
    const { seeds, order, damping, web } = this.settings;
    const state = this.state();
    const live = this.#running();
    const current = source.current();
    const lastVisit = window.lastVisit();
    const ends = window.visits(lastVisit === 0 ? [] : [1, lastVisit]).map(({ atMs }) => atMs);
    return {
      name: this.#name,
      version: VERSION,
      state,
      reason: this.#reason(state),
      searchable: hasTexts(this.#options.dir, window),
      controllable: live !== undefined,
      seeds: seeds.map(({ url, weight }) => ({ url, weight })),
      order,
      damping,
      scope: this.#scope,
      universe: web.universe,
      limits: this.limits(),
      status: this.status(),
      guaranteed: this.guaranteed(),
      ...(state === "earlier" ? { asOfMs: this.#options.asOfMs } : {}),
      firstVisitMs: ends[0] ?? null,
      lastVisitMs: ends[1] ?? null,
      ...this.#rates(state),
      survey: current === undefined ? progressOf(source) : surveyedOf(current),
    };
  }

  tide(): Tide {
    const live = this.#liveTide();
    const [first] = live;
    const surveyed = this.#surveyedTide().filter(([pages]) => first === undefined || pages < first[0]);
    const isOfNow = this.#options.source.current()?.survey.facts.isTideOfNow === true;
    return { points: [...surveyed, ...live], target: this.limits().coverage ?? null, isOfNow };
  }

  /**
   * Points from the end of the survey on, not below what it proves: both are certain, and the survey is exact. What
   * sampling had shown stays shown as pages are added, also by a run that does not sample.
   */
  #liveTide(): TidePoint[] {
    const { live } = this.#options;
    const last = this.#surveyedTide().at(-1);
    if (live === undefined || this.#sent() === undefined) return [];
    if (last === undefined) return [...live.pointsFrom(0)];
    const holds = this.#surveyHolds();
    return live
      .pointsFrom(last[0])
      .map(([pages, atMs, certified, guaranteed, sampled]) => [
        pages,
        atMs,
        holds ? Math.max(certified, last[2]) : certified,
        guaranteed === null ? last[3] : Math.max(guaranteed, last[3] ?? 0),
        sampled ?? (holds ? last[4] : null),
      ]);
  }

  state(): RunState {
    const { live, window } = this.#options;
    if (!window.isNow) return "earlier";
    if (this.#options.isRefreshed()) return "refreshing";
    if (live?.isRunning === true) return live.state ?? "running";
    return window.isHeld() ? "elsewhere" : "ended";
  }

  limits(): Overview["limits"] {
    return this.#options.live?.limits ?? this.settings.limits;
  }

  status(): CrawlStatus {
    const { live, source, window } = this.#options;
    const current = source.current();
    const surveyed = current === undefined ? undefined : statusOf(current);
    const sent = this.#sent();
    if (sent !== undefined) {
      const { coverage, strict, valued, sampled } = this.#surveyHolds() && surveyed !== undefined ? surveyed : sent;
      return {
        ...(valued === undefined ? {} : { valued }),
        ...(sampled === undefined ? {} : { sampled }),
        ...sent,
        coverage: Math.max(sent.coverage, coverage),
        strict: Math.max(sent.strict, strict),
      };
    }
    if (surveyed === undefined) return { ...NOTHING, known: window.urlCount() };
    const run = live?.status;
    return run?.pages === surveyed.pages ? { ...surveyed, elapsedMs: run.elapsedMs } : surveyed;
  }

  /**
   * The status that the crawl in this process has sent. After its end, a survey with as many pages replaces it: another
   * process may have resumed the crawl since, even with other seeds.
   */
  #sent(): CrawlStatus | undefined {
    const { live, source } = this.#options;
    const surveyed = source.current()?.survey.facts.status.pages ?? -1;
    return live?.isRunning === false && surveyed >= (live.status?.pages ?? 0) ? undefined : live?.status;
  }

  /** Whether what the survey proved is still certain: no host was found to block the crawler since. */
  #surveyHolds(): boolean {
    const visits = this.#options.source.current()?.survey.facts.visits ?? 0;
    return (this.#options.live?.lastBlock ?? 0) <= visits;
  }

  #surveyedTide(): readonly TidePoint[] {
    return this.#options.source.current()?.survey.facts.tide ?? [];
  }

  #running(): Live | undefined {
    const { live } = this.#options;
    return live?.isRunning === true ? live : undefined;
  }

  /** The best known value of the order's own bound. */
  guaranteed(): number | null {
    const surveyed = this.#options.source.current()?.survey.facts.guaranteed ?? null;
    const sent = this.#sent()?.guaranteed ?? null;
    return sent === null || surveyed === null ? (sent ?? surveyed) : Math.max(sent, surveyed);
  }

  #reason(state: RunState): Overview["reason"] {
    if (state !== "ended") return null;
    return endOfLastRun(this.#options.window)?.reason ?? this.#options.live?.reason ?? null;
  }

  #rates(state: RunState): Pick<Overview, "pagesPerSecond" | "bytesPerSecond" | "secondsLeft" | "nextLimit"> {
    const estimate = state === "elsewhere" ? this.#fromSurveys() : this.#running()?.estimate;
    const isMoving = state === "running" || state === "elsewhere" || state === "stopping";
    if (estimate === undefined || !isMoving) {
      return { pagesPerSecond: null, bytesPerSecond: null, secondsLeft: null, nextLimit: null };
    }
    const next = estimate.nextLimit();
    return {
      pagesPerSecond: estimate.pagesPerSecond() ?? null,
      bytesPerSecond: estimate.bytesPerSecond() ?? null,
      secondsLeft: next?.seconds ?? null,
      nextLimit: next?.limit ?? null,
    };
  }

  /** The start of another process's run is unknown, so its time limit is left out. */
  #fromSurveys(): Estimate {
    const current = this.#options.source.current();
    const { timeMs: _, ...limits } = this.settings.limits;
    this.#elsewhere.limits = limits;
    if (current !== undefined && current.number !== this.#estimated) {
      this.#estimated = current.number;
      this.#elsewhere.add(statusOf(current));
    }
    return this.#elsewhere;
  }
}

export function progressOf(source: SurveySource): SurveyProgress {
  const problem = source.problem();
  const progress = source.progress() ?? { task: "waiting", done: 0, unit: "URLs" };
  return problem === undefined ? progress : { ...progress, problem };
}

export function surveyedOf({ number, atMs, survey }: NumberedSurvey) {
  return { survey: number, visits: survey.facts.visits, atMs };
}

function statusOf({ survey: { facts } }: NumberedSurvey): CrawlStatus {
  const elapsedMs = (facts.lastVisitMs ?? 0) - (facts.firstVisitMs ?? 0);
  return { ...facts.status, elapsedMs };
}

const COUNTS = ["pages", "dead", "redirects", "refused", "failed", "retries", "bytes", "known", "frontier"] as const;
const NOTHING: CrawlStatus = {
  ...zeroCounts(COUNTS),
  hosts: 0,
  coverage: 0,
  strict: 0,
  ceiling: 1,
  guaranteed: null,
  elapsedMs: 0,
};
