/** Random small crawls as logs, and what a reader who follows every link by hand finds in them. */
import fc from "fast-check";
import { viewOfLog } from "../../src/crawl/index.ts";
import { BLANK_VISIT, type Visit } from "../../src/log/index.ts";
import { type CrawlStore, MemoryStore } from "../../src/store/index.ts";
import { inlineSettings } from "../support/inline-web.ts";

const URLS_MAX = 12;

type Kind = "page" | "dead" | "failed" | "forbidden" | "robots" | "redirect" | "leaves" | "waiting";

interface RandomUrl {
  readonly kind: Kind;
  /** Of a page its links, of a redirect its target first. */
  readonly links: readonly number[];
  /** The content of a page: two pages with the same number have the same bytes. */
  readonly content: number;
  /** The last byte of the SimHash of a page; left out where it has none. */
  readonly words?: number;
  /** Made known by a sitemap. */
  readonly isListed?: boolean;
}

/** URLs by their ids, and the order in which they were visited. */
export interface RandomCrawl {
  readonly urls: readonly RandomUrl[];
  readonly order: readonly number[];
}

const kind = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Kind>("page") },
  { weight: 4, arbitrary: fc.constant<Kind>("redirect") },
  { weight: 3, arbitrary: fc.constantFrom<Kind>("dead", "failed", "forbidden", "robots", "leaves", "waiting") },
);

export const randomCrawl: fc.Arbitrary<RandomCrawl> = fc
  .array(
    fc.record({
      kind,
      links: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      content: fc.nat({ max: 4 }),
      isListed: fc.boolean(),
    }),
    {
      minLength: 2,
      maxLength: URLS_MAX,
    },
  )
  .chain((drawn) => {
    const urls = drawn.map((url) => ({ ...url, links: url.links.map((link) => link % drawn.length) }));
    const ids = urls.map((_, id) => id);
    return fc.record({ urls: fc.constant(urls), order: fc.shuffledSubarray(ids, { minLength: ids.length }) });
  });

const STATUS: Readonly<Record<Kind, number | null>> = {
  page: 200,
  dead: 404,
  failed: 500,
  forbidden: 403,
  robots: null,
  redirect: 301,
  leaves: 302,
  waiting: null,
};

const OUTCOMES: Readonly<Record<Exclude<Kind, "waiting">, Pick<Visit, "outcome" | "reason" | "detail">>> = {
  page: { outcome: "downloaded", reason: null, detail: null },
  dead: { outcome: "dead", reason: null, detail: "status-404" },
  failed: { outcome: "refused", reason: "failed", detail: "status-500" },
  forbidden: { outcome: "refused", reason: "forbidden", detail: "status-403" },
  robots: { outcome: "refused", reason: "robots", detail: null },
  redirect: { outcome: "redirected", reason: null, detail: null },
  leaves: { outcome: "refused", reason: "out-of-scope", detail: "redirect" },
};

const SEEDS = ["https://a.example/0"];

function settingsOfRandom(): string {
  return JSON.stringify(inlineSettings(SEEDS, {}));
}

/** Writes the crawl to a store. */
function tellRandomCrawl<Store extends CrawlStore>(store: Store, { urls, order }: RandomCrawl): Store {
  store.addOrigin(0, "https://a.example");
  for (const [id, { isListed = false }] of urls.entries()) {
    const source = id === 0 ? "seed" : isListed ? "sitemap" : "link";
    store.addUrl({ id, origin: 0, path: `/${id}`, depth: 0, source, discoveredAt: 0, reason: null });
  }
  store.replaceTrust([{ url: 0, weight: 1 }]);
  let number = 0;
  for (const url of order) {
    const { kind, links, content, words } = urls[url];
    if (kind === "waiting") continue;
    store.addVisit({
      ...BLANK_VISIT,
      number: ++number,
      url,
      atMs: number,
      ...OUTCOMES[kind],
      status: STATUS[kind],
      milliseconds: 1,
      digest: kind === "page" ? Uint8Array.of(1, 2, 3, 4, 0, 0, 0, content) : null,
      simhash: words === undefined ? null : Uint8Array.of(1, 2, 3, 4, 5, 6, 7, words),
      target: kind === "redirect" ? links[0] : null,
      links: kind === "page" ? Uint32Array.from(links.filter((link) => link !== url)) : null,
    });
  }
  store.commit();
  return store;
}

/** The crawl as findings see it. */
export function siteOf(crawl: RandomCrawl, listener = {}) {
  const { urls, state, links } = viewOfLog(tellRandomCrawl(new MemoryStore(settingsOfRandom()), crawl), listener);
  return { urls: urls.urls, state, links, targetOf: (url: number) => urls.targetOf(url) };
}

/** The HTTP status of each URL; 0 where there is none. */
export function statusesOf({ urls }: RandomCrawl): Uint16Array {
  return Uint16Array.from(urls, ({ kind }) => STATUS[kind] ?? 0);
}

/** Follows redirects by hand: the URLs on the way, and whether the way never ends. */
export function wayFrom(
  { urls }: RandomCrawl,
  start: number,
): { readonly way: readonly number[]; readonly isLoop: boolean } {
  const way: number[] = [];
  for (let url = start; ; url = urls[url].links[0]) {
    if (way.includes(url)) return { way, isLoop: true };
    way.push(url);
    if (urls[url].kind !== "redirect") return { way, isLoop: false };
  }
}
