/**
 * A crawler of Crawlee on the demo web, with its own queue or with that of Tidemark, next to the true importance of
 * what it fetched. The months of the endless calendar are left out, as a user who reads the site would do.
 */
import { DEMO_SEED } from "../../src/demo/index.ts";
import { hashOf } from "../../src/demo/sites.ts";
import { startDemoProxy } from "./demo-proxy.ts";
import type { DemoFigures, DemoTask } from "./demo-task.ts";
import { DemoTruth } from "./demo-truth.ts";
import type { CrawlPlan, PlannedCrawl, SeenPage } from "./planned-crawl.ts";

/** Certificates are made after every so many pages. */
const PAGES_PER_CHECK = 25;

export async function crawlDemo(task: DemoTask): Promise<DemoFigures> {
  const { held: heldMax = 2, requestsMax = Number.POSITIVE_INFINITY, filter = false, throws = false } = task;
  const drops = (from: string, to: string): boolean => isMonth(to) || (filter && isHit(from + to, 7));
  const truth = new DemoTruth(drops);
  const fetched = new Set<string>();
  const proxy = await startDemoProxy();
  let held = 0;
  let excess = -1;
  let failed = 0;
  let hasEnded = true;
  const check = (): void => {
    const { queue } = crawl;
    if (queue !== undefined) excess = Math.max(excess, queue.certificate().coverage - held, queue.coverage - held);
  };
  const onPage = async ({ url, status, take }: SeenPage): Promise<void> => {
    if (status === 200 && !fetched.has(url)) {
      fetched.add(url);
      held += truth.rankOf(url);
      if (fetched.size % PAGES_PER_CHECK === 0) check();
    }
    if (held >= heldMax || proxy.requests >= requestsMax) {
      hasEnded = false;
      crawl.stop();
    }
    if (throws && isHit(url, 11)) throw new Error("before any link is taken");
    await take((link) => !drops(url, link));
    if (throws && isHit(url, 13)) throw new Error("after the links were taken");
  };
  const crawl = await crawlOf(task.crawler, {
    seed: DEMO_SEED,
    queue: task.queue,
    coverage: task.coverage,
    proxyUrl: proxy.url,
    onPage,
    onRequest: (url) => {
      if (throws && isHit(url, 17)) throw new Error("a hook of the user");
    },
    onFailure: () => {
      failed++;
    },
  });
  try {
    await crawl.run();
    check();
    const { coverage = 0, strict = 0 } = crawl.queue?.certificate() ?? {};
    return {
      pages: fetched.size,
      ...(task.held !== undefined && { fewest: truth.fewest(task.held) }),
      requests: proxy.requests,
      held,
      coverage,
      strict,
      excess,
      failed,
      hasEnded,
    };
  } finally {
    await proxy.close();
  }
}

/** Each package brings its own copy of Crawlee: only one is loaded. */
async function crawlOf(crawler: DemoTask["crawler"], plan: CrawlPlan): Promise<PlannedCrawl> {
  if (crawler === "cheerio") return (await import("./cheerio-crawl.ts")).cheerioCrawl(plan);
  return (await import("./playwright-crawl.ts")).playwrightCrawl(plan);
}

function isMonth(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === "calendar.demo.test" && pathname !== "/";
}

function isHit(text: string, every: number): boolean {
  return hashOf(text) % every === 0;
}
