/** The small crawl with a survey written by hand, behind a server on loopback. */
import { BLANK_VISIT } from "../../../src/log/index.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import type { MissingReason } from "../../../src/coverage/index.ts";
import type { Limits } from "../../../src/crawl/index.ts";
import type { CrawlPort, FromCrawl, ToCrawl } from "../../../src/dashboard/server/server-thread.ts";
import { type DashboardServer, type ServerOptions, startServer } from "../../../src/dashboard/server/server.ts";
import { createCrawl, openCrawl } from "../../../src/store/index.ts";
import type { NumberedSurvey, Survey, SurveyHost, SurveyProgress, SurveySource } from "../../../src/survey/survey.ts";
import { plainSettings } from "../../support/plain-settings.ts";
import { tellSmallCrawl } from "../../support/small-crawl.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

function settingsJson(limits: Limits = { coverage: 0.9 }): string {
  const web = { universe: "scope" } as const;
  return JSON.stringify(plainSettings(["https://a.example/"], { web, damping: 0.8, limits }));
}

export function smallDirectory(): string {
  const dir = join(temporaryDirectory(), "small");
  const store = tellSmallCrawl(createCrawl(dir, settingsJson()));
  store.replaceTrust([{ url: 0, weight: 1 }]);
  store.close();
  return dir;
}

const LOWS = [0.5, 0, 0.05, 0.2, 0.04, 0.06, 0, 0, 0.01];
const MISSING: Readonly<Record<number, readonly [MissingReason, number]>> = {
  2: ["dead", 0.05],
  3: ["links-unknown", 0.1],
  4: ["robots", 0.04],
  5: ["not-fetched", 0.06],
  8: ["out-of-scope", 0.05],
};
const LINKS_TO: Readonly<Record<number, readonly number[]>> = { 0: [3], 1: [0, 0], 2: [0], 6: [0], 8: [0] };
export const STATUS = {
  pages: 2,
  dead: 1,
  redirects: 3,
  refused: 1,
  failed: 1,
  retries: 1,
  bytes: 70,
  known: 9,
  frontier: 1,
  hosts: 2,
  coverage: 0.7,
  strict: 0.7,
  ceiling: 1,
  guaranteed: 0.6,
};
const AT_MS = 1_700_000_000_007;

/** As if it had been computed: the numbers are made up, but for those that the small crawl says itself. */
export function smallSurvey(): Survey {
  const none = { dead: 0, refused: 0, redirected: 0, errors: 0, answerMs: null };
  const hosts: readonly SurveyHost[] = [
    {
      ...none,
      host: "a.example",
      known: 8,
      downloaded: 1,
      waiting: 1,
      dead: 1,
      refused: 1,
      redirected: 3,
      errors: 1,
      bytes: 60,
      mass: 0.5,
      missing: 0.2,
      answerMs: 1,
    },
    {
      ...none,
      host: "b.example:8080",
      known: 1,
      downloaded: 1,
      waiting: 0,
      bytes: 10,
      mass: 0.2,
      missing: 0.1,
    },
  ];
  const missing = Object.entries(MISSING).map(([url, [reason, mass]]) => ({
    reason,
    mass,
    pages: 1,
    hosts: [{ host: url === "3" ? 1 : 0, mass, pages: 1 }],
  }));
  return {
    facts: {
      visits: 8,
      urls: 9,
      rounds: 0,
      status: STATUS,
      outside: [],
      certificate: {
        coverage: 0.7,
        universe: "everything",
        strict: 0.7,
        downloaded: 2,
        rankInside: 0.7,
        flowOpen: 0.2,
        flowDead: 0.1,
        delta: 0,
      },
      guaranteed: 0.6,
      certainPlaces: 1,
      tide: [
        [1, AT_MS, 0.5, 0.5, null],
        [2, AT_MS, 0.7, 0.6, null],
      ],
      missing,
      hosts,
      firstVisitMs: AT_MS,
      lastVisitMs: AT_MS,
      frontier: [5],
      // As in the small crawl: two dead ends on the front page, three redirects, no copies.
      findings: {
        brokenLinks: {
          links: 2,
          pages: 1,
          first: [
            { source: 0, place: 2, way: [2] },
            { source: 0, place: 5, way: [6, 7] },
          ],
        },
        redirects: {
          urls: 3,
          chains: 0,
          loops: 2,
          first: [
            { way: [1, 3], linkedFrom: 1 },
            { way: [6, 7], linkedFrom: 1 },
            { way: [7], linkedFrom: 0 },
          ],
        },
        duplicates: { pages: 0, groups: 0, first: [] },
        nearDuplicates: { pages: 2, groups: 1, first: [{ pages: [0, 3], copies: 2 }] },
        orphans: { urls: 1, first: [4] },
      },
    },
    byImportance: Uint32Array.of(0, 3, 5, 2, 4, 1, 6, 7),
    byVisit: Uint32Array.of(0, 1, 2, 3, 4, 6, 7),
    state: Uint8Array.of(1, 4, 3, 2, 5, 0, 4, 4, 6),
    hostOf: Uint32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0),
    statusOf: Uint16Array.of(200, 301, 404, 200, 0, 0, 302, 302, 0),
    arrived: Float64Array.from(LOWS),
    interval: (url) => ({ low: LOWS[url], high: LOWS[url] + 0.1 }),
    outside: () => undefined,
    missing: (url) => (MISSING[url] === undefined ? undefined : { reason: MISSING[url][0], mass: MISSING[url][1] }),
    place: (url) => (url === 0 ? 1 : url === 3 ? 2 : 0),
    linksTo: (url) => Uint32Array.from(LINKS_TO[url] ?? []),
    linkCount: (url) => (url === 0 ? 5 : url === 3 ? 1 : 0),
    attempts: (url) => Uint32Array.from(url === 5 ? [2] : []),
    close: () => {},
  };
}

