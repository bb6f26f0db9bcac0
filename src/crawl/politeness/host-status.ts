/** What people see of a host: whether it may be requested now, and why not. */
import type { Limits } from "../settings/settings.ts";
import { type Host, pagesMaxOf } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";

/**
 * `given-up`: it failed too often, and nothing more is requested in this run. `paused`: it failed, or asked us to wait.
 * `robots`: its robots.txt is awaited. `full`: it gave as many pages as one host may. `busy`: a request is under way,
 * its name is looked up, or its address has no connection to spare. `done`: nothing of it waits, as far as is known.
 * `resting`: between two requests. `free`: it may be requested.
 */
export type HostState = "free" | "busy" | "done" | "resting" | "paused" | "robots" | "full" | "given-up";

/** What a host is doing now, and how it is treated. */
export interface HostStatus {
  readonly state: HostState;
  /** Where it is paused. */
  readonly pausedForMs: number | null;
  readonly delayMs: number;
  readonly connections: number;
  readonly underWay: number;
  readonly address: string | null;
}

export function hostStatus(
  host: Host,
  { hosts, limits, nowMs }: { readonly hosts: HostSchedule; readonly limits: Limits; readonly nowMs: number },
): HostStatus {
  const state = stateOf(host, hosts, limits);
  return {
    state,
    pausedForMs: state === "paused" ? Math.max(0, host.pausedUntilMs - nowMs) : null,
    delayMs: host.delayMs,
    connections: host.connections,
    underWay: underWay(host),
    address: host.address?.use.text ?? null,
  };
}

function stateOf(host: Host, hosts: HostSchedule, limits: Limits): HostState {
  if (host.givenUp) return "given-up";
  if (host.pausedUntilMs > 0) return "paused";
  if (host.barred > (host.isFull ? 1 : 0)) return "robots";
  if (host.pages >= pagesMaxOf(host, limits)) return "full";
  if (underWay(host) > 0 || host.isLookedUp) return "busy";
  if (hosts.waitingOf(host) === 0 && isDone(host)) return "done";
  if (host.taken >= host.connections) return "resting";
  return hosts.isAddressBusy(host) ? "busy" : "free";
}

/** Whether nothing of it waits outside the order. What an address holds may be of any of its hosts. */
function isDone({ retrying, fetching, held, address }: Host): boolean {
  return retrying + fetching + (held?.urls.length ?? 0) + (address?.held?.urls.length ?? 0) === 0;
}

function underWay(host: Host): number {
  return host.taken - host.resting;
}
