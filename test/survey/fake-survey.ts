/** A survey made up of a few lists, for reports about crawls that would take too long to make. */
import { PageState } from "../../src/coverage/index.ts";
import type { FindingsSummary } from "../../src/findings/index.ts";
import type { Survey, SurveyFacts, SurveyHost } from "../../src/survey/index.ts";

export interface FakeUrl {
  readonly state: number;
  /** What it certainly has. */
  readonly low: number;
  readonly status?: number;
  readonly linksTo?: readonly number[];
  readonly linkCount?: number;
}

const NO_FINDINGS: FindingsSummary = {
  brokenLinks: { links: 0, pages: 0, first: [] },
  redirects: { urls: 0, chains: 0, loops: 0, first: [] },
  duplicates: { pages: 0, groups: 0, first: [] },
  nearDuplicates: null,
  orphans: { urls: 0, first: [] },
};

const STATUS: SurveyFacts["status"] = {
  pages: 0,
  dead: 0,
  redirects: 0,
  refused: 0,
  failed: 0,
  retries: 0,
  bytes: 0,
  known: 0,
  frontier: 0,
  hosts: 1,
  coverage: 0,
  strict: 0,
  ceiling: 1,
  guaranteed: null,
};

export function fakeHost(host: string, change: Partial<SurveyHost> = {}): SurveyHost {
  return {
    host,
    known: 0,
    downloaded: 0,
    waiting: 0,
    dead: 0,
    refused: 0,
    redirected: 0,
    errors: 0,
    bytes: 0,
    mass: 0,
    missing: 0,
    answerMs: null,
    ...change,
  };
}

export interface FakeFacts extends Partial<Omit<SurveyFacts, "status">> {
  readonly coverage: number;
  readonly status?: Partial<SurveyFacts["status"]>;
}

/** URLs are in the order of their importance; what is missing of one is its `low`. `slack` is between low and high. */
export function fakeSurvey(urls: readonly FakeUrl[], facts: FakeFacts, slack = 0.01): Survey {
  const isDownloaded = ({ state }: FakeUrl): boolean =>
    state === PageState.Downloaded || state === PageState.LinksUnknown;
  const pages = urls.filter(isDownloaded).length;
  const { coverage, status, ...rest } = facts;
  return {
    facts: {
      visits: pages,
      urls: urls.length,
      rounds: 0,
      certificate: {
        coverage,
        universe: "everything",
        strict: coverage,
        downloaded: pages,
        rankInside: 0,
        flowOpen: 0,
        flowDead: 0,
        delta: 0,
      },
      guaranteed: null,
      certainPlaces: 0,
      tide: [],
      missing: [],
      outside: [],
      hosts: [],
      findings: NO_FINDINGS,
      firstVisitMs: null,
      lastVisitMs: null,
      frontier: [],
      ...rest,
      status: { ...STATUS, pages, known: urls.length, coverage, ...status },
    },
    byImportance: Uint32Array.from(urls.keys()),
    byVisit: new Uint32Array(0),
    state: Uint8Array.from(urls, ({ state }) => state),
    hostOf: new Uint32Array(urls.length),
    statusOf: Uint16Array.from(urls, ({ status: code = 0 }) => code),
    arrived: Float64Array.from(urls, ({ low }) => low),
    interval: (url) => ({ low: urls[url].low, high: Math.min(1, urls[url].low + slack) }),
    missing: (url) => (isDownloaded(urls[url]) ? undefined : { reason: "dead", mass: urls[url].low }),
    outside: () => undefined,
    place: (url) => (isDownloaded(urls[url]) ? urls.slice(0, url + 1).filter(isDownloaded).length : 0),
    linksTo: (url) => Uint32Array.from(urls[url].linksTo ?? []),
    linkCount: (url) => urls[url].linkCount ?? 1,
    attempts: () => new Uint32Array(0),
    close: () => {},
  };
}
