/**
 * What is known of the robots.txt of each origin; rules are kept in the store between runs.
 *
 * Life cycle of an origin: unknown, requested, then its rules, or a judgement for all of its pages: dead (there is no
 * such host), or failed (it cannot be reached, or its robots.txt answers with an error for too long, RFC 9309,
 * 2.3.1.4). Rules are valid for a day (RFC 9309, 2.4), and stored.
 */
import { capacityFor, enlarged, IdSet } from "../../base/index.ts";
import type { RefusalReason } from "../../coverage/index.ts";
import type { RobotsRecord } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import {
  allowAll,
  parseRobots,
  ROBOTS_BYTES_KEPT,
  robotsOfStatus,
  type RobotsRules,
  rulesFor,
  type UsagePreferences,
} from "../../web/index.ts";

/** Why no page of an origin is requested, or not this one. */
export type Exclusion =
  | { readonly kind: "dead"; readonly detail: string }
  | {
      readonly kind: "refused";
      readonly reason: RefusalReason;
      readonly detail: string | null;
      /** What robots.txt says about the use of the page, if that is the reason. */
      readonly usage?: UsagePreferences;
    };

export type RobotsState =
  | { readonly kind: "unknown" }
  /** `before`: rules that have expired, if there are any. */
  | { readonly kind: "requested"; readonly before: RobotsRules | null }
  | { readonly kind: "rules"; readonly rules: RobotsRules }
  | { readonly kind: "judged"; readonly judgement: Exclusion };

const UNKNOWN: RobotsState = { kind: "unknown" };
const AGE_MS_MAX = 24 * 3_600_000;
/** The time of stored rules whose sitemaps are not all read: they have expired. */
const SITEMAPS_UNREAD = 0;

interface RobotsCacheOptions {
  /** Where rules are stored between runs; left out, they last for this run. */
  readonly store?: Pick<CrawlStore, "robots" | "putRobots"> | undefined;
  readonly productToken: string;
  readonly originText: (origin: number) => string;
}

export class RobotsCache {
  /** Origins with rules, and when these were read. */
  readonly #withRules = new IdSet();
  #atMs = new Float64Array(64);
  /** Of these, the rules of those that do not allow everything. */
  readonly #rules = new Map<number, RobotsRules>();
  /** Origins without rules of which something else is known. */
  readonly #others = new Map<number, RobotsState>();
  /** Answers whose sitemaps are still being read. */
  readonly #unwritten = new Map<number, RobotsRecord>();
  readonly #options: RobotsCacheOptions;

  constructor(options: RobotsCacheOptions) {
    this.#options = options;
  }

  restore(restored: (origin: number, rules: RobotsRules, isWhole: boolean) => void): void {
    for (const { origin, status, body, atMs } of this.#options.store?.robots() ?? []) {
      const rules = this.#rulesOf(origin, status, body);
      this.#obey(origin, rules, atMs);
      restored(origin, rules, atMs !== SITEMAPS_UNREAD);
    }
  }

  stateOf(origin: number, wallMs: number): RobotsState {
    if (!this.#withRules.has(origin)) return this.#others.get(origin) ?? UNKNOWN;
    if (wallMs - this.#atMs[origin] > AGE_MS_MAX) return UNKNOWN;
    return { kind: "rules", rules: this.#rulesAt(origin) };
  }

  /** The robots.txt of an origin is being requested, for the first time or again. */
  request(origin: number): void {
    const before = this.#withRules.has(origin) ? this.#rulesAt(origin) : null;
    this.#learn(origin, { kind: "requested", before });
  }

  /** It could not be fetched again: expired rules hold for another day (RFC 9309, 2.4). False where there are none. */
  keepExpired(origin: number, wallMs: number): boolean {
    const state = this.#others.get(origin);
    if (state?.kind !== "requested" || state.before === null) return false;
    this.#obey(origin, state.before, wallMs);
    return true;
  }

  judged(origin: number, judgement: Exclusion): void {
    this.#learn(origin, { kind: "judged", judgement });
  }

  /** An answer that settles what is allowed. */
  answered(origin: number, answer: { status: number; body: Uint8Array; atMs: number }): RobotsRules {
    const { status, atMs } = answer;
    const body = robotsOfStatus(status) === "obey" ? answer.body.subarray(0, ROBOTS_BYTES_KEPT) : null;
    const rules = this.#rulesOf(origin, status, body);
    const record = { origin, atMs, status, body };
    // At once, so that the next run knows that the host has answered.
    this.#options.store?.putRobots({ ...record, atMs: SITEMAPS_UNREAD });
    this.#unwritten.set(origin, record);
    this.#obey(origin, rules, atMs);
    return rules;
  }

  /** The sitemaps of an origin are read: a later run need not read them again. */
  write(origin: number): void {
    const robots = this.#unwritten.get(origin);
    if (robots !== undefined) this.#options.store?.putRobots(robots);
    this.#unwritten.delete(origin);
  }

  #obey(origin: number, rules: RobotsRules, atMs: number): void {
    if (origin >= this.#atMs.length) this.#atMs = enlarged(this.#atMs, capacityFor(origin + 1, this.#atMs.length));
    this.#atMs[origin] = atMs;
    this.#withRules.add(origin);
    if (rules === allowAll) this.#rules.delete(origin);
    else this.#rules.set(origin, rules);
    this.#others.delete(origin);
  }

  #learn(origin: number, state: RobotsState): void {
    this.#withRules.delete(origin);
    this.#rules.delete(origin);
    this.#others.set(origin, state);
  }

  #rulesAt(origin: number): RobotsRules {
    return this.#rules.get(origin) ?? allowAll;
  }

  #rulesOf(origin: number, status: number | null, body: Uint8Array | null): RobotsRules {
    if (body === null || robotsOfStatus(status) !== "obey") return allowAll;
    const { productToken, originText } = this.#options;
    return rulesFor(parseRobots(body), productToken, `${originText(origin)}/robots.txt`);
  }
}
