/** One crawl of the benchmark of names, in a process of its own. Task and figures are JSON. */
import { defaultWebSettings, launchCrawl } from "../../src/crawl/index.ts";
import { createHttpFetcher, type Fetcher, type Lookup } from "../../src/fetch/index.ts";
import { DnsLookup } from "../../src/fetch/name-lookup.ts";
import { HostsFile, systemHostsPath } from "../../src/fetch/hosts-file.ts";
import { systemClock } from "../../src/base/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import type { NamesFigures, NamesTask } from "./names-figures.ts";

/** Threads in Node's pool, where `dns.lookup` runs. */
const THREADS = 4;

const task = JSON.parse(process.argv[2]) as NamesTask;
const seeds = [0, 2, 3].map((host) => ({ url: `http://h${host}.${task.domain}:${task.pagesPort}/0`, weight: 1 / 3 }));
const settings = {
  web: defaultWebSettings({ kind: "any", seeds: seeds.map(({ url }) => url) }),
  seeds,
  order: "rankmass",
  damping: 0.85,
  politeness: { delayMs: 0, concurrency: 64, perHost: 1, perAddress: 10_000, crawlDelayMsMax: 60_000 },
  limits: { pages: task.pages, timeMs: 1000 * task.secondsMax },
  productToken: "tidemark",
} as const;
const options = { userAgent: "tidemark-bench", allowPrivate: true };
const fetcher = task.lookups === "ahead" ? createHttpFetcher({ ...options, dns: task.dns }) : fetcherBefore();
const startMs = performance.now();
const crawl = await launchCrawl({ settings, store: new MemoryStore("{}"), fetcher, readers: 0 });
const { status } = await crawl.run();
const seconds = (performance.now() - startMs) / 1000;
const figures: NamesFigures = {
  lookups: task.lookups,
  domain: task.domain,
  pages: status.pages,
  seconds,
  pagesPerSecond: status.pages / seconds,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(figures));
process.exit(0);

/** The same questions to the same server, as many at once as there are threads, and never ahead of a request. */
function fetcherBefore(): Fetcher {
  const hosts = new HostsFile(systemHostsPath(), systemClock);
  const names = new DnsLookup({ servers: [task.dns], hosts, atOnceMax: THREADS });
  const lookup: Lookup = (host, done) => names.lookup(host, done);
  const whole = createHttpFetcher({ ...options, lookup });
  return { fetch: (request, done) => whole.fetch(request, done), close: () => whole.close() };
}
