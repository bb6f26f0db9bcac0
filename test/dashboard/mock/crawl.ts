/**
 * A made-up crawl that goes on by itself: its overview, its tide, what is missing, its log, and what its controls do.
 */
import type { MissingReason } from "../../../src/coverage/index.ts";
import type { Limits, RefreshStatus, StopReason } from "../../../src/crawl/index.ts";
import type { Control, HostsMissing, LogEntry, Missing, Overview, Tide } from "../../../src/dashboard/protocol/http.ts";
import type { SurveyProgress, TidePoint } from "../../../src/survey/index.ts";
import type { RunState } from "../../../src/text/index.ts";
import { hostName, hostOf, START_MS, urlOf, wordOf } from "./world.ts";

/**
 * `running` and `paused` can be controlled; `elsewhere` and `ended` cannot. `empty` has begun and has no page yet,
 * `unsurveyed` has no survey yet, `complete` misses nothing, the only seed of `lost` was dead. Coverage is measured over
 * the whole scope, except in `capped`, which runs and cannot reach its target of what may be fetched, and in
 * `forbidden`, where nothing may be fetched. `sampled` runs with a confidence, and its pages have values.
 */
export type Scenario =
  | "running"
  | "paused"
  | "elsewhere"
  | "ended"
  | "empty"
  | "unsurveyed"
  | "complete"
  | "lost"
  | "capped"
  | "sampled"
  | "forbidden";

/** The most that `capped` can reach, and what it leaves out. */
const CEILING = 0.853;
const OUTSIDE: readonly (readonly [MissingReason, number])[] = [
  ["robots", 0.2],
  ["forbidden", 0.05],
  ["dead", 0.01],
];

const SAMPLED = { coverage: 0.94, confidence: 0.999, walks: 120, fetched: 230 };

const PAGES_PER_SECOND = 38.4;
const SHARES: readonly (readonly [MissingReason, number])[] = [
  ["not-fetched", 0.58],
  ["robots", 0.17],
  ["dead", 0.11],
  ["limit", 0.05],
  ["links-unknown", 0.04],
  ["failed", 0.025],
  ["trap", 0.014],
  ["nofollow", 0.008],
  ["out-of-scope", 0.002],
  ["trust-unseeded", 0.001],
];

export class MockCrawl {
  state: RunState;
  reason: StopReason | null = null;
  limits: Limits;
  pages: number;
  survey = 1;
  /** Pages that the survey takes in. */
  surveyedPages: number;
  readonly known: number;
  readonly events: LogEntry[] = [];
  /** What a refresh in the server's process has reported; null before that, undefined if there is none. */
  refresh: RefreshStatus | null | undefined;
  readonly #scenario: Scenario;
  #surveyed = 0;

  constructor(scenario: Scenario, known: number) {
    this.#scenario = scenario;
    this.known = known;
    this.state = scenario === "paused" || scenario === "elsewhere" || scenario === "ended" ? scenario : "running";
    this.limits = { coverage: 0.95, pages: Math.max(1, Math.round(known * 0.8)), depth: 20 };
    this.pages = scenario === "empty" ? 0 : Math.round(known * 0.01243);
    if (scenario === "complete") Object.assign(this, { state: "ended", reason: "frontier-empty", pages: 8 });
    if (scenario === "ended") Object.assign(this, { reason: "coverage-reached", pages: Math.round(known * 0.0268) });
    if (scenario === "lost" || scenario === "forbidden")
      Object.assign(this, { state: "ended", reason: "frontier-empty", pages: 0 });
    this.surveyedPages = this.pages;
  }

  /** Pages requested, with any outcome. */
  get asked(): number {
    return Math.min(this.known, Math.round(this.pages / 0.91));
  }

