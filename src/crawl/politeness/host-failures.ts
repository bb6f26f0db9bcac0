/** What replies say about the host that gave them. */
import type { Timers } from "../../base/index.ts";
import { hostPauseMs, type Reply, retryAfterMs, verdictOf } from "../../fetch/index.ts";
import type { Host } from "./hosts.ts";
import type { CrawlRecord } from "../record.ts";

/**
 * A host that has answered once exists: a lookup that does not find it any more is trouble of the resolver, and its pages are not
 * dead.
 */
export function believable(host: Host, reply: Reply): Reply {
  const isDoubtful = reply.kind === "failure" && reply.failure === "host-not-found" && host.hasAnswered;
  return isDoubtful ? { ...reply, failure: "resolve-failed" } : reply;
}

/** Takes note of what a reply says about its host: trouble makes the whole host wait, longer each time; in the end it is given up. */
export function noteTrouble(record: CrawlRecord, host: Host, reply: Reply, timers: Timers): void {
  const verdict = verdictOf(reply);
  if (verdict.reason === "aborted") return;
  if (reply.kind === "answer") host.hasAnswered = true;
  if (!verdict.pausesHost) {
    host.failures = 0;
    return;
  }
  host.errors++;
  // Requests that were under way together meet the same trouble; it counts once.
  if (host.pausedUntilMs === 0) host.failures++;
  const askedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, timers.wallMs()) : null;
  const pauseMs = hostPauseMs(host.failures, verdict, askedMs);
  const { reason } = verdict;
  if (pauseMs < Number.POSITIVE_INFINITY) return pauseHost(record, host, { forMs: pauseMs, reason }, timers);
  if (!host.givenUp) record.tell({ name: "host-given-up", atMs: timers.wallMs(), host: host.name, reason });
  host.givenUp = true;
}

/** Makes a host wait, and tells it; a pause that only becomes longer was told before. */
export function pauseHost(
  { hosts, tell }: CrawlRecord,
  host: Host,
  { forMs, reason }: { readonly forMs: number; readonly reason: string },
  timers: Timers,
): void {
  if (host.pausedUntilMs === 0)
    tell({ name: "host-paused", atMs: timers.wallMs(), host: host.name, reason, forMs });
  hosts.pause(host, timers.nowMs() + forMs);
}
