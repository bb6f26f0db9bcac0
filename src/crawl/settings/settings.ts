/**
 * What was asked of a crawl: a plain JSON document, kept with the crawl.
 *
 * The first part defines the web that is measured, so it is fixed for a directory: links that were dropped because they left the scope, say,
 * cannot be brought back. The second part may change from one run to the next; everything derived is computed again on resume.
 */
import { defaultTrapLimits, type ScopeOptions, type TrapLimits, type UrlRules } from "../../web/index.ts";

export interface WebSettings {
  readonly scope: ScopeOptions;
  /** What coverage is measured against: links out of the scope are no links, or lead to what is missing. */
  readonly universe: "scope" | "web";
  readonly urlRules: UrlRules;
  /** Follow links marked `nofollow` like any other. */
  readonly followNofollow: boolean;
  /** A page that names another as its canonical form counts as a redirect to it. */
  readonly honourCanonical: boolean;
  /** Follow the sitemaps that robots.txt names. */
  readonly sitemaps: boolean;
  readonly traps: TrapLimits;
  /** New URLs found on yet another copy of the same content of a host are refused beyond this many copies. */
  readonly sameContentMax: number;
  /** Links read of one page; a page with more counts as one whose links are not all known. */
  readonly linksPerPageMax: number;
  /** Seeds the fingerprints of URLs, so that nobody can prepare two URLs that look the same to a crawl. */
  readonly hashSeed: number;
}

export interface Politeness {
  /** How long a connection to a host rests after an answer. */
  readonly delayMs: number;
  /** Requests under way at once, in all. */
  readonly concurrency: number;
  readonly perHost: number;
  /** Requests under way or resting at one address, for all the hosts it serves. */
  readonly perAddress: number;
  /** A crawl-delay of robots.txt beyond this is cut. */
  readonly crawlDelayMsMax: number;
}

/** When to stop; what is left out does not limit. */
export interface Limits {
  /** Certified coverage, a share between 0 and 1. */
  readonly coverage?: number;
  /** Pages downloaded, all runs together. */
  readonly pages?: number;
  /** Links from a seed: a seed has depth 0. */
  readonly depth?: number;
  /** For this run. */
  readonly timeMs?: number;
  /** Bytes of bodies over the wire, all runs together. */
  readonly bytes?: number;
  readonly pagesPerHost?: number;
}

export interface Seed {
  readonly url: string;
  /** Weights of all seeds sum to at most 1. */
  readonly weight: number;
}

export interface CrawlSettings {
  readonly web: WebSettings;
  readonly seeds: readonly Seed[];
  readonly order: string;
  readonly damping: number;
  readonly politeness: Politeness;
  readonly limits: Limits;
  /** The name in robots.txt that speaks of us. */
  readonly productToken: string;
}

export const defaultPoliteness: Politeness = {
  delayMs: 1000,
  concurrency: 64,
  perHost: 1,
  perAddress: 10,
  crawlDelayMsMax: 60_000,
};

export function defaultWebSettings(scope: ScopeOptions): WebSettings {
  return {
    scope,
    universe: "scope",
    urlRules: {},
    followNofollow: false,
    honourCanonical: false,
    sitemaps: true,
    traps: defaultTrapLimits,
    sameContentMax: 20,
    linksPerPageMax: 10_000,
    hashSeed: 0,
  };
}
