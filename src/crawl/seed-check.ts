/**
 * What the seeds of a crawl answer now, found politely: the same politeness and dispatcher as a crawl's, without
 * anything stored. A seed is followed through its redirects as far as the scope goes. There are no second attempts:
 * what fails now, the crawl may get later.
 */
import { systemTimers, type Timers } from "../base/index.ts";
import { type Fetcher, type FetchRequest, type Reply, verdictOf } from "../fetch/index.ts";
import { canonicalUrl, hostOfOrigin, type RobotsRules, Scope, splitUrl } from "../web/index.ts";
import { Dispatcher, type PageTask, type Work } from "./dispatcher.ts";
import { HostQueues } from "./host-queues.ts";
import { type Effect, EffectQueue, type Input, type Machine, type Now } from "./machine.ts";
import { type Address, type Host, Hosts } from "./politeness/hosts.ts";
import { Politeness, type PolitenessListener } from "./politeness/politeness.ts";
import type { Judgement, Origins, RobotsAttempt } from "./politeness/robots-policy.ts";
import { Runner } from "./runner.ts";
import type { CrawlSettings, Seed } from "./settings/settings.ts";
import type { StopReason } from "./machine.ts";

/** Why a seed was not followed to a page. `reason` is the name of a failure or a status, as in the log. */
export type SeedProblem =
  | { readonly kind: "robots" | "page"; readonly reason: string; readonly message?: string }
  /** Its host wants a rest that nobody waits for in a dry run. */
  | { readonly kind: "rest"; readonly restMs: number }
  | { readonly kind: "out-of-scope" | "bad-location" | "too-many-redirects" };

export interface SeedCheck extends Seed {
  readonly robots?: "allowed" | "forbidden" | "unknown";
  readonly crawlDelayMs?: number | null;
  /** After redirects. */
  readonly leadsTo?: string;
  readonly inScope?: boolean;
  readonly status?: number;
  readonly problem?: SeedProblem;
}

export interface SeedCheckOptions {
  readonly settings: CrawlSettings;
  readonly seeds: readonly Seed[];
  readonly fetcher: Fetcher;
  readonly timers?: Timers;
  readonly onChecked?: (checked: number) => void;
}

/** Of a seed; the crawl follows as many as there are, each a URL of its own. */
export const SEED_REDIRECTS_MAX = 10;
/** Nobody waits longer in a dry run. */
const REST_MS_MAX = 10_000;

/** In the order of the seeds. */
export async function checkSeeds(options: SeedCheckOptions): Promise<SeedCheck[]> {
  const { fetcher, timers = systemTimers } = options;
  const engine = new SeedCheckEngine(options);
  await new Runner(engine, { fetcher, timers }).run();
  return engine.checks;
}

/** A seed on its way through redirects. */
interface Probe {
  readonly seed: number;
  readonly url: string;
  readonly hops: number;
}

class SeedCheckEngine implements Machine, Work, PolitenessListener, Origins {
  readonly #options: SeedCheckOptions;
  readonly #scope: Scope;
  readonly #effects = new EffectQueue();
  readonly #hosts: Hosts;
  readonly #queues: HostQueues<Probe>;
  readonly #politeness: Politeness;
  readonly #dispatcher: Dispatcher;
  readonly #origins: string[] = [];
  /** Crawl-delay by origin, of those whose rules are known. */
  readonly #delays = new Map<number, number | null>();
  /** By seed, while one is under way. */
  readonly #probes = new Map<number, Probe>();
  readonly #checks = new Map<number, SeedCheck>();
  #mayStart = false;

