/** From the links that a reader found to the numbers under which a crawl knows them. */
import { splitUrl, trapNames } from "../web/index.ts";
import type { FactWriter } from "./fact-writer.ts";
import { LinkKind, type PackedLinks } from "./reader/contract.ts";
import type { UrlIndex } from "./url-index.ts";

export interface LinkRow {
  /** One number for each link, as written. */
  readonly targets: Uint32Array;
  /** URLs that are new and refused by a trap rule: which URL, which rule. */
  readonly trapped: readonly (readonly [url: number, rule: string])[];
}

export interface RowOptions {
  readonly depth: number;
  /** The rule by which all URLs that are new on this page are refused, if there is one. */
  readonly refuseNew: string | null;
}

export interface Recorder {
  readonly index: UrlIndex;
  readonly facts: FactWriter;
}

export function linkRow(
  { index, facts }: Recorder,
  links: PackedLinks,
  { depth, refuseNew }: RowOptions,
): LinkRow {
  const { fingerprints, kinds, ends, text } = links;
  const targets = new Uint32Array(kinds.length);
  const trapped: [number, string][] = [];
  for (let k = 0; k < kinds.length; k++) {
    const kind = kinds[k];
    const high = fingerprints[2 * k];
    const low = fingerprints[2 * k + 1];
    const start = k === 0 ? 0 : ends[k - 1];
    if (kind === LinkKind.Nofollow || kind === LinkKind.OutOfScope) {
      const { origin } = splitUrl(text.slice(start, ends[k]));
      targets[k] = facts.sink(origin, kind === LinkKind.Nofollow ? "nofollow" : "out-of-scope");
      continue;
    }
    const known = index.table.find(high, low);
    if (known >= 0) {
      targets[k] = known;
      continue;
    }
    const discovery = { source: "link", depth, onVisit: true } as const;
    targets[k] = facts.discoverNew(text.slice(start, ends[k]), high, low, discovery);
    const rule = kind >= LinkKind.Trap ? (trapNames[kind - LinkKind.Trap] ?? null) : refuseNew;
    if (rule !== null) trapped.push([targets[k], rule]);
  }
  return { targets, trapped };
}
