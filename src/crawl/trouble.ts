/** What a reply says about its host: trouble makes the whole host wait, longer each time; in the end it is given up. */
import type { Timers } from "../base/index.ts";
import { hostPauseMs, type Reply, retryAfterMs, verdictOf } from "../fetch/index.ts";
import type { Host, Hosts } from "./hosts.ts";

export function noteTrouble(hosts: Hosts, host: Host, reply: Reply, timers: Timers): void {
  const verdict = verdictOf(reply);
  if (verdict.reason === "aborted") return;
  if (!verdict.pausesHost) {
    host.failures = 0;
    return;
  }
  host.errors++;
  // Requests that were under way together meet the same trouble; it counts once.
  if (host.pausedUntilMs === 0) host.failures++;
  const askedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, timers.wallMs()) : null;
  const pauseMs = hostPauseMs(host.failures, verdict, askedMs);
  if (pauseMs === Number.POSITIVE_INFINITY) host.givenUp = true;
  else hosts.pause(host, timers.nowMs() + pauseMs);
}
