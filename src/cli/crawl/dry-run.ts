/** `tidemark crawl --dry-run`: what a crawl would do, and what its seeds answer now. Nothing is created. */
import { counted, percent, systemTimers } from "../../base/index.ts";
import { isWholeRobots } from "../../crawl/index.ts";
import { type Fetcher, type FetchRequest, type Reply, verdictOf } from "../../fetch/index.ts";
import {
  allowAll,
  canonicalUrl,
  hostOfOrigin,
  parseRobots,
  ROBOTS_REDIRECTS_MAX,
  type RobotsRules,
  robotsOfStatus,
  rulesFor,
  Scope,
  splitUrl,
} from "../../web/index.ts";
import { perform } from "../options/command.ts";
import type { TextStyle } from "../terminal/terminal.ts";
import { wrapped } from "../terminal/words.ts";
import { checkSeedHosts, openFetcher } from "./network.ts";
import type { CrawlOptions } from "./options.ts";
import type { CrawlPlan } from "./plan.ts";
import { typedLimits, typedNetwork, typedPoliteness, typedWeb } from "./typed-options.ts";

/** Seeds that are asked; of longer lists the rest is only listed. */
const SEEDS_ASKED_MAX = 20;
/** Of a seed; the crawl follows as many as there are, each a URL of its own. */
const REDIRECTS_MAX = 10;
const NAME_WIDTH = 12;
/** Nobody waits longer for a look ahead; what would need it is not asked. */
const REST_MS_MAX = 10_000;

interface SeedCheck {
  readonly url: string;
  readonly weight: number;
  /** Left out where it was not asked. */
  readonly robots?: "allowed" | "forbidden" | "unknown";
  readonly crawlDelayMs?: number | null;
  /** After redirects. */
  readonly leadsTo?: string;
  readonly inScope?: boolean;
  readonly status?: number;
  /** Why nothing came, or nothing was asked, in words. */
  readonly problem?: string;
}

export async function dryRun(plan: CrawlPlan, options: CrawlOptions): Promise<void> {
  await perform(options, async ({ progress }) => {
    const { settings, dir, isResumed } = plan;
    const fetcher = openFetcher(settings.network, 1, plan.proxy);
    const scope = new Scope(settings.web.scope);
    const seeds: SeedCheck[] = [];
    try {
      await checkSeedHosts(settings, settings.network, plan.proxy);
      const desk = new DryDesk(fetcher, plan);
      for (const [k, seed] of settings.seeds.entries()) {
        progress({ task: "asking the seeds", done: k, total: settings.seeds.length, unit: "seeds" });
        seeds.push(k < SEEDS_ASKED_MAX ? { ...seed, ...(await desk.check(seed.url, scope)) } : seed);
      }
    } finally {
      await fetcher.close();
    }
    return {
      document: { dryRun: true, dir, resumed: isResumed, scope: scope.describe(), seeds, settings },
      text: (style) => describe(plan, scope, seeds, style),
    };
  });
}

/**
 * Asks one URL after another, and lets a host rest between two requests as the crawl would: after `delayMs`, or the crawl-delay of
 * its robots.txt where that is longer. There are no second attempts: what fails now, the crawl may get later.
 */
class DryDesk {
  readonly #fetcher: Fetcher;
  readonly #plan: CrawlPlan;
  readonly #rules = new Map<string, Promise<RobotsRules | string>>();
  /** When a host was asked last, and how long it rests then. */
  readonly #askedMs = new Map<string, number>();
  readonly #restMs = new Map<string, number>();

  constructor(fetcher: Fetcher, plan: CrawlPlan) {
    this.#fetcher = fetcher;
    this.#plan = plan;
  }

  async check(seed: string, scope: Scope): Promise<Partial<SeedCheck>> {
    let url = seed;
    for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
      const inScope = scope.contains(url);
      const where = { inScope, ...(url === seed ? {} : { leadsTo: url }) };
      if (!inScope) return { ...where, problem: "leads out of the scope" };
      const rules = await this.#rulesOf(url);
      if (typeof rules === "string") return { ...where, robots: "unknown", problem: rules };
      const crawlDelayMs = rules.crawlDelayMs;
      if (!rules.allows(splitUrl(url).path)) return { ...where, robots: "forbidden", crawlDelayMs };
      const found = { ...where, robots: "allowed", crawlDelayMs } as const;
      const restMs = this.#restOf(hostOf(url));
      if (restMs > REST_MS_MAX)
        return { ...found, problem: `not asked now: its host wants a rest of ${restMs} ms first` };
      const reply = await this.#ask({ url, purpose: "page" });
      if (reply.kind === "failure") return { ...found, problem: reply.message };
      const { meaning } = verdictOf(reply);
      if (meaning !== "redirect") return { ...found, status: reply.status };
      const target = canonicalUrl(reply.headers["location"] ?? "", url, this.#plan.settings.web.urlRules);
      if (target === null) return { ...found, status: reply.status, problem: "redirects to nowhere" };
      url = target;
    }
    return { leadsTo: url, problem: `more than ${REDIRECTS_MAX} redirects, not followed further now` };
  }

