/**
 * What the seeds of a crawl answer now, found as politely as in a crawl, with nothing stored. A seed is followed
 * through its redirects, without second attempts: what fails now, the crawl may get later.
 */
import { REDIRECTS_MAX } from "./page-outcomes.ts";
import { systemTimers, type Timers } from "../base/index.ts";
import { type Fetcher, type FetchRequest, type Reply, verdictOf } from "../fetch/index.ts";
import { canonicalUrl, type RobotsRules, Scope, splitUrl, usageOfHeaders } from "../web/index.ts";
import type { PageTask } from "./dispatcher.ts";
import { ListEngine, ListWork, runList } from "./list-work.ts";
import type { Now } from "./machine.ts";
import { HostSchedule } from "./politeness/host-schedule.ts";
import { OriginTable } from "./politeness/origin-table.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import type { RobotsAttempt } from "./politeness/robots-policy.ts";
import type { CrawlSettings, Seed } from "./settings/settings.ts";

/** Why a seed was not followed to a page. `reason` is the name of a failure or a status, as in the log. */
export type SeedCheckProblem =
  | { readonly kind: "robots" | "page"; readonly reason: string; readonly message?: string }
  /** Its host wants a rest that nobody waits for in a dry run, in whole seconds. */
  | { readonly kind: "rest"; readonly restMs: number }
  | { readonly kind: "out-of-scope" | "bad-location" | "too-many-redirects" | "logout" | "usage" | "usage-header" };

export interface SeedCheck extends Seed {
  readonly robots?: "allowed" | "forbidden" | "unknown";
  readonly crawlDelayMs?: number | null;
  /** After redirects. */
  readonly leadsTo?: string;
  readonly inScope?: boolean;
  readonly status?: number;
  readonly problem?: SeedCheckProblem;
}

export interface SeedCheckOptions {
  readonly settings: CrawlSettings;
  readonly seeds: readonly Seed[];
  readonly fetcher: Fetcher;
  readonly timers?: Timers;
  readonly onChecked?: (checked: number) => void;
}

/** A dry run does not wait longer with nothing under way. */
const REST_MS_MAX = 10_000;

/** In the order of the seeds. Throws if nothing can be fetched. */
export async function checkSeeds(options: SeedCheckOptions): Promise<SeedCheck[]> {
  const { fetcher, timers = systemTimers, settings } = options;
  const hosts = new HostSchedule(settings.politeness, settings.hosts);
  const work = new SeedCheckWork(options, hosts);
  await runList(new ListEngine({ settings, hosts, origins: work.origins }, work), { fetcher, timers });
  return work.checks;
}

interface Probe {
  /** The number of the seed. */
  readonly url: number;
  readonly text: string;
  readonly origin: number;
  readonly hops: number;
}

class SeedCheckWork extends ListWork<Probe> {
  readonly origins: OriginTable;
  readonly checks: SeedCheck[] = [];
  readonly #options: SeedCheckOptions;
  readonly #scope: Scope;
  /** By origin, as far as they are known. */
  readonly #rules = new Map<number, RobotsRules>();
  #checked = 0;

  constructor(options: SeedCheckOptions, hosts: HostSchedule) {
    super(hosts);
    this.#options = options;
    this.origins = new OriginTable(hosts);
    this.#scope = new Scope(options.settings.web.scope);
    for (const [seed, { url }] of options.seeds.entries()) this.#probe(seed, url, 0);
  }

  robotsObeyed(origin: number, rules: RobotsRules): void {
    this.#rules.set(origin, rules);
  }

  /** Other origins of the host may have a robots.txt. */
  robotsDelayed(origin: number, { reason }: RobotsAttempt): void {
    const host = this.origins.hostOfOrigin(origin);
    for (const probe of this.drop(host)) {
      if (probe.origin === origin) this.#robotsUnknown(probe, reason);
      else this.add(host, probe);
    }
  }

