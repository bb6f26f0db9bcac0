/**
 * Findings in a few numbers and short lists, for a report and a dashboard: what matters most, and how much there is.
 * The tables have all of it.
 */
import { PageState, refusedState } from "../coverage/index.ts";
import { brokenLinks } from "./broken-links.ts";
import { type CrawledSite, redirectsFrom } from "./crawled-site.ts";
import type { FindingsFacts } from "./log-facts.ts";
import type { PageReader } from "./page-lookup.ts";
import { isRedirectStatus } from "./redirect-status.ts";

/** Ids of URLs, from the one that is linked to the one where its redirects end. One alone does not redirect. */
type Way = readonly number[];

export interface FindingsSummary {
  readonly brokenLinks: {
    readonly links: number;
    /** Pages that have some. */
    readonly pages: number;
    /** Those of the most important pages; `place` says which link of the page it is. */
    readonly first: readonly { readonly source: number; readonly place: number; readonly way: Way }[];
  };
  readonly redirects: {
    readonly urls: number;
    /** Of these, those with more than one redirect in a row. */
    readonly chains: number;
    readonly loops: number;
    /** Those with most links to them. */
    readonly first: readonly { readonly way: Way; readonly linkedFrom: number }[];
  };
  readonly duplicates: GroupsSummary;
  /** Null if no page has a SimHash, by which they are found. */
  readonly nearDuplicates: GroupsSummary | null;
  /** URLs that a sitemap lists and nothing links to. */
  readonly orphans: {
    readonly urls: number;
    /** Those discovered first. */
    readonly first: readonly number[];
  };
}

/** Groups of pages that are alike. */
interface GroupsSummary {
  readonly pages: number;
  readonly groups: number;
  /** Those with the most important pages; of large groups only some pages. */
  readonly first: readonly { readonly pages: readonly number[]; readonly copies: number }[];
}

export interface SummaryInput {
  readonly site: CrawledSite;
  /** The downloaded pages, most important first. */
  readonly pages: Uint32Array;
  /** HTTP status of the final outcome; 0 if there is none. */
  readonly statusOf: Uint16Array;
  /** How many pages link to a URL. */
  readonly linkedFrom: (url: number) => number;
  readonly facts: FindingsFacts;
}

/** Entries of a list. */
export const FINDINGS_MAX = 100;
/** Pages of one group. */
export const COPIES_MAX = 5;

export function summariseFindings(input: SummaryInput): FindingsSummary {
  const { facts, pages } = input;
  return {
    brokenLinks: summariseBroken(input),
    redirects: summariseRedirects(input),
    duplicates: summariseGroups(facts.digests.groups(pages)),
    nearDuplicates: facts.simhashes.isEmpty ? null : summariseGroups(facts.nearDuplicates(pages)),
    orphans: summariseOrphans(input),
  };
}

/** All URLs that the lists of a summary name. */
export function urlsOfFindings(findings: FindingsSummary): Set<number> {
  const { brokenLinks, redirects, duplicates, nearDuplicates, orphans } = findings;
  return new Set([
    ...brokenLinks.first.flatMap(({ source, way }) => [source, ...way]),
    ...redirects.first.flatMap(({ way }) => way),
    ...[duplicates, nearDuplicates].flatMap((groups) => groups?.first.flatMap(({ pages }) => pages) ?? []),
    ...orphans.first,
  ]);
}

/** The texts of the broken links of a summary, in their order; null where none was stored. */
export function brokenLinkTexts(findings: FindingsSummary, reader: Pick<PageReader, "anchorsOf">): (string | null)[] {
  const texts = new Map<number, readonly string[]>();
  return findings.brokenLinks.first.map(({ source, place }) => {
    const known = texts.get(source) ?? reader.anchorsOf(source)?.split("\n") ?? [];
    texts.set(source, known);
    return known[place] || null;
  });
}

function summariseBroken({ site, pages }: SummaryInput): FindingsSummary["brokenLinks"] {
  const first: { source: number; place: number; way: Way }[] = [];
  let [links, sources, last] = [0, 0, -1];
  for (const { source, target, place } of brokenLinks(site, pages)) {
    links++;
    if (source !== last) sources++;
    last = source;
    if (first.length < FINDINGS_MAX) first.push({ source, place, way: wayFrom(site, target) });
  }
  return { links, pages: sources, first };
}

function summariseRedirects({ site, statusOf, linkedFrom }: SummaryInput): FindingsSummary["redirects"] {
  const { state } = site;
  const first = new Largest(FINDINGS_MAX);
  let [urls, chains, loops] = [0, 0, 0];
  for (let url = 0; url < site.urls; url++) {
    if (state[url] !== PageState.Redirected && !isUnfollowed(state[url], statusOf[url])) continue;
    urls++;
    first.offer(url, linkedFrom(url));
    const { hops, end } = redirectsFrom(site, url);
    if (hops.length > 1) chains++;
    if (state[end] === PageState.Dead && isRedirectStatus(statusOf[end])) loops++;
  }
  return {
    urls,
    chains,
    loops,
    first: first.items.map(({ id, value }) => ({ way: wayFrom(site, id), linkedFrom: value })),
  };
}

function summariseGroups(found: Iterable<Uint32Array>): GroupsSummary {
  const first: { pages: readonly number[]; copies: number }[] = [];
  let [copies, groups] = [0, 0];
  for (const group of found) {
    groups++;
    copies += group.length;
    if (first.length < FINDINGS_MAX) first.push({ pages: [...group.subarray(0, COPIES_MAX)], copies: group.length });
  }
  return { pages: copies, groups, first };
}

function summariseOrphans({ site, facts, linkedFrom }: SummaryInput): FindingsSummary["orphans"] {
  const orphans = facts.sitemapUrls.orphans(site, linkedFrom);
  return { urls: orphans.length, first: [...orphans.subarray(0, FINDINGS_MAX)] };
}

function wayFrom(site: CrawledSite, url: number): Way {
  const { hops, end } = redirectsFrom(site, url);
  return [...hops, end];
}

const UNFOLLOWED: ReadonlySet<number> = new Set([
  PageState.Dead,
  refusedState("out-of-scope"),
  refusedState("blocked"),
  refusedState("failed"),
]);

/** Whether a URL of this state redirects all the same: in a loop, out of the scope, or too often in a row. */
function isUnfollowed(state: number, status: number): boolean {
  return UNFOLLOWED.has(state) && isRedirectStatus(status);
}

/** The ids with the largest values of those that were offered, largest first; of two equal ones the earlier. */
class Largest {
  readonly items: { readonly id: number; readonly value: number }[] = [];
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  offer(id: number, value: number): void {
    let at = this.items.length;
    while (at > 0 && this.items[at - 1].value < value) at--;
    if (at === this.#count) return;
    this.items.splice(at, 0, { id, value });
    if (this.items.length > this.#count) this.items.pop();
  }
}
