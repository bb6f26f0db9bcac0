/**
 * What is missing (C6): the share of importance that is not certified, by reason and by host.
 *
 * By (C1), a flow f to a page that may link on means at most f / (1-d) visits, a flow to a dead page f. Divided by the
 * whole, these shares sum to 1 - coverage.
 */
import type { Hosts } from "../graph/index.ts";
import { type Certificate, isOutside } from "./certificate.ts";
import { type MissingReason, PageState, reasonsOutside, refusalReasons, type Universe } from "./facts.ts";

/** A part of the missing importance: why it is missing, and on which hosts. */
export interface MissingShare {
  readonly reason: MissingReason;
  readonly mass: number;
  /** Largest first; empty if hosts are unknown or the reason has none. */
  readonly hosts: readonly { readonly host: string; readonly mass: number; readonly pages: number }[];
}

/** What is known of pages when they were certified: a `MassLedger`, or what was stored of one. */
export interface PageMasses {
  readonly pages: number;
  readonly damping: number;
  readonly universe: Universe;
  /** One `PageState` per page. */
  readonly state: Uint8Array;
  arrived(page: number): number;
}

/** The missing shares of a certified ledger, largest first; by host if the hosts of pages are given. */
export function missingShares(
  masses: PageMasses,
  certificate: Pick<Certificate, "coverage" | "delta">,
  hosts?: Hosts,
): MissingShare[] {
  const scale = missingScale(masses, certificate);
  const groups = new Map<MissingReason, Group>();
  const groupOf = (reason: MissingReason): Group => {
    const group = groups.get(reason) ?? { flow: 0, hosts: new Map() };
    groups.set(reason, group);
    return group;
  };
  for (let page = 0; page < masses.pages; page++) {
    const reason = missingReason(masses.state[page], masses.universe);
    if (reason === undefined) continue;
    const flow = missingFlow(masses, page, reason);
    if (flow > 0) addFlow(groupOf(reason), flow, hosts?.names[hosts.hostOf[page]]);
  }
  if (certificate.delta > 0) addFlow(groupOf("trust-unseeded"), certificate.delta, undefined);
  return [...groups]
    .map(([reason, group]) => ({ reason, mass: group.flow * scale, hosts: hostShares(group, scale) }))
    .sort((a, b) => b.mass - a.mass);
}

/** What the universe leaves out, as shares of everything at most, largest first. */
export function outsideShares(
  masses: PageMasses,
  { strict, delta }: Pick<Certificate, "strict" | "delta">,
  hosts?: Hosts,
): MissingShare[] {
  const { pages, damping, state, universe } = masses;
  const arrived = (page: number) => masses.arrived(page);
  const everything: PageMasses = { pages, damping, state, arrived, universe: "everything" };
  const leftOut = reasonsOutside(universe);
  return missingShares(everything, { coverage: strict, delta }, hosts).filter(({ reason }) => leftOut.includes(reason));
}

/** The factor that turns `missingFlow` into a share of all importance; all shares together are 1 - coverage. */
export function missingScale(masses: PageMasses, { coverage, delta }: Pick<Certificate, "coverage" | "delta">): number {
  let total = delta;
  for (let page = 0; page < masses.pages; page++) {
    const reason = missingReason(masses.state[page], masses.universe);
    if (reason !== undefined) total += missingFlow(masses, page, reason);
  }
  return total === 0 ? 0 : (1 - coverage) / total;
}

interface Group {
  flow: number;
  readonly hosts: Map<string, { flow: number; pages: number }>;
}

/** Why the flow to a page of this state is missing; undefined if it is not, or is no part of the universe. */
export function missingReason(state: number, universe: Universe): MissingReason | undefined {
  if (isOutside(state, universe)) return undefined;
  if (state === PageState.Open) return "not-fetched";
  if (state === PageState.Dead) return "dead";
  if (state === PageState.LinksUnknown) return "links-unknown";
  return refusalReasons[state - PageState.Refused];
}

/** The part of a page in what is missing, not yet scaled. */
export function missingFlow(masses: PageMasses, page: number, reason: MissingReason): number {
  const arrived = masses.arrived(page);
  if (reason === "dead") return arrived;
  const lasting = arrived / (1 - masses.damping);
  return reason === "links-unknown" ? masses.damping * lasting : lasting;
}

function addFlow(group: Group, flow: number, host: string | undefined): void {
  group.flow += flow;
  if (host === undefined) return;
  const entry = group.hosts.get(host) ?? { flow: 0, pages: 0 };
  group.hosts.set(host, entry);
  entry.flow += flow;
  entry.pages++;
}

function hostShares(group: Group, scale: number): MissingShare["hosts"] {
  return [...group.hosts]
    .map(([host, { flow, pages }]) => ({ host, mass: flow * scale, pages }))
    .sort((a, b) => b.mass - a.mass);
}
