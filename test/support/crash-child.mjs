/**
 * Crawls a small generated web over the twin until it ends or is killed. Arguments: directory, pages of the web, the number of the
 * write before which to die (0: never). Every page count that is reported as stored goes to standard output, and at last how it ended.
 */
import { existsSync, writeSync } from "node:fs";
import { defaultWebSettings, launchCrawl, openArchive } from "../../dist/crawl/index.js";
import { fetcherOfGraph } from "../../dist/fetch/index.js";
import { GeneratedWeb, generateGraph } from "../../dist/graph/index.js";
import { createCrawl, openCrawl } from "../../dist/store/index.js";

const [dir, pages, dieBefore] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const web = new GeneratedWeb({ pages, seed: 3 });
const { graph } = generateGraph({ pages, seed: 3 });
const seeds = [{ url: web.urlOf(0), weight: 1 }];
const settings = {
  web: defaultWebSettings({ kind: "any", seeds: [web.urlOf(0)] }, 0),
  seeds,
  order: "rankmass",
  damping: 0.85,
  politeness: { delayMs: 0, concurrency: 4, perHost: 2, perAddress: 1000, crawlDelayMsMax: 0 },
  limits: {},
  productToken: "tidemark",
};
let writes = 0;
const options = {
  beforeWrite: (count) => {
    writes = count;
    if (count === dieBefore) process.kill(process.pid, "SIGKILL");
  },
};
const json = JSON.stringify(settings);
const store = existsSync(`${dir}/crawl.sqlite`) ? openCrawl(dir, options) : createCrawl(dir, json, options);
// With an argument more, bodies are kept and pages are read on a thread of their own.
const isArchived = process.argv[5] === "warc";
const network = { userAgent: "crash test", warcRecords: "all" };
const crawl = await launchCrawl({
  ...(isArchived && { archive: openArchive(dir, store, network) }),
  store,
  settings,
  fetcher: fetcherOfGraph(graph, (page) => web.urlOf(page)),
  readers: isArchived ? 1 : 0,
  commitMs: 3,
  onStatus: ({ pages }) => writeSync(1, `${pages}\n`),
});
const { reason } = await crawl.run();
store.close();
writeSync(1, `${reason} after ${writes} writes\n`);
