/**
 * Tidemark on a local web, in a separate process so that time and memory can be measured. Options and figures are JSON.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultWebSettings, launchCrawl } from "../../src/crawl/index.ts";
import { createHttpFetcher, parseResolveRule } from "../../src/fetch/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { CrawlMeter, type CrawlTask, ranAs } from "./figures.ts";

const task = JSON.parse(process.argv[2]) as CrawlTask;
const { readers = 1, concurrency = 64, perHost = 2 } = task.tidemark ?? {};
const settings = {
  web: defaultWebSettings({ kind: "domain", seeds: [task.seed] }),
  seeds: [{ url: task.seed, weight: 1 }],
  order: "rankmass",
  damping: 0.85,
  politeness: { delayMs: 0, concurrency, perHost, perAddress: 1000, crawlDelayMsMax: 60_000 },
  // A target that is not reached keeps the certificate running.
  limits: { pages: task.pages, coverage: 1 - 1e-9 },
  productToken: "tidemark",
} as const;

const meter = new CrawlMeter();
const store = createCrawl(join(task.dir, "crawl"), JSON.stringify(settings));
const fetcher = createHttpFetcher({
  userAgent: "tidemark-bench",
  allowPrivate: true,
  resolve: [parseResolveRule("*.docs.test:127.0.0.1")],
  certificates: [readFileSync(task.certificateFile, "utf8")],
  connections: perHost,
});
const crawl = await launchCrawl({ settings, store, fetcher, readers });
const { reason, status } = await crawl.run();
await fetcher.close();
store.close();
const { pages, bytes, known, dead, redirects, refused, retries, hosts, coverage } = status;
meter.report({
  crawler: ranAs(task),
  pages,
  bytes,
  details: { reason, known, dead, redirects, refused, retries, hosts, coverage },
});
