/**
 * One half of the benchmark of scale, in a separate process: "crawl" makes a crawl in a directory, "resume" opens it
 * again. Run it with --expose-gc. Memory is counted from when the process knew the web and had not started the crawl.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CrawlSettings, defaultWebSettings, launchCrawl } from "../../src/crawl/index.ts";
import { GraphFetcher } from "../../src/fetch/index.ts";
import { createCrawl, openCrawl } from "../../src/store/index.ts";
import { ComputedWeb } from "./computed-web.ts";
import type { ResumeFigures, ScaleFigures, ScaleTask, Speed } from "./scale-figures.ts";

const task = JSON.parse(process.argv[2]) as ScaleTask;
const web = new ComputedWeb(task.web);
const seeds = Array.from({ length: 10 }, (_, k) => ({ url: web.urlOf(k), weight: 0.1 }));
const settings: CrawlSettings = {
  web: defaultWebSettings({ kind: "any", seeds: seeds.map(({ url }) => url) }),
  seeds,
  order: "rankmass",
  damping: 0.85,
  politeness: { delayMs: 0, concurrency: 64, perHost: 4, perAddress: 1000, crawlDelayMsMax: 60_000 },
  // A target that is not reached keeps the certificate running.
  limits: { pages: task.pages, coverage: 1 - 1e-9 },
  productToken: "tidemark",
};
const fetcher = new GraphFetcher(web);
const baseline = residentBytes();
const startMs = performance.now();
process.stdout.write(JSON.stringify(task.part === "crawl" ? await crawled() : await resumed()));
process.exit(0);

async function crawled(): Promise<ScaleFigures> {
  const store = createCrawl(task.dir, JSON.stringify(settings));
  const marks: Mark[] = [{ pages: 0, ms: 0 }];
  const cpuMarks: Mark[] = [{ pages: 0, ms: cpuMs() }];
  const crawl = await launchCrawl({
    settings,
    store,
    fetcher,
    readers: 1,
    onStatus: ({ pages, elapsedMs }) => {
      marks.push({ pages, ms: elapsedMs });
      cpuMarks.push({ pages, ms: cpuMs() });
    },
  });
  const { status, reason } = await crawl.run();
  const seconds = (performance.now() - startMs) / 1000;
  const cpuSeconds = cpuMs() / 1000;
  const peakBytes = 1024 * process.resourceUsage().maxRSS - baseline;
  const endBytes = residentBytes() - baseline;
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  store.close();
  const { pages, known, hosts, coverage } = status;
  const diskBytes = directoryBytes(task.dir);
  return {
    reason,
    pages,
    known,
    hosts,
    coverage,
    seconds,
    cpuSeconds,
    baselineMegabytes: baseline / 1e6,
    memoryBytesPerUrl: {
      peak: peakBytes / known,
      end: endBytes / known,
      endHeap: heapUsed / known,
      endArrayBuffers: arrayBuffers / known,
    },
    diskBytesPerUrl: diskBytes / known,
    pagesPerSecond: speedOf(marks, pages),
    pagesPerCpuSecond: speedOf(cpuMarks, pages),
  };
}

async function resumed(): Promise<ResumeFigures> {
  const store = openCrawl(task.dir);
  const crawl = await launchCrawl({ settings, store, fetcher, readers: 1 });
  const seconds = (performance.now() - startMs) / 1000;
  const cpuSeconds = cpuMs() / 1000;
  const known = crawl.status.known;
  const peakBytes = 1024 * process.resourceUsage().maxRSS - baseline;
  const figures = {
    seconds,
    cpuSeconds,
    known,
    pages: crawl.status.pages,
    memoryBytesPerUrl: { peak: peakBytes / known, end: (residentBytes() - baseline) / known },
  };
  store.close();
  return figures;
}

interface Mark {
  readonly pages: number;
  readonly ms: number;
}

function speedOf(marks: readonly Mark[], pages: number): Speed {
  const tenths = Array.from({ length: 10 }, (_, k) => rate(marks, (k * pages) / 10, ((k + 1) * pages) / 10));
  return { all: rate(marks, 0, pages), tenths, lastToFirst: tenths[9] / tenths[0] };
}

/** The CPU time of all threads, since the process started. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Pages per second between two counts of pages, from marks in ascending order; time is interpolated between marks. */
function rate(marks: readonly Mark[], from: number, to: number): number {
  const msAt = (pages: number): number => {
    const k = Math.max(
      1,
      marks.findIndex((mark) => mark.pages >= pages),
    );
    const [before, after] = [marks[k - 1], marks[k]];
    const share = after.pages === before.pages ? 0 : (pages - before.pages) / (after.pages - before.pages);
    return before.ms + share * (after.ms - before.ms);
  };
  return ((to - from) / (msAt(to) - msAt(from))) * 1000;
}

function residentBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

function directoryBytes(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}
