/** One crawl of the benchmark of rendering, in a process of its own. Task and figures are JSON. */
import { readdirSync, readFileSync, writeSync } from "node:fs";
import { crawlSettings, defaultPoliteness, launchCrawl, openFetcher } from "../../src/crawl/index.ts";
import { type Renderer, startRenderer } from "../../src/render/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import type { MemoryFigures, RenderFigures, RenderTask } from "./render-figures.ts";

const task = JSON.parse(process.argv[2]) as RenderTask;
const SAMPLE_MS = 250;
const PAGE_BYTES = 4096;

const settings = crawlSettings({
  urls: [task.seed],
  render: task.render,
  delay: 0,
  perHost: 4,
  allowPrivateHost: ["127.0.0.1"],
  sitemaps: false,
});
const store = new MemoryStore(JSON.stringify(settings));
const fetcher = openFetcher(settings.network, defaultPoliteness.perHost);
const chromium = await startRenderer({ userAgent: "tidemark-bench", sandbox: process.getuid?.() !== 0 });
let rendered = 0;
const renderer: Renderer = {
  render: (job, listener) => {
    rendered++;
    chromium.render(job, listener);
  },
  onDown: (listener) => chromium.onDown(listener),
  close: () => chromium.close(),
};

interface Sample {
  readonly pages: number;
  readonly own: number;
  readonly browser: number;
}
const samples: Sample[] = [];
const startMs = performance.now();
const crawl = await launchCrawl({ settings, store, fetcher, renderer, readers: 1 });
let kills = 0;
const timer = setInterval(() => {
  const { pages } = crawl.status;
  samples.push({ pages, own: process.memoryUsage.rss(), browser: treeBytes(chromium.pids) });
  if (kills >= task.kills || pages < ((kills + 1) * task.pages) / (task.kills + 2)) return;
  for (const pid of chromium.pids) {
    process.kill(pid, "SIGKILL");
    kills++;
  }
}, SAMPLE_MS);
const { status } = await crawl.run();
clearInterval(timer);
const seconds = (performance.now() - startMs) / 1000;
const { user, system } = process.cpuUsage();
await renderer.close();
await fetcher.close();
const figures: RenderFigures = {
  pages: status.pages,
  linksUnknown: [...store.visits()].filter(({ outcome }) => outcome === "links-unknown").length,
  coverage: status.coverage,
  seconds,
  cpuMillisecondsPerPage: (user + system) / 1000 / status.pages,
  rendered,
  kills,
  own: memoryOf(({ own }) => own),
  browser: memoryOf(({ browser }) => browser),
};
writeSync(1, JSON.stringify(figures));
process.exit(0);

function memoryOf(bytesOf: (sample: Sample) => number): MemoryFigures {
  const step = task.pages / 10;
  const bytes = new Map<number, number[]>();
  for (const sample of samples) {
    // While a killed browser is replaced there is none.
    if (sample.pages < task.fromPage || bytesOf(sample) === 0) continue;
    const tenth = Math.floor(sample.pages / step);
    bytes.set(tenth, [...(bytes.get(tenth) ?? []), bytesOf(sample)]);
  }
  const means = [...bytes.values()].map((all) => all.reduce((sum, each) => sum + each, 0) / all.length / 1e6);
  const [first = 0] = means;
  const largest = Math.max(0, ...means);
  return {
    firstMegabytes: first,
    lastMegabytes: means.at(-1) ?? 0,
    largestMegabytes: largest,
    growth: first === 0 ? 1 : largest / first,
  };
}

/** Of these processes and all that they have started. Only Linux tells. */
function treeBytes(roots: readonly number[]): number {
  const wanted = new Set(roots);
  let bytes = 0;
  for (const pid of processes()) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      if (!wanted.has(pid) && !wanted.has(parent)) continue;
      wanted.add(pid);
      bytes += PAGE_BYTES * Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    } catch {
      // It has ended.
    }
  }
  return bytes;
}

/** Parents before children, as far as numbers have not begun again. */
function processes(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0)
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}