  override idle(forMs: number, { nowMs }: Now): void {
    if (forMs <= REST_MS_MAX) return;
    for (const host of this.waitingHosts()) {
      const longestMs = Math.max(forMs, host.pausedUntilMs - nowMs, host.resting > 0 ? host.delayMs : 0);
      // Times are fractions, whose difference may be a little more than the rest was.
      const problem = { kind: "rest", restMs: 1000 * Math.ceil((longestMs - 1) / 1000) } as const;
      for (const probe of this.drop(host)) {
        const judged = this.#judged(probe);
        this.#found(
          probe,
          judged.robots === "forbidden" || judged.problem !== undefined ? judged : { ...judged, problem },
        );
      }
    }
  }

  excluded({ url }: PageTask, why: Exclusion): void {
    const probe = this.take(url);
    if (why.kind === "refused" && why.reason === "robots") this.#found(probe, this.#judged(probe));
    else if (why.kind === "refused" && why.reason === "logout") this.#found(probe, { problem: { kind: "logout" } });
    else this.#robotsUnknown(probe, (why.detail ?? "failed").replace(/^robots-/, ""));
  }

  requestFor({ text }: PageTask): FetchRequest {
    return { url: text, purpose: "page" };
  }

  replied({ url }: PageTask, reply: Reply): void {
    const probe = this.take(url);
    const found = this.#judged(probe);
    const { meaning, reason } = verdictOf(reply);
    if (reply.kind === "failure") {
      return this.#found(probe, { ...found, problem: { kind: "page", reason, message: reply.message } });
    }
    const { purpose } = this.#options.settings.web;
    if (meaning === "page" && purpose !== "none" && usageOfHeaders(reply.headers)?.[purpose] === false) {
      return this.#found(probe, { ...found, status: reply.status, problem: { kind: "usage-header" } });
    }
    if (meaning !== "redirect") return this.#found(probe, { ...found, status: reply.status });
    const location = reply.headers["location"] ?? "";
    const target = canonicalUrl(location, probe.text, this.#options.settings.web.urlRules);
    if (target !== null) return this.#probe(url, target, probe.hops + 1);
    this.#found(probe, { ...found, status: reply.status, problem: { kind: "bad-location" } });
  }

  /** Nobody interrupts a dry run but by ending the process; but no proxy may work. */
  interrupted(): void {
    for (const host of this.waitingHosts()) this.drop(host);
  }

  #probe(url: number, text: string, hops: number): void {
    const probe = { url, text, origin: this.origins.originOf(text), hops };
    if (hops > REDIRECTS_MAX) return this.#found(probe, { problem: { kind: "too-many-redirects" } });
    if (!this.#scope.permits(text)) return this.#found(probe, { problem: { kind: "out-of-scope" } });
    this.add(this.origins.hostOfOrigin(probe.origin), probe);
  }

  #judged({ origin, text }: Probe): Pick<SeedCheck, "robots" | "crawlDelayMs" | "problem"> {
    const rules = this.#rules.get(origin);
    if (rules === undefined) return { robots: "unknown" };
    const { path } = splitUrl(text);
    const { purpose } = this.#options.settings.web;
    const isUsable = purpose === "none" || rules.usageOf(path)[purpose] !== false;
    const { crawlDelayMs } = rules;
    if (!rules.allows(path)) return { robots: "forbidden", crawlDelayMs };
    return { robots: "allowed", crawlDelayMs, ...(isUsable ? {} : { problem: { kind: "usage" } }) };
  }

  #robotsUnknown(probe: Probe, reason: string): void {
    this.#found(probe, { robots: "unknown", problem: { kind: "robots", reason } });
  }

  #found({ url, text }: Probe, found: Partial<SeedCheck>): void {
    const { seeds, onChecked } = this.#options;
    // Where a seed leads belongs to the scope of its crawl.
    const inScope = this.#scope.permits(text);
    const leadsTo = text === seeds[url].url ? {} : { leadsTo: text };
    this.checks[url] = { ...seeds[url], inScope, ...leadsTo, ...found };
    onChecked?.(++this.#checked);
  }
}
