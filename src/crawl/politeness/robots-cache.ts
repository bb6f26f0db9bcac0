/**
 * What each origin allows: its robots.txt, fetched once, valid for a day (RFC 9309, 2.4), and stored.
 *
 * Life cycle of an origin: unknown, then requested, then either its rules, or one of: dead (there is no such host),
 * failed (it cannot be reached), unavailable (its robots.txt answers with an error for too long, which forbids
 * everything, RFC 9309, 2.3.1.4).
 */
import type { Answer } from "../../fetch/index.ts";
import type { RobotsRecord } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import {
  allowAll,
  parseRobots,
  ROBOTS_BYTES_KEPT,
  ROBOTS_BYTES_MAX,
  type RobotsRules,
  robotsOfStatus,
  rulesFor,
} from "../../web/index.ts";

export type RobotsState =
  | { readonly kind: "unknown" }
  /** `before`: rules that have expired, where there are any. */
  | { readonly kind: "requested"; readonly before: RobotsRules | null }
  | { readonly kind: "rules"; readonly rules: RobotsRules; readonly atMs: number }
  | { readonly kind: "dead" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "unavailable"; readonly reason: string };

const UNKNOWN: RobotsState = { kind: "unknown" };
const AGE_MS_MAX = 24 * 3_600_000;

export interface RobotsCacheOptions {
  /** Where rules are stored between runs; left out, they last for this run. */
  readonly store?: Pick<CrawlStore, "robots" | "putRobots"> | undefined;
  readonly productToken: string;
  readonly originText: (origin: number) => string;
}

export class RobotsCache {
  readonly #states = new Map<number, RobotsState>();
  /** Answers whose sitemaps are still being read. */
  readonly #unwritten = new Map<number, RobotsRecord>();
  readonly #options: RobotsCacheOptions;

  constructor(options: RobotsCacheOptions) {
    this.#options = options;
  }

  /** Rules that an earlier run stored. */
  restore(restored: (origin: number, rules: RobotsRules) => void): void {
    for (const { origin, status, body, atMs } of this.#options.store?.robots() ?? []) {
      const rules = this.#rulesOf(origin, status, body);
      this.#states.set(origin, { kind: "rules", rules, atMs });
      restored(origin, rules);
    }
  }

  stateOf(origin: number, wallMs: number): RobotsState {
    const state = this.#states.get(origin) ?? UNKNOWN;
    return state.kind === "rules" && wallMs - state.atMs > AGE_MS_MAX ? UNKNOWN : state;
  }

  /** The robots.txt of an origin is being requested, for the first time or again. */
  request(origin: number): void {
    const state = this.#states.get(origin);
    this.#states.set(origin, { kind: "requested", before: state?.kind === "rules" ? state.rules : null });
  }

  /** It could not be fetched again: expired rules hold for another day (RFC 9309, 2.4). False where there are none. */
  keepExpired(origin: number, wallMs: number): boolean {
    const state = this.#states.get(origin);
    if (state?.kind !== "requested" || state.before === null) return false;
    this.#states.set(origin, { kind: "rules", rules: state.before, atMs: wallMs });
    return true;
  }

  set(origin: number, state: RobotsState): void {
    this.#states.set(origin, state);
  }

  /** An answer that settles what is allowed. */
  answered(origin: number, answer: { status: number; body: Uint8Array; atMs: number }): RobotsRules {
    const { status, atMs } = answer;
    const body = robotsOfStatus(status) === "obey" ? answer.body.subarray(0, ROBOTS_BYTES_KEPT) : null;
    const rules = this.#rulesOf(origin, status, body);
    this.#unwritten.set(origin, { origin, atMs, status, body });
    this.#states.set(origin, { kind: "rules", rules, atMs });
    return rules;
  }

  /** Stores what an origin answered. Once its sitemaps are read: whoever finds it stored need not read them again. */
  write(origin: number): void {
    const robots = this.#unwritten.get(origin);
    if (robots !== undefined) this.#options.store?.putRobots(robots);
    this.#unwritten.delete(origin);
  }

  #rulesOf(origin: number, status: number | null, body: Uint8Array | null): RobotsRules {
    if (body === null || robotsOfStatus(status) !== "obey") return allowAll;
    const { productToken, originText } = this.#options;
    return rulesFor(parseRobots(body), productToken, `${originText(origin)}/robots.txt`);
  }
}

/**
 * Whether an answer settles what is allowed. Rules that were cut off before our own limit may lack just the one that
 * forbids.
 */
export function isWholeRobots({ status, truncated, body }: Answer): boolean {
  const rule = robotsOfStatus(status);
  return rule === "allow-all" || (rule === "obey" && (!truncated || body.length >= ROBOTS_BYTES_MAX));
}