  #rulesOf(url: string): Promise<RobotsRules | string> {
    const { origin } = splitUrl(url);
    let rules = this.#rules.get(origin);
    if (rules === undefined) this.#rules.set(origin, (rules = this.#askRobots(origin)));
    return rules;
  }

  async #askRobots(origin: string): Promise<RobotsRules | string> {
    const { productToken, politeness } = this.#plan.settings;
    const robotsUrl = `${origin}/robots.txt`;
    const reply = await this.#askOn(robotsUrl);
    if (reply.kind === "failure") return `robots.txt: ${reply.message}`;
    const meaning = robotsOfStatus(reply.status);
    if (meaning === "defer")
      return `robots.txt answers with status ${reply.status}, which forbids all until it can be read`;
    if (meaning === "allow-all") return allowAll;
    if (!isWholeRobots(reply)) return "robots.txt was cut off, which forbids all until it comes whole";
    const rules = rulesFor(parseRobots(reply.body), productToken, robotsUrl);
    const { delayMs, crawlDelayMsMax } = politeness;
    const crawlDelayMs = Math.min(rules.crawlDelayMs ?? 0, crawlDelayMsMax);
    this.#restMs.set(hostOf(robotsUrl), Math.max(delayMs, crawlDelayMs));
    return rules;
  }

  /** What stands at the end of the redirects; one too many, or to nowhere, comes as it is. */
  async #askOn(start: string): Promise<Reply> {
    let url = start;
    for (let hops = 0; ; hops++) {
      const reply = await this.#ask({ url, purpose: "robots" });
      if (reply.kind === "failure" || verdictOf(reply).meaning !== "redirect") return reply;
      const target = canonicalUrl(reply.headers["location"] ?? "", url);
      if (target === null || hops === ROBOTS_REDIRECTS_MAX) return reply;
      url = target;
    }
  }

  #restOf(host: string): number {
    return this.#restMs.get(host) ?? this.#plan.settings.politeness.delayMs;
  }

  async #ask(request: FetchRequest): Promise<Reply> {
    const host = hostOf(request.url);
    const askedMs = this.#askedMs.get(host) ?? Number.NEGATIVE_INFINITY;
    const waitMs = askedMs + this.#restOf(host) - systemTimers.nowMs();
    if (waitMs > 0) await new Promise<void>((done) => systemTimers.after(waitMs, done));
    const reply = await new Promise<Reply>((done) => this.#fetcher.fetch(request, done));
    this.#askedMs.set(host, systemTimers.nowMs());
    return reply;
  }
}

function hostOf(url: string): string {
  return hostOfOrigin(splitUrl(url).origin);
}

function describe(plan: CrawlPlan, scope: Scope, seeds: readonly SeedCheck[], { width }: TextStyle): string {
  const { dir, isResumed, settings } = plan;
  const { web, network, order, damping } = settings;
  const lines: [name: string, value: string][] = [
    ["directory", `${dir} (${isResumed ? "goes on" : "new; not created now"})`],
    [
      "scope",
      `${scope.describe()}; coverage is measured against ${web.universe === "scope" ? "it" : "the whole web"}`,
    ],
    ["limits", typedLimits(settings).join(" ") || "none: until nothing is left"],
    ["order", `--order ${order} --damping ${damping}`],
    ["politeness", typedPoliteness(settings).join(" ")],
    ["user agent", `${network.userAgent} (robots.txt: ${settings.productToken})`],
    ["network", typedNetwork(settings).join(" ") || "as the system has it"],
    ["web", typedWeb(settings).join(" ")],
  ];
  return (
    `Nothing is created. This crawl would start at ${counted(seeds.length, "seed")}:\n\n` +
    seeds
      .slice(0, SEEDS_ASKED_MAX)
      .map((seed) => wrapped(describeSeed(seed), { width, indent: 2 }))
      .join("") +
    (seeds.length > SEEDS_ASKED_MAX ? `  and ${seeds.length - SEEDS_ASKED_MAX} more, not asked now\n` : "") +
    `\n${lines.map(([name, value]) => wrapped(`${`${name}:`.padEnd(NAME_WIDTH)}${value}`, { width, hanging: NAME_WIDTH })).join("")}`
  );
}

function describeSeed({ url, weight, leadsTo, robots, status, problem, crawlDelayMs }: SeedCheck): string {
  const parts = [
    `${url} (trust ${percent(weight)})`,
    ...(leadsTo === undefined ? [] : [`leads to ${leadsTo}`]),
    ...(robots === undefined ? [] : [`robots.txt: ${robots}`]),
    ...(crawlDelayMs == null ? [] : [`asks for a rest of ${crawlDelayMs} ms`]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(problem === undefined ? [] : [problem]),
  ];
  return parts.join(", ");
}