export class FakeSource implements SurveySource {
  refreshes = 0;
  failure: string | undefined;
  step: SurveyProgress | undefined;
  readonly #listeners: ((surveyed: NumberedSurvey) => void)[] = [];
  #current: NumberedSurvey | undefined;

  /** Null: there is none yet. */
  constructor(survey: Survey | null = smallSurvey()) {
    if (survey !== null) this.take(survey);
  }

  current(): NumberedSurvey | undefined {
    return this.#current;
  }

  progress(): SurveyProgress | undefined {
    return this.step;
  }

  problem(): string | undefined {
    return this.failure;
  }

  refresh(): void {
    this.refreshes++;
  }

  onSurveyed(listener: (surveyed: NumberedSurvey) => void): void {
    this.#listeners.push(listener);
  }

  take(survey: Survey): void {
    this.#current = { number: (this.#current?.number ?? 0) + 1, atMs: AT_MS, survey };
    for (const listener of this.#listeners) listener(this.#current);
  }

  async close(): Promise<void> {}
}

/** A crawl that says what a test makes it say. */
export class FakeFeed implements CrawlPort {
  readonly heard: ToCrawl[] = [];
  onHeard: (message: ToCrawl) => void = () => {};
  readonly #listeners: ((message: FromCrawl) => void)[] = [];

  send(message: ToCrawl): void {
    this.heard.push(message);
    this.onHeard(message);
  }

  onMessage(listener: (message: FromCrawl) => void): void {
    this.#listeners.push(listener);
  }

  tell(message: FromCrawl): void {
    for (const listener of this.#listeners) listener(message);
  }

  status(state: "running" | "paused" | "stopping", change: object = {}, limits: Limits = { coverage: 0.9 }): void {
    this.tell({ type: "status", state, limits, status: { ...STATUS, elapsedMs: 1000, ...change } });
  }
}

function pageFolder(): URL {
  const dir = temporaryDirectory();
  mkdirSync(join(dir, "assets"));
  writeFileSync(join(dir, "index.html"), "<!doctype html><title>Tidemark</title>");
  writeFileSync(join(dir, "assets", "index-1a2b.js"), "export {};");
  writeFileSync(join(dir, "assets", "notes.txt"), "no part of the page");
  return pathToFileURL(`${dir}/`);
}

export async function startSmall(options: Partial<ServerOptions> = {}): Promise<DashboardServer> {
  const server = await startServer({
    dir: options.dir ?? smallDirectory(),
    survey: options.survey ?? new FakeSource(),
    host: "127.0.0.1",
    port: 0,
    page: pageFolder(),
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** One more page is found dead, and that is committed. */
export function addVisit(dir: string): void {
  const store = openCrawl(dir);
  store.addVisit({
    ...BLANK_VISIT,
    number: 9,
    url: 5,
    atMs: 1_700_000_001_000,
    outcome: "dead",
    status: 410,
    milliseconds: 1,
  });
  store.close();
}
