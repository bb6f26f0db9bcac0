/** A whole small web in a function: what each URL answers. Requests are answered one turn later, in order. */
import { defaultWebSettings, type CrawlEnd, type CrawlSettings, launchCrawl } from "../../src/crawl/index.ts";
import type { FailureName, Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { encodeReason, type Visit } from "../../src/log/index.ts";
import { type CrawlStore, MemoryStore } from "../../src/store/index.ts";
import { plainSettings, type SettingsChanges } from "./plain-settings.ts";

export type { SettingsChanges };

/** HTML, a redirect, a status without a body, a failure, or anything with headers of its own. */
export type Served =
  | string
  | { readonly redirect: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly failure: FailureName }
  | {
      readonly body: string | Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
      readonly truncated?: boolean;
    };

export class InlineWeb implements Fetcher {
  readonly requested: string[] = [];
  readonly #serve: (url: URL) => Served | undefined;

  /** What is undefined is not found. */
  constructor(serve: (url: URL) => Served | undefined) {
    this.#serve = serve;
  }

  fetch(request: FetchRequest, done: (reply: Reply) => void): void {
    this.requested.push(request.url);
    setImmediate(() => done(replyOf(this.#serve(new URL(request.url)) ?? { status: 404 })));
  }

  async close(): Promise<void> {}
}

export interface InlineCrawl {
  readonly end: CrawlEnd;
  readonly store: MemoryStore;
  /** The final outcome of each URL that has one. */
  readonly fates: ReadonlyMap<string, Fate>;
}

export function inlineSettings(seeds: readonly string[], changes: SettingsChanges): CrawlSettings {
  return plainSettings(seeds, {
    politeness: { delayMs: 0, concurrency: 8, perHost: 1, perAddress: 100, crawlDelayMsMax: 0 },
    ...changes,
    web: { ...defaultWebSettings({ kind: "domain", seeds }, 0), ...changes.web },
  });
}

/** Crawls an inline web from its seeds, at once. */
export async function crawlInline(
  fetcher: Fetcher,
  seeds: readonly string[],
  changes: SettingsChanges = {},
): Promise<InlineCrawl> {
  const settings = inlineSettings(seeds, changes);
  const store = new MemoryStore(JSON.stringify(settings));
  const crawl = await launchCrawl({ store, settings, fetcher, readers: 0 });
  const end = await crawl.run();
  return { end, store, fates: fatesIn(store) };
}

/** A final visit, with its reason and detail as one text. */
export interface Fate extends Visit {
  readonly why: string | null;
}

/** The final outcome of each URL that has one. */
export function fatesIn(store: CrawlStore): ReadonlyMap<string, Fate> {
  const origins = [...store.origins()];
  const urls = [...store.urls()].map(({ origin, path }) => `${origins[origin]}${path ?? ""}`);
  const visits = [...store.visits()].filter(({ outcome }) => outcome !== "try-again");
  return new Map(visits.map((visit) => [urls[visit.url], { ...visit, why: encodeReason(visit) }]));
}

export function replyOf(served: Served, address: string | null = null): Reply {
  const html = { "content-type": "text/html; charset=utf-8" };
  if (typeof served === "string") return answer(address, 200, html, served);
  if ("redirect" in served) return answer(address, 302, { location: served.redirect }, "");
  if ("status" in served) return answer(address, served.status, served.headers ?? {}, "");
  if ("failure" in served) {
    const { failure } = served;
    return { kind: "failure", failure, message: failure, address, milliseconds: 1 };
  }
  return answer(address, 200, served.headers, served.body, served.truncated);
}

function answer(
  address: string | null,
  status: number,
  headers: Readonly<Record<string, string>>,
  content: string | Uint8Array,
  truncated = false,
): Reply {
  const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    kind: "answer",
    status,
    headers,
    body,
    truncated,
    wireBytes: body.length,
    address,
    milliseconds: 1,
  };
}
