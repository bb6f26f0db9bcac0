/** A PlaywrightCrawler with the Chromium of the system: none is downloaded. */
import {
  Configuration,
  log,
  PlaywrightCrawler,
  type PlaywrightCrawlingContext,
  ProxyConfiguration,
  Request,
  type RequestQueue,
} from "@crawlee/playwright";
import { ImportanceQueue } from "../../src/crawlee/index.ts";
import { type CrawlPlan, LIMITS, type PlannedCrawl, STORAGE } from "./planned-crawl.ts";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

export function playwrightCrawl(plan: CrawlPlan): PlannedCrawl {
  log.setLevel(log.LEVELS.OFF);
  const { seed, coverage, proxyUrl, onPage, onRequest, onFailure } = plan;
  const queue = plan.queue === "own" ? undefined : new ImportanceQueue({ Request, seeds: [seed], coverage });
  const handle = ({ request, response, enqueueLinks }: PlaywrightCrawlingContext): Promise<void> =>
    onPage({
      url: request.loadedUrl ?? request.url,
      status: response?.status(),
      take: (isTaken) =>
        enqueueLinks({ strategy: "same-domain", transformRequestFunction: (link) => isTaken(link.url) && link }),
    });
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  const crawler = new PlaywrightCrawler(
    {
      ...LIMITS,
      ...(queue !== undefined && { requestQueue: queue as unknown as RequestQueue }),
      requestHandler: queue?.handler(handle) ?? handle,
      preNavigationHooks: [({ request }) => onRequest(request.url)],
      failedRequestHandler: onFailure,
      proxyConfiguration: new ProxyConfiguration({ proxyUrls: [proxyUrl] }),
      headless: true,
      launchContext: { launchOptions: { executablePath, args: ARGUMENTS } },
    },
    new Configuration(STORAGE),
  );
  return {
    queue,
    run: async () => void (await crawler.run(queue === undefined ? [seed] : [])),
    stop: () => crawler.stop(),
  };
}