  get surveying(): SurveyProgress | null {
    if (this.#scenario !== "unsurveyed") return null;
    return { task: "Reading the log", done: this.#surveyed, total: 1_240_000, unit: "visits" };
  }

  /** One second goes by; returns new points of the tide. */
  advance(): TidePoint[] {
    if (this.#scenario === "unsurveyed") this.#surveyed = Math.min(1_240_000, this.#surveyed + 60_000);
    if (this.state === "stopping") {
      this.state = "ended";
      this.reason = "interrupted";
    }
    if ((this.state !== "running" && this.state !== "elsewhere") || this.#scenario === "empty") return [];
    this.pages += 38;
    if (this.coverage >= (this.limits.coverage ?? 2)) {
      this.state = "ended";
      this.reason = "coverage-reached";
    }
    return [this.#point(this.pages)];
  }

  get coverage(): number {
    if (this.#scenario === "capped") return 0.75;
    return this.#scenario === "complete" ? 1 : coverageAt(this.pages * (1e6 / this.known));
  }

  overview(): Overview {
    const isRunning = this.state === "running" || this.state === "elsewhere";
    const speed = isRunning && this.pages > 0 ? PAGES_PER_SECOND : null;
    const { coverage, pages } = this.limits;
    const goal = coverage === undefined ? (pages ?? this.known) : pagesFor(coverage) * (this.known / 1e6);
    const { asked, surveying } = this;
    const isCapped = this.#scenario === "capped";
    return {
      name: "example-org",
      version: "0.1.0",
      state: this.refresh === undefined ? this.state : "refreshing",
      reason: this.reason,
      searchable: false,
      controllable: ["running", "paused", "stopping"].includes(this.state),
      seeds: [{ url: "https://www.example.org/", weight: 1 }],
      order: "rankmass",
      damping: 0.85,
      scope: "the domain example.org",
      universe: isCapped || this.#scenario === "forbidden" ? "allowed" : "scope",
      limits: this.limits,
      status: {
        pages: this.pages,
        dead: Math.round(asked * 0.03),
        redirects: Math.round(asked * 0.03),
        refused: Math.round(asked * 0.03),
        failed: Math.round(asked * 0.034),
        retries: Math.round(asked * 0.012),
        bytes: this.pages * 31_400,
        known: this.known,
        frontier: ["complete", "lost", "forbidden"].includes(this.#scenario) ? 0 : this.known - asked,
        hosts: this.pages === 0 ? 1 : 2500,
        coverage: this.coverage,
        strict: isCapped ? 0.6 : this.coverage,
        ceiling: isCapped ? CEILING : 1,
        ...(this.#scenario === "sampled" ? { sampled: SAMPLED, valued: 0.815_99 } : {}),
        guaranteed: this.coverage * 0.985,
        elapsedMs: (this.pages / PAGES_PER_SECOND) * 1000,
      },
      guaranteed: this.coverage * 0.985,
      firstVisitMs: this.pages === 0 ? null : START_MS,
      lastVisitMs: this.pages === 0 ? null : this.#timeOf(this.pages),
      pagesPerSecond: speed,
      bytesPerSecond: speed === null ? null : speed * 31_400,
      secondsLeft: speed === null || isCapped ? null : Math.max(0, (goal - this.pages) / speed),
      nextLimit: speed === null || isCapped ? null : coverage === undefined ? "pages" : "coverage",
      survey: surveying ?? { survey: this.survey, visits: asked, atMs: this.#timeOf(this.surveyedPages) },
    };
  }

  tide(): Tide {
    const points: TidePoint[] = [];
    for (let n = 1; n < this.pages; n = Math.max(n + 1, Math.floor(n * 1.02))) points.push(this.#point(n));
    if (this.pages > 0) points.push(this.#point(this.pages));
    return { points, target: this.limits.coverage ?? null, isOfNow: this.refresh !== undefined };
  }

  missing(): Missing {
    const reasons = this.missingHosts().map(({ reason, mass, hosts }) => {
      const pages = hosts.reduce((sum, host) => sum + host.pages, 0);
      return { reason, mass, pages, hosts: hosts.slice(0, 100), hostCount: hosts.length };
    });
    const waiting = reasons.find(({ reason }) => reason === "not-fetched")?.pages ?? 0;
    return { coverage: this.coverage, waiting, reasons, outside: this.#outside() };
  }

  #outside(): Missing["outside"] {
    const shares = this.#scenario === "forbidden" ? ([["robots", 1]] as const) : OUTSIDE;
    if (this.#scenario !== "capped" && this.#scenario !== "forbidden") return [];
    return shares.map(([reason, mass]) => {
      return { reason, mass, pages: 3, hosts: [{ host: hostName(0), mass, pages: 3 }], hostCount: 1 };
    });
  }

  /** All hosts of every reason. */
  missingHosts(): (HostsMissing & { readonly mass: number })[] {
    const rest = 1 - this.coverage;
    if (this.#scenario === "forbidden") return [];
    if (this.#scenario === "capped") {
      const hosts = (mass: number) => [{ host: hostName(0), mass, pages: 9 }];
      return [
        { reason: "failed", mass: 1 - CEILING, hosts: hosts(1 - CEILING) },
        { reason: "not-fetched", mass: rest - (1 - CEILING), hosts: hosts(rest - (1 - CEILING)) },
      ];
    }
    if (this.#scenario === "lost") {
      const host = { host: hostName(0), mass: rest, pages: 1 };
      return [{ reason: "dead", mass: rest, hosts: [host] }];
    }
    return (rest === 0 ? [] : SHARES).map(([reason, share]) => ({
      reason,
      mass: share * rest,
      hosts: reason === "trust-unseeded" ? [] : this.#hostsOf(share * rest, share),
    }));
  }

  control(change: Control): string | null {
    if (!["running", "paused", "stopping"].includes(this.state)) return "This crawl is not run by this process.";
    if (change.action === "limits") {
      const given = { ...this.limits, ...change.limits };
      if (given.pages !== undefined && given.pages !== null && given.pages < this.pages) {
        return `The page limit ${given.pages} is below the ${this.pages} pages downloaded; give a larger one, or stop the crawl.`;
      }
      this.limits = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    } else {
      this.state = change.action === "pause" ? "paused" : change.action === "resume" ? "running" : "stopping";
    }
    this.events.unshift({
      key: this.asked + 0.5,
      atMs: this.#timeOf(this.pages),
      event: ({ pause: "paused", resume: "resumed", stop: "stopping", limits: "limits-changed" } as const)[
        change.action
      ],
      text: `By the dashboard: ${change.action}`,
      reason: null,
      page: null,
      host: null,
    });
    return null;
  }

  /** The entry of a visit. */
  entry(visit: number): LogEntry {
    const { word, reason } = wordOf(visit, visit + 1);
    const event = word === "waiting" ? "try-again" : word;
    const url = urlOf(visit);
    return {
      key: visit,
      atMs: this.#timeOf(visit),
      event: visit % 89 === 3 ? "try-again" : event,
      text: `${url} ${visit % 89 === 3 ? "did not answer in time; it is tried again" : `was ${event}`}`,
      reason: visit % 89 === 3 ? "timeout" : reason,
      page: { id: visit, url },
      host: hostName(hostOf(visit)),
    };
  }

  #hostsOf(mass: number, share: number): { host: string; mass: number; pages: number }[] {
    const count = Math.max(3, Math.round(400 * share));
    const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1) ** 1.1);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight, index) => ({
      host: hostName((index * 3) % 2500),
      mass: (mass * weight) / total,
      pages: Math.max(1, Math.round((this.known * share * weight) / total)),
    }));
  }

  #point(pages: number): TidePoint {
    const share = this.#scenario === "capped" ? 0.8 : 1;
    const isLast = pages === this.pages && (this.#scenario === "complete" || this.#scenario === "capped");
    const coverage = isLast ? this.coverage : share * coverageAt(pages * (1e6 / this.known));
    const guaranteed = coverage * (0.9 + 0.085 * Math.min(1, pages / this.pages));
    return [pages, this.#timeOf(pages), coverage, guaranteed, this.#sampledAt(pages)];
  }

  /** Rises in steps, each of them later. */
  #sampledAt(pages: number): number | null {
    if (this.#scenario !== "sampled") return null;
    const share = pages / this.pages;
    return [0.94, 0.9, 0.8].find((_, step) => share >= [0.8, 0.4, 0.2][step]) ?? null;
  }

  #timeOf(pages: number): number {
    return START_MS + (pages / PAGES_PER_SECOND) * 1000;
  }
}

/** A tide with the shape of real ones: steep, then ever slower. */
function coverageAt(pages: number): number {
  return 1 - (1 + pages / 210) ** -0.615;
}

function pagesFor(coverage: number): number {
  return 210 * ((1 - coverage) ** (-1 / 0.615) - 1);
}
