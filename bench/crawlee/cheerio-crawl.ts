/** A CheerioCrawler. Files are pages for it, too. */
import {
  CheerioCrawler,
  type CheerioCrawlingContext,
  Configuration,
  log,
  ProxyConfiguration,
  Request,
  type RequestQueue,
} from "@crawlee/cheerio";
import { ImportanceQueue } from "../../src/crawlee/index.ts";
import { type CrawlPlan, LIMITS, type PlannedCrawl, STORAGE } from "./planned-crawl.ts";

export function cheerioCrawl(plan: CrawlPlan): PlannedCrawl {
  log.setLevel(log.LEVELS.OFF);
  const { seed, coverage, proxyUrl, onPage, onRequest, onFailure } = plan;
  const queue = plan.queue === "own" ? undefined : new ImportanceQueue({ Request, seeds: [seed], coverage });
  const handle = ({ request, response, enqueueLinks }: CheerioCrawlingContext): Promise<void> =>
    onPage({
      url: request.loadedUrl ?? request.url,
      status: response.statusCode,
      take: (isTaken) =>
        enqueueLinks({ strategy: "same-domain", transformRequestFunction: (link) => isTaken(link.url) && link }),
    });
  const crawler = new CheerioCrawler(
    {
      ...LIMITS,
      ...(queue !== undefined && { requestQueue: queue as unknown as RequestQueue }),
      requestHandler: queue?.handler(handle) ?? handle,
      preNavigationHooks: [({ request }) => onRequest(request.url)],
      failedRequestHandler: onFailure,
      additionalMimeTypes: ["*/*"],
      proxyConfiguration: new ProxyConfiguration({ proxyUrls: [proxyUrl] }),
    },
    new Configuration(STORAGE),
  );
  return {
    queue,
    run: async () => void (await crawler.run(queue === undefined ? [seed] : [])),
    stop: () => crawler.stop(),
  };
}
