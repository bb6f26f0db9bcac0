/**
 * Requests that a CheerioCrawler makes on the demo web, with the queue of Tidemark and with its own: until the pages
 * that it has truly hold 90% of the importance, until that is proved, and until its own queue is empty. Servers count
 * the requests, redirects and second attempts included.
 */
import { crawlDemo } from "./crawlee/crawl-demo.ts";
import type { DemoFigures } from "./crawlee/demo-task.ts";

interface CrawleeBenchFigures {
  /** Until the pages fetched truly hold the share. */
  readonly held: { readonly own: DemoFigures; readonly importance: DemoFigures };
  /** Until the share is proved; Crawlee's own queue proves nothing, and ends when it is empty. */
  readonly proved: { readonly own: DemoFigures; readonly importance: DemoFigures };
  /** The same with a user's filter, and hooks and handlers that throw, until nothing is left. */
  readonly filtered: DemoFigures;
  readonly ratios: { readonly held: number; readonly proved: number };
}

export async function benchCrawlee({ tiny }: { readonly tiny: boolean }): Promise<CrawleeBenchFigures> {
  const share = tiny ? 0.4 : 0.9;
  const limit = tiny ? { requestsMax: 100 } : {};
  const own = { crawler: "cheerio", queue: "own", ...limit } as const;
  const importance = { crawler: "cheerio", queue: "importance", ...limit } as const;
  const held = {
    own: await crawlDemo({ ...own, held: share }),
    importance: await crawlDemo({ ...importance, held: share }),
  };
  const proved = {
    own: await crawlDemo(own),
    importance: await crawlDemo({ ...importance, coverage: share }),
  };
  return {
    held,
    proved,
    filtered: await crawlDemo({ ...importance, filter: true, throws: true }),
    ratios: {
      held: held.importance.requests / held.own.requests,
      proved: proved.importance.requests / proved.own.requests,
    },
  };
}
