/**
 * What a reply says about the host that gave it: failures and Retry-After make the whole host wait, longer each time,
 * and end it. How long is in fetch/retry-policy.ts.
 */
import { hostPauseMs, type Reply, retryAfterMs, verdictOf } from "../../fetch/index.ts";
import type { EffectQueue, Now } from "../machine.ts";
import type { Host } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";

/**
 * A host that has answered exists. If a lookup no longer finds it, the resolver is at fault: its pages are not dead.
 */
export function believable(host: Host, reply: Reply): Reply {
  const isDoubtful = reply.kind === "failure" && reply.failure === "host-not-found" && host.hasAnswered;
  return isDoubtful ? { ...reply, failure: "resolve-failed" } : reply;
}

export class HostFailures {
  readonly #hosts: HostSchedule;
  readonly #effects: EffectQueue;

  constructor(hosts: HostSchedule, effects: EffectQueue) {
    this.#hosts = hosts;
    this.#effects = effects;
  }

  note(host: Host, reply: Reply, now: Now): void {
    const verdict = verdictOf(reply);
    if (verdict.reason === "aborted") return;
    if (reply.kind === "answer") host.hasAnswered = true;
    if (!verdict.pausesHost) {
      host.failures = 0;
      return;
    }
    host.errors++;
    // Requests that were under way together meet the same failure; it counts once.
    if (host.pausedUntilMs === 0) host.failures++;
    const requestedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, now.wallMs) : null;
    const pauseMs = hostPauseMs(host.failures, verdict, requestedMs);
    const { reason } = verdict;
    if (pauseMs < Number.POSITIVE_INFINITY) return this.pause(host, { forMs: pauseMs, reason }, now);
    if (!host.givenUp) {
      this.#effects.emit({ name: "host-given-up", atMs: now.wallMs, host: host.name, reason });
    }
    host.givenUp = true;
  }

  /** Makes a host wait, and reports it; a pause that only becomes longer was reported before. */
  pause(
    host: Host,
    { forMs, reason }: { readonly forMs: number; readonly reason: string },
    { nowMs, wallMs }: Now,
  ): void {
    if (host.pausedUntilMs === 0) {
      this.#effects.emit({ name: "host-paused", atMs: wallMs, host: host.name, reason, forMs });
    }
    if (nowMs + forMs <= host.pausedUntilMs) return;
    this.#effects.push({ kind: "pause-host", host: host.name, untilMs: Math.ceil(wallMs + forMs) });
    this.#hosts.pause(host, nowMs + forMs);
  }
}
