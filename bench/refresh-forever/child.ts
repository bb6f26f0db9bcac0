/**
 * One half of the benchmark of a refresh that goes on, in a separate process: "crawl" makes a crawl in a directory,
 * "refresh" refreshes it for some simulated days. Run it with --expose-gc.
 */
import {
  certifyLog,
  type CrawlSettings,
  defaultWebSettings,
  launchCrawl,
  type RefreshEnd,
  refreshForever,
} from "../../src/crawl/index.ts";
import { GraphFetcher } from "../../src/fetch/index.ts";
import { createCrawl, openCrawl, type SqliteStore } from "../../src/store/index.ts";
import { cpuSeconds } from "../measure.ts";
import { ChangingWeb } from "./changing-web.ts";
import { databaseBytes, DayMeter } from "./day-meter.ts";
import type { CrawledFigures, ForeverTask, RefreshedFigures } from "./figures.ts";
import { WorkingTimers } from "./working-timers.ts";

const DAY_MS = 86_400_000;
/** How often per day pages are weighed, about. A weighing takes at most a twentieth of the time. */
const WEIGHINGS_PER_DAY = 1;
const THOUGHT = 1 / 20;
const COMMIT_MS = 60_000;
/** Of the web, so that some pages are left to be found. */
const PAGES_PER_CRAWLED = 1.2;
const LINKS_PER_PAGE = 10;
const PAGES_PER_HOST = 200;
const LATENCY_MS = 100;

const task = JSON.parse(process.argv[2]) as ForeverTask;
const timers = new WorkingTimers(Date.now());
const web = new ChangingWeb({
  pages: Math.ceil(PAGES_PER_CRAWLED * task.pages),
  hosts: Math.ceil(task.pages / PAGES_PER_HOST),
  linksPerPage: LINKS_PER_PAGE,
  seed: 1,
  nowMs: () => timers.wallMs(),
  schedule: (callback) => void (task.part === "crawl" ? setImmediate(callback) : timers.after(LATENCY_MS, callback)),
});
const seeds = Array.from({ length: 10 }, (_, k) => ({ url: web.urlOf(k), weight: 0.1 }));
const settings: CrawlSettings = {
  web: defaultWebSettings({ kind: "any", seeds: seeds.map(({ url }) => url) }),
  seeds,
  order: "rankmass",
  damping: 0.85,
  politeness: { delayMs: 0, concurrency: 64, perHost: 4, perAddress: 1000, crawlDelayMsMax: 60_000 },
  limits: { pages: task.pages },
  productToken: "tidemark",
};
const fetcher = new GraphFetcher(web);
process.stdout.write(JSON.stringify(task.part === "crawl" ? await crawled() : await refreshed()));
process.exit(0);

async function crawled(): Promise<CrawledFigures> {
  const store = createCrawl(task.dir, JSON.stringify(settings));
  const crawl = await launchCrawl({ settings, store, fetcher, readers: 1 });
  const { pages, known } = (await crawl.run()).status;
  store.close();
  const { user, system } = process.cpuUsage();
  return { pages, known, cpuSeconds: (user + system) / 1e6, databaseBytes: databaseBytes(task.dir) };
}

async function refreshed(): Promise<RefreshedFigures> {
  const store = openCrawl(task.dir);
  const weighingCpuSeconds = cpuSeconds(() => void certifyLog(store));
  timers.slowness = Math.max(1, (THOUGHT * DAY_MS) / 1000 / WEIGHINGS_PER_DAY / weighingCpuSeconds);
  const days = new DayMeter(store, task, timers.nowMs());
  const startMs = timers.wallMs();
  const end = await refreshFor(store, days);
  const endMs = timers.wallMs();
  store.close();
  return {
    startCpuSeconds: days.startCpuSeconds,
    weighingCpuSeconds,
    slowness: timers.slowness,
    days: days.figures,
    coverage: end.status.coverage,
    peakBytes: 1024 * process.resourceUsage().maxRSS,
    middleMs: (startMs + endMs) / 2,
    endMs,
  };
}

async function refreshFor(store: SqliteStore, days: DayMeter): Promise<RefreshEnd> {
  const stop = new AbortController();
  const { end } = await new Promise<{ readonly end: RefreshEnd }>((resolve, reject) => {
    const pending = refreshForever({
      store,
      settings,
      fetcher,
      timers,
      budget: Math.ceil(task.share * task.pages),
      commitMs: COMMIT_MS,
      signal: stop.signal,
      onStatus: (status) => days.status(status),
    });
    let isEnded = false;
    pending.finally(() => (isEnded = true)).then((each) => resolve({ end: each }), reject);
    days.started();
    const pass = (): void => {
      if (isEnded) return;
      // What is under way ends with its timers.
      if (days.isOver) stop.abort();
      timers.step();
      if (!days.isOver) timers.untimed(() => days.pass(timers.nowMs()));
      setImmediate(pass);
    };
    setImmediate(pass);
  });
  if (end.error !== undefined) throw end.error;
  return end;
}
