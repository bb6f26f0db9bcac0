/**
 * Where the rest is (C6): the share of importance that is not certified, by reason and by host.
 *
 * By (C1), a flow f to a page that may lead on stands for at most f / (1-d) visits, a flow to a dead page for f. Divided
 * by the whole these shares sum to 1 - coverage.
 */
import type { Hosts } from "../graph/index.ts";
import type { Certificate } from "./certificate.ts";
import { type MissingReason, PageState, refusalReasons } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";

export interface MissingShare {
  readonly reason: MissingReason;
  readonly mass: number;
  /** Largest first; empty where hosts are not known or the reason has none. */
  readonly hosts: readonly { readonly host: string; readonly mass: number; readonly pages: number }[];
}

/** The missing shares of a certified ledger, largest first. */
export function missingShares(ledger: MassLedger, certificate: Certificate, hosts?: Hosts): MissingShare[] {
  const groups = new Map<MissingReason, Group>();
  const groupOf = (reason: MissingReason): Group => {
    const group = groups.get(reason) ?? { flow: 0, hosts: new Map() };
    groups.set(reason, group);
    return group;
  };
  const lasting = 1 / (1 - ledger.damping);
  for (let page = 0; page < ledger.pages; page++) {
    const reason = reasonOf(ledger.state[page]);
    if (reason === undefined) continue;
    const flow = missingFlow(ledger, page, reason, lasting);
    if (flow > 0) addFlow(groupOf(reason), flow, hosts?.names[hosts.hostOf[page]]);
  }
  if (certificate.delta > 0) addFlow(groupOf("trust-unseeded"), certificate.delta, undefined);

  let total = 0;
  for (const group of groups.values()) total += group.flow;
  const scale = total === 0 ? 0 : (1 - certificate.coverage) / total;
  return [...groups]
    .map(([reason, group]) => ({ reason, mass: group.flow * scale, hosts: hostShares(group, scale) }))
    .sort((a, b) => b.mass - a.mass);
}

interface Group {
  flow: number;
  readonly hosts: Map<string, { flow: number; pages: number }>;
}

function reasonOf(state: number): MissingReason | undefined {
  if (state === PageState.Open) return "not-fetched";
  if (state === PageState.Dead) return "dead";
  if (state === PageState.LinksUnknown) return "links-unknown";
  return refusalReasons[state - PageState.Refused];
}

function missingFlow(ledger: MassLedger, page: number, reason: MissingReason, lasting: number): number {
  if (reason === "dead") return ledger.waiting[page] + ledger.settled[page];
  if (reason === "links-unknown") return ledger.damping * ledger.settled[page] * lasting;
  return ledger.waiting[page] * lasting;
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
