/**
 * Crawlee's CheerioCrawler on a local web, in a separate process. It follows the same links, stores nothing, keeps its
 * queue in memory, reads no robots.txt, and has no sessions and no generated headers. None of this makes it slower: a
 * concurrency of 20 to 200, an agent that keeps connections and generated headers were all within a tenth of each
 * other.
 */
import dns, { type LookupAddress, type LookupOptions } from "node:dns";
import { CheerioCrawler, Configuration, log } from "@crawlee/cheerio";
import { CrawlMeter, type CrawlTask, ranAs } from "./figures.ts";

const task = JSON.parse(process.argv[2]) as CrawlTask;
const { http2 = false, minConcurrency = 20, maxConcurrency = 64, headers = false } = task.crawlee ?? {};
resolveAllToLoopback();
log.setLevel(log.LEVELS.OFF);

const meter = new CrawlMeter();
let pages = 0;
let bytes = 0;
let others = 0;
let links = 0;
let httpVersion = "";
const configuration = new Configuration({
  persistStorage: false,
  purgeOnStart: false,
  memoryMbytes: 12_000,
  availableMemoryRatio: 0.9,
});
const crawler = new CheerioCrawler(
  {
    minConcurrency,
    maxConcurrency,
    useSessionPool: false,
    persistCookiesPerSession: false,
    maxRequestRetries: 1,
    autoscaledPoolOptions: { desiredConcurrency: minConcurrency, loggingIntervalSecs: null },
    preNavigationHooks: [
      (_, got) => {
        got.http2 = http2;
        Object.assign(got, { useHeaderGenerator: headers });
      },
    ],
    async requestHandler({ response, body, enqueueLinks }) {
      if (response.statusCode !== 200 || pages >= task.pages) {
        others++;
        return;
      }
      bytes += body.length;
      ({ httpVersion } = response);
      const { processedRequests } = await enqueueLinks({ strategy: "same-domain" });
      links += processedRequests.length;
      if (++pages === task.pages) {
        report();
        process.exit(0);
      }
    },
    failedRequestHandler() {
      others++;
    },
  },
  configuration,
);
await crawler.run([task.seed]);
report();

function report(): void {
  meter.report({ crawler: ranAs(task), pages, bytes, details: { others, links, httpVersion } });
}

/** Crawlee has no setting for name resolution. */
function resolveAllToLoopback(): void {
  type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
  const lookup = (_host: string, options: LookupOptions | number | Done, done?: Done): void => {
    const callback = typeof options === "function" ? options : done!;
    const all = typeof options === "object" && options.all === true;
    process.nextTick(() =>
      all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4),
    );
  };
  Object.assign(dns, { lookup });
}