  constructor(options: SeedCheckOptions) {
    const { settings, seeds } = options;
    this.#options = options;
    this.#scope = new Scope(settings.web.scope);
    this.#hosts = new Hosts(settings.politeness);
    this.#queues = new HostQueues(this.#hosts);
    const parts = { settings, hosts: this.#hosts, effects: this.#effects };
    this.#politeness = new Politeness({ ...parts, origins: this, followsSitemaps: false }, this);
    const { concurrency } = settings.politeness;
    const { effects } = parts;
    this.#dispatcher = new Dispatcher({ politeness: this.#politeness, work: this, effects, concurrency });
    for (const [seed, { url }] of seeds.entries()) this.#probe({ seed, url, hops: 0 });
  }

  get checks(): SeedCheck[] {
    return this.#options.seeds.map((_, seed) => this.#checks.get(seed)!);
  }

  get mayStart(): boolean {
    return this.#mayStart;
  }

  get nextMs(): number {
    return this.#politeness.nextMs;
  }

  get ended(): StopReason | undefined {
    return this.#checks.size === this.#options.seeds.length ? "frontier-empty" : undefined;
  }

  step(input: Input, now: Now): readonly Effect[] {
    if (input.kind === "reply") this.#dispatcher.replied(input.id, input.reply, now);
    this.#politeness.wake(now.nowMs);
    this.#mayStart = this.ended === undefined && this.#dispatcher.startNext(now);
    return this.#effects.take();
  }

  originText(origin: number): string {
    return this.#origins[origin];
  }

  hostOfOrigin(origin: number): Host {
    return this.#hosts.named(hostOfOrigin(this.#origins[origin]));
  }

  awake(host: Host): void {
    this.#queues.awake(host);
  }

  vacated(address: Address): void {
    this.#queues.vacated(address);
  }

  robotsObeyed(origin: number, rules: RobotsRules): void {
    this.#delays.set(origin, rules.crawlDelayMs);
    const host = this.hostOfOrigin(origin);
    if (host.delayMs <= REST_MS_MAX) return;
    const problem = { kind: "rest", restMs: host.delayMs } as const;
    for (const probe of this.#queues.drop(host)) {
      const isAllowed = rules.allows(splitUrl(probe.url).path);
      const robots = isAllowed ? ({ robots: "allowed", problem } as const) : ({ robots: "forbidden" } as const);
      this.#found(probe, { ...robots, ...this.#delayOf(probe) });
    }
  }

  robotsDelayed(origin: number, { reason }: RobotsAttempt): void {
    for (const probe of this.#queues.drop(this.hostOfOrigin(origin))) this.#robotsUnknown(probe, reason);
  }

  next(): PageTask | undefined {
    const next = this.#queues.next();
    if (next === undefined) return undefined;
    const { host, item } = next;
    this.#probes.set(item.seed, item);
    return { url: item.seed, text: item.url, origin: this.#originOf(item.url), host };
  }

  hold({ url, host }: PageTask): void {
    this.#queues.add(host, this.#take(url), "first");
  }

  excluded({ url }: PageTask, why: Exclude<Judgement, { kind: "allowed" | "later" }>): void {
    const probe = this.#take(url);
    const isForbidden = why.kind === "refused" && why.reason === "robots" && why.detail === null;
    if (isForbidden) this.#found(probe, { robots: "forbidden", ...this.#delayOf(probe) });
    else this.#robotsUnknown(probe, why.detail ?? "failed");
  }

  requestFor({ text }: PageTask): FetchRequest {
    return { url: text, purpose: "page" };
  }

  replied({ url }: PageTask, reply: Reply): void {
    const probe = this.#take(url);
    const found = { robots: "allowed", ...this.#delayOf(probe) } as const;
    const { meaning, reason } = verdictOf(reply);
    if (reply.kind === "failure") {
      return this.#found(probe, { ...found, problem: { kind: "page", reason, message: reply.message } });
    }
    if (meaning !== "redirect") return this.#found(probe, { ...found, status: reply.status });
    const location = reply.headers["location"] ?? "";
    const target = canonicalUrl(location, probe.url, this.#options.settings.web.urlRules);
    if (target !== null) return this.#probe({ seed: probe.seed, url: target, hops: probe.hops + 1 });
    this.#found(probe, { ...found, status: reply.status, problem: { kind: "bad-location" } });
  }

  #probe(probe: Probe): void {
    const { url, hops } = probe;
    if (hops > SEED_REDIRECTS_MAX) return this.#found(probe, { problem: { kind: "too-many-redirects" } });
    if (!this.#scope.contains(url)) return this.#found(probe, { problem: { kind: "out-of-scope" } });
    this.#queues.add(this.hostOfOrigin(this.#originOf(url)), probe);
  }

  #originOf(url: string): number {
    const { origin } = splitUrl(url);
    const known = this.#origins.indexOf(origin);
    return known >= 0 ? known : this.#origins.push(origin) - 1;
  }

  #delayOf({ url }: Probe): Pick<SeedCheck, "crawlDelayMs"> {
    return { crawlDelayMs: this.#delays.get(this.#originOf(url)) ?? null };
  }

  #take(seed: number): Probe {
    const probe = this.#probes.get(seed)!;
    this.#probes.delete(seed);
    return probe;
  }

  #robotsUnknown(probe: Probe, reason: string): void {
    this.#found(probe, { robots: "unknown", problem: { kind: "robots", reason } });
  }

  #found({ seed, url }: Probe, found: Partial<SeedCheck>): void {
    const { seeds, onChecked } = this.#options;
    const inScope = this.#scope.contains(url);
    const leadsTo = url === seeds[seed].url ? {} : { leadsTo: url };
    this.#checks.set(seed, { ...seeds[seed], inScope, ...leadsTo, ...found });
    onChecked?.(this.#checks.size);
  }
}
