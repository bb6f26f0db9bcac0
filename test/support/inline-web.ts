/** A whole small web in a function: what each URL answers. Requests are answered one turn later, in order. */
import { defaultWebSettings, type CrawlEnd, type CrawlSettings, launchCrawl } from "../../src/crawl/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { MemoryStore, type Visit } from "../../src/store/index.ts";

/** HTML, a redirect, a status without a body, or anything with headers of its own. */
export type Served =
  | string
  | { readonly redirect: string }
  | { readonly status: number }
  | {
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly truncated?: boolean;
    };

export class InlineWeb implements Fetcher {
  readonly asked: string[] = [];
  readonly #serve: (url: URL) => Served | undefined;

  /** What is undefined is not found. */
  constructor(serve: (url: URL) => Served | undefined) {
    this.#serve = serve;
  }

  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    this.asked.push(request.url);
    setImmediate(() => done(replyOf(this.#serve(new URL(request.url)) ?? { status: 404 })));
  }

  async close(): Promise<void> {}
}

export interface InlineCrawl {
  readonly end: CrawlEnd;
  readonly store: MemoryStore;
  /** The last word on each URL that has one. */
  readonly fates: ReadonlyMap<string, Visit>;
}

/** Crawls an inline web from its seeds, at once. */
export async function crawlInline(
  fetcher: Fetcher,
  seeds: readonly string[],
  changes: Partial<Omit<CrawlSettings, "web">> & { readonly web?: Partial<CrawlSettings["web"]> } = {},
): Promise<InlineCrawl> {
  const settings: CrawlSettings = {
    seeds: seeds.map((url) => ({ url, weight: 1 / seeds.length })),
    order: "rankmass",
    damping: 0.85,
    politeness: { delayMs: 0, concurrency: 8, perHost: 1, perAddress: 100, crawlDelayMsMax: 0 },
    limits: {},
    productToken: "tidemark",
    ...changes,
    web: { ...defaultWebSettings({ kind: "domain", seeds }), ...changes.web },
  };
  const store = new MemoryStore(JSON.stringify(settings));
  const crawl = await launchCrawl({ store, settings, fetcher, readers: 0 });
  const end = await crawl.run();
  const origins = [...store.origins()];
  const urls = [...store.urls()].map(({ origin, path }) => `${origins[origin]}${path ?? ""}`);
  const visits = [...store.visits()].filter(({ outcome }) => outcome !== "try-again");
  return { end, store, fates: new Map(visits.map((visit) => [urls[visit.url]!, visit])) };
}

function replyOf(served: Served): Reply {
  if (typeof served === "string") return answer(200, { "content-type": "text/html; charset=utf-8" }, served);
  if ("redirect" in served) return answer(302, { location: served.redirect }, "");
  if ("status" in served) return answer(served.status, {}, "");
  return answer(200, served.headers, served.body, served.truncated);
}

function answer(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  truncated = false,
): Reply {
  const body = new TextEncoder().encode(text);
  return {
    kind: "answer",
    status,
    headers,
    body,
    truncated,
    wireBytes: body.length,
    address: null,
    milliseconds: 1,
  };
}
